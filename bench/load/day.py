"""A day of an organization as the requests it makes, one after the other.

Import, route, optimize, assign, dispatch; then the driver delivers stop after stop while a planner
looks on. A day yields what to send and is sent the answer, so that it knows nothing of HTTP.
"""

import random
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from roundsman.kit.clock import SystemClock
from roundsman.kit.ids import RandomIds

STOPS = 20
_TOGETHER = 2
"""Deliveries that a driver's device sends in one batch."""

_AROUND = {"latitude": 39.29, "longitude": -76.61}
_ids = RandomIds()
_clock = SystemClock()


@dataclass(frozen=True, kw_only=True)
class Step:
    """A request to make; `door` says at which of the two doors."""

    name: str
    method: str
    path: str
    body: Any = None
    door: str = "api"

    @property
    def changes(self) -> bool:
        """Say whether it carries an idempotency key."""
        return self.method != "GET" and self.door == "api"


@dataclass(kw_only=True)
class Organization:
    """Who has the day: what it signed in with, its driver and vehicle."""

    token: str
    driver_token: str
    driver_id: str
    vehicle_id: str
    draw: random.Random
    told: int = 0
    """Actions that the driver's device has told in all, which number them."""

    routes: list[str] = field(default_factory=list)


type Day = Generator[Step, Any, None]


def play_days(who: Organization) -> Day:
    """Have one day after the other."""
    while True:
        route = yield from _plan(who)
        yield from _drive(who, route)
        yield from _look_back(who, route)


def _plan(who: Organization) -> Generator[Step, Any, Any]:
    drafts = [_draw_stop(who.draw) for _ in range(STOPS)]
    imported = yield _post("import of 20 stops", "/stops/imports", drafts)
    start = {"coordinates": _AROUND, "tasks": []}
    made = yield _post("create route", "/routes", {"start": start, "driverId": who.driver_id})
    path = f"/routes/{made['id']}"
    chosen = [{"importedStopId": stop["id"]} for stop in imported["stops"]]
    yield _post("add 20 stops", f"{path}/stops", chosen)
    yield _get("get route", path)
    yield _post("reoptimize 20 stops", f"{path}/reoptimize", {})
    body = {"vehicleId": who.vehicle_id}
    yield Step(name="assign vehicle", method="PUT", path=f"{path}/vehicle", body=body)
    return (yield _post("dispatch", f"{path}/dispatch", {}))


def _drive(who: Organization, route: Any) -> Day:
    yield Step(name="driver: routes", method="GET", path="/routes", door="driver")
    yield _tell([_action(who, route, "ROUTE_STARTED")])
    stops = route["stops"]
    for first in range(0, STOPS, _TOGETHER):
        together = [
            _action(who, route, "STOP_DELIVERED", stop) for stop in stops[first : first + _TOGETHER]
        ]
        yield _tell(together)
        yield _get("get route", f"/routes/{route['id']}")


def _look_back(who: Organization, route: Any) -> Day:
    yield _get("list routes", "/routes?query.limit=5")
    yield _get("list imported stops", "/stops/imports?query.limit=50&query.sortKey=CREATED_AT")
    yield _get("get vehicle", f"/vehicles/{who.vehicle_id}")
    yield _get("list events", "/events?query.limit=20")
    who.routes.append(route["id"])
    if len(who.routes) > 1:
        yield _post("archive", f"/routes/{who.routes.pop(0)}/archive", None)


def _draw_stop(draw: random.Random) -> dict[str, Any]:
    return {
        "clientStopId": _ids.new_uuid(),
        "coordinates": {
            "latitude": _AROUND["latitude"] + draw.uniform(-0.2, 0.2),
            "longitude": _AROUND["longitude"] + draw.uniform(-0.2, 0.2),
        },
        "items": [{"name": "Box", "quantity": 1, "grams": 700}],
        "duration": "120s",
    }


def _action(who: Organization, route: Any, kind: str, stop: Any = None) -> dict[str, Any]:
    who.told += 1
    action = {
        "id": _ids.new_uuid(),
        "kind": kind,
        "sequence": who.told,
        "at": _clock.now().isoformat(),
        "routeId": route["id"],
    }
    if stop is None:
        return action
    return {**action, "stopId": stop["id"], "position": stop["plannedCoordinates"]}


def _tell(actions: list[dict[str, Any]]) -> Step:
    return Step(
        name="driver: actions",
        method="POST",
        path="/actions",
        body={"actions": actions},
        door="driver",
    )


def _get(name: str, path: str) -> Step:
    return Step(name=name, method="GET", path=path)


def _post(name: str, path: str, body: Any) -> Step:
    return Step(name=name, method="POST", path=path, body=body)
