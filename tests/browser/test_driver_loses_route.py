"""A planner takes a route or a stop away while its driver is there: the screen says so, and why."""

from typing import Any

from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_driver_app import Handset, dispatched, handset, start

__all__ = ["handset"]

TAKEN_BACK = "Delivered #1: Your planner took the route back, or its time is over."


def take_back(office: Office, path: str) -> Any:
    response = office.http.delete(path)
    assert response.status_code == 200, response.text


def look_again(page: Page) -> None:
    """Have the app read its routes, as it does by itself twice a minute."""
    page.evaluate("() => dispatchEvent(new Event('online'))")


def test_what_came_to_nothing_is_said_once_with_its_reason(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    take_back(office, f"/routes/{route}/dispatch")
    page.get_by_role("button", name="Delivered").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This did not count. Your planner has it and decides.")
    expect(alert).to_contain_text(TAKEN_BACK)
    expect(page.get_by_text("This route is no longer yours.")).to_be_visible()
    expect(page.get_by_text("Loading…")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    page.reload()
    expect(alert).to_contain_text(TAKEN_BACK)
    expect(page.get_by_text("This route is no longer yours.")).to_be_visible()
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_have_count(0)
    page.get_by_role("button", name="Sync details").click()
    done = page.get_by_role("list", name="Actions").get_by_role("listitem")
    expect(done.first).to_contain_text("Delivered #1")
    expect(done.first).to_contain_text("Your planner took the route back")
    page.reload()
    expect(done.first).to_contain_text("Kept")
    expect(alert).to_have_count(0)


def test_a_route_that_is_gone_says_so_on_its_pages(office: Office, handset: Handset) -> None:
    route = dispatched(office, handset, {"orderName": "#1"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("textbox", name="Note").fill("left w/ Jo")
    take_back(office, f"/routes/{route}/driver")
    look_again(page)
    expect(page.get_by_text("This route is no longer yours.")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("What you typed here was not sent:")
    expect(page.get_by_text("Note: left w/ Jo")).to_be_visible()
    page.goto(f"{office.address}/driver#/route/{route}")
    # Nobody's now, so it may be claimed; then it is this driver's again.
    page.get_by_role("button", name="Claim").click()
    page.get_by_role("link", name="#1").click()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("left w/ Jo")


def test_a_stop_that_is_gone_says_so_and_keeps_what_was_typed(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("textbox", name="Note").fill("left w/ Jo")
    page.get_by_role("combobox", name="Left with").select_option("Neighbour")
    first = office.stop_ids(route)[0]
    take_back(office, f"/routes/{route}/stops/{first}")
    look_again(page)
    expect(page.get_by_text("This stop is no longer on your route.")).to_be_visible()
    expect(page.get_by_role("heading", name="#1")).to_be_visible()
    expect(page.get_by_text("Note: left w/ Jo")).to_be_visible()
    expect(page.get_by_text("Left with: Neighbour")).to_be_visible()
    page.get_by_role("link", name="Van 1").click()
    expect(page.get_by_role("list", name="Stops").get_by_role("link")).to_have_text(["#2"])


def test_a_delivery_at_a_stop_that_is_gone_is_said_to_be_kept(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    take_back(office, f"/routes/{route}/stops/{office.stop_ids(route)[0]}")
    page.get_by_role("button", name="Delivered").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Delivered #1: This stop is no longer on your route.")
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
