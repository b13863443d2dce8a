"""The console's settings: members, webhooks, credentials, messages, and the organization itself."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import FilePayload, Page, expect
from tests.browser.office import House, Office
from tests.browser.test_console import button
from tests.browser.test_members import accept
from tests.images.test_decoder_process import with_exif
from tests.support.waiting import wait_until
from tests.webhooks.receiver import Receiver

from roundsman.domain.message import DECLINED, UNKNOWN_MAILBOX, Channel
from roundsman.kit.clock import SystemClock
from roundsman.storage.database import Database
from roundsman.storage.messages import suppress_recipient
from roundsman.webhooks.envelope import sign_body

pytestmark = pytest.mark.spec("doors 0a")

HOOK = "http://127.0.0.1:9/hook"


def test_settings_invite_members_and_make_webhooks_and_credentials(office: Office) -> None:
    page = accept(office, "settings@example.com")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("tab", name="Members").click()
    button(page, "Invite member").click()
    dialog = page.get_by_role("dialog", name="Invite member")
    dialog.get_by_role("textbox", name="E-mail").fill("new@example.com")
    dialog.get_by_role("textbox", name="Name").fill("Nia New")
    dialog.get_by_role("combobox", name="Role").select_option("Planner")
    button(dialog, "Invite").click()
    assert "/invite/" in dialog.get_by_role("textbox", name="Invite link").input_value()
    button(dialog, "Close").click()
    page.get_by_role("tab", name="Webhooks").click()
    button(page, "Add webhook").click()
    dialog = page.get_by_role("dialog", name="Add webhook")
    dialog.get_by_role("textbox", name="URL").fill(HOOK)
    expect(button(dialog, "Add")).to_be_disabled()
    dialog.get_by_role("checkbox", name="STOP_UPDATED", exact=True).check()
    button(dialog, "Add").click()
    expect(page.get_by_role("cell", name=HOOK)).to_be_visible()
    (webhook,) = office.http.get("/webhooks").json()["webhooks"]
    assert webhook["topics"] == ["STOP_UPDATED"]
    for name in ("Send test", "Attempts", "Delete"):
        expect(button(page, name)).to_be_visible()
    page.get_by_role("tab", name="API credentials").click()
    button(page, "Create credentials").click()
    client = page.get_by_role("textbox", name="Client ID").input_value()
    secret = page.get_by_role("textbox", name="Client secret").input_value()
    answer = office.http.post("/authenticate", json={"clientId": client, "clientSecret": secret})
    assert answer.status_code == 200


def answer(page: Page, name: str, said: str, button_: str) -> None:
    """Answer the question of that name, which says this."""
    dialog = page.get_by_role("dialog", name=name)
    expect(dialog).to_contain_text(said)
    button(dialog, button_).click()
    expect(dialog).to_have_count(0)


def test_deleting_a_webhook_or_credentials_asks_first(office: Office) -> None:
    page = office.page
    office.post("/webhooks", {"url": HOOK, "topics": ["ROUTE_CREATED"]})
    other = office.post("/credentials", {})["clientId"]
    office.open("settings")
    office.sign_in()
    page.get_by_role("tab", name="Webhooks").click()
    button(page, "Delete").click()
    answer(page, "Delete", HOOK, "Cancel")
    assert len(office.http.get("/webhooks").json()["webhooks"]) == 1
    button(page, "Delete").click()
    answer(page, "Delete", HOOK, "Delete")
    expect(page.get_by_role("cell", name=HOOK)).to_have_count(0)
    assert office.http.get("/webhooks").json()["webhooks"] == []
    page.get_by_role("tab", name="API credentials").click()
    mine, theirs = (page.get_by_role("row", name=id_) for id_ in (office.client_id, other))
    expect(mine).to_contain_text("You are signed in with these.")
    expect(theirs).not_to_contain_text("You are signed in")
    button(mine, "Delete").click()
    answer(page, "Delete", "will be signed out", "Cancel")
    button(theirs, "Delete").click()
    answer(page, "Delete", other, "Cancel")
    expect(theirs).to_be_visible()
    button(theirs, "Delete").click()
    answer(page, "Delete", "cannot be brought back", "Delete")
    expect(theirs).to_have_count(0)
    (left,) = office.http.get("/credentials").json()["credentials"]
    assert left["id"] == office.client_id


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as listening:
        yield listening


def add_hook(office: Office, url: str) -> str:
    return str(office.post("/webhooks", {"url": url, "topics": ["ROUTE_CREATED"]})["id"])


def open_webhooks(office: Office) -> Page:
    office.open("settings")
    office.sign_in()
    office.page.get_by_role("tab", name="Webhooks").click()
    return office.page


def has_attempts(office: Office, id_: str, count: int) -> bool:
    (one,) = office.http.get(f"/webhooks/{id_}/deliveries").json()["deliveries"]
    return len(one["attempts"]) >= count and one["status"] != "PENDING"


def test_attempts_are_said_in_words_by_local_clocks_and_sent_again(
    office: Office, receiver: Receiver
) -> None:
    id_ = add_hook(office, receiver.url("/in"))
    page = open_webhooks(office)
    button(page, "Send test").click()
    receiver.wait_for(1)
    wait_until(lambda: has_attempts(office, id_, 1))
    button(page, "Attempts").click()
    dialog = page.get_by_role("dialog", name="Attempts")
    item = dialog.get_by_role("listitem")
    expect(item).to_contain_text("TEST · Accepted")
    expect(item).to_contain_text("answered 200")
    expect(item).not_to_contain_text(re.compile(r"DELIVERED|T\d\d:|Z"))
    button(item, "Send again").click()
    receiver.wait_for(2)
    wait_until(lambda: has_attempts(office, id_, 2))
    button(dialog, "Refresh").click()
    expect(item.get_by_text("answered 200")).to_have_count(2)


def test_an_event_that_is_refused_says_when_it_is_tried_next(
    office: Office, receiver: Receiver
) -> None:
    id_ = add_hook(office, receiver.url("/status/503"))
    page = open_webhooks(office)
    button(page, "Send test").click()
    listed = f"/webhooks/{id_}/deliveries"
    wait_until(lambda: any(one["attempts"] for one in office.http.get(listed).json()["deliveries"]))
    button(page, "Attempts").click()
    item = page.get_by_role("dialog", name="Attempts").get_by_role("listitem")
    expect(item).to_contain_text(re.compile("TEST · Waiting · next try .*20"))
    expect(item).to_contain_text("answered 503")
    expect(button(item, "Send again")).to_have_count(0)


def test_a_webhook_is_given_a_secret_of_its_own_that_is_shown_once(
    office: Office, receiver: Receiver
) -> None:
    add_hook(office, receiver.url("/in"))
    page = open_webhooks(office)
    dialog = page.get_by_role("dialog", name="Signing secret")
    shown = dialog.get_by_role("textbox", name="Signing secret")
    button(page, "Signing secret").click()
    button(dialog, "Make a secret").click()
    lost = shown.input_value()
    button(dialog, "Close").click()
    button(page, "Signing secret").click()
    button(dialog, "Make a secret").click()
    expect(dialog).to_contain_text("A secret was made before")
    expect(shown).to_have_count(0)
    button(dialog, "Forget it").click()
    expect(page.get_by_role("log")).to_have_text("Events are signed as before.")
    button(page, "Signing secret").click()
    button(dialog, "Make a secret").click()
    secret = shown.input_value()
    button(dialog, "Use it alone").click()
    expect(dialog).to_have_count(0)
    button(page, "Send test").click()
    (received,) = receiver.wait_for(1)
    headers = {name.lower(): value for name, value in received.headers.items()}
    assert headers["x-service-hmac-sha256"] == sign_body(secret, received.body)
    assert secret != lost


def test_archiving_a_vehicle_asks_first_and_it_can_be_brought_back(office: Office) -> None:
    page = accept(office, "vans@example.com")
    office.post("/vehicles", {"name": "Blue van"})
    office.open("vehicles")
    van = page.get_by_role("row", name="Blue van")
    button(van, "Archive Blue van").click()
    answer(page, "Archive", "Blue van is put away", "Cancel")
    expect(van).to_contain_text("Active")
    button(van, "Archive Blue van").click()
    answer(page, "Archive", "Blue van is put away", "Archive")
    expect(van).to_contain_text("Archived")
    button(van, "Activate Blue van").click()
    expect(van).to_contain_text("Active")
    assert [one["name"] for one in office.http.get("/vehicles").json()["vehicles"]] == ["Blue van"]


def test_an_organization_keeps_what_is_typed_and_forgets_what_is_cleared(office: Office) -> None:
    page = accept(office, "typed@example.com")
    office.open("settings")
    phone, start = (page.get_by_role("textbox", name=name) for name in ("Phone", "Start"))
    said = page.get_by_role("log")
    start.fill("somewhere")
    button(page, "Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Give an address")
    start.fill("39.29, -76.61")
    phone.fill("+14105550123")
    button(page, "Save").click()
    expect(said).to_be_visible()
    expect(said).to_have_text("Saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    stored = office.http.get("/organization").json()
    assert stored["start"]["coordinates"] == {"latitude": 39.29, "longitude": -76.61}
    assert stored["phone"] == "+14105550123"
    start.fill("")
    phone.fill("")
    with page.expect_response("**/organization") as saved:
        button(page, "Save").click()
    assert saved.value.status == 200
    stored = office.http.get("/organization").json()
    assert "start" not in stored
    assert stored["phone"] == ""


def test_an_organization_says_its_language_and_who_sees_where_a_driver_is(office: Office) -> None:
    page = accept(office, "brand@example.com")
    office.open("settings")
    page.get_by_role("combobox", name="Language for customers").select_option("Dutch")
    sharing = page.get_by_role("combobox", name="Driver's position on customers' pages")
    expect(sharing).to_have_accessible_description(re.compile("within two kilometres"))
    sharing.select_option("Whoever's stop is next sees it")
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    stored = office.http.get("/organization").json()
    assert (stored["language"], stored["shareDriverPosition"]) == ("nl", "NEXT_STOP")
    page.reload()
    expect(sharing).to_have_value("NEXT_STOP")


def test_what_the_server_refuses_of_an_organization_is_said_at_the_field(office: Office) -> None:
    page = accept(office, "refused@example.com")
    office.open("settings")
    phone, color = (page.get_by_role("textbox", name=name) for name in ("Phone", "Color"))
    phone.fill("12")
    color.fill("red")
    button(page, "Save").click()
    expect(phone).to_have_accessible_description(re.compile("^Phone: must be a phone number"))
    expect(color).to_have_accessible_description(re.compile("^Color: must be a colour"))
    expect(page.get_by_role("alert")).to_have_count(2)
    phone.fill("")
    color.fill("#0f766e")
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert office.http.get("/organization").json()["color"] == "#0f766e"


def picture_file(data: bytes) -> FilePayload:
    return {"name": "logo.jpg", "mimeType": "image/jpeg", "buffer": data}


def test_a_logo_is_put_on_customers_pages_and_taken_off(office: Office) -> None:
    page = accept(office, "logo@example.com")
    office.open("settings")
    chooser = page.get_by_label("Picture of the logo")
    chooser.set_input_files(picture_file(b"no picture"))
    expect(chooser).to_have_accessible_description(re.compile("picture|JPEG", re.IGNORECASE))
    expect(page.get_by_role("alert")).to_have_count(1)
    chooser.set_input_files(picture_file(bytes(1024 * 1024 + 1)))
    expect(page.get_by_role("alert")).to_have_text(
        "Picture of the logo: This file is larger than 1 MB."
    )
    chooser.set_input_files(picture_file(with_exif(6)))
    picture = page.get_by_role("img", name="Logo of Acme")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('.logo img').naturalWidth > 0")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert "/t/logo/" in office.http.get("/organization").json()["logoUrl"]
    button(page, "Remove logo").click()
    expect(picture).to_have_count(0)
    assert office.http.get("/organization").json()["logoUrl"] == ""


def test_quiet_hours_are_saved_with_both_ends_or_not_at_all(office: Office) -> None:
    page = accept(office, "quiet@example.com")
    office.open("settings/messages")
    page.get_by_label("Quiet from").fill("22:00")
    button(page, "Save").click()
    expect(page.get_by_label("Quiet until")).to_be_focused()
    page.get_by_label("Quiet until").fill("06:30")
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    stored = office.http.get("/settings/messages").json()
    assert stored["quietHours"] == {"start": "22:00", "end": "06:30"}


def test_an_own_e_mail_has_a_subject_and_a_gateway_a_method(office: Office) -> None:
    page = accept(office, "own.subject@example.com")
    office.open("settings/messages")
    words = page.get_by_role("region", name="Words")
    words.get_by_role("combobox", name="Language").select_option(label="German")
    words.get_by_role("textbox", name="Own subject").fill("Ihre Lieferung {order}")
    words.get_by_role("textbox", name="Own words").fill("Hallo {name}")
    button(page, "Keep these words").click()
    expect(words.get_by_role("blockquote")).to_contain_text("Ihre Lieferung #1041")
    page.get_by_role("textbox", name="Address of the gateway").fill("https://93.184.216.34/{to}")
    page.get_by_role("combobox", name="How it is asked").select_option("PUT")
    page.get_by_role("textbox", name="Body", exact=True).fill("{text}")
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    kept = office.http.get("/settings/messages").json()
    (template,) = kept["templates"]
    assert (template["language"], template["subject"]) == ("de", "Ihre Lieferung {order}")
    assert kept["smsGateway"]["method"] == "PUT"


def test_own_words_that_are_typed_stay_when_the_form_above_is_saved(office: Office) -> None:
    page = accept(office, "own.words@example.com")
    office.open("settings/messages")
    own = page.get_by_role("textbox", name="Own words")
    own.fill("Hello {name}")
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    expect(own).to_have_value("Hello {name}")


def test_a_tab_has_an_address_for_links_reload_and_back(office: Office) -> None:
    page = accept(office, "tab.address@example.com")
    office.open("settings")
    expect(page.get_by_role("tab", name="Organization")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Members").click()
    expect(page).to_have_url(re.compile("#/settings/members$"))
    page.get_by_role("tab", name="Members").press("ArrowRight")
    messages = page.get_by_role("tab", name="Messages")
    expect(messages).to_be_focused()
    expect(messages).to_have_attribute("aria-selected", "true")
    page.reload()
    expect(messages).to_have_attribute("aria-selected", "true")
    page.go_back()
    expect(page.get_by_role("tab", name="Members")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("button", name="Invite member")).to_be_visible()


def test_what_another_owner_sets_of_messages_meanwhile_stays(office: Office) -> None:
    page = accept(office, "meanwhile@example.com")
    office.open("settings/messages")
    words = page.get_by_role("region", name="Words")
    expect(words.get_by_role("combobox", name="Language")).to_have_value("en")
    page.get_by_role("checkbox", name="Planned, E-mail").check()
    rule = {"moment": "NEXT", "channel": "EMAIL", "enabled": True}
    quiet = {"start": "21:00", "end": "07:00"}
    messages = {"rules": [rule], "quietHours": quiet}
    body = {"messages": messages, "updateMask": "rules,quietHours"}
    assert office.http.patch("/settings/messages", json=body).status_code == 200
    button(page, "Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Messages was changed meanwhile")
    expect(page.get_by_role("checkbox", name="Next stop, E-mail")).to_be_checked()
    page.get_by_role("checkbox", name="Planned, E-mail").check()
    button(page, "Save").click()
    expect(page.get_by_role("log")).to_have_text("Saved.")
    # A subject alone is kept, and what is typed outlasts a look at another text.
    subject = words.get_by_role("textbox", name="Own subject")
    subject.fill("Bread is coming")
    words.get_by_role("combobox", name="Language").select_option("de")
    expect(words).to_contain_text("used by nobody")
    words.get_by_role("combobox", name="Language").select_option("en")
    expect(subject).to_have_value("Bread is coming")
    button(page, "Keep these words").click()
    expect(words.get_by_role("blockquote")).to_contain_text("Bread is coming")
    kept = office.http.get("/settings/messages").json()
    assert kept["quietHours"] == quiet
    assert [one["moment"] for one in kept["rules"]] == ["NEXT", "PLANNED"]
    assert [one["subject"] for one in kept["templates"]] == ["Bread is coming"]


def suppress(house: House, office: Office) -> None:
    """Have two mailboxes that their mail server does not know, and a customer who declined."""
    organization = office.http.get("/organization").json()["id"]
    reasons = {"one": UNKNOWN_MAILBOX, "two": UNKNOWN_MAILBOX, "three": DECLINED}
    with closing(Database(house.url)) as database, database.writing() as tx:
        for hashed, reason in reasons.items():
            now = SystemClock().now()
            suppress_recipient(tx, organization, Channel.EMAIL, hashed, reason, now)


def test_who_is_written_to_no_more_is_counted_and_written_to_again(
    house: House, office: Office
) -> None:
    suppress(house, office)
    page = accept(office, "no.more@example.com")
    office.open("settings/messages")
    part = page.get_by_role("region", name="No more e-mail")
    expect(part).to_contain_text("2 addresses are written to no more")
    expect(part).to_contain_text("1 customer asked for no more e-mail")
    part.get_by_role("button", name="Write to them again").press("Enter")
    expect(page.get_by_role("log")).to_have_text("Saved.")
    expect(part.get_by_role("heading")).to_be_focused()
    expect(part).not_to_contain_text("written to no more")
    expect(part).to_contain_text("1 customer asked for no more e-mail")
    part.get_by_role("textbox").fill("nobody@example.com")
    part.get_by_role("button", name="Write to it again").click()
    expect(part.get_by_role("alert")).to_have_text("Nothing keeps this address from e-mail.")
