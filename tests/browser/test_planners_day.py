"""A planner's whole day in one go, as it is done: from a dirty spreadsheet to a printed sheet.

On SQLite, and on PostgreSQL with two processes that answer in turn.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.acceptance.test_main_job import serving
from tests.browser.conftest import Browsers
from tests.browser.driving import Phone, sign_up_driver
from tests.browser.office import House, Office, expect_proposal
from tests.browser.test_console import button, open_day, region
from tests.browser.test_members import accept
from tests.support.databases import new_postgres

pytestmark = pytest.mark.spec("doors 0a")

ROWS = 120
REFUSED = {  # by the row's number: what somebody typed
    7: "Nobody knows where,,,,1",
    20: "No number,north,-76.6,,1",
    33: "Off the globe,139.3,-76.6,,1",
}
REMARKED = {
    64: "A strange window,39.31,-76.61,after lunch,1",
    99: "Two dozen,39.31,-76.61,,two dozen",
}
GOOD = ROWS - len(REFUSED)


@pytest.fixture(scope="module", params=["sqlite", "two processes on postgresql"])
def house(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    browsers: Browsers,
    browser_program: str,
) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")
    with browsers.lent(browser_program) as browser, ExitStack() as opened:
        environment, url = {}, f"sqlite:///{data / 'roundsman.db'}"
        if request.param != "sqlite":
            server = request.getfixturevalue("postgres_address")
            environment, url = (
                {"ROUNDSMAN_WORKERS": "2"},
                opened.enter_context(new_postgres(server)),
            )
        address = opened.enter_context(serving(data, url, **environment))
        yield House(address, url, data, browser, browsers.playwright)


def write_sheet() -> str:
    """Return a spreadsheet of stops around a harbour, some of whose rows are no stops."""
    rows = ["Customer,Lat,Lng,Time Windows,Qty"]
    for number in range(1, ROWS + 1):
        place = f"{39.26 + number % 11 / 150:.5f},{-76.66 + number % 13 / 150:.5f}"
        window = "9:00 - 12:00" if number % 5 == 0 else ""
        rows.append(
            {**REFUSED, **REMARKED}.get(
                number, f"Customer {number},{place},{window},{1 + number % 3}"
            )
        )
    return "\n".join(rows) + "\n"


def import_sheet(page: Page) -> None:
    button(page, "Import stops").click()
    dialog = page.get_by_role("dialog", name="Import stops")
    dialog.get_by_label("Spreadsheet").set_input_files(
        {"name": "monday.csv", "mimeType": "text/csv", "buffer": write_sheet().encode()}
    )
    rows = dialog.get_by_role("table", name="Rows")
    expect(rows.get_by_role("row").filter(has_text="refused")).to_have_count(len(REFUSED))
    for words in REMARKED.values():
        name = words.partition(",")[0]
        expect(rows.get_by_role("row").filter(has_text=name)).to_contain_text("left out")
    button(dialog, f"Import {GOOD} stops").click()
    expect(dialog).to_be_hidden()
    expect(button(page, f"{len(REFUSED)} rows are not imported")).to_be_visible()


def plan_four_vans(page: Page) -> None:
    button(page, "Plan").click()
    dialog = page.get_by_role("dialog", name="Plan the day")
    dialog.get_by_role("spinbutton", name="Other vans").fill("4")
    dialog.get_by_role("textbox", name="Start").fill("39.29, -76.61")
    dialog.get_by_role("radio", name="Even").check()
    button(dialog, "Plan").click()
    expect_proposal(page, "Every stop is on a van.")
    button(dialog, "Apply").click()
    expect(dialog).to_be_hidden()


def column(page: Page, name: str) -> Locator:
    """Return the list of a route's stops on the board."""
    return page.get_by_role("group", name="Board").get_by_role("region", name=name)


def test_a_day_from_a_dirty_spreadsheet_to_a_printed_sheet(office: Office) -> None:
    page = accept(office, "whole.day@example.com")
    phone = sign_up_driver(office.address, office.http)
    open_day(office)
    import_sheet(page)
    expect(page.get_by_role("heading", name=f"Not on a route · {GOOD}")).to_be_visible()
    plan_four_vans(page)
    expect(page.get_by_role("heading", name="Not on a route · 0")).to_be_visible()
    routes = region(page, "Routes")
    expect(routes.get_by_role("listitem")).to_have_count(4)
    drag_between_vans(office)
    phone.route_id = send_out(office)
    watch(office, phone)
    reoptimize_on_the_road(office, phone)
    take_away(page)


def drag_between_vans(office: Office) -> None:
    """Drag a stop from one van to another, by a mouse, and see both routes say so."""
    page = office.page
    page.set_viewport_size({"width": 1700, "height": 900})  # all four vans are in it
    page.get_by_role("radio", name="Board").check()
    expect(page.get_by_role("group", name="Board").get_by_role("heading")).to_contain_text(
        [f"Van-{number}" for number in range(1, 5)]
    )
    first, second = column(page, "Van-1"), column(page, "Van-2")
    counts = [one.get_by_role("listitem").count() for one in (first, second)]
    moved = first.get_by_role("listitem").nth(2)
    name = moved.get_by_role("link").inner_text()
    moved.drag_to(second.get_by_role("heading"))
    expect(first.get_by_role("listitem")).to_have_count(counts[0] - 1)
    expect(second.get_by_role("listitem")).to_have_count(counts[1] + 1)
    expect(second.get_by_role("link", name=name, exact=True)).to_be_visible()
    page.get_by_role("radio", name="Map").check()


def send_out(office: Office) -> str:
    """Assign the driver to a van and dispatch it; return the route's id."""
    page = office.page
    page.get_by_role("link", name="Van-1").first.click()
    # The list of the day has such a button for each route; it stays until the route is there.
    expect(page.get_by_role("heading", name="Van-1", level=1)).to_be_visible()
    button(page, "Assign driver").click()
    button(page.get_by_role("dialog", name="Assign driver"), "Dana").click()
    expect(page.get_by_text("Dana")).to_be_visible()
    button(page, "Dispatch").click()
    expect(button(page, "Undispatch")).to_be_visible()
    return page.url.partition("/route/")[2]


def watch(office: Office, phone: Phone) -> None:
    """See on the screen of the day what the driver does."""
    page = office.page
    phone.tell("ROUTE_STARTED")
    first, second, *rest = office.stop_ids(phone.route_id)
    open_day(office)
    item = region(page, "Routes").get_by_role("listitem").filter(has_text="Van-1")
    expect(item).to_contain_text("On the road")
    phone.tell("STOP_DELIVERED", stopId=first)
    expect(item).to_contain_text(f"1/{2 + len(rest)}")
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="NOT_AVAILABLE")
    expect(item).to_contain_text(f"2/{2 + len(rest)}")


def reoptimize_on_the_road(office: Office, phone: Phone) -> None:
    """Have the rest put in a better order; what is done stays where it is."""
    page = office.page
    before = office.stop_ids(phone.route_id)
    page.get_by_role("link", name="Van-1").first.click()
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops.nth(0)).to_contain_text("Delivered")
    with page.expect_response(lambda one: one.url.endswith("/reoptimize")) as answer:
        button(page, "Reoptimize").click()
    assert answer.value.status == 200
    expect(stops.nth(1)).to_contain_text("Could not deliver")
    after = office.stop_ids(phone.route_id)
    assert after[:2] == before[:2]
    assert sorted(after) == sorted(before)


def take_away(page: Page) -> None:
    """Take the route along as a file and on paper."""
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    count = stops.count()
    button(page, "Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="CSV").click()
    rows = Path(saved.value.path()).read_text().splitlines()
    assert len(rows) == 1 + count
    with page.context.expect_page() as printed:
        button(page, "Print").click()
    sheet = printed.value
    expect(sheet.get_by_role("heading").first).to_contain_text("Van-1")
    expect(sheet.get_by_text("Signature", exact=True)).to_have_count(count)
    sheet.close()
