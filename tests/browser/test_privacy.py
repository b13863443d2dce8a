"""Privacy in the console: what is kept of somebody, erasing it, receipts, and for how long."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.driving import sign_up_driver
from tests.browser.office import DROVE, Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

PHONE = "+14105557788"
CUSTOMER = {
    "orderName": "#77",
    "clientStopId": "order-77",
    "contact": {"firstName": "Zarathustra", "phone": PHONE, "email": "z@example.com"},
    "note": "under the flowerpot",
}


def region(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def open_privacy(office: Office) -> Page:
    office.open("settings")
    office.sign_in()
    page = office.page
    page.get_by_role("tab", name="Privacy", exact=True).click()
    expect(region(page, "How long data are kept")).to_be_visible()
    return page


def look_up(page: Page, kind: str, value: str) -> Locator:
    """Say who is meant; return what the page answers."""
    somebody = region(page, "Somebody's data")
    somebody.get_by_role("combobox", name="Known by").select_option(label=kind)
    if kind == "Driver":
        somebody.get_by_role("combobox", name=kind, exact=True).select_option(label=value)
    else:
        somebody.get_by_role("textbox", name=kind, exact=True).fill(value)
    button(page, "Look up").click()
    return somebody.locator("[aria-live]")


def erase(page: Page, name: str, reason: str) -> Locator:
    """Ask for the erasure; return the dialog."""
    button(page, "Erase").click()
    dialog = page.get_by_role("dialog", name=f"Erase {name}", exact=True)
    dialog.get_by_role("textbox", name="Reason").fill(reason)
    expect(dialog.get_by_role("button", name="Erase for good")).to_be_disabled()
    dialog.get_by_role("checkbox", name="I know that there is no way back.").check()
    dialog.get_by_role("button", name="Erase for good").click()
    return dialog


def first_erasure(page: Page) -> Locator:
    return page.get_by_role("list", name="Erasures").get_by_role("listitem").first


def test_what_is_kept_of_a_customer_is_taken_out_and_erased_with_a_receipt(
    office: Office, tmp_path: Path
) -> None:
    office.add_route("Harbour", CUSTOMER, {"orderName": "#78"})
    page = open_privacy(office)
    expect(region(page, "Erasures")).to_contain_text("Nobody was erased yet.")
    found = look_up(page, "Phone", "+1 (410) 555-7788")
    expect(found).to_contain_text("1 imported stop · 1 stop on routes")
    with page.expect_download() as download:
        button(page, "Download as JSON").click()
    file = tmp_path / "kept.json"
    download.value.save_as(file)
    kept: Any = json.loads(file.read_text(encoding="utf-8"))
    assert kept["importedStops"][0]["contact"]["firstName"] == "Zarathustra"
    button(page, "Erase").click()
    dialog = page.get_by_role("dialog", name=f"Erase {PHONE}")
    expect(dialog.get_by_role("definition").first).to_contain_text("photos and signatures")
    expect(dialog.get_by_role("definition").nth(1)).to_contain_text("Day, route, times, status")
    dialog.get_by_role("button", name="Cancel").click()
    assert office.http.get("/privacy/erasures").json()["erasures"] == []
    expect(erase(page, PHONE, "letter of 3 May")).to_be_hidden()
    one = first_erasure(page)
    expect(one).to_contain_text("Customer")
    expect(one).to_contain_text("Erased")
    one.get_by_text("Receipt").click()
    expect(one).to_contain_text("letter of 3 May")
    expect(one).to_contain_text("1 imported stop · 1 stop on routes")
    assert "Zarathustra" not in office.http.get("/stops/imports").text
    expect(look_up(page, "Phone", PHONE)).to_contain_text("Nothing found")
    expect(look_up(page, "Your id of a stop", "order-77")).to_contain_text("1 imported stop")


def test_a_driver_is_erased_when_the_road_is_done(office: Office) -> None:
    phone = sign_up_driver(office.address, office.http)
    driver = office.http.get(f"/drivers/{phone.driver_id}").json()
    name = f"{driver['firstName']} {driver['lastName']}".strip()
    options = {"driverId": phone.driver_id, "scheduledFor": f"{DROVE}T08:00:00-04:00"}
    phone.route_id = office.add_route("Harbour", CUSTOMER, **options)
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    page = open_privacy(office)
    look_up(page, "Driver", name)
    dialog = erase(page, name, "left")
    expect(dialog.get_by_role("alert")).to_contain_text("routes under way")
    dialog.get_by_role("button", name="Cancel").click()
    for stop in office.stop_ids(phone.route_id):
        phone.tell("STOP_DELIVERED", stopId=stop)
    look_up(page, "Driver", name)
    expect(erase(page, name, "left")).to_be_hidden()
    one = first_erasure(page)
    expect(one).to_contain_text(phone.driver_id)
    expect(one).to_contain_text("Erased")
    one.get_by_text("Receipt").click()
    expect(one).to_contain_text("1 device")
    left = office.http.get(f"/drivers/{phone.driver_id}").json()
    assert (left["firstName"], left["phone"], left["status"]) == ("", "", "ARCHIVED")
    known = region(page, "Somebody's data").get_by_role("combobox", name="Driver", exact=True)
    expect(known.get_by_role("option", name=name)).to_have_count(0)


def test_days_are_set_and_wrong_ones_refused(office: Office) -> None:
    page = open_privacy(office)
    kept = region(page, "How long data are kept")
    positions = kept.get_by_role("spinbutton", name="Drivers' positions, days")
    expect(positions).to_have_value("30")
    positions.fill("14")
    kept.get_by_role("spinbutton", name="Customers' data, days").fill("365")
    kept.get_by_role("button", name="Save").click()
    expect(kept.get_by_text("Saved.", exact=True)).to_be_visible()
    retention = office.http.get("/organization").json()["retention"]
    assert retention == {
        "positionsDays": 14,
        "eventsDays": 30,
        "proofDays": 730,
        "customersDays": 365,
    }
    positions.fill("0")
    kept.get_by_role("button", name="Save").click()
    assert positions.evaluate("(field) => field.validity.rangeUnderflow")
    assert office.http.get("/organization").json()["retention"] == retention


def test_who_cannot_be_looked_up_is_said(office: Office) -> None:
    page = open_privacy(office)
    look_up(page, "Phone", "0410")
    expect(region(page, "Somebody's data").get_by_role("alert")).to_contain_text("phone")


def test_a_planner_does_not_see_privacy(office: Office) -> None:
    page = accept(office, "planner@example.com", Role.PLANNER)
    office.open("settings")
    expect(page.get_by_role("tab", name="Messages")).to_be_visible()
    expect(page.get_by_role("tab", name="Privacy")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_privacy_has_no_faults_and_is_no_wider_than_the_window(office: Office, width: int) -> None:
    require_axe()
    office.post("/stops/imports", [{**CUSTOMER, "coordinates": {"latitude": 1, "longitude": 1}}])
    page = open_privacy(office)
    page.set_viewport_size({"width": width, "height": 800})
    look_up(page, "Phone", PHONE)
    erase(page, PHONE, "letter")
    expect(first_erasure(page)).to_contain_text("Erased")
    first_erasure(page).get_by_text("Receipt").click()
    look_up(page, "E-mail", "z@example.com")
    faults = []
    for is_open in (False, True):
        if is_open:
            button(page, "Erase").click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            faults += [(is_open, scheme, fault) for fault in find_faults(page)]
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert faults == []


def test_a_late_answer_is_not_shown_under_another_question(office: Office) -> None:
    office.add_route("Loop", CUSTOMER)
    page = open_privacy(office)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    exports = re.compile(r"/privacy/exports\?query.phone=")
    page.route(exports, hold)
    with page.expect_request(exports):
        answer = look_up(page, "Phone", PHONE)
    expect(answer).to_have_text("Loading…")
    expect(button(page, "Look up")).to_be_disabled()
    somebody = region(page, "Somebody's data")
    somebody.get_by_role("textbox", name="Phone", exact=True).fill("+1 410 555 0000")
    expect(answer).to_have_count(0)
    with page.expect_response(re.compile("/privacy/exports")):
        held[0].continue_()
    page.unroute_all()
    button(page, "Look up").click()
    expect(answer).to_contain_text("Nothing found")
    expect(somebody).not_to_contain_text(PHONE)
