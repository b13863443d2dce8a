"""Plans of a day under way: routes that exist take part, and applying changes them."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT, import_stops, read, served, violations
from tests.api.test_routes import add, create_route
from tests.driver.device import Device, Listener, sign_up
from tests.support.plans import run_waiting_jobs

from roundsman.endpoints.application import Application

pytestmark = pytest.mark.spec("decisions §21")

type Json = Any

LEAVES = "2024-07-01T06:30:00Z"
OPTIONS = {"effort": "QUICK"}


def a_route(world: World, ids: list[str], **fields: Json) -> str:
    route = create_route(world, start=DEPOT, end=DEPOT, scheduledFor=LEAVES, **fields)
    add(world, route, ids)
    return route


def names(world: World, route: str) -> list[str]:
    """Return the stops of a route by what the client calls them."""
    shown = world.client.get(f"/routes/{route}").json()
    return [stop["clientStopId"] for stop in shown["stops"]]


def replan(world: World, routes: list[Json], **fields: Json) -> Json:
    asked = world.client.post("/plans", {"routes": routes, "options": OPTIONS, **fields})
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    done = read(world, asked.json())
    assert done["status"] == "COMPLETED", done
    return done


def apply(world: World, of: Json, **fields: Json) -> Json:
    return world.client.post(f"/plans/{of['id']}/apply", fields)


@pytest.mark.both_databases
def test_stops_change_between_routes_that_exist(world: World) -> None:
    ids = import_stops(world, *[{}] * 8)
    # Each van drives to both ends of the town: one has the even ones, one the odd ones.
    first = a_route(world, ids[::2], maxStops=4)
    second = a_route(world, ids[1::2], maxStops=4)
    done = replan(world, [{"routeId": first}, {"routeId": second}])
    assert done["unassigned"] == []
    assert {route["routeId"] for route in done["routes"]} == {first, second}
    moved = done["statistics"]["movedStops"]
    assert moved > 0
    listener = Listener(world)
    applied = apply(world, done)
    assert applied.status_code == 200, applied.text
    assert {route["id"] for route in applied.json()["routes"]} == {first, second}
    assert {route: names(world, route) for route in (first, second)} == served(done)
    assert sorted(listener.topics()) == [
        ("PLAN_APPLIED", done["id"]),
        *sorted(("ROUTE_UPDATED", route) for route in (first, second)),
    ]
    again = apply(world, done).json()
    assert [route["id"] for route in again["routes"]] == [
        route["id"] for route in applied.json()["routes"]
    ]
    assert listener.topics() == []
    assert world.client.get(f"/plans/{done['id']}").json()["status"] == "APPLIED"


def test_no_more_stops_move_than_may(world: World) -> None:
    ids = import_stops(world, *[{}] * 8)
    routes = [{"routeId": a_route(world, half, maxStops=4)} for half in (ids[::2], ids[1::2])]
    free = replan(world, routes)
    for most in range(3):
        few = replan(world, routes, options={**OPTIONS, "maxMovedStops": most})
        assert few["statistics"]["movedStops"] <= most
        assert few["statistics"]["cost"] >= free["statistics"]["cost"] - 1e-6
    dear = replan(world, routes, options={**OPTIONS, "movedStopCost": 1_000})
    assert dear["statistics"]["movedStops"] == 0


@pytest.mark.parametrize("lock", ["ALL", "SEQUENCE", "VEHICLE", "NONE"])
def test_a_lock_says_what_may_change_of_a_route(world: World, lock: str) -> None:
    ids = import_stops(world, *[{}] * 6)
    own = [ids[4], ids[0], ids[2]]
    route = a_route(world, own)
    new = [{"importedStopId": ids[number]} for number in (1, 3, 5)]
    other = {"id": "other", "start": DEPOT, "end": DEPOT, "shift": {
        "start": LEAVES, "end": "2024-07-01T20:00:00Z"}}  # fmt: skip
    done = replan(world, [{"routeId": route, "lock": lock}], stops=new, vehicles=[other])
    planned = served(done)
    kept = [name for name in planned[route] if name in {"s4", "s0", "s2"}]
    assert done["unassigned"] == []
    if lock == "ALL":
        assert planned == {route: ["s4", "s0", "s2"], "other": ["s1", "s3", "s5"][::1]} or (
            planned[route] == ["s4", "s0", "s2"] and sorted(planned["other"]) == ["s1", "s3", "s5"]
        )
    if lock == "SEQUENCE":
        assert kept == ["s4", "s0", "s2"]
        assert len(planned[route]) == 6, "one van serves the few stops of this street"
    if lock == "VEHICLE":
        assert sorted(kept) == ["s0", "s2", "s4"]
        assert kept != ["s4", "s0", "s2"]
    before = names(world, route)
    assert apply(world, done).status_code == 200
    assert names(world, route) == (before if lock == "ALL" else planned[route])


def test_a_driver_who_is_ill_gives_the_stops_to_others(world: World) -> None:
    ids = import_stops(world, *[{}] * 6)
    ill = a_route(world, ids[:3])
    other = a_route(world, ids[3:])
    stops = [{"importedStopId": id_, "excludedVehicles": [ill]} for id_ in ids[:3]]
    done = replan(world, [{"routeId": ill}, {"routeId": other}], stops=stops)
    assert served(done)[ill] == []
    assert apply(world, done).status_code == 200
    assert names(world, ill) == []
    assert sorted(names(world, other)) == ["s0", "s1", "s2", "s3", "s4", "s5"]


def on_the_road(world: World, door: Application, count: int = 6) -> tuple[Device, list[str]]:
    """Leave with a route of so many stops, in the order of the street."""
    device = sign_up(world, door)
    ids = import_stops(world, *[{}] * count)
    device.route_id = a_route(world, ids, driverId=device.driver_id)
    assert world.client.post(f"/routes/{device.route_id}/dispatch", {}).status_code == 200
    world.clock.advance(minutes=30)
    device.done("ROUTE_STARTED")
    return device, ids


def two_on_the_road(world: World, door: Application) -> tuple[str, str, list[str]]:
    """Leave with two routes, each in its own part of town; the first has done one of four stops."""
    device = sign_up(world, door)
    near = [{"coordinates": at(39.10 - north / 100)} for north in range(4)]
    far = [{"coordinates": at(39.60 + north / 100)} for north in range(3)]
    ids = import_stops(world, *near, *far)
    other = a_route(world, ids[4:], driverId=device.driver_id)
    ill = a_route(world, ids[:4], driverId=device.driver_id)
    for route in (other, ill):
        assert world.client.post(f"/routes/{route}/dispatch", {}).status_code == 200
    world.clock.advance(minutes=30)
    for route in (other, ill):
        device.route_id = route
        device.done("ROUTE_STARTED")
    world.clock.advance(minutes=1)
    device.done("STOP_DELIVERED", stopId=stop_ids(world, ill)["s0"])
    return ill, other, ids[1:4]


def at(latitude: float) -> Json:
    return {"latitude": latitude, "longitude": -76.61}


def test_a_driver_who_falls_ill_on_the_road_gives_away_the_next_stop_too(
    world: World, door: Application
) -> None:
    ill, other, ahead = two_on_the_road(world, door)
    stops = [{"importedStopId": id_, "excludedVehicles": [ill]} for id_ in ahead]
    routes = [{"routeId": ill}, {"routeId": other, "lock": "SEQUENCE"}]
    done = replan(world, routes, stops=stops)
    # It would cost less to leave all of them with the driver who is near: a rule is no price.
    assert done["unassigned"] == []
    assert served(done)[ill] == []
    assert apply(world, done).status_code == 200
    assert names(world, ill) == ["s0"]
    assert sorted(names(world, other)) == ["s1", "s2", "s3", "s4", "s5", "s6"]


def test_a_next_stop_that_may_stay_is_kept_before_one_that_may_not(
    world: World, door: Application
) -> None:
    ill, other, ahead = two_on_the_road(world, door)
    routes = [{"routeId": ill}, {"routeId": other, "lock": "SEQUENCE"}]
    stops = [{"importedStopId": ahead[1], "excludedVehicles": [ill]}]
    done = replan(world, routes, stops=stops)
    assert served(done)[ill][0] == "s1"
    assert "s2" in served(done)[other]


def test_what_keeps_a_stop_where_it_may_not_be_is_refused(world: World, door: Application) -> None:
    ill, other, ahead = two_on_the_road(world, door)
    stops = [{"importedStopId": id_, "excludedVehicles": [ill]} for id_ in ahead]

    def ask(said: Json, **options: Json) -> Any:
        body = {"routes": [{"routeId": ill, **said}, {"routeId": other}], "stops": stops}
        return world.client.post("/plans", {**body, "options": {**OPTIONS, **options}})

    for said, kind, count in (
        ({"keepFirst": 1}, "keepFirst", 1),
        ({"keepFirst": 2}, "keepFirst", 2),
        ({"lock": "VEHICLE"}, "lock", 3),
    ):
        refused = ask(said)
        assert refused.json()["code"] == 9
        assert violations(refused) == [(kind, id_) for id_ in ahead[:count]]
        assert f"may not be on {ill}" in refused.text
    few = ask({}, maxMovedStops=2)
    assert violations(few) == [("maxMovedStops", ahead[0])]
    assert ask({"keepFirst": 0}, maxMovedStops=3).status_code == 200
    locked = stop_ids(world, ill)["s2"]
    body = {"routeStop": {"locked": True}, "updateMask": "locked"}
    answer = world.client.send("PATCH", f"/routes/{ill}/stops/{locked}", json=body)
    assert answer.status_code == 200
    assert violations(ask({})) == [("locked", ahead[1])]


def stop_ids(world: World, route: str) -> dict[str, str]:
    shown = world.client.get(f"/routes/{route}").json()
    return {stop["clientStopId"]: stop["id"] for stop in shown["stops"]}


@pytest.mark.both_databases
def test_a_route_under_way_goes_on_from_its_driver(world: World, door: Application) -> None:
    device, _ = on_the_road(world, door)
    of = stop_ids(world, device.route_id)
    world.clock.advance(minutes=5)
    device.done("STOP_DELIVERED", stopId=of["s3"])
    world.clock.advance(minutes=2)
    new = import_stops(world, {"clientStopId": "late"})
    done = replan(world, [{"routeId": device.route_id}], stops=[{"importedStopId": new[0]}])
    steps = served(done)[device.route_id]
    assert "s3" not in steps
    assert steps[0] == "s0", "the driver is on the way there"
    (planned,) = done["routes"]
    assert all(step["plannedArrival"] >= "2024-07-01T06:3" for step in planned["steps"])
    # What is delivered since, in its place, makes no plan stale.
    world.clock.advance(minutes=1)
    device.done("STOP_DELIVERED", stopId=of["s0"])
    assert apply(world, done).status_code == 200
    assert names(world, device.route_id)[:2] == ["s0", "s3"]
    assert names(world, device.route_id)[2:] == [name for name in steps if name != "s0"]
    shown = world.client.get(f"/routes/{device.route_id}").json()
    late = next(stop for stop in shown["stops"] if stop["clientStopId"] == "late")
    assert late["deliveryStatus"] == "OUT_FOR_DELIVERY"


def test_a_late_route_keeps_its_stops(world: World, door: Application) -> None:
    device = sign_up(world, door)
    closed = {"timeWindows": [{"end": {"hours": 2, "minutes": 31}}]}
    ids = import_stops(world, closed, closed, {})
    device.route_id = a_route(world, ids, driverId=device.driver_id, maxDuration="600s")
    assert world.client.post(f"/routes/{device.route_id}/dispatch", {}).status_code == 200
    world.clock.advance(minutes=45)
    device.done("ROUTE_STARTED")
    done = replan(world, [{"routeId": device.route_id}])
    assert done["unassigned"] == []
    assert sorted(served(done)[device.route_id]) == ["s0", "s1", "s2"]


def test_a_route_that_has_changed_since_is_stale(world: World, door: Application) -> None:
    device, _ = on_the_road(world, door)
    done = replan(world, [{"routeId": device.route_id, "keepFirst": 0}])
    of = stop_ids(world, device.route_id)
    path = f"/routes/{device.route_id}/stops/{of['s1']}/position"
    moved = world.client.send("PUT", path, json={"index": 5})
    assert moved.status_code == 200, moved.text
    refused = apply(world, done)
    assert refused.json()["code"] == 9
    assert violations(refused) == [("STALE_ROUTE", device.route_id)]


def test_half_of_a_move_is_not_applied(world: World) -> None:
    ids = import_stops(world, *[{}] * 8)
    first = a_route(world, ids[::2], maxStops=4)
    second = a_route(world, ids[1::2], maxStops=4)
    done = replan(world, [{"routeId": first}, {"routeId": second}])
    before = names(world, first)
    refused = apply(world, done, vehicles=[first])
    assert refused.json()["code"] == 9
    assert set(violations(refused)) == {("vehicles", second)}
    assert names(world, first) == before
    assert apply(world, done, vehicles=[first, second]).status_code == 200


def test_breaks_of_a_route_stay_on_it(world: World) -> None:
    ids = import_stops(world, *[{}] * 3)
    route = a_route(world, ids)
    rest = {"type": "BREAK", "duration": "1800s", "coordinates": DEPOT["coordinates"]}
    made = world.client.post(f"/routes/{route}/stops", [rest])
    done = replan(world, [{"routeId": route}])
    if made.status_code == 200:
        assert any(step["type"] == "BREAK" for step in done["routes"][0]["steps"])
    assert apply(world, done).status_code == 200
    assert len(world.client.get(f"/routes/{route}").json()["stops"]) == 3 + (
        made.status_code == 200
    )


def test_routes_that_cannot_take_part_are_refused(world: World) -> None:
    ids = import_stops(world, {}, {})
    route = a_route(world, ids[:1])
    nobody = "rte-00000000-0000-4000-8000-000000000000"
    unknown = world.client.post("/plans", {"routes": [{"routeId": nobody}]})
    assert unknown.status_code == 404
    assert nobody in unknown.json()["message"]
    twice = world.client.post("/plans", {"routes": [{"routeId": route}, {"routeId": route}]})
    assert violations(twice)[0][0] == "routes"
    lock = world.client.post("/plans", {"routes": [{"routeId": route, "lock": "SOME"}]})
    assert violations(lock)[0][0] == "routes[0].lock"
    assert world.client.post(f"/routes/{route}/archive", {}).status_code == 200
    archived = world.client.post("/plans", {"routes": [{"routeId": route}]})
    assert archived.json()["code"] == 9
    assert violations(archived) == [("archived", route)]
