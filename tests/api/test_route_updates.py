"""Changing what a planner may set on a whole route, its start and its end."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import START, UNKNOWN_ROUTE, add, create_route, import_line

SOUTH = {"latitude": 39.2, "longitude": -76.61}
TOWSON = {"city": "Towson", "provinceCode": "MD", "countryCode": "US"}


def patch(world: World, route: str, mask: str, **fields: Any) -> Any:
    body = {"route": fields, "updateMask": mask}
    return world.client.send("PATCH", f"/routes/{route}", json=body)


def move(world: World, path: str, mask: str, **location: Any) -> Any:
    body = {"location": location, "updateMask": mask}
    return world.client.send("PATCH", f"/routes/{path}/location", json=body)


def optimized_route(world: World, **fields: Any) -> str:
    route = create_route(world, scheduledFor="2024-07-02T08:00:00Z", **fields)
    add(world, route, import_line(world, 2, 1))
    assert world.client.post(f"/routes/{route}/reoptimize", {}).json()["optimized"] is True
    return route


UPDATES: dict[str, tuple[Any, Any, bool]] = {
    "name": ("North", "#1", True),
    "note": ("n", "", True),
    "tags": (["t"], [], True),
    "defaultStopDuration": ("60s", None, True),
    "stopTasks": (
        [
            {
                "title": "t",
                "type": "UNKNOWN",
                "items": [],
                "requiredToMarkStopAsDelivered": False,
                "requiredToMarkStopAsAttempted": False,
            }
        ],
        [],
        True,
    ),
    "scheduledFor": ("2024-07-03T08:00:00Z", None, False),
    "maxDuration": ("3600s", None, False),
    "maxStops": (9, 0, False),
    "maxItemCount": (9, 0, False),
    "maxKilograms": (9.5, 0, False),
    "avoidTolls": (True, False, False),
    "avoidUTurns": (True, False, False),
    "speedFactor": (2, 1, False),
}
"""Field: a value, what clearing leaves, and whether the computed order stays current."""


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("name", UPDATES)
def test_every_updatable_field_is_set_cleared_and_outdates_the_order_or_not(
    world: World, name: str
) -> None:
    value, cleared, keeps_order = UPDATES[name]
    route = optimized_route(world)
    changed = patch(world, route, name, **{name: value}).json()
    assert (changed[name], changed["optimized"]) == (value, keeps_order)
    assert world.client.get(f"/routes/{route}").json() == changed
    assert patch(world, route, name).json().get(name) == cleared
    assert world.topics().count("ROUTE_UPDATED") == 4


@pytest.mark.spec("decisions §9")
def test_an_update_that_changes_nothing_keeps_the_order_and_tells_nothing(world: World) -> None:
    route = optimized_route(world, maxStops=9, name="North")
    before = world.client.get(f"/routes/{route}").json()
    events = world.count("events")
    world.clock.advance(minutes=1)
    same = patch(world, route, "maxStops,name,scheduledFor,speedFactor", **before)
    assert same.json() == before
    assert world.count("events") == events


@pytest.mark.spec("decisions §7")
def test_a_later_departure_and_a_slower_vehicle_move_the_arrivals(world: World) -> None:
    route = optimized_route(world)
    before = world.client.get(f"/routes/{route}").json()
    slower = patch(world, route, "speedFactor", speedFactor=0.5).json()
    assert slower["stops"][0]["plannedArrival"] > before["stops"][0]["plannedArrival"]
    unscheduled = patch(world, route, "scheduledFor").json()
    assert "plannedArrival" not in unscheduled["stops"][0]
    assert "scheduledStart" not in unscheduled["start"]


@pytest.mark.spec("decisions §7")
def test_a_dispatched_route_that_loses_its_schedule_leaves_now(world: World) -> None:
    route = optimized_route(world)
    world.client.post(f"/routes/{route}/dispatch", {})
    assert patch(world, route, "scheduledFor").json()["start"]["scheduledStart"] == (
        "2024-07-01T06:00:00Z"
    )


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"route": {}, "updateMask": ""}, "updateMask"),
        ({"route": {}}, "updateMask"),
        ({"route": {}, "updateMask": "start"}, "updateMask"),
        ({"route": {}, "updateMask": "optimized"}, "updateMask"),
        ({"route": {"notes": "n"}, "updateMask": "note"}, "route.notes"),
        ({"route": {"maxStops": -1}, "updateMask": "maxStops"}, "route.maxStops"),
        ({"route": {"maxDuration": "604801s"}, "updateMask": "maxDuration"}, "route.maxDuration"),
        ({"route": {"speedFactor": 0.05}, "updateMask": "speedFactor"}, "route.speedFactor"),
        ({"note": "n", "updateMask": "note"}, "note"),
    ],
)
def test_a_wrong_update_is_named_and_changes_nothing(
    world: World, body: dict[str, Any], named: str
) -> None:
    route = create_route(world)
    response = world.client.send("PATCH", f"/routes/{route}", json=body)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.topics() == ["ROUTE_CREATED"]


@pytest.mark.spec("States and transitions")
@pytest.mark.parametrize("side", ["start", "end"])
def test_a_start_or_an_end_is_moved_by_address_or_by_coordinates(world: World, side: str) -> None:
    route = optimized_route(world, end=START)
    before = world.client.get(f"/routes/{route}").json()
    moved = move(world, f"{route}/{side}", "address", address=TOWSON, coordinates=SOUTH).json()
    assert moved[side]["address"]["city"] == "Towson"
    assert moved[side]["coordinates"]["latitude"] == pytest.approx(39.4, abs=0.1)
    assert moved["optimized"] is False
    assert moved["totalDistanceMeters"] > before["totalDistanceMeters"]
    assert moved["end"]["plannedArrival"] > before["end"]["plannedArrival"]
    back = move(world, f"{route}/{side}", "coordinates", coordinates=SOUTH).json()
    assert (back[side]["coordinates"], back[side]["address"]) == (SOUTH, moved[side]["address"])


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("side", ["start", "end"])
def test_a_location_needs_a_mask_and_what_it_masks(world: World, side: str) -> None:
    route = create_route(world, end=START)
    nowhere = {"city": "Xyzzyville", "countryCode": "US"}
    for mask, location in (
        ("", {"address": TOWSON}),
        ("tasks", {"address": TOWSON}),
        ("address", {"coordinates": SOUTH}),
        ("address,coordinates", {"address": TOWSON}),
        ("address", {"address": {}}),
        ("address", {"address": nowhere}),
        ("coordinates", {"coordinates": {"latitude": 91, "longitude": 0}}),
    ):
        refused = move(world, f"{route}/{side}", mask, **location)
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert world.topics() == ["ROUTE_CREATED"]


@pytest.mark.spec("decisions §7")
def test_a_route_without_an_end_is_given_one(world: World) -> None:
    route = optimized_route(world)
    tasks = world.client.send("PUT", f"/routes/{route}/end/tasks", json=[{"title": "t"}])
    assert (tasks.status_code, tasks.json()["code"]) == (400, 9)
    ended = move(world, f"{route}/end", "coordinates", coordinates=SOUTH).json()
    assert ended["end"]["coordinates"] == SOUTH
    assert "address" not in ended["end"]
    assert ended["end"]["distanceMeters"] > 0
    assert ended["end"]["plannedArrival"] > ended["stops"][-1]["plannedArrival"]


@pytest.mark.spec("Routes")
@pytest.mark.parametrize("side", ["start", "end"])
def test_tasks_of_a_start_or_an_end_are_replaced_by_new_ones(world: World, side: str) -> None:
    route = create_route(world, end=START)
    path = f"/routes/{route}/{side}/tasks"
    task = {"title": "t", "type": "CHECKBOXES", "items": [{"title": "i"}]}
    first = world.client.send("PUT", path, json=[task]).json()[side]["tasks"]
    again = world.client.send("PUT", path, json=first).json()[side]["tasks"]
    assert [one["title"] for one in again] == ["t"]
    assert again[0]["id"] != first[0]["id"]
    assert again[0]["items"][0]["id"] != first[0]["items"][0]["id"]
    assert world.client.send("PUT", path, json=[{}] * 101).json()["code"] == 3
    assert world.client.send("PUT", path, json=[]).json()[side]["tasks"] == []
    assert world.client.get(f"/routes/{route}").json()[side]["tasks"] == []


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("is_archived", [False, True])
def test_a_deleted_route_is_gone_and_told_as_it_was(world: World, *, is_archived: bool) -> None:
    route = create_route(world)
    add(world, route, import_line(world, 1))
    if is_archived:
        world.client.post(f"/routes/{route}/archive")
    last = world.client.get(f"/routes/{route}")
    deleted = world.client.send("DELETE", f"/routes/{route}")
    assert (deleted.status_code, deleted.json()) == (200, {})
    assert world.client.get(f"/routes/{route}").status_code == 404
    assert world.client.send("DELETE", f"/routes/{route}").json()["code"] == 5
    assert world.count("route_stop_origins") == 0
    assert world.payload("ROUTE_DELETED") == last.text


@pytest.mark.spec("decisions §2")
def test_an_unknown_route_is_not_found_before_its_address_is_looked_for(world: World) -> None:
    nowhere = {"city": "Xyzzyville", "countryCode": "US"}
    assert move(world, f"{UNKNOWN_ROUTE}/start", "address", address=nowhere).status_code == 404


@pytest.mark.both_databases
@pytest.mark.spec("decisions §4")
def test_changes_at_the_same_moment_are_all_kept(world: World) -> None:
    route = create_route(world)
    stops = [stop["id"] for stop in add(world, route, import_line(world, 1, 2, 3)).json()["stops"]]
    options = {"note": "n", "tags": ["t"], "name": "North", "maxStops": 9, "avoidTolls": True}

    def change(name: str) -> Any:
        return patch(world, route, name, **{name: options[name]})

    def remove(stop: str) -> Any:
        return world.client.send("DELETE", f"/routes/{route}/stops/{stop}")

    with ThreadPoolExecutor(8) as callers:
        answers = [*callers.map(change, options), *callers.map(remove, stops)]
    assert {answer.status_code for answer in answers} == {200}
    after = world.client.get(f"/routes/{route}").json()
    assert {name: after[name] for name in options} == options
    assert after["stops"] == []
    assert world.topics().count("ROUTE_UPDATED") == 1 + len(options) + len(stops)
