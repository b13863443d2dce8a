"""Every screen of console and driver's app, light and dark: nothing that axe finds."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.office import DROVE, Office
from tests.browser.test_driver_app import Handset, dispatched, handset, start

__all__ = ["handset"]

SCHEMES = ("light", "dark")
STOPS = (
    {"orderName": "#1", "contact": {"firstName": "Kim", "phone": "+14105550100"}},
    {"orderName": "#2", "timeWindows": [{"end": {"hours": 9}}], "note": "back door"},
)


def faults_of(page: Page, screen: str) -> Iterator[tuple[str, object]]:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for fault in find_faults(page):
            yield f"{screen}, {scheme}", fault


def test_the_console_has_no_faults(office: Office) -> None:
    require_axe()
    phone = office.dispatch("Harbour", *STOPS)
    loose = {**STOPS[0], "coordinates": {"latitude": 39.3, "longitude": -76.6}}
    town = {"address": {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}}
    year, month, day = (int(part) for part in DROVE.split("-"))
    unsure = {**town, "deliveryDate": {"year": year, "month": month, "day": day}}
    office.post("/stops/imports", [loose, unsure])
    office.add_route("Hills", *STOPS, scheduledFor=f"{DROVE}T09:00:00-04:00")
    stop_id, failed = office.stop_ids(phone.route_id)
    phone.tell("STOP_ATTEMPTED", stopId=failed, reason="OTHER")
    page = office.page
    office.open(f"day/{DROVE}")
    page.get_by_role("link", name="Use API credentials").wait_for()
    found = list(faults_of(page, "sign in"))
    office.sign_in()
    page.get_by_role("link", name="Harbour").first.wait_for()
    for layout in ("Board", "List", "Map"):
        page.get_by_role("radio", name=layout).check(force=True)
        found += faults_of(page, layout)
    for name in (
        "Import stops",
        "Plan",
        "New route",
        "New stop",
        "Send routes",
        "Move to…",
        "Fix location",
    ):
        page.get_by_role("button", name=name, exact=True).first.click()
        page.get_by_role("dialog").wait_for()
        found += faults_of(page, name)
        page.get_by_role("button", name=re.compile("^(Cancel|Close)$")).last.click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    for address, heading in (
        (f"route/{phone.route_id}", "Harbour"),
        (f"route/{phone.route_id}/stop/{stop_id}", "Kim"),
        ("drivers", "Drivers"),
        ("vehicles", "Vehicles"),
        ("exceptions", "Exceptions"),
        ("reports", "Reports"),
        ("settings", "Settings"),
    ):
        office.open(address)
        page.get_by_role("heading", name=heading).first.wait_for()
        found += faults_of(page, address.partition("/")[0])
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.get_by_role("tabpanel")).not_to_contain_text("Loading")
        found += faults_of(page, tab.inner_text())
    assert found == [], "\n".join(str(one) for one in found)


@pytest.mark.usefixtures("house")
def test_the_drivers_app_has_no_faults(office: Office, handset: Handset) -> None:
    require_axe()
    route = dispatched(office, handset, *STOPS)
    page = handset.page
    found = list(faults_of(page, "route"))
    start(page)
    found += faults_of(page, "route under way")
    page.get_by_role("link", name="Kim").click()
    page.get_by_role("button", name="At the door").click()
    page.get_by_role("button", name="Undo").wait_for()
    found += faults_of(page, "stop")
    page.get_by_role("button", name="Sign", exact=True).click()
    found += faults_of(page, "signature")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Could not deliver").click()
    found += faults_of(page, "reasons")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Sync details").click()
    found += faults_of(page, "sync details")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Back").click()
    found += faults_of(page, "routes")
    page.get_by_role("link", name="Van 1").click()
    page.get_by_role("link", name="Kim").click()
    page.get_by_role("textbox", name="Note").fill("back door")
    office.http.delete(f"/routes/{route}/dispatch")
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("alert")).to_contain_text("This did not count")
    expect(page.get_by_text("This route is no longer yours.")).to_be_visible()
    found += faults_of(page, "route taken away")
    assert found == [], "\n".join(str(one) for one in found)
