"""Pins to the ends of routes that take part in a plan are kept, or refused at once."""

import itertools

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import import_stops, served, violations
from tests.driver.test_live_plans import a_route, apply, names, on_the_road, replan

from roundsman.endpoints.application import Application

pytestmark = pytest.mark.spec("decisions §21")

ENDS = {"FIRST": 0, "LAST": -1}


@pytest.mark.parametrize("lock", ["NONE", "VEHICLE"])
def test_a_stop_of_a_route_goes_to_the_end_that_it_is_pinned_to(world: World, lock: str) -> None:
    around = [(0.05, 0.0), (0.04, 0.06), (-0.03, 0.07), (-0.05, -0.02), (0.01, -0.08)]
    places = [
        {"coordinates": {"latitude": 39.29 + north, "longitude": -76.61 + east}}
        for north, east in around
    ]
    ids = import_stops(world, *places)
    route = a_route(world, ids[:4])
    new = [{"importedStopId": ids[4]}]
    for stop, position in itertools.product(("s0", "s1", "s2", "s3", "s4"), ENDS):
        on = {"vehicle": route} if stop in {"s0", "s4"} else {}
        pins = [{"stop": stop, "position": position, **on}]
        done = replan(world, [{"routeId": route, "lock": lock}], stops=new, pins=pins)
        assert done["unassigned"] == []
        assert served(done)[route][ENDS[position]] == stop
    assert apply(world, done).status_code == 200
    assert names(world, route) == served(done)[route]


def test_a_driver_may_turn_to_a_pinned_stop_where_nothing_stays_in_front(
    world: World, door: Application
) -> None:
    device, _ = on_the_road(world, door)
    route = {"routeId": device.route_id, "keepFirst": 0}
    pins = [{"stop": "s4", "position": "FIRST"}, {"stop": "s0", "position": "LAST"}]
    order = served(replan(world, [route], pins=pins))[device.route_id]
    assert (order[0], order[-1], len(order)) == ("s4", "s0", 6)
    kept = replan(world, [{**route, "keepFirst": 2}], pins=[{"stop": "s2", "position": "LAST"}])
    order = served(kept)[device.route_id]
    assert (order[:2], order[-1], len(order)) == (["s0", "s1"], "s2", 6)


@pytest.mark.parametrize(
    ("choice", "pins", "refused"),
    [
        ({"lock": "SEQUENCE"}, [("s1", "FIRST")], ["s1"]),
        ({"lock": "SEQUENCE"}, [("s0", "LAST")], ["s0"]),
        ({"lock": "SEQUENCE"}, [("s0", "FIRST"), ("new", "FIRST")], ["s0"]),
        ({"lock": "ALL"}, [("s2", "FIRST"), ("s1", "LAST")], ["s1", "s2"]),
        ({"lock": "ALL"}, [("new", "LAST")], ["new"]),
        ({"lock": "VEHICLE"}, [("s1", "LAST"), ("s2", "LAST")], ["s2"]),
        ({}, [("s1", "FIRST"), ("s2", "FIRST")], ["s2"]),
    ],
)
@pytest.mark.parametrize("names_vehicle", [True, False])
def test_an_end_that_a_stop_cannot_have_is_refused_at_once(
    world: World,
    choice: dict[str, str],
    pins: list[tuple[str, str]],
    refused: list[str],
    *,
    names_vehicle: bool,
) -> None:
    ids = import_stops(world, *[{}] * 3, {"clientStopId": "new"})
    name_of = dict(zip(("s0", "s1", "s2", "new"), ids, strict=True))
    route = a_route(world, ids[:3])
    on = {"vehicle": route} if names_vehicle else {}
    asked = {
        "stops": [{"importedStopId": ids[3]}],
        "routes": [{"routeId": route, **choice}],
        "pins": [{"stop": stop, "position": position, **on} for stop, position in pins],
    }
    answer = world.client.post("/plans", asked)
    assert (answer.status_code, answer.json()["code"]) == (400, 9), answer.text
    assert sorted(violations(answer)) == sorted(("pins", name_of[stop]) for stop in refused)
    assert world.count("plans") == 0
    away = {**asked, "pins": asked["pins"][:1], "routes": [{"routeId": route}]}
    assert world.client.post("/plans", away).status_code == 200


def test_what_stays_in_front_of_a_driver_has_no_other_end(world: World, door: Application) -> None:
    device, ids = on_the_road(world, door)
    for keep_first, stop, position in ((None, 0, "LAST"), (None, 1, "FIRST"), (3, 2, "LAST")):
        choice: dict[str, str | int] = {"routeId": device.route_id}
        choice |= {} if keep_first is None else {"keepFirst": keep_first}
        pins = [{"stop": f"s{stop}", "position": position}]
        answer = world.client.post("/plans", {"routes": [choice], "pins": pins})
        assert (answer.status_code, answer.json()["code"]) == (400, 9), answer.text
        assert violations(answer) == [("pins", ids[stop])]
        (said,) = answer.json()["details"][0]["violations"]
        assert said["description"].startswith(f"position: cannot be {position.lower()} on ")


def test_a_pin_that_windows_leave_no_room_for_is_named_as_the_reason(world: World) -> None:
    late = {"timeWindows": [{"start": {"hours": 12}, "end": {"hours": 13}}]}
    early = {"timeWindows": [{"end": {"hours": 8}}]}
    ids = import_stops(world, early, early, late)
    route = a_route(world, ids)
    pins = [{"stop": "s2", "position": "FIRST"}]
    done = replan(world, [{"routeId": route, "lock": "VEHICLE"}], pins=pins)
    assert served(done)[route] == ["s0", "s1"]
    (out,) = done["unassigned"]
    assert out["clientStopId"] == "s2"
    (reason,) = out["reasons"]
    assert reason["description"].startswith("it is pinned first; ")
    assert "UNPIN" in [fix["type"] for fix in out["fixes"]]
