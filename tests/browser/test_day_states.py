"""States of a day: without times, without stops, without streets, and no day at all."""

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_console import open_day, region
from tests.browser.test_members import accept

from roundsman.kit.clock import SystemClock

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"


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


@pytest.mark.parametrize("address", ["day/2026-13-45", "exceptions/2026-02-30", "nonsense"])
def test_an_address_that_cannot_be_is_said_and_leads_to_today(office: Office, address: str) -> None:
    page = accept(office, "lost@example.com")
    office.open(address)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("There is no page at this address.")
    expect(page.get_by_role("region", name="Routes")).to_have_count(0)
    page.get_by_role("link", name="Today", exact=True).click()
    expect(region(page, "Routes")).to_be_visible()
