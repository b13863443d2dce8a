"""Whatever somebody typed stays text: on screens of planners, drivers, customers, and in print.

Each field that takes a text is given markup that would run, and says which field it was. It must
be seen as it was typed, run nowhere, and be stopped by no policy: that would be the last line of
defence, and not the first.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect
from tests.browser.driving import Phone, sign_up_driver
from tests.browser.office import DROVE, House, Office
from tests.browser.test_driver_app import Handset
from tests.browser.test_members import PASSWORD

pytestmark = pytest.mark.spec("doors 4.1")

SHOWN = re.compile(r"<img src=x onerror=owned\((\w+)\)>")
STREET = {"latitude": 39.30, "longitude": -76.61}


def hostile(field: str) -> str:
    """Return a text that would run as markup, as an attribute, as a script or as a template."""
    return f"\"'><img src=x onerror=owned({field})><svg onload=owned({field})>${{owned({field})}}"


def stop_of(name: str, **more: Any) -> dict[str, Any]:
    """Return a stop each text of which is hostile."""
    return {
        "clientStopId": hostile(f"{name}Client"),
        "orderName": hostile(f"{name}Order"),
        "note": hostile(f"{name}Note"),
        "address": {
            "address1": hostile(f"{name}Street"),
            "address2": hostile(f"{name}Floor"),
            "city": hostile(f"{name}City"),
        },
        "coordinates": STREET,
        "contact": {
            "firstName": hostile(f"{name}First"),
            "lastName": hostile(f"{name}Last"),
            "company": hostile(f"{name}Company"),
        },
        "items": [{"name": hostile(f"{name}Item"), "quantity": 1}],
        "tasks": [{"title": hostile(f"{name}Task")}],
        "attributes": [{"key": hostile(f"{name}Key"), "value": hostile(f"{name}Value")}],
        "tags": [hostile(f"{name}Tag")],
        **more,
    }


def watch(page: Page, run: list[str]) -> None:
    """Note whatever runs on a page, dialogs included."""

    def note(dialog: Dialog) -> None:
        run.append(dialog.message)
        dialog.dismiss()

    page.expose_function("owned", lambda *given: run.append(str(given)))
    page.on("dialog", note)


def seen(page: Page) -> set[str]:
    """Return the fields whose texts a page shows as they were typed."""
    texts = page.evaluate(
        """() => [document.body.innerText, ...[...document.querySelectorAll('input, textarea')]
            .map((one) => one.value), ...[...document.querySelectorAll('[aria-label], title')]
            .map((one) => one.getAttribute('aria-label') ?? one.textContent)].join('\\n')"""
    )
    return set(SHOWN.findall(texts))


def change(office: Office, path: str, name: str, values: dict[str, Any]) -> None:
    body = {name: values, "updateMask": ",".join(values)}
    response = office.http.patch(path, json=body)
    assert response.status_code == 200, response.text


def drive(office: Office) -> tuple[Phone, list[str]]:
    """Return a phone on a hostile route, at whose first door hostile proof was left."""
    reasons = {
        "name": hostile("organization"),
        "failureReasons": ["<img src=x onerror=owned(why)>"],
    }
    change(office, "/organization", "organization", reasons)
    phone = sign_up_driver(office.address, office.http)
    names = {"firstName": hostile("driverFirst"), "lastName": hostile("driverLast")}
    change(office, f"/drivers/{phone.driver_id}", "driver", names)
    vehicle = office.post("/vehicles", {"name": hostile("van"), "license": hostile("plate")})
    phone.route_id = office.add_route(
        hostile("route"),
        stop_of("one"),
        stop_of("two"),
        stop_of("three"),
        driverId=phone.driver_id,
        vehicleId=vehicle["id"],
        note=hostile("routeNote"),
        scheduledFor=f"{DROVE}T08:00:00-04:00",
    )
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    stops = office.stop_ids(phone.route_id)
    first = stops[0]
    phone.tell("PROOF_NOTE", stopId=first, note=hostile("proofNote"))
    phone.tell("BARCODE", stopId=first, value=hostile("barcode"))
    phone.tell("STOP_DELIVERED", stopId=first)
    return phone, stops


def show(office: Office, address: str) -> None:
    """Open a screen and wait until it has read what it shows."""
    office.open(address)
    live = office.page.get_by_role("status").get_by_text("Live", exact=True)
    expect(live).to_be_visible()
    expect(office.page.get_by_text("Loading…")).to_have_count(0)


def day_screens(office: Office) -> Iterator[tuple[str, str]]:
    """Open the layouts and dialogs of the day; yield each and a field whose text it shows."""
    page = office.page
    show(office, f"day/{DROVE}")
    expect(page.get_by_role("link", name="owned(route)").first).to_be_visible()
    for key, layout, field in (
        ("1", "map", "route"),
        ("3", "list", "twoFirst"),
        ("2", "board", "twoFirst"),
    ):
        page.keyboard.press(key)
        yield layout, field
    dialog = page.get_by_role("dialog")
    for name, field in (
        ("Move to…", "looseFirst"),
        ("Plan", "looseFirst"),
        ("Send routes", "idle"),
    ):
        page.get_by_role("button", name=name, exact=True).first.click()
        expect(dialog).to_contain_text("owned(")
        yield name, field
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Import stops").click()
    sheet = f"Customer,Lat,Lng,{hostile('header')}\n{hostile('cell')},39.3,-76.6,1\nx,a,b,1\n"
    page.get_by_label("Spreadsheet").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": sheet.replace('"', "").encode()}
    )
    expect(page.get_by_role("table", name="Rows")).to_contain_text("owned(")
    yield "import", "cell"
    page.keyboard.press("Escape")


def route_screens(office: Office, phone: Phone, stops: list[str]) -> Iterator[tuple[str, str]]:
    """Open a route, its dialogs and stops; yield each and a field whose text it shows."""
    page = office.page
    show(office, f"route/{phone.route_id}")
    expect(page.get_by_role("list", name="Stops")).to_contain_text("owned(twoFirst)")
    yield "route", "oneFirst"
    for name, field in (("Assign driver", "driverFirst"), ("Assign vehicle", "van")):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_contain_text("owned(")
        yield name, field
        page.keyboard.press("Escape")
    for stop, field in zip(stops, ("proofNote", "twoNote", "threeNote"), strict=True):
        show(office, f"route/{phone.route_id}/stop/{stop}")
        expect(page.get_by_text(f"owned({field})").first).to_be_visible()
        yield f"stop, {field}", field


def other_screens(office: Office) -> Iterator[tuple[str, str]]:
    """Open everything else; yield each and a field whose text it shows, if any."""
    page = office.page
    loose = office.http.get("/stops/imports?query.unrouted=true").json()["stops"]
    (id_,) = [one["id"] for one in loose if "looseOrder" in one["orderName"]]
    for address, field in (
        (f"unrouted/{id_}", "looseNote"),
        ("drivers", "driverFirst"),
        ("vehicles", "plate"),
        ("reports", ""),
        ("exceptions", ""),
        ("orders", ""),
        ("settings", ""),
    ):
        show(office, address)
        if field:
            expect(page.get_by_text(f"owned({field})").first).to_be_visible()
        yield address.partition("/")[0], field
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.get_by_role("tabpanel")).not_to_contain_text("Loading")
        yield f"settings, {tab.inner_text()}", ""


@pytest.fixture
def day(office: Office) -> tuple[Phone, list[str]]:
    """A day of hostile texts: a route under way with its stops, one that waits, a loose stop."""
    found = drive(office)
    date = dict(zip(("year", "month", "day"), map(int, DROVE.split("-")), strict=True))
    office.post("/stops/imports", [stop_of("loose", deliveryDate=date)])
    office.add_route(hostile("idle"), stop_of("idle"), scheduledFor=f"{DROVE}T09:00:00-04:00")
    return found


def accept(office: Office, run: list[str]) -> None:
    watch(office.page, run)
    office.page.goto(office.invite("hostile@example.com"))
    office.page.get_by_role("textbox", name="Name").fill(hostile("member"))
    office.page.get_by_label("Password").fill(PASSWORD)
    office.page.get_by_role("button", name="Accept").click()
    office.page.wait_for_url("**/console*")


def test_texts_run_on_no_screen_of_a_planner_and_in_no_print(
    office: Office, day: tuple[Phone, list[str]]
) -> None:
    phone, stops = day
    run: list[str] = []
    accept(office, run)
    screens = chain(day_screens(office), route_screens(office, phone, stops), other_screens(office))
    for screen, field in screens:
        assert {"organization", "member", field} - {""} <= seen(office.page), screen
        assert run == [], screen
    # In print, as the member's browser opens it.
    office.page.goto(f"{office.address}/api/2024-07/routes/{phone.route_id}/sheet")
    printed = {"route", "driverFirst", "oneFirst", "twoNote", "twoItem", "twoStreet"}
    assert printed <= seen(office.page)
    assert run == []


def test_texts_run_on_no_page_of_a_customer_or_a_driver(
    house: House, office: Office, day: tuple[Phone, list[str]], tmp_path: Path
) -> None:
    phone, stops = day
    run: list[str] = []
    accept(office, run)
    page = office.page
    link = f"/routes/{phone.route_id}/stops/{stops[2]}/tracking-link"
    page.goto(office.http.get(link).json()["url"])
    assert "organization" in seen(page)
    form = page.get_by_role("form", name="Note for the driver")
    form.get_by_role("textbox", name="Note for the driver").fill(hostile("customer"))
    form.get_by_role("button", name="Send").click()
    page.get_by_text("Your note will be shown to the driver.").wait_for()
    assert run == []
    office.open(f"route/{phone.route_id}/stop/{stops[2]}")
    expect(page.get_by_text("owned(customer)").first).to_be_visible()
    handset = Handset(house.playwright, tmp_path / "phone")
    watch(handset.page, run)
    handset.page.goto(office.post(f"/drivers/{phone.driver_id}/invite", {})["inviteUrl"])
    handset.page.get_by_role("button", name="Accept").click()
    handset.page.get_by_role("link", name="owned(route)").click()
    handset.page.get_by_role("link", name="owned(threeFirst)").first.click()
    expect(handset.page.get_by_text("owned(threeNote)").first).to_be_visible()
    expect(handset.page.get_by_text("owned(customer)").first).to_be_visible()
    assert handset.troubles == []
    handset.close()
    assert run == []
