"""A route with late stops: what would help stands on buttons that do it, and can be taken back."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.office import DROVE, PLANNED_WITHIN, Office
from tests.browser.test_console import button, region
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
LEAVES = f"{DAY}T08:00:00-04:00"
START = {"latitude": 39.29, "longitude": -76.61}


def until(hours: int, minutes: int) -> list[Any]:
    return [{"end": {"hours": hours, "minutes": minutes}}]


def at(north: float, name: str, **fields: Any) -> dict[str, Any]:
    place = {"latitude": START["latitude"] + north, "longitude": START["longitude"]}
    return {"orderName": name, "coordinates": place, **fields}


def ask_for_help(page: Page, office: Office, route: str) -> Locator:
    office.open(f"route/{route}")
    return press_for_help(page)


def press_for_help(page: Page) -> Locator:
    asks = button(page, "What would help?")
    expect(asks).to_have_attribute("aria-expanded", "false")
    asks.click()
    helps = region(page, "What would help")
    found = helps.get_by_role("listitem").first.or_(helps.get_by_text("No single change"))
    expect(found).to_be_visible(timeout=PLANNED_WITHIN)
    return helps


def order_of(office: Office, route: str) -> list[str]:
    stops = office.http.get(f"/routes/{route}").json()["stops"]
    return [str(stop["orderName"]) for stop in stops]


def late_words(page: Page) -> Locator:
    return page.get_by_role("list", name="Stops").get_by_text("min late")


def first_stop(page: Page) -> Locator:
    return page.get_by_role("list", name="Stops").get_by_role("listitem").first


def test_another_order_that_meets_everything_is_made_and_taken_back(office: Office) -> None:
    page = accept(office, "helps.order@example.com")
    far, near = at(0.4, "Far"), at(0.1, "Near", timeWindows=until(8, 45))
    route = office.add_route("Harbour", far, near, scheduledFor=LEAVES)
    office.open(f"day/{DAY}")
    helps = ask_for_help(page, office, route)
    first = helps.get_by_role("listitem").first
    expect(first).to_contain_text("min · no stop late")
    assert order_of(office, route) == ["Far", "Near"]
    expect(button(page, "Reoptimize")).to_have_count(1)
    button(first, "Put the stops in another order").click()
    expect(late_words(page)).to_have_count(0)
    expect(helps).to_have_count(0)
    assert order_of(office, route) == ["Near", "Far"]
    page.keyboard.press("Control+z")
    expect(late_words(page)).to_have_count(1)
    assert order_of(office, route) == ["Far", "Near"]


@pytest.mark.parametrize("locked", [1, 2])
def test_undo_puts_open_stops_back_around_a_locked_one(office: Office, locked: int) -> None:
    page = accept(office, f"helps.locked.{locked}@example.com")
    far, near = at(0.4, "Far"), at(0.1, "Near", timeWindows=until(8, 45))
    stops = [far, near]
    stops.insert(locked, at(0.05, "Locked"))
    route = office.add_route("Harbour", *stops, scheduledFor=LEAVES)
    path = f"/routes/{route}/stops/{office.stop_ids(route)[locked]}"
    lock = {"routeStop": {"locked": True}, "updateMask": "locked"}
    assert office.http.patch(path, json=lock).status_code == 200
    before = order_of(office, route)
    office.open(f"day/{DAY}")
    helps = ask_for_help(page, office, route)
    button(helps, "Put the stops in another order").click()
    expect(late_words(page)).to_have_count(0)
    after = order_of(office, route)
    assert after.index("Near") < after.index("Far")
    assert after[locked] == "Locked"
    page.keyboard.press("Control+z")
    expect(late_words(page)).to_have_count(1)
    assert order_of(office, route) == before


def open_reordering_window(office: Office, email: str) -> tuple[Page, Locator, str]:
    """Open the help of a route on which a wider window helps in another order only."""
    page = accept(office, email)
    far = at(0.4, "Far")
    near = at(0.2, "Near", timeWindows=until(8, 10))
    route = office.add_route("Harbour", far, near, scheduledFor=LEAVES)
    office.open(f"day/{DAY}")
    helps = ask_for_help(page, office, route)
    return page, helps.get_by_role("button", name="Widen the window of Near to"), route


def window_of(office: Office, route: str) -> tuple[int, int]:
    stops = office.http.get(f"/routes/{route}").json()["stops"]
    (window,) = next(stop for stop in stops if stop["orderName"] == "Near")["timeWindows"]
    return window["end"]["hours"], window["end"]["minutes"]


def test_undo_of_a_wider_window_takes_its_order_back_too(office: Office) -> None:
    page, widen, route = open_reordering_window(office, "helps.both@example.com")
    widen.click()
    expect(late_words(page)).to_have_count(0)
    assert order_of(office, route) == ["Near", "Far"]
    assert window_of(office, route) > (8, 10)
    page.keyboard.press("Control+z")
    expect(first_stop(page)).to_contain_text("Far")
    assert order_of(office, route) == ["Far", "Near"]
    assert window_of(office, route) == (8, 10)


def test_a_window_stays_as_it_was_where_another_planner_changes_the_route(office: Office) -> None:
    page, widen, route = open_reordering_window(office, "helps.two@example.com")

    def change_first(request: Route) -> None:
        body = {"route": {"name": "Hills"}, "updateMask": "name"}
        assert office.http.patch(f"/routes/{route}", json=body).status_code == 200
        request.continue_()

    page.route("**/reoptimize", change_first)
    widen.click()
    expect(page.get_by_role("alert")).to_contain_text("Harbour")
    page.get_by_role("link", name="Day").first.click()
    expect(button(page, "Undo")).to_be_disabled()
    assert window_of(office, route) == (8, 10)
    assert order_of(office, route) == ["Far", "Near"]


def test_a_window_can_be_taken_back_where_the_server_went_away_before_the_order(
    office: Office,
) -> None:
    page, widen, route = open_reordering_window(office, "helps.away@example.com")
    page.route("**/reoptimize", lambda request: request.fulfill(status=502, body="{}"))
    widen.click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert window_of(office, route) > (8, 10)
    stays = page.get_by_text("until 08:10")
    expect(stays).to_have_count(0)  # the page says that it failed before it has read the route anew
    page.keyboard.press("Control+z")
    expect(stays).to_be_visible()
    assert window_of(office, route) == (8, 10)
    assert order_of(office, route) == ["Far", "Near"]


def test_a_route_leaves_earlier_or_a_window_is_widened(office: Office) -> None:
    page = accept(office, "helps.leave@example.com")
    stop = at(0.4, "Far", timeWindows=until(8, 10))
    route = office.add_route("Harbour", stop, scheduledFor=LEAVES)
    office.open(f"day/{DAY}")
    helps = ask_for_help(page, office, route)
    expect(helps.get_by_role("listitem")).to_have_count(2)
    expect(helps.get_by_role("listitem").nth(1)).to_contain_text("no stop late")
    helps.get_by_role("button", name="Widen the window of Far to").click()
    expect(late_words(page)).to_have_count(0)
    (widened,) = office.http.get(f"/routes/{route}").json()["stops"][0]["timeWindows"]
    assert (widened["end"]["hours"], widened["end"]["minutes"]) > (8, 10)
    page.keyboard.press("Control+z")
    expect(late_words(page)).to_have_count(1)
    press_for_help(page)
    helps.get_by_role("button", name="Leave at").click()
    expect(late_words(page)).to_have_count(0)
    assert office.http.get(f"/routes/{route}").json()["scheduledFor"] < f"{DAY}T12:00:00Z"
    page.keyboard.press("Control+z")
    expect(late_words(page)).to_have_count(1)
    assert office.http.get(f"/routes/{route}").json()["scheduledFor"] == f"{DAY}T12:00:00Z"


def test_another_van_takes_a_late_stop_only_where_it_makes_nobody_late(office: Office) -> None:
    page = accept(office, "helps.move@example.com")
    # Two at once at both ends: whoever is second is late, in any order and from any departure.
    opens = [{"start": {"hours": 8, "minutes": 30}, "end": {"hours": 8, "minutes": 40}}]
    north, south = at(0.2, "North", timeWindows=opens), at(-0.2, "South", timeWindows=opens)
    route = office.add_route("Harbour", north, south, scheduledFor=LEAVES)
    office.add_route("Hills", at(-0.1, "Low"), scheduledFor=LEAVES)
    office.add_route("Full", at(-0.1, "Full"), scheduledFor=LEAVES, maxStops=1)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Hills").first).to_be_visible()
    helps = ask_for_help(page, office, route)
    first = helps.get_by_role("listitem").first
    expect(first).to_contain_text("min · no stop late")
    expect(helps.get_by_text("Full")).to_have_count(0)
    button(first, "Give South to Hills").click()
    expect(late_words(page)).to_have_count(0)
    assert order_of(office, route) == ["North"]
    page.keyboard.press("Control+z")
    expect(late_words(page)).to_have_count(1)


def test_on_the_road_only_open_stops_that_are_not_locked_are_given_away(office: Office) -> None:
    page = accept(office, "helps.road@example.com")
    nine = {"timeWindows": until(9, 0)}
    stops = [{"orderName": name, **nine} for name in ("#1", "#2", "#3")]
    phone = office.dispatch("Hours late", *stops)
    office.add_route("Hills", {"orderName": "#4"}, scheduledFor=f"{DROVE}T08:00:00-04:00")
    (first, _, third) = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=first)
    office.open(f"day/{DROVE}")
    expect(page.get_by_role("link", name="Hills").first).to_be_visible()
    helps = ask_for_help(page, office, phone.route_id)
    expect(helps.get_by_role("button", name="to Hills")).to_have_count(2)
    expect(helps.get_by_role("button", name="Leave at")).to_have_count(0)
    expect(helps.get_by_text("#1")).to_have_count(0)
    expect(helps.get_by_role("listitem").first).to_contain_text("1 stop still late")
    locked = {"routeStop": {"locked": True}, "updateMask": "locked"}
    path = f"/routes/{phone.route_id}/stops/{third}"
    assert office.http.patch(path, json=locked).status_code == 200
    press_for_help(page)
    expect(helps.get_by_role("button", name="to Hills")).to_have_count(1)
    helps.get_by_role("button", name="Give #2 to Hills").click()
    button(page.get_by_role("dialog", name="Move on a dispatched route"), "Move").click()
    stops_shown = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops_shown).to_have_count(2)


def test_where_nothing_helps_it_is_said_and_who_only_looks_is_not_asked(office: Office) -> None:
    page = accept(office, "helps.nobody@example.com", Role.PLANNER)
    opens = [{"start": {"hours": 8, "minutes": 30}, "end": {"hours": 8, "minutes": 30}}]
    stops = [at(place, f"#{place}", timeWindows=opens) for place in (0.2, -0.2, 0.3, -0.3)]
    route = office.add_route("Harbour", *stops, scheduledFor=LEAVES)
    office.open(f"day/{DAY}")
    helps = ask_for_help(page, office, route)
    expect(helps.get_by_text("No single change that was tried would help.")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text(re.compile("^(Live|As of)"))
    require_axe()
    assert find_faults(page) == []
    (member,) = office.http.get("/members").json()["members"]
    body = {"member": {"role": "VIEWER"}, "updateMask": "role"}
    assert office.http.patch(f"/members/{member['id']}", json=body).status_code == 200
    page.reload()
    expect(late_words(page)).not_to_have_count(0)
    expect(helps).to_have_count(0)
