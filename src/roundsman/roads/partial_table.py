"""A table filled block by block, for an engine that refuses a whole table for one pair.

Valhalla answers no cell when any two points of a table are farther apart than its limit, or on
roads that do not meet: one stop on an island would cost all others their times. So a refused block
is split, by distance once the limit is known, and by which points are connected.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.engine import NoWay, TooMany, TravelTable
from roundsman.roads.estimate import kilometers_between

type Points = Sequence[Coordinates]
type Ask = Callable[[Points, Points], tuple[NDArray[np.float64], NDArray[np.float64]]]
"""Returns seconds and metres between sources and targets, or raises the engine's errors."""

_METERS = 1_000
_SHY = 0.99
"""The share of the engine's limit that is used: it may use another radius of the earth."""


class TooFar(TooMany):
    """The engine answered that two points are farther apart than so many metres."""

    def __init__(self, code: str, meters: float) -> None:
        super().__init__(code)
        self.meters = meters


class Unconnected(NoWay):
    """The engine answered that the roads of two points do not meet."""


class PartialTable:
    """Cells without an answer stay NaN."""

    def __init__(self, sources: Points, targets: Points, ask: Ask) -> None:
        shape = (len(sources), len(targets))
        self.table = TravelTable(
            durations=np.full(shape, np.nan), distances=np.full(shape, np.nan), version=""
        )
        self._sources = sources
        self._targets = targets
        self._request = ask

    def fill(self, rows: list[int], columns: list[int], reach_meters: float) -> float:
        """Request some rows and columns; return the engine's distance limit as it is now known."""
        try:
            for near_rows, near_columns in self._blocks_within(reach_meters, rows, columns):
                self._fill_joined(near_rows, near_columns)
        except TooFar as refusal:
            if refusal.meters < reach_meters:
                return self.fill(rows, columns, refusal.meters)
        return reach_meters

    def _fill_joined(self, rows: list[int], columns: list[int]) -> None:
        try:
            self._put(rows, columns)
        except Unconnected:
            for some_rows, some_columns in self._regions(rows, columns):
                with suppress(NoWay):
                    self._put(some_rows, some_columns)

    def _put(self, rows: list[int], columns: list[int]) -> None:
        cells = np.ix_(rows, columns)
        self.table.durations[cells], self.table.distances[cells] = self._request(
            [self._sources[row] for row in rows], [self._targets[column] for column in columns]
        )

    def _blocks_within(
        self, reach_meters: float, rows: list[int], columns: list[int]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Group the rows that reach the same columns."""
        if math.isinf(reach_meters):
            yield rows, columns
            return
        kilometers = kilometers_between(
            [self._sources[row] for row in rows], [self._targets[column] for column in columns]
        )
        blocks: dict[tuple[int, ...], list[int]] = {}
        for row, near in zip(rows, kilometers * _METERS <= _SHY * reach_meters, strict=True):
            reached = tuple(columns[place] for place in np.flatnonzero(near))
            blocks.setdefault(reached, []).append(row)
        for reached, from_rows in blocks.items():
            if reached:
                yield from_rows, list(reached)

    def _regions(
        self, rows: list[int], columns: list[int]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Group the rows and columns whose points are connected."""
        points = [self._sources[row] for row in rows] + [self._targets[at] for at in columns]
        left = list(dict.fromkeys(points))
        while left:
            first, *others = left
            joined = {first, *self._joined(first, others)}
            left = [point for point in others if point not in joined]
            some_rows = [row for row in rows if self._sources[row] in joined]
            some_columns = [column for column in columns if self._targets[column] in joined]
            if some_rows and some_columns:
                yield some_rows, some_columns

    def _joined(self, first: Coordinates, others: list[Coordinates]) -> list[Coordinates]:
        """Return which others are connected to the first, by halving what the engine refuses."""
        if not others:
            return []
        try:
            self._request([first], others)
        except (NoWay, TooMany):
            if len(others) == 1:
                return []
            middle = len(others) // 2
            return [*self._joined(first, others[:middle]), *self._joined(first, others[middle:])]
        return others
