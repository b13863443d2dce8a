"""OSRM over HTTP, either our own child process or the operator's server.

Table and route requests are GETs, which every recent OSRM understands. OSRM snaps a point to the
nearest road however far that is, so the distance in its answer is compared with the limit here. An
answer from another map than the expected one counts as none.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.kit.http import (
    BadJson,
    HttpClient,
    HttpFailure,
    HttpResponse,
    OutgoingRequest,
    TimedOut,
    Unreachable,
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

_TOLLS = {"exclude": "toll"}
_NO_WAY = frozenset({"NoRoute", "NoSegment", "NoTable", "InvalidValue"})
"""The last code means that the server's profile cannot exclude tolls; the retry allows them."""


class _Waypoint(msgspec.Struct):
    distance: float = 0.0


class _Table(msgspec.Struct):
    durations: list[list[float | None]]
    distances: list[list[float | None]]
    sources: list[_Waypoint]
    destinations: list[_Waypoint]
    data_version: str = ""


class _OsrmLeg(msgspec.Struct):
    duration: float
    distance: float


class _OsrmRoute(msgspec.Struct):
    legs: list[_OsrmLeg]
    geometry: str = ""


class _Routes(msgspec.Struct):
    routes: list[_OsrmRoute]
    waypoints: list[_Waypoint]
    data_version: str = ""


class _OsrmRefusal(msgspec.Struct):
    code: str = ""


class OsrmEngine:
    """An adapter to OSRM; `locate` returns its current address, or None while it is not running."""

    def __init__(
        self,
        http: HttpClient,
        locate: Callable[[], str | None],
        *,
        version: str = "",
        table_points: int = 100,
        drive_points: int = 100,
    ) -> None:
        self.table_points = table_points
        self.drive_points = drive_points
        self._http = http
        self._locate = locate
        self._version = version

    def table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        timeout_seconds: float,
        *,
        avoid_tolls: bool,
    ) -> TravelTable:
        query = {"annotations": "duration,distance", "generate_hints": "false"}
        points = list(sources)
        if sources != targets:
            points += targets
            query["sources"] = _indexes(range(len(sources)))
            query["destinations"] = _indexes(range(len(sources), len(points)))
        if avoid_tolls:
            query |= _TOLLS
        answer = self._request("table", points, query, _Table, timeout_seconds)
        near = np.outer(_near(answer.sources), _near(answer.destinations))
        shape = (len(sources), len(targets))
        return TravelTable(
            durations=_cells(answer.durations, near, shape),
            distances=_cells(answer.distances, near, shape),
            version=answer.data_version,
        )

    def drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        timeout_seconds: float,
        *,
        with_points: bool,
    ) -> Drive:
        """Return the way over all waypoints."""
        query = {
            "overview": "full" if with_points else "false",
            "geometries": "polyline6",
            "generate_hints": "false",
            # The profile's default forbids turning round at waypoints; it is used only on request.
            "continue_straight": "true" if profile.avoid_u_turns else "false",
        }
        if profile.avoid_tolls:
            query |= _TOLLS
        answer = self._request("route", waypoints, query, _Routes, timeout_seconds)
        if not _near(answer.waypoints).all() or not answer.routes:
            raise NoWay("a waypoint is not on the map")
        route = answer.routes[0]
        if len(route.legs) != len(waypoints) - 1:
            raise EngineAway("a route has another number of legs than was asked for")
        return Drive(
            legs=tuple((leg.duration, leg.distance) for leg in route.legs),
            points=decode_polyline(route.geometry) if with_points else (),
        )

    def close(self) -> None:
        self._http.close()

    def _request[T: (_Table, _Routes)](
        self,
        kind: str,
        points: Sequence[Coordinates],
        query: dict[str, str],
        shape: type[T],
        timeout_seconds: float,
    ) -> T:
        address = self._locate()
        if address is None:
            raise EngineAway("the engine is not running")
        url = f"{address}/{kind}/v1/driving/{_coordinates(points)}"
        request = OutgoingRequest(url=url, query=query)
        try:
            response = self._exchange(request, timeout_seconds)
            if not response.is_success():
                raise _refusal(response)
            answer = read_json(response, shape, request.host())
        except TimedOut as error:
            raise EngineHung(str(error)) from error
        except HttpFailure as error:
            raise EngineAway(str(error)) from error
        if self._version and answer.data_version != self._version:
            raise EngineAway("another map answered")
        return answer

    def _exchange(self, request: OutgoingRequest, timeout_seconds: float) -> HttpResponse:
        try:
            return self._http.exchange(request, timeout_seconds)
        except Unreachable:
            # OSRM closes idle and much-used connections; one retry opens a new one.
            return self._http.exchange(request, timeout_seconds)


def _refusal(response: HttpResponse) -> Exception:
    try:
        code = read_json(response, _OsrmRefusal, "the engine").code
    except BadJson:
        code = ""
    if code in _NO_WAY:
        return NoWay(code)
    if code == "TooBig":
        return TooMany(code)
    return EngineAway(f"the engine answered {response.status} {code}".rstrip())


def _coordinates(points: Sequence[Coordinates]) -> str:
    return ";".join(f"{point.longitude:.6f},{point.latitude:.6f}" for point in points)


def _indexes(numbers: range) -> str:
    return ";".join(map(str, numbers))


def _near(waypoints: Sequence[_Waypoint]) -> NDArray[np.bool_]:
    return np.array([place.distance <= SNAP_LIMIT_METERS for place in waypoints], dtype=np.bool_)


def _cells(
    rows: list[list[float | None]], near: NDArray[np.bool_], shape: tuple[int, int]
) -> NDArray[np.float64]:
    cells = np.array(rows, dtype=np.float64)
    if cells.shape != shape or near.shape != shape:
        raise EngineAway("a table has another shape than was asked for")
    cells[~near] = np.nan
    return cells
