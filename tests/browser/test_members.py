"""Members in a real browser: invited, signed in and out, and told what is wrong."""

import re
import threading
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office
from tests.notifications.post_office import PostOffice, open_post_office

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("decisions §13")
PASSWORD = "correct horse battery"


def accept(office: Office, email: str, role: Role = Role.OWNER) -> Page:
    page = office.page
    page.goto(office.invite(email, role))
    page.get_by_role("textbox", name="Name").fill("Ann Ames")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Accept").click()
    page.wait_for_url("**/console*")
    return page


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Ann Ames").click()
    # The form comes at once; the session lives until the server has answered.
    with page.expect_response(lambda one: one.request.method == "DELETE"):
        page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_role("textbox", name="E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_who_is_invited_lands_in_the_console_and_signs_in_again(office: Office) -> None:
    page = accept(office, "ann.signs.in@example.com")
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    assert "roundsman-session" not in page.evaluate("document.cookie")
    page.reload()
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    sign_out(page)
    page.reload()
    sign_in(page, "ann.signs.in@example.com", "not the password")
    expect(page.get_by_role("alert")).to_contain_text("E-mail and password do not match.")
    sign_in(page, "ANN.signs.in@example.com")
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    expect(page.get_by_text("View only")).to_be_hidden()


def test_who_may_only_look_is_told_so(office: Office) -> None:
    page = accept(office, "viewer@example.com", Role.VIEWER)
    expect(page.get_by_text("View only", exact=True)).to_be_visible()


def test_a_session_that_ended_elsewhere_asks_to_sign_in_again(office: Office) -> None:
    page = accept(office, "ended@example.com")
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    (member,) = office.http.get("/members").json()["members"]
    office.post("/members", {"email": "other@example.com", "role": "OWNER"})
    owner = office.page.context.browser.new_page()  # type: ignore[union-attr]
    owner.goto(office.invite("second@example.com"))
    owner.get_by_label("Password").fill(PASSWORD)
    owner.get_by_role("button", name="Accept").click()
    owner.wait_for_url("**/console*")
    owner.close()
    office.post(f"/members/{member['id']}/deactivate", {})
    office.open("undated")
    expect(page.get_by_role("alert")).to_contain_text("You have been signed out.")


def test_a_bad_password_is_said_on_the_page_of_the_invitation(office: Office) -> None:
    page = office.page
    page.goto(office.invite("weak@example.com"))
    page.get_by_label("Password").fill("password123")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("alert")).to_contain_text("is one of the commonest")


def test_an_owner_says_what_drivers_are_asked_for(office: Office) -> None:
    office.open("settings")
    office.sign_in()
    page = office.page
    page.get_by_role("tab", name="Proof").click()
    page.get_by_role("combobox", name="Photo").select_option("required")
    page.get_by_role("textbox", name="Reasons for failed deliveries").fill("Dog\n\n Flood ")
    with page.expect_response("**/organization") as saved:
        page.get_by_role("button", name="Save").click()
    assert saved.value.status == 200
    told = office.http.get("/organization").json()
    assert told["failureReasons"] == ["Dog", "Flood"]
    assert told["proofRules"]["photo"] == "REQUIRED"
    page.get_by_role("tab", name="Map").click()
    expect(page.get_by_text("No streets are installed")).to_be_visible()


def test_an_owner_decides_what_customers_are_told(office: Office) -> None:
    office.open("settings")
    office.sign_in()
    page = office.page
    page.get_by_role("tab", name="Messages").click()
    page.get_by_role("checkbox", name="Delivered, E-mail").check()
    page.get_by_label("Quiet from").fill("21:00")
    page.get_by_label("Quiet until").fill("07:30")
    page.get_by_role("textbox", name="Address of the gateway").fill("https://127.0.0.1/sms")
    page.get_by_role("textbox", name="Headers, one a line").fill("Authorization: key")
    page.get_by_role("textbox", name="Body").fill('{"to": "{to}", "text": "{text}"}')
    with page.expect_response("**/settings/messages") as saved:
        page.get_by_role("button", name="Save", exact=True).click()
    assert saved.value.status == 200, saved.value.text()
    told = office.http.get("/settings/messages").json()
    assert told["rules"] == [{"moment": "DELIVERED", "channel": "EMAIL", "enabled": True}]
    assert told["quietHours"] == {"start": "21:00", "end": "07:30"}
    assert told["smsGateway"]["headers"] == {"Authorization": "****"}
    words = page.get_by_role("region", name="Words")
    words.get_by_role("combobox", name="Language").select_option("de")
    words.get_by_role("textbox", name="Own words").fill("Hallo {name}, {order} kommt {window}.")
    words.get_by_role("button", name="Keep these words").click()
    expect(words.get_by_text("Hallo Robin, #1041 kommt")).to_be_visible()
    words.get_by_role("textbox", name="Own words").fill("Hallo {nobody}")
    words.get_by_role("button", name="Keep these words").click()
    expect(words.get_by_role("alert")).to_contain_text("no other braces")


def open_members(page: Page) -> Page:
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("tab", name="Members").click()
    return page


def row_of(page: Page, email: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("cell", name=email, exact=True))


def test_who_lost_an_invitation_gets_a_new_link(office: Office) -> None:
    page = open_members(accept(office, "links@example.com"))
    first = office.invite("neu@example.com")
    page.reload()
    open_members(page)
    expect(page.get_by_role("button", name="New link")).to_have_count(1)
    again = row_of(page, "neu@example.com").get_by_role("button", name="New link")
    expect(again).to_have_accessible_description("neu@example.com")
    again.click()
    dialog = page.get_by_role("dialog", name="neu@example.com")
    link = dialog.get_by_role("textbox", name="Invite link").input_value()
    dialog.get_by_role("button", name="Close").click()
    guest = office.page.context.browser.new_page()  # type: ignore[union-attr]
    guest.goto(first)
    expect(guest.get_by_role("button", name="Accept")).to_have_count(0)
    guest.goto(link)
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Accept").click()
    guest.wait_for_url("**/console*")
    guest.close()


def test_an_owner_corrects_a_name_and_gives_another_role(office: Office) -> None:
    page = open_members(accept(office, "roles@example.com"))
    office.invite("vic@example.com", Role.VIEWER)
    page.reload()
    open_members(page)
    row = row_of(page, "vic@example.com")
    row.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit member")
    dialog.get_by_role("textbox", name="Name").fill("Vic Vale")
    dialog.get_by_role("combobox", name="Role").select_option("Planner")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(row).to_contain_text("Vic Vale")
    expect(row).to_contain_text("Planner")
    own = row_of(page, "roles@example.com")
    own.get_by_role("button", name="Edit").click()
    dialog.get_by_role("combobox", name="Role").select_option("Viewer")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("this is the last one")


def test_credentials_of_who_is_deactivated_are_named_and_those_that_are_ticked_end(
    office: Office,
) -> None:
    page = open_members(accept(office, "leaver@example.com"))
    page.get_by_role("tab", name="API credentials").click()
    page.get_by_role("button", name="Create credentials").click()
    made = page.get_by_role("textbox", name="Client ID").input_value()
    sign_out(page)
    open_members(accept(office, "stays@example.com"))
    row = row_of(page, "leaver@example.com")
    row.get_by_role("button", name="Deactivate").click()
    dialog = page.get_by_role("dialog", name="API credentials")
    expect(dialog).to_contain_text("Credentials of Ann Ames still sign in")
    end = dialog.get_by_role("button", name="Delete")
    expect(end).to_be_disabled()
    dialog.get_by_role("checkbox", name=made).check()
    end.click()
    expect(dialog).to_have_count(0)
    listed = office.http.get("/credentials").json()["credentials"]
    assert made not in {one["id"] for one in listed}
    row.get_by_role("button", name="Activate").click()
    expect(row).to_contain_text("Active")
    expect(dialog).to_have_count(0)


def test_an_owner_who_gives_the_role_up_is_left_with_what_a_planner_sees(office: Office) -> None:
    page = open_members(accept(office, "retires@example.com"))
    successor = office.page.context.browser.new_page()  # type: ignore[union-attr]
    successor.goto(office.invite("successor@example.com"))
    successor.get_by_label("Password").fill(PASSWORD)
    successor.get_by_role("button", name="Accept").click()
    successor.wait_for_url("**/console*")
    successor.close()
    row_of(page, "retires@example.com").get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit member")
    dialog.get_by_role("combobox", name="Role").select_option("Planner")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("tab", name="Organization", selected=True)).to_be_visible()
    expect(page.get_by_role("tab", name="Members")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_who_forgot_a_password_is_told_what_to_do_where_no_mail_is_sent(office: Office) -> None:
    page = accept(office, "forgets@example.com")
    open_members(page)
    row_of(page, "forgets@example.com").get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit member")
    command = "roundsman member reset-password forgets@example.com"
    expect(dialog).to_contain_text(command)
    expect(dialog.get_by_role("button", name="Send link")).to_have_count(0)
    dialog.get_by_role("button", name="Cancel").click()
    sign_out(page)
    page.get_by_role("textbox", name="E-mail").fill("forgets@example.com")
    page.get_by_role("link", name="Forgot password?").click()
    expect(page.get_by_role("heading", name="Forgotten password")).to_be_visible()
    expect(page.get_by_text("This installation sends no e-mail.")).to_be_visible()
    expect(page.get_by_text(command)).to_be_visible()
    page.get_by_role("link", name="Back to sign in").click()
    sign_in(page, "forgets@example.com")
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()


def links_in(post: PostOffice) -> list[tuple[str, str]]:
    """Return to whom links to choose a new password with were sent, and the links."""
    bodies = [(letter["To"], letter.get_body(("plain",))) for letter in post.letters]
    texts = [(to, body.get_content()) for to, body in bodies if body is not None]
    return [(to, link) for to, text in texts for link in re.findall(r"\S+/members/reset/\S+", text)]


def test_who_forgot_a_password_is_sent_a_link_and_nobody_learns_who_is_known(
    house: House, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    came = threading.Event()
    with open_post_office() as post:
        post.taken = lambda: came.set() if links_in(post) else None
        mail = {
            "ROUNDSMAN_SMTP_URL": f"smtp://127.0.0.1:{post.port}",
            "ROUNDSMAN_MAIL_FROM": "post@example.com",
        }
        with serving(tmp_path, url, **mail) as address:
            office = open_office(House(address, url, tmp_path, house.browser, house.playwright))
            with closing(office.http):
                page = accept(office, "lost@example.com")
                sign_out(page)
                page.get_by_role("link", name="Forgot password?").click()
                told = page.get_by_role("status")
                for email in ("nobody@example.com", "lost@example.com"):
                    page.get_by_role("textbox", name="E-mail").fill(email)
                    page.get_by_role("button", name="Send link").click()
                    expect(told).to_contain_text(f"If somebody signs in here as {email}")
                assert came.wait(30)
                ((to, link),) = links_in(post)
                assert to == "lost@example.com"
                page.goto(link)
                page.get_by_label("New password").fill("another long passphrase")
                page.get_by_role("button", name="Save").click()
                # A form of a page: whoever goes elsewhere before the answer has sent nothing.
                page.get_by_role("link", name="Sign in").wait_for()
                office.open("settings")
                sign_in(page, "lost@example.com", "another long passphrase")
                expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
            page.close()
            assert office.troubles == []
