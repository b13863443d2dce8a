"""A route's page works on the route's own day, however somebody came to it (doors 0b)."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office

pytestmark = pytest.mark.spec("doors 0b")

DAY = "2030-05-06"
OTHER = "2030-05-08"


def note_days(page: Page) -> list[str]:
    """Return the days that the page reads, as they come."""
    read: list[str] = []
    page.on("request", lambda one: read.extend(re.findall(r"/days/([\d-]+)$", one.url)))
    return read


def choices(page: Page) -> list[str]:
    """Return what the page offers to move its first stop to, once the prices are there."""
    page.get_by_role("button", name="Move to…").first.click()
    dialog = page.get_by_role("dialog", name="Move stop")
    expect(dialog.get_by_role("status")).to_be_hidden()
    expect(dialog.get_by_role("button", name="Not on a route")).to_be_visible()
    names = [one.locator("span").first.inner_text() for one in dialog.locator("li:has(i)").all()]
    page.keyboard.press("Escape")
    return sorted(names)


def test_a_route_that_is_opened_directly_stands_on_its_own_day(office: Office) -> None:
    page = office.page
    on = {"scheduledFor": f"{DAY}T08:00:00Z"}
    id_ = office.add_route("Harbour", {"orderName": "#1"}, **on)
    office.add_route("Hills", **on)
    office.add_route("Unplanned", {"orderName": "#2"})  # of today
    office.open("")
    office.sign_in()
    expect(page.get_by_role("link", name="Unplanned").first).to_be_visible()
    page.goto("about:blank")
    days = note_days(page)
    office.open(f"route/{id_}")  # signed in still, for the tab keeps the token
    expect(page.get_by_role("heading", level=1, name="Harbour")).to_be_visible()
    assert choices(page) == ["Harbour", "Hills"]
    back = page.get_by_role("main").get_by_role("link", name="Day")
    expect(back).to_have_attribute("href", f"#/day/{DAY}")
    assert set(days) == {DAY}
    page.get_by_role("button", name="Archive").click()
    page.get_by_role("dialog").get_by_role("button", name="Archive").click()
    expect(page).to_have_url(re.compile(f"#/day/{DAY}$"))


def test_who_passes_by_a_route_of_another_day_comes_back_to_the_open_one(office: Office) -> None:
    page = office.page
    here = office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    there = office.add_route("Hills", {"orderName": "#2"}, scheduledFor=f"{OTHER}T08:00:00Z")
    office.open(f"day/{DAY}")
    office.sign_in()
    page.get_by_role("link", name="Harbour").first.click()
    expect(page.get_by_role("heading", level=1, name="Harbour")).to_be_visible()
    assert page.url.endswith(f"route/{here}")
    days = note_days(page)
    office.open(f"route/{there}")
    assert choices(page) == ["Hills"]
    assert set(days) == {DAY, OTHER}
    page.get_by_role("link", name="Drivers").click()
    expect(page.get_by_role("heading", level=1, name="Drivers")).to_be_visible()
    expect(page.get_by_role("link", name="Day", exact=True)).to_have_attribute(
        "href", f"#/day/{DAY}"
    )


def test_an_order_that_is_opened_directly_stands_on_its_own_day(office: Office) -> None:
    page = office.page
    place = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    day = {"deliveryDate": {"year": 2030, "month": 5, "day": 6}}
    made = office.http.put("/store-orders/1 a", json={"name": "#1", **place, **day})
    assert made.status_code == 200, made.text
    office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    office.add_route("Unplanned")  # of today
    office.open("order/1%20a")
    office.sign_in()
    expect(page.get_by_role("heading", level=1, name="#1")).to_be_visible()
    back = page.get_by_role("main").get_by_role("link", name="Day")
    expect(back).to_have_attribute("href", f"#/day/{DAY}")
    page.get_by_role("button", name="Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    expect(dialog.get_by_role("button", name="Harbour")).to_be_visible()
    expect(dialog.get_by_role("button", name="Unplanned")).to_have_count(0)


def test_a_stop_that_is_gone_is_not_shown_as_the_one_before(office: Office) -> None:
    page = office.page
    place = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
    (stop,) = office.post("/stops/imports", [{"orderName": "#1", **place}])["stops"]
    office.open(f"unrouted/{stop['id']}")
    office.sign_in()
    expect(page.get_by_role("heading", level=1, name="#1")).to_be_visible()
    office.open("unrouted/imp-00000000-0000-0000-0000-000000000000")
    expect(page.get_by_text("This is not there any more.")).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="#1")).to_have_count(0)
