"""A simulated driver's device: it keeps a journal and sends it to the driver's door when it can.

It has what real ones have: a clock that is wrong, places without a network, answers that are lost,
after which the same batch is sent again.
"""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec

from roundsman.domain.address import Coordinates
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.time_window import TimeWindow
from roundsman.kit.clock import Clock
from roundsman.kit.durations import Duration
from roundsman.kit.ids import IdSource
from roundsman.kit.timestamps import format_timestamp
from roundsman.simulation.in_process import DoorAnswer, InProcessClient

_LOST_ANSWERS = 0.02
_OK = 200


class DoorRefused(FailedPrecondition):
    """The driver's door answered what a device does not expect: the day cannot go on."""


class SeenTask(msgspec.Struct, rename="camel"):
    """A task as the device sees it."""

    id: str


class SeenStop(msgspec.Struct, rename="camel", kw_only=True):
    """A stop as the device sees it."""

    id: str
    type: str = ""
    delivery_status: str = ""
    break_status: str = ""
    planned_coordinates: Coordinates
    duration: Duration | msgspec.UnsetType = msgspec.UNSET
    distance_meters: int = 0
    time_windows: tuple[TimeWindow, ...] = ()
    order_name: str = ""

    def is_open(self) -> bool:
        """Say whether there is something left to do."""
        if self.type == "BREAK":
            return self.break_status != "COMPLETED"
        return self.delivery_status not in {"DELIVERED", "ATTEMPTED_DELIVERY"}


class SeenEnd(msgspec.Struct, rename="camel", kw_only=True):
    """The end of a route as the device sees it."""

    coordinates: Coordinates
    distance_meters: int = 0


class SeenRoute(msgspec.Struct, rename="camel", kw_only=True):
    """A route as the device sees it; stops in driving order."""

    id: str
    name: str
    start: SeenEnd
    end: SeenEnd | msgspec.UnsetType = msgspec.UNSET
    stops: tuple[SeenStop, ...] = ()


@dataclass(kw_only=True, slots=True)
class Device:
    """One session at the driver's door."""

    client: InProcessClient
    clock: Clock
    ids: IdSource
    draw: random.Random
    token: str
    route_id: str
    clock_error: timedelta
    """What the device's clock is ahead of the true time."""

    is_offline: bool = False
    submitted: int = 0
    applied: int = 0
    """How many actions had an effect, as far as their journal says."""

    sent_twice: int = 0
    photos: int = 0
    _actions: list[dict[str, Any]] = field(default_factory=list)
    _pictures: list[tuple[str, bytes]] = field(default_factory=list)

    async def read_route(self) -> SeenRoute:
        """Return the route as it is now."""
        answer = await self._send("GET", f"/routes/{self.route_id}")
        return msgspec.json.decode(answer.body, type=SeenRoute)

    async def submit(self, kind: str, at_place: Coordinates | None = None, **details: Any) -> None:
        """Write an action into the journal, and send what waits if there is a network."""
        self.submitted += 1
        action = {
            "id": self.ids.new_uuid(),
            "kind": kind,
            "sequence": self.submitted,
            "at": self._device_time(),
            "routeId": self.route_id,
            **details,
        }
        if at_place is not None:
            action["position"] = {**_places(at_place), "accuracyMeters": 8}
        self._actions.append(action)
        await self.flush()

    def take_picture(self, picture: bytes) -> str:
        """Keep a picture to send; return the id under which an action may name it."""
        upload_id = self.ids.new_uuid()
        self._pictures.append((upload_id, picture))
        self.photos += 1
        return upload_id

    async def flush(self) -> None:
        """Send the journal and the pictures that wait."""
        if self.is_offline:
            return
        if self._actions:
            await self._send_actions()
        for upload_id, picture in self._pictures:
            await self._upload(upload_id, picture)
        self._pictures.clear()

    async def count_missing(self) -> int:
        """Return how many actions the service lacks, or keeps for something that is missing."""
        journal = msgspec.json.decode((await self._send("GET", "/journal")).body)
        return self.submitted - int(journal["lastSequence"]) + len(journal["waiting"])

    async def report_position(self, where: Coordinates) -> None:
        """Say where the device is, beside the journal."""
        if self.is_offline:
            return
        position = {"coordinates": _places(where), "accuracyMeters": 8, "at": self._device_time()}
        body = {"positions": [position], "sentAt": self._device_time()}
        await self._send("POST", "/positions", body)

    async def _send_actions(self) -> None:
        body = {"actions": self._actions, "sentAt": self._device_time()}
        answer = await self._send("POST", "/actions", body)
        if self.draw.random() < _LOST_ANSWERS:
            self.sent_twice += 1
            answer = await self._send("POST", "/actions", body)
        results = msgspec.json.decode(answer.body)["results"]
        # What waits for its picture is applied when that has come, a moment later.
        self.applied += sum(
            one["outcome"] == "APPLIED" or one["reason"] == "WAITING" for one in results
        )
        self._actions.clear()

    async def _upload(self, upload_id: str, picture: bytes) -> None:
        headers = {
            "content-type": "application/octet-stream",
            "x-content-sha256": hashlib.sha256(picture).hexdigest(),
        }
        await self._send("PUT", f"/uploads/{upload_id}", picture, headers)

    async def _send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> DoorAnswer:
        is_file = isinstance(body, bytes)
        sent = body if is_file else (b"" if body is None else msgspec.json.encode(body))
        given = {
            "authorization": f"Bearer {self.token}",
            "content-type": "application/json",
            **(headers or {}),
        }
        answer = await self.client.send(method, f"/driver/api{path}", given, sent)
        if answer.status != _OK:
            raise DoorRefused(f"{method} {path} was answered {answer.status}")
        return answer

    def _device_time(self) -> str:
        at: datetime = self.clock.now() + self.clock_error
        return format_timestamp(at)


def _places(where: Coordinates) -> dict[str, float]:
    return {"latitude": where.latitude, "longitude": where.longitude}
