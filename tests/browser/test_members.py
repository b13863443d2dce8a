"""Members in a real browser: invited, signed in and out, and told what is wrong."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office

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
