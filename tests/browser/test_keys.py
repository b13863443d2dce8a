"""Everything of a planner's day by the keyboard, as doors 4.1 lists the keys."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


def open_route(office: Office, email: str, role: Role = Role.OWNER) -> Page:
    """Return the page of a route with three stops, #1 to #3."""
    page = accept(office, email, role)
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    id_ = office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"route/{id_}")
    expect(page.get_by_role("list", name="Stops").get_by_role("listitem")).to_have_count(3)
    return page


def test_a_stop_is_found_and_moved_without_a_mouse(office: Office) -> None:
    page = open_route(office, "keys@example.com")
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="#1", exact=True)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Alt+ArrowDown")
    expect(stops.nth(1).get_by_role("link", name="#1", exact=True)).to_be_focused()
    expect(stops.first).to_contain_text("#2")
    page.keyboard.press("Control+z")
    expect(stops.first).to_contain_text("#1")
    page.keyboard.press("Control+Shift+z")
    expect(stops.first).to_contain_text("#2")
    page.keyboard.press("m")
    expect(page.get_by_role("dialog", name="Move stop")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_days_and_layouts_have_keys_and_all_are_listed(office: Office) -> None:
    page = accept(office, "days@example.com")
    office.open(f"day/{DAY}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("May 6, 2030")
    page.keyboard.press("]")
    expect(heading).to_contain_text("May 7, 2030")
    page.keyboard.press("[")
    expect(heading).to_contain_text("May 6, 2030")
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Board")).to_be_checked()
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name="List")).to_be_checked()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Move by one place")


def test_keys_change_nothing_for_whoever_may_only_look(office: Office) -> None:
    page = open_route(office, "looks.on@example.com", Role.VIEWER)
    page.keyboard.press("j")
    for key in ("Alt+ArrowDown", "m", "p", "i", "n", "d", "r"):
        page.keyboard.press(key)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_count(1)
    expect(dialog).to_contain_text("Search")
    expect(dialog).not_to_contain_text("Reoptimize")
    stops = page.get_by_role("list", name="Stops").locator("> li")
    expect(stops.first).to_contain_text("#1")


def test_every_list_holds_its_items_directly(office: Office) -> None:
    page = open_route(office, "lists@example.com")
    strays = "document.querySelectorAll('ul > :not(li), ol > :not(li)').length"
    assert page.evaluate(strays) == 0
    office.open(f"day/{DAY}")
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_role("group", name="Board")).to_be_visible()
    assert page.evaluate(strays) == 0
