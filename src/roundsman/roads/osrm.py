"""OSRM over HTTP: our own child process or the operator's server, one and the same.

Table and route requests as GETs, which every OSRM of the last years understands. A point is
snapped to the nearest road however far that is, so the distance that the answer tells is held
against the limit here. An answer from another map than the expected one counts as none.
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
    HttpRequest,
    HttpResponse,
    TimedOut,
    Unreachable,
    read_json,
)
from roundsman.roads.engine import (
    SNAP_LIMIT_METERS,
    Drive,
    EngineAway,
    EngineHung,
    NoWay,
    Table,
    TooMany,
)
from roundsman.roads.network import TravelProfile
from roundsman.roads.polyline import decode_polyline

_TOLLS = {"exclude": "toll"}
_NO_WAY = frozenset({"NoRoute", "NoSegment", "NoTable", "InvalidValue"})
"""The last is said by servers whose profile cannot exclude tolls; asked again, they pay them."""


class _Waypoint(msgspec.Struct):
    distance: float = 0.0


class _Table(msgspec.Struct):
    durations: list[list[float | None]]
    distances: list[list[float | None]]
    sources: list[_Waypoint]
    destinations: list[_Waypoint]
    data_version: str = ""


class _Leg(msgspec.Struct):
    duration: float
    distance: float


class _Route(msgspec.Struct):
    legs: list[_Leg]
    geometry: str = ""


class _Routes(msgspec.Struct):
    routes: list[_Route]
    waypoints: list[_Waypoint]
    data_version: str = ""


class _Refusal(msgspec.Struct):
    code: str = ""


class OsrmEngine:
    """Speaks OSRM's HTTP interface; `locate` says where it is now, or nothing while it is away."""

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
        patience: float,
        *,
        avoid_tolls: bool,
    ) -> Table:
        """Return a table within so many seconds."""
        query = {"annotations": "duration,distance", "generate_hints": "false"}
        points = list(sources)
        if sources != targets:
            points += targets
            query["sources"] = _indexes(range(len(sources)))
            query["destinations"] = _indexes(range(len(sources), len(points)))
        if avoid_tolls:
            query |= _TOLLS
        answer = self._ask("table", points, query, _Table, patience)
        near = np.outer(_near(answer.sources), _near(answer.destinations))
        shape = (len(sources), len(targets))
        return Table(
            durations=_cells(answer.durations, near, shape),
            distances=_cells(answer.distances, near, shape),
            version=answer.data_version,
        )

    def drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        patience: float,
        *,
        with_points: bool,
    ) -> Drive:
        """Return the way over all waypoints within so many seconds."""
        query = {
            "overview": "full" if with_points else "false",
            "geometries": "polyline6",
            "generate_hints": "false",
            # The profile's own default is to go straight on; only who asks for that gets it.
            "continue_straight": "true" if profile.avoid_u_turns else "false",
        }
        if profile.avoid_tolls:
            query |= _TOLLS
        answer = self._ask("route", waypoints, query, _Routes, patience)
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
        """Close connections."""
        self._http.close()

    def _ask[T: (_Table, _Routes)](
        self,
        kind: str,
        points: Sequence[Coordinates],
        query: dict[str, str],
        shape: type[T],
        patience: float,
    ) -> T:
        address = self._locate()
        if address is None:
            raise EngineAway("the engine is not running")
        url = f"{address}/{kind}/v1/driving/{_coordinates(points)}"
        request = HttpRequest(url=url, query=query)
        try:
            response = self._exchange(request, patience)
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

    def _exchange(self, request: HttpRequest, patience: float) -> HttpResponse:
        try:
            return self._http.exchange(request, patience)
        except Unreachable:
            # The server hangs up on connections that rest or are much used; a new one will do.
            return self._http.exchange(request, patience)


def _refusal(response: HttpResponse) -> Exception:
    try:
        code = read_json(response, _Refusal, "the engine").code
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
