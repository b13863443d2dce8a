"""What a planner changes of a started route: told at the open stop, which does not move."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.office import Office
from tests.browser.test_driver_app import Handset, dispatched, handset, start

__all__ = ["handset"]

pytestmark = pytest.mark.spec("doors 4.2")


def add_stops(office: Office, route: str, *names: str) -> None:
    place = {"coordinates": {"latitude": 39.4, "longitude": -76.6}}
    made = office.post("/stops/imports", [{**place, "orderName": name} for name in names])
    office.post(f"/routes/{route}/stops", [{"importedStopId": one["id"]} for one in made["stops"]])


def read_again(page: Page) -> None:
    """Have the app read its routes, as it does every half minute."""
    page.evaluate("() => dispatchEvent(new Event('online'))")


def news_of(page: Page) -> Locator:
    """Return what a screen reader is told by itself."""
    return page.locator("[aria-live=polite]").filter(has_text="Your planner changed this route")


def open_third_after_an_order_of_ones_own(page: Page) -> None:
    page.get_by_role("link", name="#1").click()
    page.get_by_role("button", name="Do later").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="#3").click()
    expect(page.get_by_role("heading", name="#3")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All sent")


def places_of(page: Page) -> Any:
    """Return where everything of a stop is that a finger may be about to touch."""
    return page.evaluate(
        "() => [...document.querySelectorAll('main :is(h1, a, button, input, select, textarea)')]"
        ".map((one) => [one.textContent, one.getBoundingClientRect().y])"
    )


def test_the_open_stop_tells_what_changed_since_the_driver_looked_and_does_not_move(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, *({"orderName": f"#{one}"} for one in (1, 2, 3, 4)))
    page = handset.page
    start(page)
    open_third_after_an_order_of_ones_own(page)
    before = places_of(page)
    add_stops(office, route, "#5")
    read_again(page)
    news = news_of(page)
    expect(news).to_have_text("Your planner changed this route: 1 added")
    assert places_of(page) == before
    page.evaluate("(one) => { window.told = one; }", news.element_handle())
    add_stops(office, route, "#6", "#7")
    read_again(page)
    expect(news).to_have_text("Your planner changed this route: 3 added")
    second = office.stop_ids(route)[0]
    office.http.delete(f"/routes/{route}/stops/{second}").raise_for_status()
    last = office.stop_ids(route)[-1]
    moved = office.http.put(f"/routes/{route}/stops/{last}/position", json={"index": 0})
    assert moved.status_code == 200, moved.text
    read_again(page)
    expect(news).to_have_text("Your planner changed this route: 3 added, 1 removed")
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#7")).to_be_visible()
    expect(news).to_have_text("Your planner changed this route: 3 added, 1 removed")
    assert page.evaluate("() => told.isConnected"), "a screen reader would say it again"


def test_what_was_not_looked_at_is_told_again_by_a_phone_that_died_without_a_network(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, *({"orderName": f"#{one}"} for one in (1, 2, 3)))
    page = handset.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    last = office.stop_ids(route)[-1]
    moved = office.http.put(f"/routes/{route}/stops/{last}/position", json={"index": 0})
    assert moved.status_code == 200, moved.text
    add_stops(office, route, "#4")
    read_again(page)
    told = "Your planner changed this route: 1 moved, 1 added"
    expect(news_of(page)).to_have_text(told)
    handset.kill()
    handset.start()
    handset.context.set_offline(True)
    page = handset.page
    page.goto(f"{office.address}/driver")
    expect(news_of(page)).to_have_text(told)
    names = page.get_by_role("list", name="Stops").get_by_role("link")
    expect(names).to_have_text(["#1", "#2", "#3", "#4"])
    names.first.click()
    expect(news_of(page)).to_have_text(told)
    page.get_by_role("button", name="Show").click()
    expect(names).to_have_text(["#3", "#1", "#2", "#4"])
    expect(news_of(page)).to_have_count(0)
    page.reload()
    expect(names).to_have_text(["#3", "#1", "#2", "#4"])
    expect(news_of(page)).to_have_count(0)
