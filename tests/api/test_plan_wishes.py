"""What a plan should rather be: compact, balanced, by territories, with few stops moved."""

import itertools

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, QUICK, Json, ask, import_stops, plan, served, van

pytestmark = pytest.mark.spec("decisions §21")

CHEAP = {"fixed": 0, "perHour": 10, "perKilometer": 0.1}


def around(*points: tuple[float, float]) -> list[Json]:
    return [
        {"coordinates": {"latitude": 39.29 + north, "longitude": -76.61 + east}, "duration": "300s"}
        for north, east in points
    ]


def owners(done: Json) -> dict[str, str]:
    return {name: vehicle for vehicle, names in served(done).items() for name in names}


def test_the_longest_route_has_a_price_and_work_moves_from_it(world: World) -> None:
    ids = import_stops(world, *[{}] * 12)
    vans = van(count=3, costs=CHEAP)
    alone = plan(world, ids, vans)
    assert [len(names) for names in served(alone).values()] == [12]
    by_stops = {**QUICK, "balance": {"by": "STOPS", "costPerStop": 50}}
    even = plan(world, ids, vans, options=by_stops)
    assert [len(names) for names in served(even).values()] == [4, 4, 4]
    assert even["statistics"]["costs"]["balance"] == 200
    by_time = {**QUICK, "balance": {"by": "DURATION", "costPerHour": 500}}
    quick = plan(world, ids, vans, options=by_time)
    assert len(served(quick)) == 3
    parts = quick["statistics"]["costs"]
    total = parts.pop("total")
    assert sum(parts.values()) == pytest.approx(total, abs=1e-5)
    assert total == pytest.approx(quick["statistics"]["cost"])


def test_compact_routes_keep_to_their_part_of_the_town(world: World) -> None:
    west = around(*[(0.05 + 0.001 * k, -0.02) for k in range(4)])
    east = around(*[(0.05 + 0.001 * k, 0.02) for k in range(4)])
    on_the_way = around((0.0, -0.001), (0.0, 0.001))
    ids = import_stops(world, *west, *east, *on_the_way)
    vans = van(count=2, costs=CHEAP)
    loose = plan(world, ids, vans)
    assert len(served(loose)) == 1
    tight = plan(world, ids, vans, options={**QUICK, "compactness": 20})
    assert tight["statistics"]["costs"]["compactness"] > 0
    who = owners(tight)
    assert len({who[f"s{k}"] for k in range(4)}) == len({who[f"s{k}"] for k in range(4, 8)}) == 1
    assert who["s0"] != who["s4"]
    cost = tight["statistics"]["costs"]["compactness"]
    assert cost == pytest.approx(sum(one["costs"]["compactness"] for one in tight["routes"]))


def test_a_territory_belongs_to_its_vehicles_unless_others_are_worth_the_price(
    world: World,
) -> None:
    ids = import_stops(world, *around((0.01, 0.01), (0.01, 0.011), (-0.01, 0.01), (-0.01, 0.011)))
    north = [
        {"latitude": 39.292, "longitude": -76.7},
        {"latitude": 39.4, "longitude": -76.7},
        {"latitude": 39.4, "longitude": -76.5},
        {"latitude": 39.292, "longitude": -76.5},
    ]
    vans = (van("a", costs=CHEAP), van("b", costs=CHEAP))
    territory = {"polygon": north, "vehicles": ["b"], "cost": 40}
    free = plan(world, ids, vans[0])
    assert owners(free) == dict.fromkeys(("s0", "s1", "s2", "s3"), "a")
    alone = plan(world, ids, vans[0], van("b", maxStops=1), options=with_territory(territory))
    assert alone["statistics"]["costs"]["preferences"] == 40
    done = plan(world, ids, *vans, options=with_territory(territory))
    assert {owners(done)[name] for name in ("s0", "s1")} == {"b"}
    assert done["statistics"]["costs"]["preferences"] == 0
    again = plan(
        world,
        ids,
        stops=None,
        vehicles=None,
        basedOn=alone["id"],
        options={"effort": "THOROUGH", "seed": 1},
    )
    assert again["statistics"]["costs"]["preferences"] == 40
    cheap = plan(world, ids, van("a"), options=with_territory({**territory, "vehicles": ["a"]}))
    assert cheap["statistics"]["costs"]["preferences"] == 0


def test_another_van_of_a_kind_is_priced_as_that_kind(world: World) -> None:
    ids = import_stops(world, *[{"loads": {"pallets": 1}}] * 2)
    stops: list[Json] = [{"importedStopId": id_, "preferredVehicles": ["b"]} for id_ in ids]
    vans = (van("a", capacities={"pallets": 1}), van("b", capacities={"pallets": 0}))
    options = {**QUICK, "otherVehicleCost": 30}
    done = plan(world, ids, *vans, stops=stops, options=options)
    (out,) = done["unassigned"]
    added = next(
        fix for fix in out["fixes"] if (fix["type"], fix["subject"]) == ("ADD_VEHICLE", "a")
    )
    based = {"basedOn": done["id"], "fixes": [added["index"]], "options": options}
    fixed = plan(world, [], stops=None, vehicles=None, **based)
    assert fixed["unassigned"] == []
    before, after = (one["statistics"]["costs"] for one in (done, fixed))
    assert (before["preferences"], after["preferences"]) == (30, 60)
    saved = before["total"] - before["unassigned"]
    assert added["costDifference"] == pytest.approx(after["total"] - saved, abs=0.01)


def with_territory(territory: Json) -> Json:
    return {**QUICK, "territories": [territory]}


def test_a_stop_has_its_preferred_driver_if_that_costs_no_more_than_it_is_worth(
    world: World,
) -> None:
    ids = import_stops(world, {}, {}, {})
    stops: list[Json] = [{"importedStopId": id_} for id_ in ids]
    stops[1]["preferredVehicles"] = ["b"]
    vans = (van("a", costs=CHEAP), van("b", costs={**CHEAP, "fixed": 15}))
    done = plan(world, ids, *vans, stops=stops, options={**QUICK, "otherVehicleCost": 100})
    assert owners(done)["s1"] == "b"
    assert done["statistics"]["costs"]["preferences"] == 0
    done = plan(world, ids, *vans, stops=stops, options={**QUICK, "otherVehicleCost": 1})
    assert owners(done)["s1"] == "a"
    assert done["statistics"]["costs"]["preferences"] == 1


@pytest.mark.both_databases
def test_the_curve_says_what_fewer_moved_stops_would_cost(world: World) -> None:
    ids = import_stops(world, *around(*[(0.01 * (k % 2 or -1), 0.002 * k) for k in range(12)]))
    routes = []
    for half in (ids[:6], ids[6:]):
        start = {"start": DEPOT, "end": DEPOT, "scheduledFor": "2024-07-02T09:00:00Z"}
        route = world.client.post("/routes", start).json()
        stops = [{"importedStopId": id_} for id_ in half]
        world.client.post(f"/routes/{route['id']}/stops", stops)
        routes.append({"routeId": route["id"]})
    options = {"moves": 4_000, "churnCurve": True}
    done = plan(world, [], stops=None, vehicles=None, routes=routes, options=options)
    assert done["status"] == "COMPLETED"
    curve = done["statistics"]["churnCurve"]
    assert curve[0]["movedStops"] == 0
    assert all(point["movedStops"] <= point["maxMovedStops"] for point in curve)
    assert all(late["cost"] <= soon["cost"] for soon, late in itertools.pairwise(curve))
    assert curve[-1]["movedStops"] == done["statistics"]["movedStops"] > 0
    assert curve[-1]["cost"] == pytest.approx(done["statistics"]["cost"])
    based = plan(world, [], stops=None, vehicles=None, basedOn=done["id"], options=done["options"])
    again = based["statistics"]["churnCurve"]
    assert all(point["movedStops"] <= point["maxMovedStops"] for point in again)
    assert again[0]["movedStops"] == 0
    fewer = {**done["options"], "maxMovedStops": 0}
    still = {"basedOn": done["id"], "options": fewer}
    again = plan(world, [], stops=None, vehicles=None, **still)
    assert again["statistics"]["movedStops"] == 0
    assert again["statistics"]["cost"] == pytest.approx(curve[0]["cost"], rel=0.05)
    without = ask(world, [], stops=None, vehicles=None, routes=routes).json()
    assert "churnCurve" not in without.get("statistics", {})
