"""A road network on one engine: tables in tiles, legs in runs, and estimates for the rest.

A pair that the engine cannot drive is estimated; while the engine does not answer, all pairs are.
Tolls are excluded strictly, and pairs that cannot be driven so are requested again with tolls.
U-turns exist only on legs: stops are ordered on the plain table, and the chosen legs are timed as
they are driven. However slow the engine, a call ends within `timeout_seconds`.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.circuit_breaker import CircuitBreaker
from roundsman.roads.engine import (
    Drive,
    EngineAway,
    EngineHung,
    NoWay,
    RoadEngine,
    TooMany,
    TravelTable,
)
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import OPENSTREETMAP, Leg, Path, TravelMatrix, TravelProfile
from roundsman.roads.travel_cache import TravelCache, Way

_LONGEST_SECONDS = 2**31 - 1
_TIMEOUT_SECONDS = 20.0
_PLAIN = TravelProfile()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stretch:
    """A part of a drive that one request found, or a single leg that was not found."""

    waypoints: Sequence[Coordinates]
    drive: Drive | None


class EngineRoads:
    """May be called by any thread."""

    def __init__(
        self,
        engine: RoadEngine,
        known: TravelCache | None = None,
        *,
        breaker: CircuitBreaker | None = None,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._known = known or TravelCache()
        self._breaker = breaker or CircuitBreaker()
        self._estimate = EstimatedRoads()
        self._patience = timeout_seconds
        self._now = now

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs."""
        estimate = self._estimate.matrix(sources, targets, profile)
        if not sources or not targets:
            return estimate
        rows, of_row = _distinct(sources)
        columns, of_column = _distinct(targets)
        table = self._known.find_table(rows, columns, avoid_tolls=profile.avoid_tolls)
        if table is None:
            table = self._request_table(rows, columns, avoid_tolls=profile.avoid_tolls)
        cells = np.ix_(of_row, of_column)
        durations, distances = table.durations[cells], table.distances[cells]
        unknown = np.isnan(durations) | np.isnan(distances)
        return TravelMatrix(
            durations=np.where(unknown, estimate.durations, _whole(durations)),
            distances=np.where(unknown, estimate.distances, _whole(distances)),
            estimated=unknown,
        )

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints."""
        if len(waypoints) < 2:
            return []
        if profile.avoid_u_turns:
            ways = self._drive_legs(waypoints, profile)
        else:
            ways = self._known_legs(waypoints, profile)
        return [
            Leg(duration_seconds=round(way[0]), distance_meters=round(way[1]), estimated=False)
            if way is not None
            else self._estimate.legs(ends, profile)[0]
            for way, ends in zip(ways, pairwise(waypoints), strict=True)
        ]

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        """Return lines along roads, and straight ones where there are none."""
        if len(waypoints) < 2:
            return []
        return [
            Path(points=tuple(stretch.waypoints), estimated=True)
            if stretch.drive is None
            else Path(points=stretch.drive.points, estimated=False)
            for stretch in self._drive(waypoints, profile, self._deadline(), with_points=True)
        ]

    def attribution(self) -> str:
        """Return OpenStreetMap's attribution."""
        return OPENSTREETMAP

    def close(self) -> None:
        self._engine.close()

    def _deadline(self) -> float:
        return self._now() + self._patience

    def _request_table(
        self, rows: Sequence[Coordinates], columns: Sequence[Coordinates], *, avoid_tolls: bool
    ) -> TravelTable:
        """Return the table as far as the engine has it, and cache it when it is whole."""
        shape = (len(rows), len(columns))
        empty = TravelTable(
            durations=np.full(shape, np.nan), distances=np.full(shape, np.nan), version=""
        )
        deadline = self._deadline()
        try:
            table = self._tile(rows, columns, empty, deadline, avoid_tolls=avoid_tolls)
            if avoid_tolls:
                lacking = np.isnan(table.durations)
                if lacking.any():
                    self._fill_with_tolls(rows, columns, table, deadline)
        except EngineAway:
            return empty
        self._known.keep_table(rows, columns, table, avoid_tolls=avoid_tolls)
        return table

    def _fill_with_tolls(
        self,
        rows: Sequence[Coordinates],
        columns: Sequence[Coordinates],
        table: TravelTable,
        deadline: float,
    ) -> None:
        """Request, with tolls, the pairs that cannot be driven without."""
        lacking = np.isnan(table.durations)
        some_rows = np.flatnonzero(lacking.any(axis=1)).tolist()
        some_columns = np.flatnonzero(lacking.any(axis=0)).tolist()
        shape = (len(some_rows), len(some_columns))
        again = self._tile(
            [rows[row] for row in some_rows],
            [columns[column] for column in some_columns],
            TravelTable(
                durations=np.full(shape, np.nan), distances=np.full(shape, np.nan), version=""
            ),
            deadline,
            avoid_tolls=False,
        )
        part = np.ix_(some_rows, some_columns)
        for cells, with_tolls in (
            (table.durations, again.durations),
            (table.distances, again.distances),
        ):
            cells[part] = np.where(lacking[part], with_tolls, cells[part])

    def _tile(
        self,
        rows: Sequence[Coordinates],
        columns: Sequence[Coordinates],
        table: TravelTable,
        deadline: float,
        *,
        avoid_tolls: bool,
    ) -> TravelTable:
        """Fill the table tile by tile; return it with the version of the map that answered."""
        version = ""
        size = self._engine.table_points
        for top in range(0, len(rows), size):
            for left in range(0, len(columns), size):
                sources, targets = rows[top : top + size], columns[left : left + size]
                ask = partial(self._engine.table, sources, targets, avoid_tolls=avoid_tolls)
                try:
                    tile = self._guard(ask, deadline)
                except NoWay:
                    continue
                except TooMany:
                    if size == 1:
                        raise EngineAway("the engine takes no tables") from None
                    self._engine.table_points = size // 2
                    return self._tile(rows, columns, table, deadline, avoid_tolls=avoid_tolls)
                part = np.s_[top : top + size, left : left + size]
                table.durations[part] = tile.durations
                table.distances[part] = tile.distances
                version = tile.version
        return TravelTable(durations=table.durations, distances=table.distances, version=version)

    def _guard[Answer](self, ask: Callable[[float], Answer], deadline: float) -> Answer:
        """Call the engine unless its breaker is open or the time is up, and record the outcome."""
        timeout_seconds = deadline - self._now()
        if timeout_seconds <= 0 or not self._breaker.allows():
            raise EngineAway("the engine is left alone")
        try:
            answer = ask(timeout_seconds)
        except EngineAway as error:
            self._breaker.failed(hung=isinstance(error, EngineHung))
            raise
        except (NoWay, TooMany):
            self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return answer

    def _known_legs(
        self, waypoints: Sequence[Coordinates], profile: TravelProfile
    ) -> list[Way | None]:
        """Return legs that do not depend on each other; drive only those that are not cached."""
        tolls = profile.avoid_tolls
        ends = list(pairwise(waypoints))
        ways = [self._known.find_leg(*pair, avoid_tolls=tolls) for pair in ends]
        deadline = self._deadline()
        for first, last in _runs([way is None for way in ways]):
            run = waypoints[first : last + 1]
            found = self._legs_of(self._drive(run, profile, deadline, with_points=False))
            for place, way in enumerate(found, start=first):
                ways[place] = way
                if way is not None:
                    self._known.keep_leg(*ends[place], way, avoid_tolls=tolls)
        return [None if way is None or math.isnan(way[0]) else way for way in ways]

    def _drive_legs(
        self, waypoints: Sequence[Coordinates], profile: TravelProfile
    ) -> list[Way | None]:
        return self._legs_of(self._drive(waypoints, profile, self._deadline(), with_points=False))

    def _legs_of(self, stretches: Sequence[_Stretch]) -> list[Way | None]:
        ways: list[Way | None] = []
        for stretch in stretches:
            ways += [None] if stretch.drive is None else stretch.drive.legs
        return ways

    def _drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        deadline: float,
        *,
        with_points: bool,
    ) -> list[_Stretch]:
        """Drive in as few requests as possible; a leg known to have no way is not tried again."""
        blocked = [self._is_blocked(*ends, profile) for ends in pairwise(waypoints)]
        most = max(2, self._engine.drive_points)
        stretches: list[_Stretch] = []
        for first, last, is_blocked in _stretches(blocked, most - 1):
            run = waypoints[first : last + 1]
            if is_blocked:
                stretches += [_Stretch(waypoints=ends, drive=None) for ends in pairwise(run)]
            else:
                stretches += self._drive_run(run, profile, deadline, with_points=with_points)
        return stretches

    def _is_blocked(self, origin: Coordinates, target: Coordinates, profile: TravelProfile) -> bool:
        way = self._known.find_leg(origin, target, avoid_tolls=profile.avoid_tolls)
        return way is not None and math.isnan(way[0])

    def _drive_run(
        self,
        run: Sequence[Coordinates],
        profile: TravelProfile,
        deadline: float,
        *,
        with_points: bool,
    ) -> list[_Stretch]:
        try:
            drive = self._guard(
                lambda timeout_seconds: self._engine.drive(
                    run, profile, timeout_seconds, with_points=with_points
                ),
                deadline,
            )
        except EngineAway:
            return [_Stretch(waypoints=ends, drive=None) for ends in pairwise(run)]
        except (NoWay, TooMany):
            return self._drive_apart(run, profile, deadline, with_points=with_points)
        return [_Stretch(waypoints=run, drive=drive)]

    def _drive_apart(
        self,
        run: Sequence[Coordinates],
        profile: TravelProfile,
        deadline: float,
        *,
        with_points: bool,
    ) -> list[_Stretch]:
        """Drive the two halves; a single leg is tried again with tolls, then estimated."""
        if len(run) > 2:
            middle = len(run) // 2
            halves = [run[: middle + 1], run[middle:]]
        elif profile != _PLAIN:
            halves, profile = [run], _PLAIN
        else:
            return [_Stretch(waypoints=run, drive=None)]
        stretches: list[_Stretch] = []
        for half in halves:
            stretches += self._drive_run(half, profile, deadline, with_points=with_points)
        return stretches


def _distinct(
    points: Sequence[Coordinates],
) -> tuple[list[Coordinates], NDArray[np.intp]]:
    """Return each point once, and the index of every point among them."""
    places = {point: place for place, point in enumerate(dict.fromkeys(points))}
    return list(places), np.array([places[point] for point in points], dtype=np.intp)


def _whole(cells: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(np.nan_to_num(np.minimum(cells, _LONGEST_SECONDS))).astype(np.int32)


def _runs(marks: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the half-open ranges in which the marks are set."""
    edges = np.flatnonzero(np.diff(np.array([False, *marks, False], dtype=np.int8)))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _stretches(marks: Sequence[bool], longest: int) -> list[tuple[int, int, bool]]:
    """Return half-open ranges of equal marks, none longer than this, with their mark."""
    ranges = [(first, last, True) for first, last in _runs(marks)]
    ranges += [
        (first, min(first + longest, last), False)
        for start, last in _runs([not mark for mark in marks])
        for first in range(start, last, longest)
    ]
    return sorted(ranges)
