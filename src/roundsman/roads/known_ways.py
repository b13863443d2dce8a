"""Travel times already asked for: whole tables, and single legs.

One of these belongs to one map; another map brings its own, so nothing here can be of another
version. Tables are kept by their cells, since a route is ordered on one table and then timed and
edited on parts of it. What is kept is bounded, and the oldest goes first.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.roads.engine import Table

_MOST_CELLS = 2_000_000
"""Sixteen bytes each."""
_MOST_LEGS = 50_000

type Way = tuple[float, float]
"""Seconds and metres."""


@dataclass(frozen=True, slots=True)
class _Kept:
    rows: dict[Coordinates, int]
    columns: dict[Coordinates, int]
    table: Table


class KnownWays:
    """What one map has answered, with and without toll roads.

    A map that may change behind its address is forgotten from time to time.
    """

    def __init__(
        self, lifetime_seconds: float = math.inf, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._lifetime = lifetime_seconds
        self._now = now
        self._since = now()
        self._lock = threading.Lock()
        self._tables: OrderedDict[tuple[bool, object, object], _Kept] = OrderedDict()
        self._legs: OrderedDict[tuple[bool, Coordinates, Coordinates], Way] = OrderedDict()
        self._cells = 0
        self._version = ""

    def find_table(
        self, sources: Sequence[Coordinates], targets: Sequence[Coordinates], *, avoid_tolls: bool
    ) -> Table | None:
        """Return a table, or a part of a larger one, that was kept."""
        for kept in self._newest_first(avoid_tolls=avoid_tolls):
            rows = [kept.rows.get(point) for point in sources]
            columns = [kept.columns.get(point) for point in targets]
            if None not in rows and None not in columns:
                part = np.ix_(np.array(rows, np.intp), np.array(columns, np.intp))
                table = kept.table
                return Table(
                    durations=table.durations[part],
                    distances=table.distances[part],
                    version=table.version,
                )
        return None

    def keep_table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        table: Table,
        *,
        avoid_tolls: bool,
    ) -> None:
        """Keep a table of different sources and different targets."""
        size = table.durations.size
        if size > _MOST_CELLS:
            return
        rows = {point: row for row, point in enumerate(sources)}
        columns = {point: column for column, point in enumerate(targets)}
        with self._lock:
            if table.version != self._version:
                self._forget()
                self._version = table.version
            key = (avoid_tolls, tuple(sources), tuple(targets))
            if key in self._tables:
                return
            self._tables[key] = _Kept(rows, columns, table)
            self._cells += size
            while self._cells > _MOST_CELLS:
                _, oldest = self._tables.popitem(last=False)
                self._cells -= oldest.table.durations.size

    def find_leg(
        self, origin: Coordinates, target: Coordinates, *, avoid_tolls: bool
    ) -> Way | None:
        """Return a leg that was kept, or the cell of a table: NaN where there is no way."""
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

    def _newest_first(self, *, avoid_tolls: bool) -> list[_Kept]:
        with self._lock:
            self._forget_old()
            return [kept for key, kept in reversed(self._tables.items()) if key[0] is avoid_tolls]

    def _forget_old(self) -> None:
        if self._now() - self._since > self._lifetime:
            self._forget()

    def _forget(self) -> None:
        self._since = self._now()
        self._tables.clear()
        self._legs.clear()
        self._cells = 0
