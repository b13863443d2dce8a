"""The map of a day with more stops than have room for a number."""

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_members import accept

DAY = "2030-05-06"
ROUTES, STOPS = 7, 150


@pytest.mark.full
def test_stops_without_room_for_numbers_are_points_to_select_and_a_drag_opens_none(
    office: Office,
) -> None:
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
