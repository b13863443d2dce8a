"""Planning a day in a dialog: what is proposed, what routes should rather be, what moves cost."""

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


def add_two_routes(office: Office) -> None:
    """Add two routes that would better swap their last halves."""
    for name, halves in (("Harbour", (-76.56, -76.66)), ("Hills", (-76.66, -76.56))):
        stops = [
            {
                "orderName": f"{name} {east} {number}",
                "coordinates": {"latitude": 39.3 + number / 200, "longitude": east},
            }
            for east in halves
            for number in range(3)
        ]
        office.add_route(name, *stops, scheduledFor=f"{DAY}T08:00:00Z")


def test_a_day_is_planned_anew_with_as_few_moves_as_the_planner_wants(office: Office) -> None:
    page = accept(office, "anew@example.com")
    add_two_routes(office)
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Hills").first).to_be_visible()
    page.get_by_role("button", name="Plan", exact=True).click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_role("textbox", name="Start")).to_have_value("39.29, -76.61")
    dialog.get_by_role("spinbutton", name="Other vans").fill("0")
    dialog.get_by_role("checkbox", name="planned anew").check()
    dialog.get_by_role("radio", name="Even").check()
    dialog.get_by_role("checkbox", name="Compact routes").check()
    dialog.get_by_role("button", name="Plan", exact=True).click()
    curve = page.get_by_role("region", name="What fewer changes would cost")
    expect(curve.get_by_role("listitem").last).to_contain_text("This plan", timeout=60_000)
    expect(curve.get_by_role("listitem").last).not_to_contain_text("0 stops")
    expect(page.get_by_role("alert")).to_have_count(0)
    curve.get_by_role("button", name="0 stops change their route").click()
    expect(curve).to_have_count(0, timeout=60_000)
    dialog.get_by_role("button", name="Apply").click(timeout=60_000)
    expect(dialog).to_be_hidden()
    for route in office.http.get("/routes").json()["routes"]:
        assert {stop["orderName"].split()[0] for stop in route["stops"]} == {route["name"]}
