"""What somebody has to look after: failed stops, actions kept aside, proof that has not arrived."""

import re
import uuid
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.driving import Phone, sign_up_driver
from tests.browser.office import DROVE, House, Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

BAKERY = {
    "orderName": "#1041",
    "address": {"address1": "1 Main St", "city": "Baltimore"},
    "contact": {"firstName": "Kim", "phone": "+14105550100"},
    "items": [{"name": "crate", "quantity": 2}],
    "timeWindows": [{"start": {"hours": 9}, "end": {"hours": 12}}],
    "tasks": [{"title": "Age checked"}],
    "requiredSkills": ["cooled"],
    "note": "back door",
}
FAILED = "Could not be delivered"
KEPT = "Actions that were kept aside"


def unrouted(office: Office) -> list[Any]:
    """Return what is on no route, for whatever day."""
    found: list[Any] = office.http.get("/stops/imports?query.unrouted=true").json()["stops"]
    return found


def day_of(stop: dict[str, Any]) -> date:
    return date(**stop["deliveryDate"])


def fail_first(phone: Phone, office: Office) -> str:
    """Have the driver give the first stop up."""
    first = office.stop_ids(phone.route_id)[0]
    phone.tell("STOP_ATTEMPTED", stopId=first, reason="NOT_AVAILABLE", note="all dark")
    return first


def exceptions_of(office: Office, list_: str) -> Locator:
    """Open the exceptions of the day that was driven; return the entries of one of the lists."""
    office.open(f"day/{DROVE}")
    office.page.get_by_role("link", name="Exceptions").click()
    shown = office.page.get_by_role("region", name="Exceptions")
    return shown.get_by_role("list", name=list_).get_by_role("listitem")


def test_a_failed_stop_says_why_and_comes_once_more_on_the_next_day(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY, {"orderName": "#2"}, stopTasks=[{"title": "Smile"}])
    fail_first(phone, office)
    page = accept(office, "ann@example.com")
    item = exceptions_of(office, FAILED)
    expect(item).to_contain_text(
        re.compile(r"Kim · Nobody there: all dark · .*, \d\d:\d\d · Dana · Harbour")
    )
    item.get_by_role("button", name="Next day", exact=True).dblclick()
    expect(item.get_by_role("link", name=re.compile("^Moved to "))).to_be_focused()
    (again,) = unrouted(office)
    for field in ("orderName", "note", "requiredSkills"):
        assert again[field] == BAKERY[field]
    assert again["address"]["address1"] == "1 Main St"
    assert again["contact"]["phone"] == "+14105550100"
    assert [(one["name"], one["quantity"]) for one in again["items"]] == [("crate", 2)]
    assert again["timeWindows"][0]["end"]["hours"] == 12
    assert [task["title"] for task in again["tasks"]] == ["Age checked"]
    stops = office.http.get(f"/routes/{phone.route_id}").json()["stops"]
    failed = datetime.fromisoformat(stops[0]["updatedArrival"])
    after = failed.astimezone(ZoneInfo("America/New_York")).date() + timedelta(days=1)
    assert day_of(again) == after
    page.reload()
    exceptions_of(office, FAILED)
    item.get_by_role("link", name=re.compile("^Moved to ")).click()
    waiting = page.get_by_role("region", name="Not on a route")
    expect(waiting.get_by_role("listitem")).to_contain_text("Kim")


def test_a_stop_of_a_later_day_than_that_on_which_it_failed_comes_on_the_day_after_its_own(
    office: Office,
) -> None:
    own = {"deliveryDate": {"year": 2030, "month": 5, "day": 6}}
    fail_first(office.dispatch("Harbour", {**BAKERY, **own}), office)
    accept(office, "ann@example.com")
    item = exceptions_of(office, FAILED)
    button = item.get_by_role("button", name="Next day", exact=True)
    expect(button).to_have_attribute("title", "Tue, May 7, 2030")
    button.click()
    expect(item).to_contain_text("Moved to Tue, May 7, 2030")
    assert [day_of(stop) for stop in unrouted(office)] == [date(2030, 5, 7)]


def test_the_day_is_named_and_today_s_troubles_are_told_on_another(office: Office) -> None:
    page = accept(office, "ann@example.com")
    zone = ZoneInfo("Europe/Berlin")
    today = datetime.now(zone).date()  # noqa: TID251 -- as the server has it
    midnight = datetime.combine(today, datetime.min.time(), zone)
    # Late at any hour of today, also in its first minutes: it leaves in Baltimore's evening.
    closed = {"start": {"hours": 9}, "end": {"hours": 9, "minutes": 1}}
    forgotten = {"orderName": "#1", "timeWindows": [closed]}
    office.add_route("Forgotten", forgotten, scheduledFor=midnight.isoformat())
    office.open("day/2030-05-06")
    page.get_by_role("link", name="Exceptions").click()
    shown = page.get_by_role("region", name="Exceptions")
    expect(shown.get_by_role("heading", level=1)).to_have_text("Exceptions · Monday, May 6, 2030")
    expect(shown).to_contain_text("Today has something to look after that is not shown here.")
    shown.get_by_role("link", name="Show today").click()
    expect(shown.get_by_role("link", name="Forgotten")).to_be_visible()
    expect(shown.get_by_role("link", name="Show today")).to_have_count(0)


def test_two_planners_move_a_failed_stop_to_the_next_day_once(house: House, office: Office) -> None:
    fail_first(office.dispatch("Harbour", BAKERY), office)
    other = replace(office, page=house.browser.new_page())
    other.open(f"day/{DROVE}")
    other.sign_in()
    accept(office, "ann@example.com")
    button = exceptions_of(office, FAILED).get_by_role("button", name="Next day", exact=True)
    same = exceptions_of(other, FAILED).get_by_role("button", name="Next day", exact=True)
    expect(same).to_be_visible()
    button.click()
    expect(button).to_have_count(0)
    same.click()
    expect(exceptions_of(other, FAILED)).to_contain_text("Moved to ")
    assert len(unrouted(office)) == 1
    other.page.close()


def test_what_moved_a_stop_to_the_next_day_can_be_taken_back(office: Office) -> None:
    fail_first(office.dispatch("Harbour", BAKERY), office)
    page = accept(office, "ann@example.com")
    button = exceptions_of(office, FAILED).get_by_role("button", name="Next day", exact=True)
    button.click()
    expect(button).to_have_count(0)
    page.get_by_role("link", name="Day", exact=True).click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    assert unrouted(office) == []
    exceptions_of(office, FAILED)
    expect(button).to_be_visible()


def test_a_stop_that_its_driver_corrected_meanwhile_is_not_moved(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY, {"orderName": "#2"})
    first = fail_first(phone, office)
    page = accept(office, "ann@example.com")
    button = exceptions_of(office, FAILED).get_by_role("button", name="Next day", exact=True)
    expect(button).to_be_visible()
    page.route("**/days/*", lambda route: route.abort())
    phone.tell("STOP_DELIVERED", stopId=first)
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile")
    assert unrouted(office) == []


def test_a_failed_stop_s_page_moves_it_to_the_next_day(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY)
    first = fail_first(phone, office)
    page = accept(office, "ann@example.com")
    office.open(f"route/{phone.route_id}/stop/{first}")
    shown = page.get_by_role("region", name="Stop Kim")
    shown.get_by_role("button", name="Next day", exact=True).click()
    expect(shown.get_by_role("link", name=re.compile("^Moved to "))).to_be_visible()
    assert len(unrouted(office)) == 1


def test_a_shop_s_order_goes_on_with_its_notes_and_the_shop_is_said_to_hear_nothing(
    office: Office,
) -> None:
    place = {"latitude": 39.3, "longitude": -76.6}
    notes = {"orderNote": "fragile", "customerNote": "gate 4"}
    order = {"name": "#1001", "coordinates": place, "requiredSkills": ["cooled"], **notes}
    assert office.http.put("/store-orders/1001", json=order).status_code == 200
    phone = sign_up_driver(office.address, office.http)
    driver = {"driverId": phone.driver_id, "scheduledFor": f"{DROVE}T08:00:00-04:00"}
    phone.route_id = office.add_route("Harbour", {"orderName": "#2"}, **driver)
    office.post(f"/routes/{phone.route_id}/store-orders", [{"storeOrderId": "1001"}])
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    (stop,) = [
        one["id"]
        for one in office.http.get(f"/routes/{phone.route_id}").json()["stops"]
        if one["storeOrderId"]
    ]
    phone.tell("STOP_ATTEMPTED", stopId=stop, reason="REFUSED")
    accept(office, "ann@example.com")
    item = exceptions_of(office, FAILED)
    item.get_by_role("button", name="Next day", exact=True).click()
    expect(item).to_contain_text("Its shop hears nothing of this second try.")
    (again,) = unrouted(office)
    assert (again["orderName"], again["requiredSkills"]) == ("#1001", ["cooled"])
    assert again["note"] == "fragile\ngate 4"


def test_kept_actions_say_what_was_done_where_by_whom_and_why_they_were_kept(
    office: Office,
) -> None:
    phone = office.dispatch("Harbour", BAKERY, {"orderName": "#2"})
    first, _ = office.stop_ids(phone.route_id)
    office.http.delete(f"/routes/{phone.route_id}/dispatch")
    phone.tell("STOP_DELIVERED", becomes="KEPT", stopId=first, leftWith="NEIGHBOUR", note="Lee")
    place = {"latitude": 39.3, "longitude": -76.6}
    phone.tell("POSITION", becomes="KEPT", position=place)
    accept(office, "ann@example.com")
    item = exceptions_of(office, KEPT)
    expect(item).to_contain_text("Delivered: Neighbour, Lee · Kim · Harbour · Dana · ")
    expect(item).to_contain_text("The route was not dispatched.")
    expect(item).not_to_contain_text("_")
    item.get_by_role("link", name="Kim").click()
    expect(office.page.get_by_role("region", name="Stop Kim")).to_be_visible()
    item = exceptions_of(office, KEPT)
    item.get_by_role("link", name="Harbour").click()
    expect(office.page.get_by_role("heading", name="Harbour")).to_be_visible()


def test_a_kept_action_leads_to_where_its_stop_is_now(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY, {"orderName": "#2"}, {"orderName": "#3"})
    moved, removed, _ = office.stop_ids(phone.route_id)
    other = office.add_route("Hill", {"orderName": "#9"})
    office.post("/routes/transfers", {"moves": [{"stopId": moved, "toRouteId": other, "index": 0}]})
    office.http.delete(f"/routes/{phone.route_id}/stops/{removed}")
    for stop in (moved, removed):
        phone.tell("STOP_DELIVERED", becomes="KEPT", stopId=stop)
    page = accept(office, "ann@example.com")
    items = exceptions_of(office, KEPT)
    items.get_by_role("link", name="#2").click()
    expect(page.get_by_role("region", name="Stop #2")).to_be_visible()
    items = exceptions_of(office, KEPT)
    items.get_by_role("link", name="Kim").click()
    expect(page.get_by_role("region", name="Stop Kim")).to_be_visible()
    assert f"/route/{other}/" in page.url


def keep_one(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY)
    office.http.delete(f"/routes/{phone.route_id}/dispatch")
    first = office.stop_ids(phone.route_id)[0]
    phone.tell("STOP_DELIVERED", becomes="KEPT", stopId=first, note="Lee")


def test_a_kept_action_is_done_for_every_planner_and_shown_when_asked_for(
    house: House, office: Office
) -> None:
    keep_one(office)
    other = replace(office, page=house.browser.new_page())
    other.open(f"day/{DROVE}")
    other.sign_in()
    accept(office, "ann@example.com")
    item = exceptions_of(office, KEPT)
    same = exceptions_of(other, KEPT)
    expect(same).to_contain_text("Delivered: Lee")
    page = office.page
    item.get_by_role("button", name="Done", exact=True).press("Enter")
    expect(item).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(same).to_have_count(0)
    other.page.close()
    page.get_by_role("checkbox", name="Show kept actions that are done").check()
    done = page.get_by_role("list", name="Kept actions that are done").get_by_role("listitem")
    expect(done).to_contain_text("Delivered: Lee")
    expect(done).to_contain_text(re.compile(r"Done: ann@example\.com, .*\d\d:\d\d"))
    expect(done.get_by_role("button", name="Done")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("checkbox", name="Show kept actions that are done")).to_be_visible()
    expect(item).to_have_count(0)


def test_who_may_only_read_has_no_button_done(office: Office) -> None:
    keep_one(office)
    accept(office, "vic@example.com", Role.VIEWER)
    item = exceptions_of(office, KEPT)
    expect(item).to_contain_text("Delivered: Lee")
    expect(item.get_by_role("button")).to_have_count(0)


def test_proof_that_was_announced_and_has_not_arrived_is_listed(office: Office) -> None:
    phone = office.dispatch("Harbour", BAKERY, {"orderName": "#2"})
    first, _ = office.stop_ids(phone.route_id)
    phone.tell("PHOTO", becomes="KEPT", stopId=first, uploadId=str(uuid.UUID(int=1)))
    accept(office, "ann@example.com")
    item = exceptions_of(office, "Proof that has not arrived")
    expect(item).to_contain_text("Photo · Kim · Harbour · Dana · ")
    expect(office.page.get_by_role("list", name=KEPT)).to_have_count(0)
