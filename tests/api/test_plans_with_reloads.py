"""Plans of vans that come back to load again, and the routes that are made of them."""

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, Json, import_stops, plan, van

pytestmark = pytest.mark.spec("decisions §21")

HUB = {"coordinates": {"latitude": 39.295, "longitude": -76.6}}
HEAVY = {"items": [{"quantity": 2, "grams": 10_000}]}


def reloading(**fields: Json) -> Json:
    """Return a van for two of the heavy stops."""
    return van(capacities={"kilograms": 40}, **{"maxReloads": 3, **fields})


def reload_steps(route: Json) -> list[Json]:
    return [step for step in route["steps"] if step["type"] == "RELOAD"]


def test_a_van_loads_again_at_its_start_as_often_as_it_needs(world: World) -> None:
    ids = import_stops(world, *[HEAVY] * 5)
    done = plan(world, ids, reloading(), van("other", capacities={"kilograms": 40}))
    assert done["unassigned"] == []
    (route,) = done["routes"]
    reloads = reload_steps(route)
    assert len(reloads) == 2
    assert route["loads"]["kilograms"] == 40
    loads = [step["loads"]["kilograms"] for step in route["steps"]]
    assert loads[-1] == 0
    assert max(loads) == 40
    for step in reloads:
        assert step["reloadIndex"] == 0
        assert step["loads"]["kilograms"] in {20, 40}
    assert route["durations"]["service"] == f"{5 * 300 + 2 * 900}s"


def test_it_loads_again_where_and_as_long_as_is_said(world: World) -> None:
    ids = import_stops(world, *[HEAVY] * 4)
    places = [{**DEPOT, "duration": "7200s"}, {**HUB, "duration": "600s"}]
    (route,) = plan(world, ids, reloading(reloads=places))["routes"]
    (step,) = reload_steps(route)
    assert step["reloadIndex"] == 1
    assert route["durations"]["service"] == f"{4 * 300 + 600}s"


def test_without_reloads_it_leaves_out_what_does_not_fit(world: World) -> None:
    ids = import_stops(world, *[HEAVY] * 4)
    assert len(plan(world, ids, reloading(maxReloads=0))["unassigned"]) == 2
    assert plan(world, ids, reloading(maxReloads=1))["unassigned"] == []


def test_a_plan_is_planned_again_from_routes_with_reloads(world: World) -> None:
    first = plan(world, import_stops(world, *[HEAVY] * 5), reloading())
    again = plan(world, [], stops=None, vehicles=None, basedOn=first["id"])
    assert again["unassigned"] == []
    assert again["statistics"]["cost"] <= first["statistics"]["cost"]


@pytest.mark.both_databases
def test_a_reload_becomes_a_stop_of_the_route(world: World) -> None:
    ids = import_stops(world, *[HEAVY] * 5)
    done = plan(world, ids, reloading(maxStops=6, reloads=[{**HUB, "duration": "600s"}]))
    (proposed,) = done["routes"]
    answer = world.client.post(f"/plans/{done['id']}/apply")
    assert answer.status_code == 200, answer.text
    (route,) = answer.json()["routes"]
    assert [stop["orderName"] == "Reload" for stop in route["stops"]] == [
        step["type"] == "RELOAD" for step in proposed["steps"]
    ]
    for stop in route["stops"]:
        if stop["orderName"] == "Reload":
            assert (stop["type"], stop["duration"]) == ("PICKUP", "600s")
            assert stop["plannedCoordinates"] == HUB["coordinates"]
    assert route["maxStops"] == 6 + 2
    assert route["maxKilograms"] == 3 * 40
    assert route["end"]["plannedArrival"] == proposed["end"]
    assert world.client.get(f"/routes/{route['id']}").json() == route
    choice = [{"routeId": route["id"]}]
    live = plan(world, [], stops=None, vehicles=None, routes=choice)
    assert live["unassigned"] == []
