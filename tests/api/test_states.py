"""The specification's table of states and transitions, row by row, and what refuses to move."""

from typing import Any

import pytest
from tests.api.busy_route import CHANGING, ELSEWHERE, BusyRoute, busy_route
from tests.api.conftest import World
from tests.api.test_routes import add, import_line

from roundsman.endpoints.operation import Operation


@pytest.fixture
def busy(world: World) -> BusyRoute:
    return busy_route(world)


@pytest.mark.spec("States and transitions")
def test_optimized_and_reoptimized_is_a_no_op_that_returns_the_route(busy: BusyRoute) -> None:
    route = busy.reoptimized()
    events = busy.world.count("events")
    assert busy.post("/reoptimize", {}).json() == {**route, "moved": 0}
    assert busy.world.count("events") == events


@pytest.mark.spec("States and transitions")
def test_not_optimized_and_reoptimized_is_ordered_and_optimized(busy: BusyRoute) -> None:
    far, near = busy.stops
    assert busy.read()["optimized"] is False
    route = busy.reoptimized()
    assert [stop["id"] for stop in route["stops"]] == [near, far]
    assert busy.read() == route


@pytest.mark.spec("States and transitions")
@pytest.mark.parametrize("index", [0, 1])
def test_optimized_and_reordered_is_not_optimized_even_in_place(
    busy: BusyRoute, index: int
) -> None:
    before = busy.reoptimized()
    first, second = busy.stops
    route = busy.put(f"/stops/{first}/position", {"index": index}).json()
    assert [stop["id"] for stop in route["stops"]] == ([first, second], [second, first])[index]
    assert route["optimized"] is False
    is_longer = route["totalDistanceMeters"] > before["totalDistanceMeters"]
    arrivals = [stop["plannedArrival"] for stop in route["stops"]]
    assert arrivals == sorted(arrivals)
    assert is_longer is (index == 1)
    assert busy.world.topics().count("ROUTE_UPDATED") == 3


@pytest.mark.spec("States and transitions")
def test_optimized_and_a_stop_relocated_is_not_optimized(busy: BusyRoute) -> None:
    before = busy.reoptimized()
    body = {"location": {"plannedCoordinates": ELSEWHERE}, "updateMask": "plannedCoordinates"}
    busy.patch(f"/stops/{busy.stops[0]}/location", body)
    after = busy.read()
    assert after["optimized"] is False
    assert after["totalDistanceMeters"] != before["totalDistanceMeters"]
    assert after["stops"][0]["plannedArrival"] != before["stops"][0]["plannedArrival"]


@pytest.mark.spec("States and transitions")
def test_optimized_and_items_of_a_stop_replaced_is_not_optimized(busy: BusyRoute) -> None:
    busy.reoptimized()
    busy.put(f"/stops/{busy.stops[0]}/items", [{"quantity": 1, "grams": 5}])
    after = busy.read()
    assert after["optimized"] is False
    assert (after["totalItemQuantity"], after["totalItemGrams"]) == (4, "605")


@pytest.mark.spec("States and transitions")
@pytest.mark.parametrize("side", ["start", "end"])
def test_optimized_and_start_or_end_relocated_is_not_optimized(busy: BusyRoute, side: str) -> None:
    before = busy.reoptimized()
    body = {"location": {"coordinates": ELSEWHERE}, "updateMask": "coordinates"}
    after = busy.patch(f"/{side}/location", body).json()
    assert after["optimized"] is False
    assert after["totalDistanceMeters"] != before["totalDistanceMeters"]
    assert after["end"]["plannedArrival"] != before["end"]["plannedArrival"]


@pytest.mark.spec("States and transitions")
@pytest.mark.parametrize("was_optimized", [True, False])
def test_added_stops_are_appended_and_leave_the_flag(
    busy: BusyRoute, *, was_optimized: bool
) -> None:
    if was_optimized:
        busy.reoptimized()
    route = busy.post("/stops", [{"clientStopId": "spare"}]).json()
    assert [stop["id"] for stop in route["stops"][:-1]] == busy.stops
    assert route["stops"][-1]["clientStopId"] == "spare"
    assert route["optimized"] is was_optimized


@pytest.mark.spec("States and transitions")
def test_dispatched_and_undispatched_is_not_dispatched(busy: BusyRoute) -> None:
    assert "dispatchedUntil" in busy.post("/dispatch", {}).json()
    after = busy.delete("/dispatch")
    assert "dispatchedUntil" not in after.json()
    assert busy.read() == after.json()
    assert busy.world.topics().count("ROUTE_UPDATED") == 2


@pytest.mark.spec("States and transitions")
def test_undispatching_a_route_that_is_not_dispatched_is_a_no_op(busy: BusyRoute) -> None:
    before, events = busy.read(), busy.world.count("events")
    assert busy.delete("/dispatch").json() == before
    assert busy.world.count("events") == events


@pytest.mark.spec("States and transitions")
def test_a_route_is_dispatched_until_a_moment_whatever_it_was(busy: BusyRoute) -> None:
    for until in ("2024-07-08T00:00:00Z", "2024-07-09T00:00:00Z"):
        answer = busy.post("/dispatch", {"dispatchedUntil": until}).json()
        assert answer["dispatchedUntil"] == until
    assert busy.world.topics().count("ROUTE_DISPATCHED") == 2


@pytest.mark.spec("States and transitions")
def test_archived_the_route_keeps_the_moment_and_is_undispatched(busy: BusyRoute) -> None:
    busy.post("/dispatch", {})
    busy.world.clock.advance(minutes=1)
    archived = busy.post("/archive").json()
    assert archived["archivedAt"] == "2024-07-01T06:01:00Z"
    assert "dispatchedUntil" not in archived
    busy.world.clock.advance(minutes=1)
    assert busy.post("/archive").json() == archived
    assert busy.world.topics().count("ROUTE_UPDATED") == 2
    assert "archivedAt" not in busy.delete("/archive").json()
    assert busy.patch("", {"route": {}, "updateMask": "note"}).status_code == 200


FREED = {"unarchiveRoute", "deleteRoute"}
AT_REST = {"archiveRoute", "undispatchRoute", "resyncStoreOrders"}


@pytest.mark.spec("States and transitions")
@pytest.mark.parametrize("operation", CHANGING, ids=lambda operation: operation.id)
def test_archived_routes_refuse_every_change_but_unarchive_and_delete(
    busy: BusyRoute, operation: Operation
) -> None:
    before = busy.post("/archive").json()
    events = busy.world.count("events")
    answer = busy.send(operation)
    if operation.id in FREED:
        assert answer.status_code == 200
        assert busy.world.count("events") == events + 1
        return
    if operation.id in AT_REST:
        assert answer.json() == before
    else:
        assert (answer.status_code, answer.json()["code"]) == (400, 9)
        assert answer.json()["details"][0]["violations"][0]["type"] == "archived"
    assert busy.read() == before
    assert busy.world.count("events") == events


@pytest.mark.spec("decisions §12")
def test_archived_routes_answer_calls_that_change_nothing(busy: BusyRoute) -> None:
    busy.reoptimized()
    route = busy.post("/archive").json()
    stop = busy.stops[0]
    unchanged = [
        busy.patch("", {"route": route, "updateMask": "name,note,scheduledFor"}),
        busy.put("/vehicle", {"vehicleId": "veh-1"}),
        busy.put("/driver", {"driverId": "drv-1"}),
        busy.put("/start/tasks", []),
    ]
    assert busy.post("/reoptimize", {}).json() == {**route, "moved": 0}
    assert [answer.json() for answer in unchanged] == [route] * len(unchanged)
    update = {"routeStop": route["stops"][0], "updateMask": "note,priority"}
    assert busy.patch(f"/stops/{stop}", update).json() == route["stops"][0]
    assert busy.read() == route


@pytest.mark.spec("States and transitions")
def test_a_new_client_stop_id_makes_an_imported_stop_and_the_same_replaces_it(
    world: World,
) -> None:
    (first,) = import_line(world, 1, clientStopId="a")
    assert world.topics() == ["IMPORTED_STOP_CREATED"]
    (again,) = import_line(world, 2, clientStopId="a")
    assert (again, world.count("imported_stops")) == (first, 1)
    assert world.topics() == ["IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED"]


@pytest.mark.spec("States and transitions")
def test_a_stop_added_to_a_route_inherits_and_takes_defaults(world: World) -> None:
    busy = busy_route(world, defaultStopDuration="120s", stopTasks=[{"title": "route's"}])
    stops = import_line(world, 3, tasks=[{"title": "own"}], note="n", priority=2, tags=["t"])
    stops += import_line(world, 4, duration="30s")
    one, other = add(world, busy.id, stops).json()["stops"][-2:]
    assert (one["note"], one["priority"], one["tags"]) == ("n", 2, ["t"])
    assert (one["importedStopId"], one["source"]) == (stops[0], "IMPORTED_STOP")
    assert (one["duration"], other["duration"]) == ("120s", "30s")
    assert [task["title"] for task in one["tasks"]] == ["own", "route's"]


@pytest.mark.spec("decisions §8")
def test_ready_moves_each_stop_once_and_tells_of_each_with_the_route(busy: BusyRoute) -> None:
    ready = busy.post("/ready")
    statuses = {stop["deliveryStatus"] for stop in ready.json()["stops"]}
    assert statuses == {"READY_FOR_DELIVERY"}
    topics = busy.world.topics()
    assert topics.count("STOP_STATUS_UPDATED") == 2
    assert topics.count("ROUTE_UPDATED") == 1
    assert busy.world.payload("STOP_STATUS_UPDATED") == ready.text
    assert busy.post("/ready").json() == ready.json()
    assert busy.world.topics() == topics
    busy.post("/stops", [{"clientStopId": "spare"}])
    busy.post("/ready")
    assert busy.world.topics().count("STOP_STATUS_UPDATED") == 3


@pytest.mark.spec("Events")
def test_the_payload_of_ready_is_stored_once_and_each_event_names_its_stop(
    busy: BusyRoute,
) -> None:
    busy.post("/ready")
    with busy.world.tools.database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT object_id, payload_id FROM events WHERE topic = 'STOP_STATUS_UPDATED'"
        ).all()
    assert {row.object_id for row in rows} == set(busy.stops)
    assert len({row.payload_id for row in rows}) == 1


@pytest.mark.spec("decisions §7")
def test_an_unscheduled_route_loses_its_arrivals_with_its_dispatch(world: World) -> None:
    busy = busy_route(world, scheduledFor=None)
    dispatched = busy.post("/dispatch", {}).json()
    assert "plannedArrival" in dispatched["stops"][0]
    world.clock.advance(minutes=5)
    again = busy.post("/dispatch", {}).json()
    assert again["stops"] == dispatched["stops"]
    undispatched = busy.delete("/dispatch").json()
    assert "plannedArrival" not in undispatched["stops"][0]
    assert "scheduledStart" not in undispatched["start"]


REFUSED: list[tuple[str, str, Any, int, int]] = [
    ("PUT", "/stops/{stop}/position", {}, 400, 3),
    ("PUT", "/stops/{stop}/position", {"index": -1}, 400, 3),
    ("PUT", "/stops/{stop}/position", {"index": 2}, 400, 3),
    ("PUT", "/stops/{stop}/position", {"index": 1.0}, 400, 3),
    ("PUT", "/stops/{stop}/position", {"index": "1"}, 400, 3),
    ("PUT", "/stops/{stop}/position", {"place": 1}, 400, 3),
    ("PUT", "/stops/rst-nobody/position", {"index": 0}, 404, 5),
    ("PUT", "/order", {}, 400, 3),
    ("PUT", "/order", {"stopIds": []}, 400, 3),
    ("PUT", "/order", {"stopIds": ["rst-nobody"]}, 400, 3),
    ("PUT", "/order", {"stopIds": [5]}, 400, 3),
    ("PUT", "/order", {"stopIds": "rst-nobody"}, 400, 3),
    ("DELETE", "/stops/rst-nobody", None, 404, 5),
    ("DELETE", "/stops/{stop},rst-nobody", None, 404, 5),
    ("DELETE", "/stops/{stop},", None, 404, 5),
    ("GET", "/stops/rst-nobody", None, 404, 5),
    ("PUT", "/vehicle", {}, 400, 3),
    ("PUT", "/vehicle", {"vehicleId": ""}, 400, 3),
    ("PUT", "/vehicle", {"vehicleId": "veh-nobody"}, 404, 5),
    ("PUT", "/driver", {"driverId": 5}, 400, 3),
    ("PUT", "/driver", {"driverId": "drv-nobody"}, 404, 5),
    ("PUT", "/start/tasks", {}, 400, 3),
    ("PUT", "/start/tasks", [{"titel": "t"}], 400, 3),
    ("PUT", "/stops/{stop}/items", [{}] * 251, 400, 3),
    ("PUT", "/stops/{stop}/items", [{"quantity": 100_001}], 400, 3),
    ("PUT", "/stops/{stop}/items", [{"grams": -1}], 400, 3),
    ("PUT", "/stops/{stop}/items", [{"name": "x" * 1501}], 400, 3),
    ("PUT", "/stops/{stop}/tasks", [{}] * 101, 400, 3),
    ("POST", "/dispatch", {"dispatchedUntil": "tomorrow"}, 400, 3),
]


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"), REFUSED, ids=lambda value: str(value)[:40]
)
def test_what_is_refused_changes_nothing(
    busy: BusyRoute, method: str, path: str, body: Any, status: int, code: int
) -> None:
    before, events = busy.read(), busy.world.count("events")
    options = {} if body is None else {"json": body}
    address = f"/routes/{busy.id}{path.format(stop=busy.stops[0])}"
    response = busy.world.client.send(method, address, **options)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert busy.read() == before
    assert busy.world.count("events") == events


@pytest.mark.spec("decisions §7")
def test_removed_stops_are_gone_and_the_rest_is_not_optimized(busy: BusyRoute) -> None:
    busy.post("/stops", [{"clientStopId": "spare"}])
    before = busy.reoptimized()
    first, second, third = busy.stops
    route = busy.delete(f"/stops/{first},{third}").json()
    assert [stop["id"] for stop in route["stops"]] == [second]
    assert route["optimized"] is False
    assert route["totalDistanceMeters"] < before["totalDistanceMeters"]
    assert busy.world.count("route_stop_origins") == 1
    assert busy.delete(f"/stops/{second}%2C{second}").json()["stops"] == []


@pytest.mark.spec("decisions §4")
@pytest.mark.parametrize("operation", CHANGING, ids=lambda operation: operation.id)
def test_every_change_of_a_route_is_replayed_by_its_key(
    busy: BusyRoute, operation: Operation
) -> None:
    key = {"Idempotency-Key": "k"}
    first = busy.send(operation, headers=key)
    events = busy.world.count("events")
    busy.world.clock.advance(minutes=1)
    again = busy.send(operation, headers=key)
    assert (first.status_code, again.content) == (200, first.content)
    assert [one.headers["Idempotency-Replayed"] for one in (first, again)] == ["false", "true"]
    assert busy.world.count("events") == events
