"""Whatever a day holds, a customer's page says nothing of anybody else's stop."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.api.conftest import World
from tests.api.test_routes import create_route
from tests.driver.device import Device, browser, sign_up
from tests.tracking.conftest import BROWSER, JSON, SERVER

MARK = "~zq"
"""Ends every text of a planner, a driver or a customer; no token holds it."""


def stop_of(number: int) -> dict[str, Any]:
    """Return a stop of which every text is unlike any other."""
    return {
        "coordinates": {"latitude": 39.3017 + number / 100, "longitude": -76.60173},
        "address": {"address1": f"street-{number}{MARK}", "city": f"city-{number}{MARK}"},
        "contact": {
            "firstName": f"name-{number}{MARK}",
            "company": f"company-{number}{MARK}",
            "phone": f"+1410777000{number}",
            "email": f"mail-{number}{MARK}@example.com",
        },
        "orderName": f"order-{number}{MARK}",
        "note": f"note-{number}{MARK}",
    }


def plan(world: World, device: Device, count: int) -> list[str]:
    """Return the ids of the stops of a dispatched route."""
    imported = world.client.post("/stops/imports", [stop_of(n) for n in range(count)]).json()
    leaves = world.clock.now().isoformat()
    route = create_route(world, scheduledFor=leaves, driverId=device.driver_id, name=f"route{MARK}")
    named = [{"importedStopId": stop["id"]} for stop in imported["stops"]]
    stops = world.client.post(f"/routes/{route}/stops", named).json()["stops"]
    world.client.post(f"/routes/{route}/dispatch", {})
    device.route_id = route
    return [stop["id"] for stop in stops]


def drive(device: Device, stops: list[str], outcomes: list[str]) -> None:
    device.done("ROUTE_STARTED")
    for number, (stop, outcome) in enumerate(zip(stops, outcomes, strict=True)):
        if outcome == "delivered":
            device.done("PROOF_NOTE", stopId=stop, note=f"proof-{number}{MARK}")
            device.done("STOP_DELIVERED", stopId=stop)
        elif outcome == "attempted":
            note = f"reason-{number}{MARK}"
            device.done("STOP_ATTEMPTED", stopId=stop, reason="OTHER", note=note)


def without_own(text: str, number: int) -> str:
    """Return what a page says beside what is this customer's to read."""
    for kind in ("order", "proof", "asked"):
        text = text.replace(f"{kind}-{number}{MARK}", "")
    return text


OUTCOMES = st.lists(st.sampled_from(["open", "delivered", "attempted"]), min_size=2, max_size=6)
ONE_WORLD = [HealthCheck.function_scoped_fixture]


@pytest.mark.spec("decisions §16")
@settings(max_examples=15, suppress_health_check=ONE_WORLD, deadline=None)
@given(outcomes=OUTCOMES, is_driven=st.booleans())
def test_a_page_says_nothing_of_another_stop_nor_where_anybody_lives(
    world: World, outcomes: list[str], *, is_driven: bool
) -> None:
    read_pages_of_day(world, outcomes, is_driven=is_driven)


@pytest.mark.full
@settings(max_examples=2_000, suppress_health_check=ONE_WORLD, deadline=None)
@given(outcomes=OUTCOMES, is_driven=st.booleans())
def test_no_page_of_2000_days_says_anything_of_another_stop(
    world: World, outcomes: list[str], *, is_driven: bool
) -> None:
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    read_pages_of_day(world, outcomes, is_driven=is_driven)


def read_pages_of_day(world: World, outcomes: list[str], *, is_driven: bool) -> None:
    device = sign_up(world, world.client.interface, phone="+14107770999", lastName=f"Doe{MARK}")
    stops = plan(world, device, len(outcomes))
    http = browser(world.client.interface)
    url = f"/routes/{device.route_id}/stops/{{}}/tracking-link"
    links = [world.client.get(url.format(stop)).json()["url"] for stop in stops]
    paths = [link.removeprefix(SERVER) for link in links]
    for number, path in enumerate(paths):
        http.post(f"{path}/note", json={"note": f"asked-{number}{MARK}"})
    if is_driven:
        drive(device, stops, outcomes)
    for number, path in enumerate(paths):
        for headers in (BROWSER, JSON):
            text = http.get(path, headers=headers).text
            assert f"order-{number}{MARK}" in text
            left = without_own(text, number)
            foreign = [MARK, "+1410777", "76.60173", device.route_id, *stops]
            assert [word for word in foreign if word in left.partition("</style>")[2]] == []
            assert MARK not in left
    world.clock.advance(minutes=1)
