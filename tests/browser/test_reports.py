"""Reports in the console: what was promised and what was done, as drawings and as figures."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.driving import sign_up_driver
from tests.browser.office import DROVE, Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.5")

CLOSED = {"timeWindows": [{"end": {"hours": 9}}]}


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def table(page: Page, name: str) -> Locator:
    return region(page, name).get_by_role("table", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def days_before(day: str, count: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=count)).isoformat()


def drive(office: Office, day: str = DROVE) -> None:
    """Deliver two of four stops of a day, one of them late, fail at the third, leave the last."""
    phone = sign_up_driver(office.address, office.http)
    stops: list[dict[str, object]] = [{"orderName": f"#{number}"} for number in range(4)]
    stops[1] |= CLOSED
    options = {"driverId": phone.driver_id, "scheduledFor": f"{day}T08:00:00-04:00"}
    phone.route_id = office.add_route("Harbour", *stops, **options)
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    first, second, third, _ = office.stop_ids(phone.route_id)
    for stop in (first, second):
        phone.tell("STOP_ARRIVED", stopId=stop)
        phone.tell("STOP_DELIVERED", stopId=stop)
    phone.tell("STOP_ATTEMPTED", stopId=third, reason="NO_ACCESS")


def test_days_and_drivers_of_a_period_are_tables_and_files(office: Office) -> None:
    drive(office)
    drive(office, days_before(DROVE, 2))
    office.add_route("Nobody's", {"orderName": "#9"}, scheduledFor=f"{DROVE}T08:00:00-04:00")
    page = accept(office, "reports@example.com")
    office.open(f"reports/{days_before(DROVE, 6)}/{DROVE}")
    days = region(page, "Days")
    expect(days).to_contain_text("4 of 9 stops delivered, 2 could not be delivered, 2 late.")
    expect(days.get_by_role("img")).to_be_visible()
    row = table(page, "Days").get_by_role("row").nth(2)
    expect(row.get_by_role("rowheader")).to_have_text("Mon, Jul 1, 2024")
    for words in ("No access: 1", "1 stop late", "66.7%", "no rating"):
        expect(row).to_contain_text(words)
    drivers = table(page, "Drivers").get_by_role("row")
    expect(drivers).to_have_count(4)  # with the head
    expect(drivers.nth(1)).to_contain_text("Dana")
    expect(drivers.last).to_contain_text("Without a driver")
    expect(drivers.last).to_contain_text("nothing done yet")
    for name, first in (("Days", "date"), ("Drivers", "driverId")):
        with page.expect_download() as loading:
            region(page, name).get_by_role("link", name="CSV", exact=True).click()
        assert loading.value.suggested_filename == f"{name.lower()}.csv"
        lines = loading.value.path().read_text(encoding="utf-8-sig").splitlines()
        assert lines[0].startswith(f"{first},")
        assert len(lines) == (3 if name == "Days" else 4)


def test_windows_that_were_promised_are_drawn_beside_the_target(office: Office) -> None:
    drive(office)
    page = accept(office, "windows@example.com")
    office.open("")
    page.get_by_role("link", name="Reports", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reports")
    windows = region(page, "Windows that hold")
    buckets = office.http.get("/reports/arrivals").json()["buckets"]
    count, held = (sum(one[key] for one in buckets) for key in ("count", "held"))
    drawing = windows.get_by_role("img")
    said = f"{held} of {count} promised windows held"
    assert said in str(drawing.get_attribute("aria-label"))
    expect(drawing).to_contain_text("Target 90%")
    rows = table(page, "Windows that hold").get_by_role("row")
    expect(rows).to_have_count(len(buckets) + 1)
    cells = rows.nth(1).get_by_role("cell")
    expect(cells.nth(0)).to_have_text(str(buckets[0]["count"]))
    expect(cells.nth(1)).to_have_text(str(buckets[0]["held"]))
    expect(rows.last.get_by_role("rowheader")).to_have_text("11 stops ahead or more")
    expect(rows.last).to_contain_text("no window yet")
    with page.expect_download() as loading:
        windows.get_by_role("link", name="CSV", exact=True).click()
    assert loading.value.suggested_filename == "arrivals.csv"
    lines = loading.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert (lines[0].split(",")[0], len(lines)) == ("stopsAhead", len(buckets) + 1)


def test_a_period_is_chosen_by_days_and_by_buttons(office: Office) -> None:
    page = accept(office, "period@example.com", Role.VIEWER)
    office.open("reports")
    expect(region(page, "Windows that hold")).to_contain_text("No window that was promised")
    expect(region(page, "Days")).to_contain_text("No route in this period.")
    expect(region(page, "Drivers")).to_contain_text("No route in this period.")
    expect(button(page, "30 days")).to_have_attribute("aria-pressed", "true")
    button(page, "7 days").click()
    expect(button(page, "7 days")).to_have_attribute("aria-pressed", "true")
    first, last = (page.get_by_label(name, exact=True) for name in ("From", "To"))
    assert first.input_value() == days_before(last.input_value(), 6)
    first.fill(days_before(last.input_value(), 40))
    expect(region(page, "Days")).to_contain_text("at most 31 days")
    expect(region(page, "Windows that hold")).to_contain_text("No window that was promised")
    first.fill(days_before(last.input_value(), -1))
    expect(page.get_by_role("alert")).to_have_text("The first day is after the last one.")


def test_whoever_comes_with_api_credentials_has_the_file_too(office: Office) -> None:
    drive(office)
    office.open(f"reports/{DROVE}/{DROVE}")
    office.sign_in()
    page = office.page
    with page.expect_download() as loading:
        region(page, "Days").get_by_role("link", name="CSV", exact=True).click()
    assert loading.value.path().read_text(encoding="utf-8-sig").startswith("date,")


@pytest.mark.parametrize("width", [390, 1200])
def test_reports_have_no_faults_and_fit_the_window(office: Office, width: int) -> None:
    require_axe()
    drive(office)
    page = accept(office, f"faults{width}@example.com")
    page.set_viewport_size({"width": width, "height": 800})
    for address in (f"reports/{DROVE}/{DROVE}", "reports"):
        office.open(address)
        expect(region(page, "Days")).not_to_contain_text("Loading")
        expect(region(page, "Windows that hold")).not_to_contain_text("Loading")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            assert find_faults(page) == []
