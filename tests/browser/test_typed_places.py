"""Places as planners type them, and the start that a form is filled with (doors 0b)."""

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office

pytestmark = pytest.mark.spec("doors 0b")

DAY = "2030-05-06"

BALTIMORE = {"city": "Baltimore", "provinceCode": "MD", "countryCode": "US"}
STARTS: tuple[dict[str, Any], ...] = (
    {"address": {"address1": "250 W Pratt St", "zip": "21201", **BALTIMORE}},
    {"address": {"address1": "250 W Pratt St", "address2": "Dock 3", **BALTIMORE}},
    {"address": BALTIMORE},
    {
        "address": {"address1": "Gate B, Yard", **BALTIMORE},
        "coordinates": {"latitude": 39.28, "longitude": -76.62},
    },
)
TYPED = (
    ("100 N Main St, Los Angeles, CA, 90012", (34, -118)),
    ("250 W Pratt St, Baltimore, MD 21201, US", (39, -77)),
    ("290 Bremner Blvd, Toronto, ON M5V 3L9", (44, -79)),
    ("10 Downing St, London, SW1A 2AA, GB", (52, 0)),
    ("Hauptstr. 5, 69117 Heidelberg, Germany", (49, 9)),
    ("Los Angeles, CA", (34, -118)),
    ("Carrera 7 32-16, Bogotá, CO", (5, -74)),
    ("-33.9 151.2", (-34, 151)),
)


def create_route(office: Office, typed: str = "") -> dict[str, Any]:
    """Return the route that the dialog creates, with the start that it is filled with or this."""
    page = office.page
    page.get_by_role("button", name="New route", exact=True).click()
    dialog = page.get_by_role("dialog", name="New route")
    start = dialog.get_by_role("textbox", name="Start")
    expect(start).not_to_have_value("")
    if typed:
        start.fill(typed)
    dialog.get_by_role("textbox", name="Name").fill("Harbour")
    with page.expect_response(lambda answer: answer.url.endswith("/routes")) as answered:
        dialog.get_by_role("button", name="Create route").click()
    assert answered.value.ok, (typed, answered.value.text())
    expect(dialog).to_be_hidden()
    route: dict[str, Any] = answered.value.json()
    return route


def test_a_start_that_nobody_changed_is_the_organizations_own(office: Office) -> None:
    office.open(f"day/{DAY}")
    office.sign_in()
    for own in STARTS:
        body = {"organization": {"start": own}, "updateMask": "start"}
        assert office.http.patch("/organization", json=body).status_code == 200
        kept = office.http.get("/organization").json()["start"]
        assert create_route(office)["start"]["address"] == kept["address"]


def test_addresses_are_read_as_they_are_written(office: Office) -> None:
    office.add_route("Before")
    office.open(f"day/{DAY}")
    office.sign_in()
    for typed, around in TYPED:
        found = create_route(office, typed)["start"]["coordinates"]
        assert (round(found["latitude"]), round(found["longitude"])) == around, typed


def test_what_the_field_shows_is_found_when_it_is_typed_anew(office: Office) -> None:
    body = {"organization": {"start": STARTS[1]}, "updateMask": "start"}
    assert office.http.patch("/organization", json=body).status_code == 200
    office.open(f"day/{DAY}")
    office.sign_in()
    shown = "250 W Pratt St, Dock 3, Baltimore, MD, US"
    office.page.get_by_role("button", name="New route", exact=True).click()
    expect(office.page.get_by_role("textbox", name="Start")).to_have_value(shown)
    office.page.keyboard.press("Escape")
    found = create_route(office, f"{shown} ")["start"]["coordinates"]
    assert (round(found["latitude"]), round(found["longitude"])) == (39, -77)
