"""States of a day: without times, stops or streets, no day at all, and after something was done."""

import re
from datetime import timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Page, expect
from tests.browser.driving import sign_up_driver
from tests.browser.office import Office
from tests.browser.test_console import button, open_day, region
from tests.browser.test_members import accept

from roundsman.kit.clock import SystemClock

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
DAY_AFTER = {"year": 2030, "month": 5, "day": 7}
FREE_DAY = "2031-03-04"


def test_a_route_without_a_departure_has_its_row_and_says_that_it_has_no_times(
    office: Office,
) -> None:
    page = accept(office, "untimed@example.com")
    untimed = office.add_route("Harbour", {"orderName": "#1"}, {"orderName": "#2"})
    office.open("")  # without a departure it stands on the day it was made
    item = region(page, "Routes").get_by_role("listitem").filter(has_text="Harbour")
    expect(item).to_contain_text("no times yet")
    expect(item).not_to_contain_text("on time")
    row = page.get_by_role("region", name="Timeline").get_by_role("listitem")
    expect(row).to_contain_text("Harbour")
    expect(row).to_contain_text("no times yet")
    route = {"scheduledFor": SystemClock().now().isoformat()}
    told = office.http.patch(
        f"/routes/{untimed}", json={"route": route, "updateMask": "scheduledFor"}
    )
    assert told.status_code == 200, told.text
    expect(item).to_contain_text("on time")
    expect(page.get_by_text("no times yet")).to_have_count(0)


def test_a_route_without_stops_is_neither_on_time_nor_without_times(office: Office) -> None:
    page = accept(office, "stopless@example.com")
    office.add_route("Harbour", scheduledFor=f"{DAY}T06:00:00Z")
    open_day(office, DAY)
    row = page.get_by_role("region", name="Timeline").get_by_role("listitem")
    expect(row).to_have_text("Harbour")
    expect(region(page, "Routes").get_by_role("listitem")).not_to_contain_text("time")


def test_a_route_is_one_link_on_the_day_and_its_row_opens_it_too(office: Office) -> None:
    page = accept(office, "one.link@example.com")
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T06:00:00Z")
    open_day(office, DAY)
    page.get_by_role("region", name="Timeline").get_by_text("Harbour").click()
    expect(page.get_by_role("heading", level=1, name="Harbour")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
    assert page.get_by_role("link", name="Harbour", exact=True).count() == 1


@pytest.mark.parametrize("address", ["day/2026-13-45", "exceptions/2026-02-30", "nonsense"])
def test_an_address_that_cannot_be_is_said_and_leads_to_today(office: Office, address: str) -> None:
    page = accept(office, "lost@example.com")
    office.open(address)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("There is no page at this address.")
    expect(page.get_by_role("region", name="Routes")).to_have_count(0)
    page.get_by_role("link", name="Today", exact=True).click()
    expect(region(page, "Routes")).to_be_visible()


def test_what_is_not_over_of_yesterday_is_found_from_today(office: Office) -> None:
    """A night's route is of the day on which it left: past midnight nobody looks there."""
    page = accept(office, "night@example.com")
    today = SystemClock().now().astimezone(ZoneInfo("Europe/Berlin")).date()
    yesterday = (today - timedelta(days=1)).isoformat()
    phone = sign_up_driver(office.address, office.http)
    closed = {"start": {"hours": 3}, "end": {"hours": 3, "minutes": 1}}
    late = {"orderName": "#1", "timeWindows": [closed]}
    noon = {"driverId": phone.driver_id, "scheduledFor": f"{yesterday}T12:00:00+01:00"}
    office.add_route("Waiting", {"orderName": "#2"}, scheduledFor=noon["scheduledFor"])
    phone.route_id = office.add_route("Night", late, **noon)
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    open_day(office, today.isoformat())
    told = page.get_by_text("Yesterday's route is not over yet: Night (1 stop late)")
    expect(told).to_be_visible()
    told.get_by_role("link", name="Night").click()
    expect(page.get_by_role("heading", name="Night")).to_be_visible()
    page.get_by_role("link", name="Exceptions").click()
    shown = page.get_by_role("region", name="Exceptions")
    expect(shown.get_by_role("listitem")).to_contain_text("Night · ")
    expect(shown.get_by_role("listitem")).to_contain_text("Dana · 1 stop late")
    phone.tell("STOP_DELIVERED", stopId=office.stop_ids(phone.route_id)[0])
    open_day(office, today.isoformat())
    page.reload()
    expect(region(page, "Routes")).to_contain_text("No route on this day yet.")
    expect(told).to_have_count(0)


def test_a_route_s_page_names_its_day_and_that_of_what_is_past_midnight(office: Office) -> None:
    page = accept(office, "past-midnight@example.com")
    night = {"start": {"hours": 0, "minutes": 30}, "end": {"hours": 3}}
    stops = (
        {"orderName": "#1", "duration": "7200s"},
        {"orderName": "#2", "timeWindows": [night], "deliveryDate": DAY_AFTER},
    )
    end = {"end": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}
    # In Berlin this is the morning after: the day is said by the clocks that hang at the stops.
    left = {"scheduledFor": f"{DAY}T23:00:00-04:00"}
    office.open(f"route/{office.add_route('Night', *stops, **left, **end)}")
    shown = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(shown).to_have_count(2)
    first, second = shown.all()
    expect(first.locator("strong")).to_have_text(re.compile(r"^23:\d\d$"))
    expect(second.locator("strong")).to_have_text(re.compile(r"^Tue\s01:\d\d$"))
    expect(second).to_contain_text(re.compile("Tue\\s00:30\N{EN DASH}03:00"))
    expect(page.get_by_text("Tue, May 7, 2030")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^back \d\d:\d\d$"))).to_be_visible()


def test_a_stop_without_a_place_is_named_and_does_not_widen_the_map(office: Office) -> None:
    page = accept(office, "nowhere@example.com")
    places = {"Anna": (39.29, -76.61), "Bert": (39.30, -76.62), "Zero": (0, 0)}
    stops = [
        {
            "orderName": name,
            "deliveryDate": DAY_AFTER,
            "coordinates": {"latitude": latitude, "longitude": longitude},
        }
        for name, (latitude, longitude) in places.items()
    ]
    office.post("/stops/imports", stops)
    nowhere = {"orderName": "Sea", "coordinates": {"latitude": 0, "longitude": 0}}
    office.add_route("Harbour", {"orderName": "Land"}, nowhere, scheduledFor="2030-05-07T06:00:00Z")
    open_day(office, "2030-05-07")
    items = page.get_by_role("region", name="Not on a route").get_by_role("listitem")
    expect(items.filter(has_text="Zero")).to_contain_text("given coordinates 0,0")
    expect(items.filter(has_text="Anna")).not_to_contain_text("0,0")
    circles = page.get_by_role("region", name="Map").locator("circle")
    anna, bert = (circles.filter(has_text=name).bounding_box() for name in ("Anna", "Bert"))
    assert anna, "it is drawn"
    assert bert, "it is drawn"
    assert anna["y"] - bert["y"] > 100, "two stops of a town are told apart"
    page.get_by_role("link", name="Harbour", exact=True).click()
    rows = page.get_by_role("listitem")
    expect(rows.filter(has_text="Sea")).to_contain_text("given coordinates 0,0")
    expect(rows.filter(has_text="Land")).not_to_contain_text("0,0")
    page.get_by_role("link", name="Sea", exact=True).click()
    expect(page.get_by_role("definition").filter(has_text="0,0")).to_be_visible()


def test_an_empty_day_has_ways_in_and_the_demo(office: Office) -> None:
    page = accept(office, "empty@example.com")
    routes = region(open_day(office, DAY), "Routes")
    for way in ("Import a spreadsheet", "Copy from another day"):
        expect(routes.get_by_role("button", name=way)).to_be_visible()
    expect(routes.get_by_role("link", name="Send stops by the API")).to_be_visible()
    expect(routes).to_contain_text("this command makes a demo organization")
    expect(routes.get_by_role("code")).to_have_text("roundsman demo")
    office.add_route("Harbour", scheduledFor=f"{DAY}T06:00:00Z")
    expect(region(page, "Routes").get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_text("demo organization")).to_have_count(0)
    # Who has planned a day needs no demo on a free one.
    with page.expect_response("**/routes?query.limit=1"):
        open_day(office, FREE_DAY)
    expect(button(region(page, "Routes"), "Import a spreadsheet")).to_be_visible()
    expect(page.get_by_text("demo organization")).to_have_count(0)


def colors(page: Page) -> int:
    """Return how many shades the left half of the map shows, where nothing else lies on it."""
    box = page.get_by_role("region", name="Map").bounding_box()
    assert box is not None
    clip: FloatRect = {**box, "width": box["width"] / 2}
    with Image.open(BytesIO(page.screenshot(clip=clip))) as picture:
        return len(picture.convert("RGB").getcolors(maxcolors=2**24) or ())


def test_a_map_without_streets_has_a_grid_that_goes_with_it(office: Office) -> None:
    page = accept(office, "grid@example.com")
    open_day(office, DAY)
    holder = page.get_by_role("region", name="Map")
    # Drawn after the rest of the screen, and anew after each step.
    grid = holder.locator("div[style*=background-size]")
    expect(grid).to_be_visible()
    assert colors(page) > 1
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T06:00:00Z")
    pin = holder.get_by_text("1", exact=True)
    expect(pin).to_be_visible()
    expect(holder.locator(".depot")).to_be_visible()
    size = grid.evaluate("grid => getComputedStyle(grid).backgroundSize")
    page.get_by_role("button", name="Zoom in").click()
    expect(grid).not_to_have_css("background-size", size)
    place = grid.evaluate("grid => getComputedStyle(grid).backgroundPosition")
    box = holder.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] + 90, steps=2)
    expect(grid).not_to_have_css("background-position", place)
    page.mouse.up()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_what_was_done_is_said_where_nothing_else_is(office: Office, size: tuple[int, int]) -> None:
    page = accept(office, f"notice.{size[0]}@example.com")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T06:00:00Z")
    open_day(office, DAY)
    line = page.get_by_role("contentinfo")
    place = line.bounding_box()
    page.get_by_role("link", name="Harbour").first.click()
    button(page, "Archive").click()
    button(page.get_by_role("dialog", name="Archive"), "Archive").click()
    said = page.get_by_role("log")
    expect(said).to_have_text("Harbour: Archived")
    for layout in ("Board", "List", "Map"):
        page.get_by_role("radio", name=layout).check()
        box = said.bounding_box()
        assert box is not None
        assert place is not None
        assert line.bounding_box() == place  # it hides nothing that was to be seen before
        assert place["y"] <= box["y"]
        assert box["y"] + box["height"] <= place["y"] + place["height"] == size[1]


def test_stops_have_the_whole_column_while_there_is_no_route(office: Office) -> None:
    page = accept(office, "pool@example.com")
    page.set_viewport_size({"width": 1440, "height": 900})
    date = {"year": 2030, "month": 6, "day": 3}
    place = {"latitude": 39.3, "longitude": -76.6}
    office.post("/stops/imports", [{"coordinates": place, "deliveryDate": date}] * 30)
    office.open("day/2030-06-03")
    expect(page.get_by_role("heading", name="Not on a route · 30")).to_be_visible()
    column, stops = (page.locator(name).bounding_box() for name in (".side", ".unrouted .stops"))
    assert column is not None
    assert stops is not None
    assert stops["height"] > column["height"] * 2 / 3
    expect(region(page, "Routes")).to_contain_text("No route on this day yet.")
    expect(region(page, "Routes").get_by_role("paragraph")).to_be_in_viewport()
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor="2030-06-03T08:00:00Z")
    route = page.get_by_role("region", name="Routes").get_by_role("link", name="Harbour")
    expect(route).to_be_in_viewport()
