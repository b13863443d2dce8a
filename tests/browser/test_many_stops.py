"""The map of a day with more stops than have room for a number."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

DAY = "2030-05-06"
ROUTES, STOPS = 7, 150


def open_large_day(office: Office) -> Page:
    """Open a day of more stops than are made at once."""
    page = accept(office, "many@example.com")
    for number in range(ROUTES):
        places = [
            {"latitude": 39.2 + number / 50 + stop / 10_000, "longitude": -76.6 + stop / 5_000}
            for stop in range(STOPS)
        ]
        stops = [{"coordinates": place, "orderName": "#1"} for place in places]
        office.add_route(f"Van {number}", *stops, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Van 6").first).to_be_visible()
    return page


@pytest.mark.full
@pytest.mark.spec("doors 4.8")
def test_stops_of_a_large_day_are_made_as_somebody_comes_near(office: Office) -> None:
    page = open_large_day(office)
    page.keyboard.press("2")
    lane = page.get_by_role("group", name="Board").get_by_role("region", name="Van 0")
    stops = lane.get_by_role("listitem")
    expect(stops.nth(29)).to_be_attached()
    assert stops.count() < STOPS
    stops.first.get_by_role("link").focus()
    for _ in range(4 * STOPS):  # the last one that is there leads to those that are not yet
        page.keyboard.press("j")
        if stops.count() == STOPS:
            break
    expect(lane.locator("a:focus")).to_have_count(1)
    expect(stops).to_have_count(STOPS)
    last = page.get_by_role("group", name="Board").get_by_role("region", name=f"Van {ROUTES - 1}")
    expect(last.get_by_role("listitem")).to_have_count(0)
    last.scroll_into_view_if_needed()
    expect(last.get_by_role("listitem").first).to_be_visible()
    page.keyboard.press("3")
    rows = page.get_by_role("main").get_by_role("row")
    expect(rows.nth(100)).to_be_attached()
    assert rows.count() < ROUTES * STOPS
    for _ in range(ROUTES * STOPS // 100 + 1):
        page.get_by_role("table").evaluate("(table) => table.scrollIntoView({ block: 'end' })")
        page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => done(1)))")
    expect(rows).to_have_count(1 + ROUTES * STOPS)


@pytest.mark.full
def test_stops_without_room_for_numbers_are_points_to_select_and_a_drag_opens_none(
    office: Office,
) -> None:
    page = open_large_day(office)
    shown = page.get_by_role("region", name="Map")
    expect(shown.locator("canvas")).to_be_visible()
    expect(shown.locator(".pin")).to_have_count(0)
    box = shown.bounding_box()
    assert box is not None
    left, top = box["x"] + 6, box["y"] + 6
    right, bottom = box["x"] + box["width"] - 90, box["y"] + box["height"] - 6
    page.mouse.move((left + right) / 2, (top + bottom) / 2)
    page.mouse.down()
    page.mouse.move((left + right) / 2 + 40, (top + bottom) / 2, steps=4)
    page.mouse.up()
    page.keyboard.press("l")
    page.mouse.move(left, top)
    page.mouse.down()
    for corner in ((right, top), (right, bottom), (left, bottom)):
        page.mouse.move(*corner, steps=3)
    page.mouse.up()
    expect(page.get_by_text(f"{ROUTES * STOPS} stops selected")).to_be_visible()
    for _ in range(10):
        shown.get_by_role("button", name="Zoom in").click()
    expect(shown.locator("canvas")).to_have_count(0)


@pytest.mark.full
def test_prices_of_a_lifted_stop_are_said_where_somebody_looks(office: Office) -> None:
    page = open_large_day(office)
    page.keyboard.press("2")
    lane = page.get_by_role("group", name="Board").get_by_role("region", name="Van 0")
    box = lane.get_by_role("listitem").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 30, steps=3)
    routes = page.get_by_role("region", name="Routes").get_by_role("listitem")
    price = re.compile(r"\d min")
    expect(routes.filter(has_text="Van 1")).to_contain_text(price)
    last = routes.filter(has_text=f"Van {ROUTES - 1}")
    expect(last).not_to_contain_text(price)
    last.evaluate("(route) => route.scrollIntoView()")
    expect(last).to_contain_text(price)
    page.mouse.up()
