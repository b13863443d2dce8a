"""When vehicles with hours of their own leave in plans, and in routes that are planned again."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, import_stops, plan

type Json = Any

DAY_SHIFT = {"start": {"hours": 8}, "end": {"hours": 17}}
LUNCH = {
    "timeWindow": {"start": {"hours": 12}, "end": {"hours": 13, "minutes": 30}},
    "duration": "900s",
}
TODAY = {"deliveryDate": {"year": 2024, "month": 7, "day": 1}}

# The clock of these tests begins at two in the morning in Baltimore.
AT_ONE, AT_TWO, AT_SIX = 11, 12, 16


def wait(world: World, hours: int) -> None:
    """Let hours pass, and sign in again, as a token lives an hour."""
    world.clock.advance(hours=hours)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)


@pytest.mark.parametrize(
    ("hours", "of_vehicle", "departure"),
    [
        (0, {"shift": DAY_SHIFT}, "2024-07-01T12:00:00Z"),
        (AT_ONE, {"shift": DAY_SHIFT}, "2024-07-01T17:01:00Z"),
        (AT_SIX, {"shift": DAY_SHIFT}, "2024-07-02T12:00:00Z"),
        (AT_ONE, {"shift": {**DAY_SHIFT, "latestStart": {"hours": 9}}}, "2024-07-02T12:00:00Z"),
        (AT_SIX, {"shift": {**DAY_SHIFT, "end": {"hours": 2}}}, "2024-07-01T22:01:00Z"),
        (AT_SIX, {}, "2024-07-01T22:01:00Z"),
    ],
)
def test_a_vehicle_leaves_in_what_is_left_of_its_hours_or_on_the_next_day(
    world: World, hours: int, of_vehicle: Json, departure: str
) -> None:
    wait(world, hours)
    vehicle = world.client.post("/vehicles", {"name": "F", "start": DEPOT, **of_vehicle}).json()
    done = plan(world, import_stops(world, {}, {}), {"vehicleId": vehicle["id"]})
    assert [route["departure"] for route in done["routes"]] == [departure]
    assert done["unassigned"] == []


def test_a_stop_of_today_stays_out_where_no_vehicle_has_hours_left_today(world: World) -> None:
    wait(world, AT_SIX)
    body = {"name": "F", "start": DEPOT, "shift": DAY_SHIFT}
    vehicle = world.client.post("/vehicles", body).json()
    done = plan(world, import_stops(world, TODAY), {"vehicleId": vehicle["id"]})
    assert done["routes"] == []
    (out,) = done["unassigned"]
    assert [reason["type"] for reason in out["reasons"]] == ["timeWindows"]


@pytest.mark.parametrize(
    ("hours", "service", "breaks"), [(0, "14400s", 1), (AT_ONE, "6300s", 1), (AT_TWO, "4800s", 0)]
)
def test_a_break_that_is_over_is_not_taken_in_what_is_left_of_a_shift(
    world: World, hours: int, service: str, breaks: int
) -> None:
    wait(world, hours)
    body = {"name": "F", "start": DEPOT, "shift": DAY_SHIFT, "breaks": [LUNCH]}
    vehicle = world.client.post("/vehicles", body).json()
    # So long that the route has to be under way as the window of the break closes.
    ids = import_stops(world, *[{"duration": service}] * 2)
    done = plan(world, ids, {"vehicleId": vehicle["id"]})
    (route,) = done["routes"]
    assert [step["type"] for step in route["steps"]].count("BREAK") == breaks


def test_a_route_without_a_time_of_departure_is_not_planned_again_in_the_past(
    world: World,
) -> None:
    body = {"name": "F", "start": DEPOT, "shift": DAY_SHIFT}
    vehicle = world.client.post("/vehicles", body).json()
    route = world.client.post("/routes", {"start": DEPOT}).json()
    named = {"vehicleId": vehicle["id"]}
    world.client.send("PUT", f"/routes/{route['id']}/vehicle", json=named)
    ids = import_stops(world, {}, {})
    added = [{"importedStopId": ids[0]}]
    assert world.client.post(f"/routes/{route['id']}/stops", added).status_code == 200
    wait(world, AT_ONE)
    done = plan(world, ids[1:], vehicles=[], routes=[{"routeId": route["id"]}])
    assert [one["departure"] for one in done["routes"]] == ["2024-07-01T17:01:00Z"]
