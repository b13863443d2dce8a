"""Caches travel times of one map: whole tables, and single legs.

Another map has another cache, so that nothing here can be of another version. Tables are kept by
their cells, since a route is ordered on one table and then timed and edited on parts of it, and a
day is planned on many tables of which a route takes parts. The size is bounded, and the oldest
entry goes first.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.engine import TravelTable

_MOST_CELLS = 2_000_000
"""Sixteen bytes for each cell."""
_MOST_LEGS = 50_000

type Way = tuple[float, float]
"""Seconds and metres."""

type _Cells = tuple[NDArray[np.intp], ...]
"""Those where some rows of a table cross some of its columns."""


@dataclass(frozen=True, slots=True)
class _CachedTable:
    avoids_tolls: bool
    rows: dict[Coordinates, int]
    columns: dict[Coordinates, int]
    table: TravelTable

    def find_cells(
        self, sources: Sequence[Coordinates], targets: Sequence[Coordinates]
    ) -> tuple[_Cells, _Cells] | None:
        """Return which cells of a wanted table are here, and where they are; None without any."""
        wanted_rows = [row for row, point in enumerate(sources) if point in self.rows]
        wanted_columns = [column for column, point in enumerate(targets) if point in self.columns]
        if not wanted_rows or not wanted_columns:
            return None
        rows = [self.rows[sources[row]] for row in wanted_rows]
        columns = [self.columns[targets[column]] for column in wanted_columns]
        return _cells(wanted_rows, wanted_columns), _cells(rows, columns)


class TravelCache:
    """The answers of one map, with and without toll roads.

    Entries expire after a lifetime, for a server whose map may change behind its address.
    """

    def __init__(
        self, lifetime_seconds: float = math.inf, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._lifetime = lifetime_seconds
        self._now = now
        self._since = now()
        self._lock = threading.Lock()
        self._tables: deque[_CachedTable] = deque()
        self._legs: OrderedDict[tuple[bool, Coordinates, Coordinates], Way] = OrderedDict()
        self._cells = 0
        self._version = ""

    def find_table(
        self, sources: Sequence[Coordinates], targets: Sequence[Coordinates], *, avoid_tolls: bool
    ) -> TravelTable | None:
        """Return a table whose cells are all in cached ones; None where one is lacking."""
        shape = (len(sources), len(targets))
        durations, distances = np.full(shape, np.nan), np.full(shape, np.nan)
        lacking = np.ones(shape, np.bool_)
        for kept in self._newest_first(avoid_tolls=avoid_tolls):
            found = kept.find_cells(sources, targets)
            if found is None:
                continue
            into, of = found
            durations[into] = np.where(lacking[into], kept.table.durations[of], durations[into])
            distances[into] = np.where(lacking[into], kept.table.distances[of], distances[into])
            lacking[into] = False
            if not lacking.any():
                version = kept.table.version
                return TravelTable(durations=durations, distances=distances, version=version)
        return None

    def keep_table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        table: TravelTable,
        *,
        avoid_tolls: bool,
    ) -> None:
        """Cache a table; its sources are all different, and so are its targets."""
        size = table.durations.size
        if size > _MOST_CELLS:
            return
        rows = {point: row for row, point in enumerate(sources)}
        columns = {point: column for column, point in enumerate(targets)}
        with self._lock:
            # A table without any way has none.
            if table.version not in {"", self._version}:
                self._forget()
                self._version = table.version
            self._tables.append(_CachedTable(avoid_tolls, rows, columns, table))
            self._cells += size
            while self._cells > _MOST_CELLS:
                self._cells -= self._tables.popleft().table.durations.size

    def find_leg(
        self, origin: Coordinates, target: Coordinates, *, avoid_tolls: bool
    ) -> Way | None:
        """Return a cached leg, or the cell of a cached table: NaN where there is no way."""
        with self._lock:
            self._forget_old()
            leg = self._legs.get((avoid_tolls, origin, target))
        if leg is not None:
            return leg
        for kept in self._newest_first(avoid_tolls=avoid_tolls):
            row, column = kept.rows.get(origin), kept.columns.get(target)
            if row is not None and column is not None:
                table = kept.table
                return float(table.durations[row, column]), float(table.distances[row, column])
        return None

    def keep_leg(
        self, origin: Coordinates, target: Coordinates, way: Way, *, avoid_tolls: bool
    ) -> None:
        with self._lock:
            self._legs[(avoid_tolls, origin, target)] = way
            while len(self._legs) > _MOST_LEGS:
                self._legs.popitem(last=False)

    def _newest_first(self, *, avoid_tolls: bool) -> list[_CachedTable]:
        with self._lock:
            self._forget_old()
            return [kept for kept in reversed(self._tables) if kept.avoids_tolls is avoid_tolls]

    def _forget_old(self) -> None:
        if self._now() - self._since > self._lifetime:
            self._forget()

    def _forget(self) -> None:
        self._since = self._now()
        self._tables.clear()
        self._legs.clear()
        self._cells = 0


def _cells(rows: Sequence[int], columns: Sequence[int]) -> _Cells:
    return np.ix_(np.array(rows, np.intp), np.array(columns, np.intp))
