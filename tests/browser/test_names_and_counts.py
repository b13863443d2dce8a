"""What the console calls a stop, and how it says counts, windows and distances in each language."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.office import PLANNED_WITHIN, House, Office
from tests.browser.test_languages import reading
from tests.browser.test_members import PASSWORD, accept
from tests.browser.test_plan_dialog import DAY as PLANNED_DAY
from tests.browser.test_plan_dialog import add_two_routes

pytestmark = pytest.mark.spec("doors 0b")

DAY = "2030-06-04"
WHEN = f"{DAY}T08:00:00Z"


def test_a_stop_without_a_name_is_called_by_its_number_on_every_screen(office: Office) -> None:
    page = accept(office, "nameless@example.com")
    route = office.add_route("Harbour", {"orderName": "#1"}, {}, scheduledFor=WHEN)
    office.open(f"day/{DAY}")
    for layout in ("List", "Board"):
        page.get_by_role("radio", name=layout).check()
        shown = page.get_by_role("main").get_by_role("link", name="Stop 2", exact=True)
        expect(shown).to_be_visible()
    office.open(f"route/{route}")
    stop = page.get_by_role("list", name="Stops").get_by_role("listitem").nth(1)
    stop.get_by_role("link", name="Stop 2", exact=True).click()
    expect(page.get_by_role("region", name="Stop 2", exact=True)).to_be_visible()
    expect(stop).to_contain_text("Planned")


def test_a_window_that_is_open_at_an_end_is_said_in_words(office: Office) -> None:
    page = accept(office, "windows@example.com")
    ends = {"orderName": "#1", "timeWindows": [{"end": {"hours": 11, "minutes": 47}}]}
    starts = {"orderName": "#2", "timeWindows": [{"start": {"hours": 14}}]}
    route = office.add_route("Harbour", ends, starts, scheduledFor=WHEN)
    office.open(f"route/{route}")
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    expect(stops.nth(0)).to_contain_text("until 11:47")
    expect(stops.nth(1)).to_contain_text("from 14:00")


def test_distances_are_said_in_german(house: House, office: Office) -> None:
    accept(office, "german@example.com")
    far = {"coordinates": {"latitude": 39.6, "longitude": -76.6}}
    route = office.add_route("Harbour", far, scheduledFor=WHEN)
    with reading(house, "de-DE") as page:
        page.goto(f"{office.address}/console#/route/{route}")
        page.get_by_role("textbox", name="E-Mail").fill("german@example.com")
        page.get_by_role("textbox", name="Passwort").fill(PASSWORD)
        page.get_by_role("button", name="Anmelden", exact=True).click()
        expect(page.get_by_role("main")).to_contain_text(re.compile(r"\d,\d km"))


def test_what_a_plan_costs_is_said_in_german(house: House, office: Office) -> None:
    accept(office, "costs@example.com")
    add_two_routes(office)
    with reading(house, "de-DE") as page:
        page.goto(f"{office.address}/console#/day/{PLANNED_DAY}")
        page.get_by_role("textbox", name="E-Mail").fill("costs@example.com")
        page.get_by_role("textbox", name="Passwort").fill(PASSWORD)
        page.get_by_role("button", name="Anmelden", exact=True).click()
        expect(page.get_by_role("link", name="Hills").first).to_be_visible()
        page.get_by_role("button", name="Planen", exact=True).click()
        dialog = page.get_by_role("dialog", name="Den Tag planen")
        dialog.get_by_role("checkbox", name="neu geplant").check()
        dialog.get_by_role("spinbutton", name="Weitere Fahrzeuge").fill("0")
        dialog.get_by_role("button", name="Planen", exact=True).click()
        costs = dialog.get_by_role("listitem").filter(has_text=re.compile(r"Kosten \d+,\d\d\b"))
        expect(costs.first).to_be_visible(timeout=PLANNED_WITHIN)
