"""The specification's states table, dispatch, archive, crews, and who may do what when."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    TASK,
    at,
    new_driver,
    new_route,
    new_stops,
    topics,
)
from tests.acceptance.contract.installation import Client, refusal_of

WINDOW = [{"start": {"hours": 1}}]
Change = tuple[str, str, Any]


def masked(name: str, field: str, value: Any) -> Any:
    return {name: {field: value}, "updateMask": field}


def stop_change(field: str, value: Any) -> Change:
    return "PATCH", "/stops/{stop}", masked("routeStop", field, value)


def route_change(field: str, value: Any) -> Change:
    return "PATCH", "", masked("route", field, value)


OUTDATING: dict[str, Change] = {
    "position": ("PUT", "/stops/{stop}/position", {"index": 2}),
    "position as it was": ("PUT", "/stops/{stop}/position", {"index": 0}),
    "location": (
        "PATCH",
        "/stops/{stop}/location",
        masked("location", "plannedCoordinates", at(0.5)),
    ),
    "location by address": (
        "PATCH",
        "/stops/{stop}/location",
        masked("location", "address", BALTIMORE),
    ),
    "items": ("PUT", "/stops/{stop}/items", [{"name": "Box", "quantity": 1}]),
    "windows": stop_change("timeWindows", WINDOW),
    "priority": stop_change("priority", 1),
    "duration": stop_change("duration", "60s"),
    "delivery date": stop_change("deliveryDate", {"year": 2024, "month": 7, "day": 3}),
    "start": ("PATCH", "/start/location", masked("location", "coordinates", at(-0.3))),
    "end": ("PATCH", "/end/location", masked("location", "coordinates", at(-0.3))),
    "schedule": route_change("scheduledFor", "2024-07-03T12:00:00Z"),
    "maxStops": route_change("maxStops", 10),
    "maxDuration": route_change("maxDuration", "90000s"),
    "maxItemCount": route_change("maxItemCount", 1000),
    "maxKilograms": route_change("maxKilograms", 1000),
    "avoidTolls": route_change("avoidTolls", value=True),
    "avoidUTurns": route_change("avoidUTurns", value=True),
    "speedFactor": route_change("speedFactor", 2),
}
HARMLESS: dict[str, Change] = {
    "note of a stop": stop_change("note", "x"),
    "contact": stop_change("contact", {"firstName": "Bo"}),
    "url": stop_change("orderReferenceUrl", "https://example.com/"),
    "tasks of a stop": ("PUT", "/stops/{stop}/tasks", [TASK]),
    "name": route_change("name", "x"),
    "note": route_change("note", "x"),
    "tags": route_change("tags", ["x"]),
    "tasks of the start": ("PUT", "/start/tasks", [TASK]),
    "ready": ("POST", "/ready", None),
    "dispatch": ("POST", "/dispatch", {}),
    "undispatch": ("DELETE", "/dispatch", None),
}


def optimized_route(client: Client, count: int = 3, **fields: Any) -> Any:
    route = new_route(client, *new_stops(client, count), **fields)
    assert route["optimized"] is False
    best = client.post(f"/routes/{route['id']}/reoptimize", {})
    assert best["optimized"] is True
    return best


def apply(client: Client, route: Any, change: Change) -> None:
    method, tail, body = change
    stop = route["stops"][0]["id"]
    client.ask(method, f"/routes/{route['id']}" + tail.format(stop=stop), body)


@pytest.mark.spec("States and transitions")
@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("name", OUTDATING)
def test_what_the_order_was_computed_from_outdates_it(client: Client, name: str) -> None:
    route = optimized_route(client)
    apply(client, route, OUTDATING[name])
    path = f"/routes/{route['id']}"
    assert client.get(path)["optimized"] is False
    assert client.post(f"{path}/reoptimize", {"ignoreRoutingConstraints": True})["optimized"]


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("name", HARMLESS)
def test_other_changes_leave_the_order_optimized(client: Client, name: str) -> None:
    route = optimized_route(client)
    apply(client, route, HARMLESS[name])
    assert client.get(f"/routes/{route['id']}")["optimized"] is True


@pytest.mark.spec("States and transitions")
def test_reoptimizing_an_optimized_route_changes_and_tells_nothing(client: Client) -> None:
    route = optimized_route(client)
    told = topics(client)
    assert client.post(f"/routes/{route['id']}/reoptimize", {}) == {**route, "moved": 0}
    assert topics(client) == told


@pytest.mark.spec("States and transitions")
@pytest.mark.spec("decisions §7")
def test_appended_stops_leave_the_flag_and_can_still_be_optimized(client: Client) -> None:
    far = client.post("/stops/imports", [{"coordinates": at(n)} for n in (0.1, 0.3)])["stops"]
    near = client.post("/stops/imports", [{"coordinates": at(0.2)}])["stops"]
    route = new_route(client, *far)
    path = f"/routes/{route['id']}"
    client.post(f"{path}/reoptimize", {})
    added = client.post(f"{path}/stops", [{"importedStopId": near[0]["id"]}])
    assert added["optimized"] is True
    assert added["stops"][-1]["importedStopId"] == near[0]["id"]
    best = client.post(f"{path}/reoptimize", {})
    assert best["optimized"] is True
    assert best["stops"][1]["importedStopId"] == near[0]["id"]
    assert best["totalDistanceMeters"] < added["totalDistanceMeters"]
    unoptimized = new_route(client, far[0])
    again = client.post(f"/routes/{unoptimized['id']}/stops", [{"importedStopId": near[0]["id"]}])
    assert again["optimized"] is False


@pytest.mark.spec("States and transitions")
def test_added_orders_leave_the_flag_too(client: Client) -> None:
    route = optimized_route(client)
    client.put("/store-orders/1", {"name": "#1", "address": BALTIMORE})
    added = client.post(f"/routes/{route['id']}/store-orders", [{"storeOrderId": "1"}])
    assert added["optimized"] is True
    assert added["stops"][-1]["storeOrderId"] == "1"


@pytest.mark.spec("decisions §12")
def test_an_empty_route_reoptimizes_to_optimized(client: Client) -> None:
    route = new_route(client)
    assert client.post(f"/routes/{route['id']}/reoptimize", {})["optimized"] is True


REFUSED_WHEN_ARCHIVED: list[Change] = [
    *(change for name, change in OUTDATING.items() if name != "position as it was"),
    *(change for name, change in HARMLESS.items() if name != "undispatch"),
    ("POST", "/stops", [{"importedStopId": "{other}"}]),
    ("DELETE", "/stops/{stop}", None),
    ("PUT", "/vehicle", {"vehicleId": "{vehicle}"}),
    ("PUT", "/driver", {"driverId": "{driver}"}),
    ("POST", "/store-orders", [{"storeOrderId": "1"}]),
    ("POST", "/reoptimize", {}),
    ("PUT", "/end/tasks", [TASK]),
]


@pytest.mark.spec("States and transitions")
@pytest.mark.spec("decisions §12")
def test_an_archived_route_refuses_every_change(client: Client) -> None:
    route = new_route(client, *new_stops(client, 3), end={"coordinates": at(0.4)})
    names = {
        "other": new_stops(client, 1)[0]["id"],
        "vehicle": client.post("/vehicles", {"name": "Van"})["id"],
        "driver": new_driver(client)["id"],
    }
    client.put("/store-orders/1", {"name": "#1", "address": BALTIMORE})
    path = f"/routes/{route['id']}"
    client.post(f"{path}/dispatch", {})
    told = len(topics(client))
    archived = client.post(f"{path}/archive")
    assert archived["archivedAt"].endswith("Z")
    assert "dispatchedUntil" not in archived
    assert topics(client, told) == ["ROUTE_UPDATED"]
    for method, tail, body in REFUSED_WHEN_ARCHIVED:
        target = path + tail.format(stop=route["stops"][0]["id"])
        sent = None if body is None else named(body, names)
        request = {} if sent is None else {"json": sent}
        answer = client.send(method, target, **request)
        assert answer.status_code == 400, (method, tail, body)
        assert refusal_of(answer).short == (400, 9), (method, tail)
    assert client.get(path) == archived
    assert client.delete(f"{path}/dispatch") == archived
    assert client.post(f"{path}/archive") == archived
    back = client.delete(f"{path}/archive")
    assert "archivedAt" not in back
    client.post(f"{path}/archive")
    assert client.delete(path) == {}
    assert client.refused("GET", path).short == (404, 5)


def named(body: Any, names: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: named(value, names) for key, value in body.items()}
    if isinstance(body, list):
        return [named(value, names) for value in body]
    return names.get(body.strip("{}"), body) if isinstance(body, str) else body


@pytest.mark.spec("decisions §8")
@pytest.mark.spec("decisions §9")
def test_ready_moves_every_stop_and_tells_of_each(client: Client) -> None:
    route = new_route(client, *new_stops(client, 3))
    assert {stop["deliveryStatus"] for stop in route["stops"]} == {"UNKNOWN"}
    told = len(topics(client))
    ready = client.post(f"/routes/{route['id']}/ready")
    assert {stop["deliveryStatus"] for stop in ready["stops"]} == {"READY_FOR_DELIVERY"}
    events = client.get("/events")["events"][told:]
    assert [event["topic"] for event in events] == ["STOP_STATUS_UPDATED"] * 3
    assert {event["objectId"] for event in events} == {stop["id"] for stop in route["stops"]}
    assert all(event["payload"] == ready for event in events)
    assert client.post(f"/routes/{route['id']}/ready") == ready
    assert len(topics(client)) == told + 3


Step = Callable[[Client, str, Any], Any]
TOLD: list[tuple[str, str, Any, list[str]]] = [
    ("PATCH", "", masked("route", "note", "new"), ["ROUTE_UPDATED"]),
    ("POST", "/stops", [{"importedStopId": "{other}"}], ["ROUTE_UPDATED"]),
    ("DELETE", "/stops/{stop}", None, ["ROUTE_UPDATED"]),
    ("PUT", "/stops/{stop}/position", {"index": 1}, ["ROUTE_UPDATED"]),
    ("PATCH", "/stops/{stop}", masked("routeStop", "note", "new"), ["ROUTE_UPDATED"]),
    ("PUT", "/stops/{stop}/items", [{"name": "a"}], ["ROUTE_UPDATED"]),
    ("PUT", "/stops/{stop}/tasks", [TASK], ["ROUTE_UPDATED"]),
    ("POST", "/reoptimize", {}, ["ROUTE_UPDATED"]),
    ("PUT", "/vehicle", {"vehicleId": "{vehicle}"}, ["ROUTE_UPDATED"]),
    ("PUT", "/driver", {"driverId": "{driver}"}, ["ROUTE_UPDATED"]),
    ("PATCH", "/start/location", masked("location", "coordinates", at(1)), ["ROUTE_UPDATED"]),
    ("PATCH", "/end/location", masked("location", "coordinates", at(1)), ["ROUTE_UPDATED"]),
    ("PUT", "/start/tasks", [TASK], ["ROUTE_UPDATED"]),
    ("POST", "/archive", None, ["ROUTE_UPDATED"]),
    ("POST", "/dispatch", {}, ["ROUTE_DISPATCHED"]),
    ("DELETE", "", None, ["ROUTE_DELETED"]),
    ("PATCH", "", masked("route", "note", ""), []),
    ("DELETE", "/dispatch", None, []),
    ("DELETE", "/vehicle", None, []),
    ("DELETE", "/driver", None, []),
]


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(("method", "tail", "body", "expected"), TOLD)
def test_each_planners_change_is_told_once(
    client: Client, method: str, tail: str, body: Any, expected: list[str]
) -> None:
    route = new_route(client, *new_stops(client, 3))
    names = {
        "other": new_stops(client, 1)[0]["id"],
        "vehicle": client.post("/vehicles", {"name": "Van"})["id"],
        "driver": new_driver(client)["id"],
    }
    told = len(topics(client))
    path = f"/routes/{route['id']}"
    sent = None if body is None else named(body, names)
    client.ask(method, path + tail.format(stop=route["stops"][0]["id"]), sent)
    events = client.get("/events")["events"][told:]
    assert [event["topic"] for event in events] == expected
    if expected:
        assert events[0]["objectId"] == route["id"]
    if expected and expected != ["ROUTE_DELETED"]:
        assert events[0]["payload"] == client.get(path)


@pytest.mark.spec("decisions §9")
@pytest.mark.spec("decisions §12")
def test_a_drivers_life_is_told(client: Client) -> None:
    driver = new_driver(client, active=False)
    path = f"/drivers/{driver['id']}"
    assert topics(client) == []
    client.post(f"{path}/activate")
    client.post(f"{path}/activate")
    client.patch(path, masked("driver", "lastName", "Lee"))
    client.post(f"{path}/deactivate")
    client.post(f"{path}/archive")
    assert client.get(path)["status"] == "ARCHIVED"
    told = ["DRIVER_ACTIVATED", "DRIVER_UPDATED", "DRIVER_DEACTIVATED", "DRIVER_ARCHIVED"]
    assert topics(client) == told
    (last,) = client.get("/events", topic="DRIVER_ARCHIVED")["events"]
    assert last["objectId"] == driver["id"]
    assert last["payload"]["status"] == "ARCHIVED"


@pytest.mark.spec("decisions §7")
def test_reordering_tells_only_what_changed(client: Client) -> None:
    route = new_route(client, *new_stops(client, 2))
    told = topics(client)
    path = f"/routes/{route['id']}/stops/{route['stops'][0]['id']}/position"
    same = client.put(path, {"index": 0})
    assert same["optimized"] is False
    assert topics(client) == told
    assert datetime.now(UTC) > datetime.fromisoformat(same["updatedAt"])  # noqa: TID251 -- as a user's clock sees it
