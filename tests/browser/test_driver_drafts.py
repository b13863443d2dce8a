"""What a driver has typed and not saved: it is there again wherever the driver comes from."""

from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.driving import Phone
from tests.browser.office import Office
from tests.browser.test_driver_app import (
    Handset,
    dispatched,
    draw,
    expect_sent,
    handset,
    invite,
    start,
)

__all__ = ["handset"]

METER = {"title": "Meter", "type": "TEXT_INPUT", "requiredToMarkStopAsDelivered": True}


def stops_of(office: Office, route: str) -> Any:
    return office.http.get(f"/routes/{route}").json()["stops"]


def open_stop(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def type_in(page: Page) -> None:
    page.get_by_role("textbox", name="Meter").fill("4711")
    page.get_by_role("textbox", name="Note").fill("left w/ Jo")
    page.get_by_role("textbox", name="Recipient's name").fill("Jo")
    page.get_by_role("combobox", name="Left with").select_option("Neighbour")


def expect_typed(page: Page) -> None:
    expect(page.get_by_role("textbox", name="Meter")).to_have_value("4711")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("left w/ Jo")
    expect(page.get_by_role("textbox", name="Recipient's name")).to_have_value("Jo")
    expect(page.get_by_role("combobox", name="Left with")).to_have_value("NEIGHBOUR")


def expect_blank(page: Page) -> None:
    for name in ("Meter", "Note", "Recipient's name"):
        expect(page.get_by_role("textbox", name=name)).to_have_value("")


def at_first_of_two(office: Office, handset: Handset) -> str:
    """Have the driver at the first of two stops with a text to type; return the route."""
    stops = [{"orderName": f"#{one}", "tasks": [METER]} for one in (1, 2)]
    route = dispatched(office, handset, *stops)
    start(handset.page)
    open_stop(handset.page, "#1")
    return route


def test_what_was_typed_is_there_after_another_stop_and_after_the_phone_died(
    office: Office, handset: Handset
) -> None:
    at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    page.get_by_role("button", name="Back").click()
    open_stop(page, "#2")
    expect_blank(page)
    page.get_by_role("button", name="Back").click()
    open_stop(page, "#1")
    expect_typed(page)
    page.reload()
    expect_typed(page)
    handset.kill()
    handset.start()
    page = handset.page
    page.goto(f"{office.address}/driver")
    open_stop(page, "#1")
    expect_typed(page)


def begin(page: Page) -> None:
    page.get_by_role("textbox", name="Meter").fill("4711")
    draw(page)
    page.get_by_role("button", name="Scan").click()
    page.get_by_role("textbox", name="Code").fill("40063813")


def expect_begun(page: Page) -> None:
    expect(page.get_by_role("textbox", name="Code")).to_have_value("40063813")
    expect(page.get_by_role("button", name="Save signature")).to_be_visible()


def test_what_was_typed_at_another_stop_of_the_door_goes_along_with_all_of_them(
    office: Office, handset: Handset
) -> None:
    door = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    route = dispatched(office, handset, {"orderName": "#1", **door}, {"orderName": "#2", **door})
    page = handset.page
    start(page)
    open_stop(page, "#2")
    page.get_by_role("textbox", name="Note").fill("side door")
    draw(page)
    page.get_by_role("button", name="Back").click()
    open_stop(page, "#1")
    page.get_by_role("textbox", name="Note").fill("front door")
    page.get_by_role("button", name="All 2 at this door").click()
    expect(page.get_by_role("alert")).to_contain_text("Without Signature?")
    page.get_by_role("button", name="All 2 at this door").click()
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    expect_sent(page)
    notes = [stop["proofOfDeliveryNote"] for stop in stops_of(office, route)]
    assert notes == ["front door", "side door"]


def test_a_double_tap_records_once(office: Office, handset: Handset) -> None:
    at_first_of_two(office, handset)
    page = handset.page
    begin(page)
    taps = {"At the door": "At the door", "Save signature": "Signature", "Delivered": "Delivered"}
    for name, said in taps.items():
        page.get_by_role("button", name=name).evaluate("(one) => { one.click(); one.click(); }")
        expect(page.get_by_text(f"{said} #1 recorded")).to_be_visible()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Sync details").click()
    listed = page.get_by_role("list", name="Actions").get_by_role("listitem")
    recorded = ["Delivered", "Code", "Task", "Signature", "At the door", "Route started"]
    expect(listed).to_contain_text(recorded)
    expect(listed).to_have_count(len(recorded))


TAP_TWICE = """async (button) => {
  const before = document.querySelector("h1").textContent;
  button.click();
  await new Promise((resolve) => {
    const look = () => { if (document.querySelector("h1")?.textContent !== before) resolve(); };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  const buttons = [...document.querySelectorAll("button")];
  const next = buttons.find((one) => one.textContent === "Delivered");
  next.scrollIntoView({ block: "center" });
  const { left, top, width, height } = next.getBoundingClientRect();
  document.elementFromPoint(left + width / 2, top + height / 2).click();
}"""
"""Tap, and again where the next stop has the same button as soon as that is there."""


def test_a_second_tap_does_not_end_the_next_stop(office: Office, handset: Handset) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    open_stop(page, "#1")
    page.get_by_role("button", name="Delivered").evaluate(TAP_TWICE)
    page.get_by_role("button", name="Could not deliver").click()
    page.get_by_role("radio", name="Refused").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    expect_sent(page)
    said = [stop["deliveryStatus"] for stop in stops_of(office, route)]
    assert said == ["DELIVERED", "ATTEMPTED_DELIVERY"]


def test_a_code_and_a_signature_that_were_begun_are_there_after_the_phone_died(
    office: Office, handset: Handset
) -> None:
    route = at_first_of_two(office, handset)
    page = handset.page
    begin(page)
    page.get_by_role("button", name="Back").click()
    open_stop(page, "#2")
    expect(page.get_by_role("button", name="Save signature")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Code")).to_have_count(0)
    handset.kill()
    handset.start()
    page = handset.page
    page.goto(f"{office.address}/driver")
    open_stop(page, "#1")
    expect_begun(page)
    # What was drawn is not left behind by chance; what was typed goes along, and comes back.
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("alert")).to_contain_text("Without Signature?")
    page.get_by_role("button", name="Save signature").click()
    expect(page.get_by_role("img", name="Signature 1")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("textbox", name="Code")).to_have_value("40063813")
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect_sent(page)
    first = stops_of(office, route)[0]
    assert [one["value"] for one in first["proofOfDeliveryBarcodes"]] == ["40063813"]
    assert len(first["proofOfDeliverySignatures"]) == 1


def test_what_was_drawn_before_a_failed_delivery_is_there_when_the_driver_comes_back(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    open_stop(page, "#1")
    page.get_by_role("textbox", name="Note").fill("bell is broken")
    page.get_by_role("textbox", name="Recipient's name").fill("Jo")
    draw(page)
    page.get_by_role("button", name="Could not deliver").click()
    page.get_by_role("radio", name="Refused").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect_sent(page)
    page.get_by_role("button", name="At the door").click()
    expect(page.get_by_text("At the door #2 recorded")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    open_stop(page, "#1")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("")
    expect(page.get_by_role("textbox", name="Recipient's name")).to_have_value("Jo")
    page.get_by_role("button", name="Save signature").click()
    expect(page.get_by_role("img", name="Signature 1")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_text("Delivered #1 recorded")).to_be_visible()
    expect_sent(page)
    first = stops_of(office, route)[0]
    assert (first["deliveryStatus"], first["recipientName"]) == ("DELIVERED", "Jo")
    assert len(first["proofOfDeliverySignatures"]) == 1


def test_what_was_begun_and_cancelled_is_no_draft(office: Office, handset: Handset) -> None:
    at_first_of_two(office, handset)
    page = handset.page
    draw(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Sign", exact=True)).to_be_visible()
    page.get_by_role("button", name="Scan").click()
    page.get_by_role("textbox", name="Code").fill("4006")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Scan")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Scan")).to_be_visible()
    expect(page.get_by_role("button", name="Sign", exact=True)).to_be_visible()


def test_what_was_typed_into_a_task_goes_along_with_the_delivery_and_comes_back_by_undo(
    office: Office, handset: Handset
) -> None:
    route = at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect_typed(page)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect_sent(page)
    first = stops_of(office, route)[0]
    assert (first["deliveryStatus"], first["proofOfDeliveryNote"]) == ("DELIVERED", "left w/ Jo")
    assert first["tasks"][0]["input"]["value"] == "4711"


def meter_saved(page: Page) -> Locator:
    return page.get_by_text("Meter #1 recorded")


def test_what_is_saved_is_no_draft_any_more_and_the_rest_stays_one(
    office: Office, handset: Handset
) -> None:
    route = at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    page.get_by_role("button", name="Save answer").click()
    expect(meter_saved(page)).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect_typed(page)
    page.get_by_role("button", name="Save answer").click()
    expect(meter_saved(page)).to_be_visible()
    page.reload()
    expect_typed(page)
    # What the service has since is shown: nothing of ours stands over it.
    page.get_by_role("button", name="At the door").click()
    expect_sent(page)
    assert stops_of(office, route)[0]["tasks"][0]["input"]["value"] == "4711"


def other_phone(office: Office) -> Phone:
    """Sign the driver in on one more phone, as after a planner's call."""
    (driver,) = office.http.get("/drivers").json()["drivers"]
    url = office.post(f"/drivers/{driver['id']}/invite", {})["inviteUrl"]
    door = f"{office.address}/driver/api/invites/{url.rpartition('/')[2]}"
    session = office.http.post(door, json={"device": "other"}).json()
    return Phone(
        office.http, office.address, driver["id"], {"Authorization": f"Bearer {session['token']}"}
    )


def test_what_was_typed_at_a_stop_is_gone_once_another_phone_has_ended_the_visit(
    office: Office, handset: Handset
) -> None:
    route = at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    page.get_by_role("button", name="Back").click()
    other = other_phone(office)
    other.route_id = route
    other.tell("STOP_ATTEMPTED", stopId=office.stop_ids(route)[0], reason="NOT_AVAILABLE")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops.first).to_contain_text("Could not deliver")
    open_stop(page, "#1")
    expect_blank(page)


def test_another_driver_sees_nothing_of_what_was_typed(office: Office, handset: Handset) -> None:
    route = at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    # A planner takes the route back; somebody else signs in on the same phone, and claims it.
    office.http.delete(f"/routes/{route}/driver").raise_for_status()
    page.goto(invite(office, "Kofi")[1])
    page.get_by_role("button", name="Accept").click()
    page.get_by_role("button", name="Claim").click()
    page.get_by_role("link", name="Van 1").click()
    open_stop(page, "#1")
    expect_blank(page)


def test_a_sign_out_leaves_nothing_of_what_was_typed(office: Office, handset: Handset) -> None:
    at_first_of_two(office, handset)
    page = handset.page
    type_in(page)
    driver = office.http.get("/drivers").json()["drivers"][0]["id"]
    url = office.post(f"/drivers/{driver}/invite", {})["inviteUrl"]
    page.get_by_role("button", name="Sync details").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Nobody is signed in on this phone")).to_be_visible()
    page.goto(url)
    page.get_by_role("button", name="Accept").click()
    page.get_by_role("link", name="Van 1").click()
    open_stop(page, "#1")
    expect_blank(page)
