"""The table of events (decisions §9) as rows: what is done, by whom, under which topics it is told.

Each row sets a scene, and acts through a door as its actor does.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.api.conftest import World
from tests.api.test_routes import import_line
from tests.api.test_store_orders import push
from tests.driver.device import Device, accept, browser, dispatch, invite, sign_up
from tests.images.test_decoder_process import jpeg
from tests.support.plans import run_waiting_jobs

from roundsman.endpoints.application import Application
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelMatrix

HERE = {"latitude": 39.3, "longitude": -76.6}
NEARER = {"latitude": 39.29, "longitude": -76.6}
BOXES = {"title": "Boxes", "type": "CHECKBOXES", "items": [{"title": "one"}]}
TASKS = [{"title": "Seal", "type": "TEXT_INPUT"}, BOXES]
PLACE = {"coordinates": HERE, "tasks": [{"title": "Count", "type": "TEXT_INPUT"}]}
UPLOAD = "0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a01"
BREAKS = 'UPDATE routes SET body = replace(body, \'"type":"UNKNOWN"\', \'"type":"BREAK"\')'

type Json = Any
type SubmittedAction = list[tuple[str, str]]
"""Topics, each with the object it is about."""


@dataclass
class Day:
    """An organization in the middle of its day, with all that rows act on."""

    world: World
    door: Application
    visitors: Application
    device: Device = field(init=False)
    waiting: list[str] = field(init=False)
    """Imported stops that are on no route."""

    vehicle: str = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = import_line(self.world, 7, 8, 9)
        self.vehicle = self.call("POST", "/vehicles", {"name": "Van"})["id"]
        push(self.world, "1001")
        self.device = sign_up(self.world, self.door)

    def call(self, method: str, path: str, body: Json = None) -> Json:
        options = {} if body is None else {"json": body}
        response = self.world.client.send(method, path, **options)
        assert response.status_code == 200, response.text
        return response.json()

    def planned(self, **fields: Any) -> str:
        """Make a route that nobody drives yet, in an order that is not the best."""
        route = str(self.call("POST", "/routes", {"start": PLACE, **fields})["id"])
        stops = [{"importedStopId": id_} for id_ in import_line(self.world, 3, 1)]
        self.call("POST", f"/routes/{route}/stops", stops)
        return route

    def stops(self, route: str) -> list[str]:
        return [stop["id"] for stop in self.call("GET", f"/routes/{route}")["stops"]]

    def dispatched(self, **fields: Any) -> list[str]:
        """Hand the driver a route of two stops; return them."""
        options = {"start": PLACE, "stopTasks": TASKS, **fields}
        return self.stops(dispatch(self.world, self.device, **options))

    def on_the_road(self, **fields: Any) -> list[str]:
        stops = self.dispatched(**fields)
        self.device.done("ROUTE_STARTED")
        return stops

    def driver(self, *moves: str) -> str:
        """Invite a driver and have planners move them on."""
        id_, _ = invite(self.world)
        for move in moves:
            self.call("POST", f"/drivers/{id_}/{move}")
        return id_


type RouteChange = tuple[Callable[[], object], SubmittedAction]
"""What is done, and what must be told of it."""

type Act = Callable[[Day], RouteChange]
"""Sets the scene of a deed."""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    topics: frozenset[str]
    act: Act
    by: str


ROWS: list[Row] = []


def row(*topics: str, by: str = "developer", name: str = "") -> Callable[[Act], Act]:
    """Put an act into the table."""

    def add(act: Act) -> Act:
        ROWS.append(Row(name or act.__name__, frozenset(topics), act, by))
        return act

    return add


def call(name: str, topic: str, method: str, path: str, body: Json = None) -> None:
    """Put a call on an imported stop, a planned route or its first stop into the table."""

    def act(day: Day) -> RouteChange:
        named = {"imported": day.waiting[0], "vehicle": day.vehicle, "driver": day.driver()}
        if "{route}" in path:
            named["route"] = day.planned()
            named["stop"] = day.stops(named["route"])[0]
        about = named["imported" if topic.startswith("IMPORTED") else "route"]
        sent, address = json.loads(_filled(json.dumps(body), named)), _filled(path, named)
        return lambda: day.call(method, address, sent), [(topic, about)]

    row(topic, name=name)(act)


def _filled(text: str, named: dict[str, str]) -> str:
    for name, value in named.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def relocated(where: dict[str, float], name: str = "coordinates") -> Json:
    return {"location": {name: where}, "updateMask": name}


@row("IMPORTED_STOP_CREATED")
def stops_are_imported(day: Day) -> RouteChange:
    told: SubmittedAction = []

    def act() -> None:
        told.extend(("IMPORTED_STOP_CREATED", id_) for id_ in import_line(day.world, 1, 2))

    return act, told


@row("IMPORTED_STOP_UPDATED")
def a_stop_is_imported_again(day: Day) -> RouteChange:
    (stop,) = import_line(day.world, 1, clientStopId="a")
    return lambda: import_line(day.world, 2, clientStopId="a"), [("IMPORTED_STOP_UPDATED", stop)]


_IMPORTED = "/stops/imports/{imported}"
_NOTED = {"importedStop": {"note": "n"}, "updateMask": "note"}
for _name, *_call in (
    ("imported_fields", "PATCH", _IMPORTED, _NOTED),
    ("imported_location", "PATCH", f"{_IMPORTED}/location", relocated(HERE)),
    ("imported_items", "PUT", f"{_IMPORTED}/items", [{"name": "Box"}]),
    ("imported_tasks", "PUT", f"{_IMPORTED}/tasks", TASKS),
):
    call(_name, "IMPORTED_STOP_UPDATED", *_call)
call("imported_deleted", "IMPORTED_STOP_DELETED", "DELETE", _IMPORTED)


class _RoadsThatBreak(EstimatedRoads):
    """Travel times that do not fit into memory."""

    def matrix(self, *_given: object) -> TravelMatrix:
        raise MemoryError


def _ask_for_plan(day: Day) -> str:
    (stop,) = day.call("POST", "/stops/imports", [{"coordinates": HERE}])["stops"]
    stops = [{"importedStopId": stop["id"]}]
    vehicles = [{"id": "van", "start": {"coordinates": PLACE["coordinates"]}}]
    body = {"stops": stops, "vehicles": vehicles, "options": {"effort": "QUICK"}}
    return str(day.call("POST", "/plans", body)["id"])


@row("PLAN_COMPLETED")
def a_plan_is_found(day: Day) -> RouteChange:
    id_ = _ask_for_plan(day)
    return lambda: run_waiting_jobs(day.world.tools), [("PLAN_COMPLETED", id_)]


@row("PLAN_FAILED")
def a_plan_fails(day: Day) -> RouteChange:
    id_ = _ask_for_plan(day)
    tools = replace(day.world.tools, roads=_RoadsThatBreak())
    return lambda: run_waiting_jobs(tools), [("PLAN_FAILED", id_)]


@row("ROUTE_CREATED", "PLAN_APPLIED")
def a_plan_is_applied(day: Day) -> RouteChange:
    id_ = _ask_for_plan(day)
    run_waiting_jobs(day.world.tools)
    told: SubmittedAction = [("PLAN_APPLIED", id_)]

    def act() -> None:
        (route,) = day.call("POST", f"/plans/{id_}/apply")["routes"]
        told.append(("ROUTE_CREATED", route["id"]))

    return act, told


@row("ROUTE_CREATED")
def a_route_is_created(day: Day) -> RouteChange:
    told: SubmittedAction = []

    def act() -> None:
        told.append(("ROUTE_CREATED", day.call("POST", "/routes", {"start": PLACE})["id"]))

    return act, told


_ROUTE = "/routes/{route}"
_STOP = f"{_ROUTE}/stops/{{stop}}"
_EDITED = {"routeStop": {"note": "n"}, "updateMask": "note"}
for _name, *_call in (
    ("route_fields", "PATCH", _ROUTE, {"route": {"note": "n"}, "updateMask": "note"}),
    ("stops_added", "POST", f"{_ROUTE}/stops", [{"importedStopId": "{imported}"}]),
    ("orders_added", "POST", f"{_ROUTE}/store-orders", [{"storeOrderId": "1001"}]),
    ("stop_removed", "DELETE", _STOP),
    ("stop_moved", "PUT", f"{_STOP}/position", {"index": 1}),
    ("stop_fields", "PATCH", _STOP, _EDITED),
    ("stop_location", "PATCH", f"{_STOP}/location", relocated(HERE, "plannedCoordinates")),
    ("stop_items", "PUT", f"{_STOP}/items", [{"name": "Box"}]),
    ("stop_tasks", "PUT", f"{_STOP}/tasks", TASKS),
    ("reoptimized", "POST", f"{_ROUTE}/reoptimize", {}),
    ("vehicle_assigned", "PUT", f"{_ROUTE}/vehicle", {"vehicleId": "{vehicle}"}),
    ("driver_assigned", "PUT", f"{_ROUTE}/driver", {"driverId": "{driver}"}),
    ("start_location", "PATCH", f"{_ROUTE}/start/location", relocated(NEARER)),
    ("start_tasks", "PUT", f"{_ROUTE}/start/tasks", TASKS),
    ("end_location", "PATCH", f"{_ROUTE}/end/location", relocated(HERE)),
    ("archived", "POST", f"{_ROUTE}/archive"),
):
    call(_name, "ROUTE_UPDATED", *_call)
call("route_deleted", "ROUTE_DELETED", "DELETE", _ROUTE)
call("route_dispatched", "ROUTE_DISPATCHED", "POST", f"{_ROUTE}/dispatch", {})


def undo(name: str, before: Sequence[Json], *following: Json) -> None:
    """Put a call on a planned route that needs another one before it into the table."""

    def act(day: Day) -> RouteChange:
        route = day.planned(end=PLACE)
        named = {"vehicle": day.vehicle, "driver": day.driver("activate")}
        method, path, body = before
        day.call(method, f"/routes/{route}{path}", json.loads(_filled(json.dumps(body), named)))
        push(day.world, "1001", orderNote="changed since")
        return (
            lambda: day.call(following[0], f"/routes/{route}{following[1]}", *following[2:]),
            [("ROUTE_UPDATED", route)],
        )

    row("ROUTE_UPDATED", name=name)(act)


_ORDERED = ("POST", "/store-orders", [{"storeOrderId": "1001"}])
_HIRED = ("PUT", "/driver", {"driverId": "{driver}"})
_BOUGHT = ("PUT", "/vehicle", {"vehicleId": "{vehicle}"})
undo("unarchived", ("POST", "/archive", None), "DELETE", "/archive")
undo("undispatched", ("POST", "/dispatch", {}), "DELETE", "/dispatch")
undo("vehicle_unassigned", _BOUGHT, "DELETE", "/vehicle")
undo("driver_unassigned", _HIRED, "DELETE", "/driver")
undo("end_tasks", _BOUGHT, "PUT", "/end/tasks", TASKS)
undo("orders_resynced", _ORDERED, "POST", "/resync-orders", {})


@row("ROUTE_DISPATCHED")
def a_route_is_dispatched_again(day: Day) -> RouteChange:
    day.dispatched()
    route = day.device.route_id
    return lambda: day.call("POST", f"/routes/{route}/dispatch", {}), [("ROUTE_DISPATCHED", route)]


@row("STOP_STATUS_UPDATED")
def a_route_is_ready(day: Day) -> RouteChange:
    route = day.planned()
    told = [("STOP_STATUS_UPDATED", stop) for stop in day.stops(route)]
    return lambda: day.call("POST", f"/routes/{route}/ready"), told


@row("ROUTE_UPDATED", by="driver")
def a_route_is_claimed(day: Day) -> RouteChange:
    route = dispatch(day.world, None)
    return lambda: day.device.post(f"/routes/{route}/claim"), [("ROUTE_UPDATED", route)]


@row("ROUTE_STARTED", "STOP_STATUS_UPDATED", by="driver")
def a_route_is_started(day: Day) -> RouteChange:
    out = [("STOP_STATUS_UPDATED", stop) for stop in day.dispatched()]
    return lambda: day.device.done("ROUTE_STARTED"), [("ROUTE_STARTED", day.device.route_id), *out]


def work_at(where: str, topic: str) -> None:
    """Put a task and a photo at the start, the end or a stop into the table."""

    def answer_task(day: Day) -> RouteChange:
        (first, _) = day.on_the_road(end=PLACE)
        route = day.device.route()
        place = route["stops"][0] if where == "stop" else route[where]
        task = {"taskId": place["tasks"][0]["id"], "value": "7"}
        about = first if where == "stop" else route["id"]
        return lambda: day.device.done("TASK_COMPLETED", **task), [(topic, about)]

    def take_photo(day: Day) -> RouteChange:
        (first, _) = day.on_the_road(end=PLACE)
        assert day.device.upload(UPLOAD, jpeg()).status_code == 200
        at = {"stopId": first} if where == "stop" else {"place": where.upper()}
        about = first if where == "stop" else day.device.route_id
        return lambda: day.device.done("PHOTO", uploadId=UPLOAD, **at), [(topic, about)]

    row(topic, by="driver", name=f"task_answered_at_{where}")(answer_task)
    row(topic, by="driver", name=f"photo_taken_at_{where}")(take_photo)


work_at("start", "ROUTE_START_STOP_UPDATED")
work_at("end", "ROUTE_END_STOP_UPDATED")
work_at("stop", "STOP_UPDATED")


@row("STOP_UPDATED", by="driver")
def a_box_is_ticked(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    boxes = day.device.route()["stops"][0]["tasks"][1]
    item = {"taskId": boxes["id"], "itemId": boxes["items"][0]["id"]}
    return lambda: day.device.done("TASK_ITEM_COMPLETED", **item), [("STOP_UPDATED", first)]


@row("STOP_UPDATED", by="driver")
def a_signature_arrives_after_its_action(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    assert day.device.act("SIGNATURE", stopId=first, uploadId=UPLOAD)["reason"] == "WAITING"
    return lambda: day.device.upload(UPLOAD, jpeg()), [("STOP_UPDATED", first)]


def proof(kind: str, **fields: str) -> None:
    def act(day: Day) -> RouteChange:
        (first, _) = day.on_the_road()
        return lambda: day.device.done(kind, stopId=first, **fields), [("STOP_UPDATED", first)]

    row("STOP_UPDATED", by="driver", name=f"proof_{kind.lower()}")(act)


proof("PROOF_NOTE", note="at the porch")
proof("BARCODE", value="4006381333931")
proof("BARCODE_ISSUE", reason="ITEM_MISSING")


def moved(stop: str) -> SubmittedAction:
    return [("STOP_STATUS_UPDATED", stop), ("STOP_UPDATED", stop)]


@row("STOP_STATUS_UPDATED", "STOP_UPDATED", by="driver")
def a_stop_is_delivered(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    return lambda: day.device.done("STOP_DELIVERED", stopId=first, position=HERE), moved(first)


@row("STOP_STATUS_UPDATED", "STOP_UPDATED", "ROUTE_COMPLETED", by="driver")
def the_last_stop_is_attempted(day: Day) -> RouteChange:
    (first, second) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first)
    return (
        lambda: day.device.done("STOP_ATTEMPTED", stopId=second, reason="NO_ACCESS"),
        [*moved(second), ("ROUTE_COMPLETED", day.device.route_id)],
    )


@row("STOP_STATUS_UPDATED", "STOP_UPDATED", by="driver")
def a_break_is_completed(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    with day.world.tools.database.writing() as tx:
        tx.exec_driver_sql(BREAKS)
    return lambda: day.device.done("BREAK_COMPLETED", stopId=first), moved(first)


@row("ROUTE_COMPLETED", by="driver")
def the_end_is_completed(day: Day) -> RouteChange:
    day.on_the_road(end=PLACE)
    return lambda: day.device.done("END_COMPLETED"), [("ROUTE_COMPLETED", day.device.route_id)]


@row("ROUTE_UPDATED", "ROUTE_COMPLETED")
def the_last_open_stop_is_removed(day: Day) -> RouteChange:
    (first, second) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first)
    route = day.device.route_id
    return (
        lambda: day.call("DELETE", f"/routes/{route}/stops/{second}"),
        [("ROUTE_UPDATED", route), ("ROUTE_COMPLETED", route)],
    )


@row("STOP_UPDATED", by="customer")
def a_delivery_is_rated(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first)
    link = day.call("GET", f"/routes/{day.device.route_id}/stops/{first}/rating-link")["url"]
    path = link.removeprefix("http://127.0.0.1:8000")
    return lambda: browser(day.visitors).post(path, json={"rating": 5}), [("STOP_UPDATED", first)]


@row("DRIVER_ADDED", by="new driver")
def a_driver_signs_up(day: Day) -> RouteChange:
    id_, token = invite(day.world)
    return lambda: accept(day.world, day.door, token), [("DRIVER_ADDED", id_)]


def driver_moves(topic: str, *moves: str, last: str) -> None:
    def act(day: Day) -> RouteChange:
        id_ = day.driver(*moves)
        return lambda: day.call("POST", f"/drivers/{id_}/{last}"), [(topic, id_)]

    row(topic, name=f"driver_{last}_after_{'_'.join(moves) or 'invite'}")(act)


driver_moves("DRIVER_ACTIVATED", last="activate")
driver_moves("DRIVER_DEACTIVATED", "activate", last="deactivate")
driver_moves("DRIVER_ACTIVATED", "activate", "deactivate", last="activate")
driver_moves("DRIVER_ARCHIVED", "activate", last="archive")


@row("DRIVER_UPDATED")
def a_profile_is_changed(day: Day) -> RouteChange:
    id_ = day.driver("activate")
    body = {"driver": {"lastName": "Other"}, "updateMask": "lastName"}
    return lambda: day.call("PATCH", f"/drivers/{id_}", body), [("DRIVER_UPDATED", id_)]


@row("TEST")
def a_webhook_is_tested(day: Day) -> RouteChange:
    body = {"url": "http://127.0.0.1:9/in", "topics": ["ROUTE_CREATED"]}
    webhook = day.call("POST", "/webhooks", body)["id"]
    return lambda: day.call("POST", f"/webhooks/{webhook}/test"), [("TEST", webhook)]


@row()
def nothing_changes(day: Day) -> RouteChange:
    (first, _) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first)
    route = f"/routes/{day.device.route_id}"
    same, pending = day.call("GET", route), day.driver()

    def act() -> None:
        day.call("PATCH", route, {"route": same, "updateMask": "name,note,tags"})
        day.call("PUT", f"{route}/driver", {"driverId": day.device.driver_id})
        day.call("DELETE", f"{route}/vehicle")
        day.call("POST", f"{route}/ready")
        day.call("POST", f"/drivers/{pending}/invite")
        day.call("POST", f"/drivers/{pending}/archive")
        day.device.done("STOP_DELIVERED", stopId=first)
        day.device.done("POSITION", position=HERE)

    return act, []
