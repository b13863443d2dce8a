"""Valhalla over HTTP, on the operator's server.

Valhalla refuses a whole request for one point without a road, so `/locate` finds these points
first, and only the others go into the table. A table that is refused even then is requested in
parts. Tolls are avoided by preference (`use_tolls` 0), which never makes a stop unreachable.
Valhalla's own limits are small: 2,500 pairs a table, 400 km between two points, 20 waypoints a
route.
"""

import math
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.kit.http import (
    BadStatus,
    HttpClient,
    HttpFailure,
    OutgoingRequest,
    TimedOut,
    read_json,
)
from roundsman.roads.encoded_polyline import decode_polyline
from roundsman.roads.engine import (
    SNAP_LIMIT_METERS,
    Drive,
    EngineAway,
    EngineHung,
    NoWay,
    TooMany,
    TravelTable,
)
from roundsman.roads.network import TravelProfile
from roundsman.roads.partial_table import PartialTable, TooFar, Unconnected

_KILOMETER = 1_000
_UNCONNECTED = 170
_NO_WAY = frozenset({171, 441, 442, 443})
"""No road near a point, or no path between two."""
_TOO_FAR = 154
"""Points farther apart than the server's limit, which its message names."""
_TOO_MANY = frozenset({150, 152, 153})
"""More points than the server's limit."""
_LIMIT = re.compile(r"(\d+) meters")


class _Cell(msgspec.Struct):
    time: float | None = None
    distance: float | None = None


class _Matrix(msgspec.Struct):
    sources_to_targets: list[list[_Cell]]


class _Summary(msgspec.Struct):
    time: float
    length: float


class _ValhallaLeg(msgspec.Struct):
    summary: _Summary
    shape: str = ""


class _Trip(msgspec.Struct):
    legs: list[_ValhallaLeg]


class _ValhallaRoute(msgspec.Struct):
    trip: _Trip


class _ValhallaLocation(msgspec.Struct):
    edges: list[Any] | None = None


class _ValhallaRefusal(msgspec.Struct):
    error_code: int = 0
    error: str = ""


class ValhallaEngine:
    """An adapter to Valhalla."""

    def __init__(
        self, http: HttpClient, address: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.table_points = 50
        self.drive_points = 20
        self._http = http
        self._address = address.rstrip("/")
        self._now = now
        self._reach_meters = math.inf

    def table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        timeout_seconds: float,
        *,
        avoid_tolls: bool,
    ) -> TravelTable:
        deadline = self._now() + timeout_seconds
        placed = self._placed([*sources, *targets], timeout_seconds)
        rows = [row for row in range(len(sources)) if placed[row]]
        columns = [column for column in range(len(targets)) if placed[len(sources) + column]]
        part = PartialTable(
            sources,
            targets,
            lambda some, others: self._cells(some, others, deadline, avoid_tolls=avoid_tolls),
        )
        if rows and columns:
            self._reach_meters = part.fill(rows, columns, self._reach_meters)
        return part.table

    def drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        timeout_seconds: float,
        *,
        with_points: bool,
    ) -> Drive:
        """Return the way over all waypoints."""
        # Stopping without turning round is what Valhalla calls a break through.
        between = "break_through" if profile.avoid_u_turns else "break"
        last = len(waypoints) - 1
        locations = [
            _place(point) | {"type": between if 0 < number < last else "break"}
            for number, point in enumerate(waypoints)
        ]
        body = {
            "locations": locations,
            "directions_type": "none",
            **_costing(avoid_tolls=profile.avoid_tolls),
        }
        legs = self._request("route", body, _ValhallaRoute, timeout_seconds).trip.legs
        if len(legs) != last:
            raise EngineAway("a route has another number of legs than was asked for")
        lines = [decode_polyline(leg.shape) for leg in legs] if with_points else []
        return Drive(
            legs=tuple((leg.summary.time, leg.summary.length * _KILOMETER) for leg in legs),
            points=tuple(point for line in lines for point in line),
        )

    def close(self) -> None:
        self._http.close()

    def _cells(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        deadline: float,
        *,
        avoid_tolls: bool,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        timeout_seconds = deadline - self._now()
        if timeout_seconds <= 0:
            raise EngineHung("no whole table in time")
        body = {
            "sources": [_place(point) for point in sources],
            "targets": [_place(point) for point in targets],
            **_costing(avoid_tolls=avoid_tolls),
        }
        cells = self._request(
            "sources_to_targets", body, _Matrix, timeout_seconds
        ).sources_to_targets
        if [len(row) for row in cells] != [len(targets)] * len(sources):
            raise EngineAway("a table has another shape than was asked for")
        seconds = np.array([[cell.time for cell in row] for row in cells], np.float64)
        kilometers = np.array([[cell.distance for cell in row] for row in cells], np.float64)
        return seconds, kilometers * _KILOMETER

    def _placed(self, points: Sequence[Coordinates], timeout_seconds: float) -> list[bool]:
        """Return for each point whether a road is near it."""
        distinct = list(dict.fromkeys(points))
        body = {
            "locations": [_place(point) for point in distinct],
            "verbose": False,
            **_costing(avoid_tolls=False),
        }
        located = self._request("locate", body, list[_ValhallaLocation], timeout_seconds)
        if len(located) != len(distinct):
            raise EngineAway("another number of places than was asked for")
        placed = {point: bool(one.edges) for point, one in zip(distinct, located, strict=True)}
        return [placed[point] for point in points]

    def _request[T](self, action: str, body: object, shape: type[T], timeout_seconds: float) -> T:
        request = OutgoingRequest(url=f"{self._address}/{action}", method="POST", body=body)
        try:
            return self._http.fetch_json(request, shape, timeout_seconds)
        except BadStatus as error:
            raise _refusal(error) from error
        except TimedOut as error:
            raise EngineHung(str(error)) from error
        except HttpFailure as error:
            raise EngineAway(str(error)) from error


def _refusal(error: BadStatus) -> Exception:
    try:
        refusal = read_json(error.response, _ValhallaRefusal, "the engine")
    except HttpFailure:
        refusal = _ValhallaRefusal()
    code = refusal.error_code
    limit = _LIMIT.search(refusal.error) if code == _TOO_FAR else None
    if limit:
        return TooFar(str(code), float(limit[1]))
    if code in {_UNCONNECTED, _TOO_FAR}:
        return Unconnected(str(code))
    if code in _NO_WAY:
        return NoWay(str(code))
    if code in _TOO_MANY:
        return TooMany(str(code))
    return EngineAway(f"{error}, error {code}")


def _place(point: Coordinates) -> dict[str, object]:
    return {
        "lat": round(point.latitude, 6),
        "lon": round(point.longitude, 6),
        "search_cutoff": SNAP_LIMIT_METERS,
    }


def _costing(*, avoid_tolls: bool) -> dict[str, object]:
    costing: dict[str, object] = {"costing": "auto", "units": "kilometers"}
    if avoid_tolls:
        costing["costing_options"] = {"auto": {"use_tolls": 0}}
    return costing
