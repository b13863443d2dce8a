"""The search of a day: what it finds is shown, and what it does not find is said."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 0b")

DAY = "2030-06-03"
WHEN = f"{DAY}T08:00:00Z"
FOUNDRY = {"address1": "168 Foundry Street", "city": "Baltimore"}


def open_day(office: Office) -> Page:
    """Open a day of two routes with three stops each, and of one stop on no route."""
    page = accept(office, "searcher@example.com")
    named: list[dict[str, Any]] = [{"orderName": f"#{number}"} for number in range(1, 7)]
    named[1]["address"] = FOUNDRY
    office.add_route("Harbour", *named[:3], scheduledFor=WHEN)
    office.add_route("Hills", *named[3:], scheduledFor=WHEN)
    place = {"latitude": 39.3, "longitude": -76.6}
    date = {"year": 2030, "month": 6, "day": 3}
    office.post("/stops/imports", [{"coordinates": place, "orderName": "#7", "deliveryDate": date}])
    office.open(f"day/{DAY}")
    expect(page.get_by_role("region", name="Routes").get_by_text("Harbour")).to_be_visible()
    return page


def search(page: Page, text: str) -> None:
    page.get_by_role("searchbox", name="Search").fill(text)


def rows(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("row")


def test_board_and_list_show_of_a_route_only_what_was_searched_for(office: Office) -> None:
    page = open_day(office)
    search(page, "#5")
    page.get_by_role("radio", name="List").check()
    expect(rows(page)).to_have_count(2)
    cells = rows(page).nth(1).get_by_role("cell")
    expect(cells.first).to_have_text("Hills")
    expect(cells.nth(1)).to_have_text("2 #5")
    page.get_by_role("radio", name="Board").check()
    lanes = page.get_by_role("group", name="Board")
    expect(lanes.get_by_role("listitem")).to_have_count(1)
    expect(lanes.get_by_role("listitem")).to_contain_text("2")
    search(page, "Hills")  # a route that is called so is shown as a whole
    expect(lanes.get_by_role("listitem")).to_have_count(3)


def test_a_stop_on_a_route_is_found_by_its_street(office: Office) -> None:
    page = open_day(office)
    search(page, "168 foundry")
    routes = page.get_by_role("region", name="Routes")
    expect(routes.get_by_role("listitem")).to_have_count(1)
    expect(routes.get_by_role("link", name="#2")).to_be_visible()
    expect(page.get_by_role("region", name="Not on a route")).to_contain_text(
        "Nothing here matches “168 foundry”."
    )


def test_a_search_that_hits_nothing_says_so_and_can_be_cleared(office: Office) -> None:
    page = open_day(office)
    search(page, "zzzzqq")
    expect(page.get_by_text("Nothing here matches “zzzzqq”.")).to_be_visible()
    for untrue in ("Every stop of this day is on a route.", "No route on this day yet."):
        expect(page.get_by_text(untrue)).to_have_count(0)
    page.get_by_role("button", name="Clear search").click()
    expect(page.get_by_role("region", name="Routes").get_by_text("Harbour")).to_be_visible()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("")


def test_stops_found_by_their_town_alone_are_counted_shown_and_marked(office: Office) -> None:
    page = accept(office, "doubts@example.com")
    date = {"year": 2030, "month": 6, "day": 3}
    town = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
    said: list[dict[str, Any]] = [
        {"address": {"address1": f"{number} Gibtsnicht Xyz", **town}} for number in (1, 2)
    ]
    said.append({"coordinates": {"latitude": 39.3, "longitude": -76.6}})
    stops = [{"deliveryDate": date, "orderName": f"#{n}", **one} for n, one in enumerate(said, 10)]
    made = office.post("/stops/imports", stops)["stops"]
    route = office.add_route("Hills", {"orderName": "#1"}, scheduledFor=WHEN)
    office.add_route("Harbour", {"orderName": "#2"}, scheduledFor=WHEN)
    office.post(f"/routes/{route}/stops", [{"importedStopId": made[0]["id"]}])
    office.open(f"day/{DAY}")
    doubtful = page.get_by_role("button", name="2 stops found by town only")
    doubtful.click()
    expect(page.get_by_role("heading", name="Not on a route · 1")).to_be_visible()
    routes = page.get_by_role("region", name="Routes").get_by_role("listitem")
    expect(routes).to_have_count(1)
    routes.get_by_role("link", name="#10").click()
    marked = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(marked.filter(has_text="Found by: town only")).to_have_count(1)
    page.go_back()
    doubtful.click()
    expect(page.get_by_role("heading", name="Not on a route · 2")).to_be_visible()
    expect(routes).to_have_count(2)


def test_whoever_has_mended_all_doubtful_stops_sees_all_that_come_later(office: Office) -> None:
    page = accept(office, "doubts.later@example.com")
    town = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
    doubtful = {"deliveryDate": {"year": 2030, "month": 6, "day": 3}, "address": town}
    (first,) = office.post("/stops/imports", [doubtful])["stops"]
    office.open(f"day/{DAY}")
    shown = page.get_by_role("button", name="1 stop found by town only")
    shown.click()
    expect(shown).to_have_attribute("aria-pressed", "true")
    location = {"coordinates": {"latitude": 39.31, "longitude": -76.6}}
    changed = {"location": location, "updateMask": "coordinates"}
    assert office.http.patch(f"/stops/imports/{first['id']}/location", json=changed).is_success
    expect(shown).to_have_count(0)
    office.post("/stops/imports", [doubtful])
    expect(shown).to_have_attribute("aria-pressed", "false")
