"""Drivers and vehicles in the console: corrected, kept out and put away."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.driving import sign_up_driver
from tests.browser.office import DROVE, Office
from tests.browser.test_console import button
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")


def open_page(office: Office, hash_: str) -> Page:
    office.open(hash_)
    office.sign_in()
    return office.page


def test_a_driver_s_name_and_phone_are_corrected(office: Office) -> None:
    id_ = office.post("/drivers", {"firstName": "Danna", "phone": "+14105550100"})["driver"]["id"]
    page = open_page(office, "drivers")
    button(page, "Edit Danna").click()
    dialog = page.get_by_role("dialog", name="Edit driver")
    dialog.get_by_role("textbox", name="First name").fill("Dana")
    dialog.get_by_role("textbox", name="Last name").fill("Diaz")
    phone = dialog.get_by_role("textbox", name="Phone")
    phone.fill("12")
    button(dialog, "Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("phone")
    phone.fill("+1 (410) 555-0199")
    button(dialog, "Save").click()
    expect(page.get_by_role("row", name="Dana Diaz")).to_contain_text("+14105550199")
    stored = office.http.get(f"/drivers/{id_}").json()
    assert (stored["firstName"], stored["lastName"]) == ("Dana", "Diaz")
    assert stored["phone"] == "+14105550199"


def test_a_lost_phone_is_signed_out_and_the_driver_stays(office: Office) -> None:
    phone = sign_up_driver(office.address, office.http)
    page = open_page(office, "drivers")
    button(page, "Edit Dana").click()
    dialog = page.get_by_role("dialog", name="Edit driver")
    devices = dialog.get_by_role("list", name="Devices").get_by_role("listitem")
    expect(devices).to_have_count(1)
    expect(devices).to_contain_text("phone since")
    button(devices, "Sign out").click()
    expect(dialog).to_contain_text("Signed in on no device.")
    assert office.http.get(f"/drivers/{phone.driver_id}/sessions").json() == {"sessions": []}
    assert office.http.get(f"/drivers/{phone.driver_id}").json()["status"] == "ACTIVE"


def test_a_driver_is_kept_out_let_in_again_and_archived(office: Office) -> None:
    phone = sign_up_driver(office.address, office.http)
    page = open_page(office, "drivers")
    row = page.get_by_role("row", name="Dana")
    dialog = page.get_by_role("dialog", name="Edit driver")
    button(page, "Edit Dana").click()
    button(dialog, "Deactivate").click()
    expect(row).to_contain_text("Inactive")
    expect(button(row, "Invite Dana")).to_have_count(0)
    button(page, "Edit Dana").click()
    button(dialog, "Activate").click()
    expect(row).to_contain_text("Active")
    button(page, "Edit Dana").click()
    button(dialog, "Archive").click()
    question = page.get_by_role("dialog", name="Archive")
    expect(question).to_contain_text("Dana is taken off the fleet for good")
    button(question, "Archive").click()
    expect(page.get_by_text("No drivers yet.")).to_be_visible()
    assert office.http.get(f"/drivers/{phone.driver_id}").json()["status"] == "ARCHIVED"


def test_who_puts_a_driver_away_is_told_of_the_route_under_way_and_it_says_so(
    office: Office,
) -> None:
    phone = sign_up_driver(office.address, office.http)
    for number in range(21):  # a page of routes, and one, that were changed before
        office.add_route(f"Earlier {number}", driverId=phone.driver_id)
    left = {"driverId": phone.driver_id, "scheduledFor": f"{DROVE}T08:00:00-04:00"}
    phone.route_id = office.add_route("North", {"orderName": "#1"}, **left)
    office.post(f"/routes/{phone.route_id}/dispatch", {})
    phone.tell("ROUTE_STARTED")
    page = open_page(office, "drivers")
    button(page, "Edit Dana").click()
    dialog = page.get_by_role("dialog", name="Edit driver")
    expect(dialog).to_contain_text("Under way: North. Nobody goes on there")
    button(dialog, "Archive").click()
    question = page.get_by_role("dialog", name="Archive")
    expect(question).to_contain_text("Under way: North. Nobody goes on there")
    button(question, "Archive").click()
    expect(page.get_by_text("No drivers yet.")).to_be_visible()
    office.open(f"day/{DROVE}")
    item = page.get_by_role("region", name="Routes").get_by_role("listitem")
    expect(item).to_contain_text("driver no longer active")
    page.get_by_role("link", name="Exceptions").click()
    listed = page.get_by_role("region", name="Exceptions").get_by_role("listitem")
    expect(listed).to_contain_text("driver no longer active")
    listed.get_by_role("link", name="North").click()
    expect(page.get_by_text("driver no longer active")).to_be_visible()
    office.http.delete(f"/routes/{phone.route_id}/driver")
    expect(page.get_by_text("driver no longer active")).to_have_count(0)


def test_a_driver_s_dialog_counts_what_the_journal_kept(office: Office) -> None:
    phone = office.dispatch("North", {"orderName": "#1"}, {"orderName": "#2"})
    first, _ = office.stop_ids(phone.route_id)
    office.http.delete(f"/routes/{phone.route_id}/stops/{first}")
    phone.tell("STOP_DELIVERED", becomes="KEPT", stopId=first)
    office.http.delete(f"/routes/{phone.route_id}/dispatch")
    place = {"latitude": 39.3, "longitude": -76.6}  # nobody has to look after it
    phone.tell("POSITION", becomes="KEPT", position=place)
    page = open_page(office, "drivers")
    button(page, "Edit Dana").click()
    dialog = page.get_by_role("dialog", name="Edit driver")
    expect(dialog).to_contain_text("Journal: 0 waiting, 1 kept.")
    dialog.get_by_role("link", name="Exceptions").click()
    expect(page.get_by_role("heading", name="Exceptions")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_a_vehicle_is_made_and_what_it_carries_is_corrected(office: Office) -> None:
    page = open_page(office, "vehicles")
    button(page, "New vehicle").click()
    dialog = page.get_by_role("dialog", name="New vehicle")
    dialog.get_by_role("textbox", name="Name").fill("Blue van")
    dialog.get_by_role("spinbutton", name="Capacity (kg)").fill("85")
    button(dialog, "Add vehicle").click()
    row = page.get_by_role("row", name="Blue van")
    expect(row).to_contain_text("85 kg")
    button(page, "Edit Blue van").click()
    dialog = page.get_by_role("dialog", name="Edit vehicle")
    dialog.get_by_role("textbox", name="License plate").fill("B-RO 12")
    dialog.get_by_role("spinbutton", name="Capacity (kg)").fill("850.5")
    button(dialog, "Add capacity").click()
    dialog.get_by_role("textbox", name="Load").fill("pallets")
    dialog.get_by_role("spinbutton", name="Amount").fill("6")
    dialog.get_by_role("textbox", name="Skills").fill("cooled, tail lift")
    button(dialog, "Save").click()
    expect(row).to_contain_text("850.5 kg, pallets 6")
    (stored,) = office.http.get("/vehicles").json()["vehicles"]
    assert stored["license"] == "B-RO 12"
    assert stored["capacities"] == {"kilograms": 850.5, "pallets": 6}
    assert stored["skills"] == ["cooled", "tail lift"]


def test_a_vehicle_s_day_is_said_and_taken_back_and_the_rest_stays(office: Office) -> None:
    office.post("/vehicles", {"name": "Blue van", "maxStops": 40, "capacities": {"pallets": 6}})
    page = open_page(office, "vehicles")
    row = page.get_by_role("row", name="Blue van")
    button(page, "Edit Blue van").click()
    dialog = page.get_by_role("dialog", name="Edit vehicle")
    shift, breaks = (dialog.get_by_role("group", name=name) for name in ("Shift", "Breaks"))
    shift.get_by_label("From").fill("06:30")
    shift.get_by_label("To").fill("15:00")
    button(dialog, "Add break").click()
    breaks.get_by_label("From").fill("11:00")
    breaks.get_by_label("Minutes").fill("45")
    button(dialog, "Save").click()
    expect(row).to_contain_text("06:30\u201315:00")
    (stored,) = office.http.get("/vehicles").json()["vehicles"]
    assert stored["shift"]["start"] == {"hours": 6, "minutes": 30, "seconds": 0}
    assert stored["breaks"][0]["duration"] == "2700s"
    assert stored["maxStops"] == 40
    button(page, "Edit Blue van").click()
    for name in ("From", "To"):
        shift.get_by_label(name).fill("")
    button(dialog, "Take out pallets").click()
    button(dialog, "Take out 11:00\u201313:00").click()
    button(dialog, "Save").click()
    expect(row).not_to_contain_text("15:00")
    (stored,) = office.http.get("/vehicles").json()["vehicles"]
    assert "shift" not in stored
    assert not stored.get("capacities")
    assert not stored.get("breaks")
    assert stored["maxStops"] == 40


def test_who_may_not_change_drivers_and_vehicles_is_offered_nothing(office: Office) -> None:
    office.post("/drivers", {"firstName": "Dana"})
    office.post("/vehicles", {"name": "Blue van"})
    page = accept(office, "plans@example.com", Role.PLANNER)
    for hash_, name in (("drivers", "Dana"), ("vehicles", "Blue van")):
        office.open(hash_)
        expect(page.get_by_role("row", name=name)).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_forms_of_people_vehicles_and_webhooks_have_no_faults(office: Office, width: int) -> None:
    require_axe()
    sign_up_driver(office.address, office.http)
    window = {"timeWindow": {"start": {"hours": 11}, "end": {"hours": 13}}, "duration": "1800s"}
    office.post("/vehicles", {"name": "Blue van", "capacities": {"pallets": 6}, "breaks": [window]})
    office.post("/webhooks", {"url": "http://127.0.0.1:9/hook", "topics": ["ROUTE_CREATED"]})
    page = accept(office, "forms@example.com")
    page.set_viewport_size({"width": width, "height": 800})
    faults = []
    for hash_, opened in (
        ("drivers", "Edit Dana"),
        ("vehicles", "Edit Blue van"),
        ("settings/members", "Edit"),
        ("settings/webhooks", "Signing secret"),
        ("settings/webhooks", "Attempts"),
    ):
        office.open(hash_)
        button(page, opened).click()
        expect(page.get_by_role("dialog").get_by_text("Loading")).to_have_count(0)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            faults += [(opened, scheme, fault) for fault in find_faults(page)]
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert faults == []


def test_drivers_and_vehicles_of_another_planner_come_by_themselves(office: Office) -> None:
    page = open_page(office, "vehicles")
    expect(page.get_by_role("status")).to_have_text("Live")
    expect(page.get_by_text("No vehicles yet.")).to_be_visible()
    office.post("/vehicles", {"name": "Van Z"})
    expect(page.get_by_role("row", name="Van Z")).to_be_visible()
    page.get_by_role("link", name="Drivers", exact=True).click()
    expect(page.get_by_text("No drivers yet.")).to_be_visible()
    office.post("/drivers", {"firstName": "Zoe"})
    expect(page.get_by_role("row", name="Zoe")).to_be_visible()
