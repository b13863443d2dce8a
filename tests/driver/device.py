"""A driver's device: signs up by an invite, keeps a journal, sends it."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.api.conftest import World
from tests.api.test_drivers import DANA
from tests.api.test_routes import add, create_route, import_line
from tests.support.in_process import InProcessClient

from roundsman.endpoints.application import Application

type Json = Any


def browser(door: Application, address: str = "203.0.113.9") -> InProcessClient:
    return InProcessClient(
        door,
        base_url="https://roundsman.test",
        address=address,
    )


@dataclass
class Device:
    """One signed-in device and its journal."""

    http: InProcessClient
    world: World
    driver_id: str
    session_id: str
    headers: dict[str, str]
    told: int = 0
    route_id: str = ""
    names: int = field(default=0)

    def action(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Write the next entry of the journal; what is given replaces what it would be."""
        self.told += 1
        base = {
            "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.session_id}/{self.told}")),
            "kind": kind,
            "sequence": self.told,
            "at": stamp(self.world.clock.now()),
            "routeId": self.route_id,
        }
        return {name: value for name, value in {**base, **fields}.items() if value is not None}

    def send(self, *actions: Mapping[str, Any]) -> Any:
        return self.http.post(
            "/driver/api/actions", json={"actions": list(actions)}, headers=self.headers
        )

    def results(self, *actions: Mapping[str, Any]) -> list[Json]:
        response = self.send(*actions)
        assert response.status_code == 200, response.text
        return list(response.json()["results"])

    def act(self, kind: str, **fields: Any) -> Json:
        (result,) = self.results(self.action(kind, **fields))
        return result

    def done(self, kind: str, **fields: Any) -> None:
        result = self.act(kind, **fields)
        assert result["outcome"] == "APPLIED", result

    def get(self, path: str) -> Any:
        return self.http.get(f"/driver/api{path}", headers=self.headers)

    def post(self, path: str, body: Any = None) -> Any:
        return self.http.post(f"/driver/api{path}", json=body, headers=self.headers)

    def delete(self, path: str) -> Any:
        return self.http.delete(f"/driver/api{path}", headers=self.headers)

    def upload(self, id_: str, data: bytes, **headers: str) -> Any:
        sha256 = {"X-Content-SHA256": hashlib.sha256(data).hexdigest()}
        return self.http.put(
            f"/driver/api/uploads/{id_}",
            content=data,
            headers={**self.headers, **sha256, **headers},
        )

    def route(self) -> Json:
        response = self.get(f"/routes/{self.route_id}")
        assert response.status_code == 200, response.text
        return response.json()


def stamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def invite(world: World, **fields: Any) -> tuple[str, str]:
    """Invite a driver; return the id and the token of the link."""
    answer = world.client.post("/drivers", {**DANA, **fields}).json()
    return answer["driver"]["id"], answer["inviteUrl"].rpartition("/")[2]


def sign_up(world: World, door: Application, **fields: Any) -> Device:
    _, token = invite(world, **fields)
    return accept(world, door, token)


def accept(world: World, door: Application, token: str, device: str = "phone") -> Device:
    http = browser(door)
    response = http.post(f"/driver/api/invites/{token}", json={"device": device})
    assert response.status_code == 200, response.text
    answer = response.json()
    return Device(
        http=http,
        world=world,
        driver_id=answer["driver"]["id"],
        session_id=answer["session"]["id"],
        headers={
            "Authorization": f"Bearer {answer['token']}",
            "User-Agent": "Roundsman/1 (test)",
        },
    )


TASKS = [
    {"title": "Seal", "type": "TEXT_INPUT", "requiredToMarkStopAsDelivered": True},
    {"title": "Checks", "type": "CHECKBOXES", "items": [{"title": "cold"}, {"title": "dry"}]},
]


def dispatch(world: World, device: Device | None, stops: int = 2, **fields: Any) -> str:
    """Dispatch a route of so many stops, to the device's driver or to whoever claims it."""
    driver = {} if device is None else {"driverId": device.driver_id}
    route = create_route(world, scheduledFor="2024-07-01T06:30:00Z", **driver, **fields)
    add(world, route, import_line(world, *range(1, stops + 1)))
    response = world.client.post(f"/routes/{route}/dispatch", {})
    assert response.status_code == 200, response.text
    if device is not None:
        device.route_id = route
    return route


def start_route(world: World, device: Device, stops: Sequence[Json], **fields: Any) -> list[str]:
    """Import stops, have the device's driver begin a route of them; return the ids of its stops."""
    imported = world.client.post("/stops/imports", list(stops)).json()["stops"]
    device.route_id = create_route(
        world, scheduledFor="2024-07-01T06:30:00Z", driverId=device.driver_id, **fields
    )
    path = f"/routes/{device.route_id}"
    added = [{"importedStopId": one["id"]} for one in imported]
    assert world.client.post(f"{path}/stops", added).status_code == 200
    assert world.client.post(f"{path}/dispatch", {}).status_code == 200
    world.clock.advance(seconds=30)
    device.done("ROUTE_STARTED")
    return [stop["id"] for stop in device.route()["stops"]]


def events(world: World) -> list[Json]:
    """All events, page by page."""
    found: list[Json] = []
    page = world.client.get("/events?query.limit=200").json()
    found += page["events"]
    while page["nextCursor"]:
        page = world.client.get(f"/events?cursor={page['nextCursor']}").json()
        found += page["events"]
    return found


@dataclass
class Listener:
    """Hears what is told after it began, and after it was last asked."""

    world: World
    _heard: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.fresh()

    def fresh(self) -> list[Json]:
        new = [event for event in events(self.world) if event["eventId"] not in self._heard]
        self._heard |= {event["eventId"] for event in new}
        return new

    def topics(self) -> list[tuple[str, str]]:
        return sorted((event["topic"], event["objectId"]) for event in self.fresh())
