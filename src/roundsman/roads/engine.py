"""What a routing engine can be asked over HTTP, and how it fails; one adapter an engine.

An engine is asked for what fits one request. Tiling, caches, what to do about stops without a road
and about an engine that is away is the same for all of them and lives in `engine_roads`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.network import TravelProfile

SNAP_LIMIT_METERS = 1_000
"""Farther from the nearest road than this, a stop is not on the map."""


class EngineAway(Exception):
    """No answer: not running, not reachable, too slow, or not the map that was asked."""


class EngineHung(EngineAway):
    """An engine that kept us waiting for nothing; it is not worth a second try soon."""


class NoWay(Exception):
    """An answer: these waypoints cannot be driven in one go."""


class TooMany(Exception):
    """An answer: fewer points at a time, please."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Float seconds and metres a cell; NaN where there is no way, or no road near a point."""

    durations: NDArray[np.float64]
    distances: NDArray[np.float64]
    version: str
    """Of the map that answered, when the engine says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drive:
    """A way along all waypoints: seconds and metres a leg, and its line when that was asked for."""

    legs: tuple[tuple[float, float], ...]
    points: tuple[Coordinates, ...]


class RoadEngine(Protocol):
    """An engine behind HTTP."""

    table_points: int
    """Most sources, and most targets, of one table."""

    drive_points: int
    """Most waypoints of one drive."""

    def table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        patience: float,
        *,
        avoid_tolls: bool,
    ) -> Table:
        """Return a table within so many seconds; raise EngineAway or TooMany."""
        ...

    def drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        patience: float,
        *,
        with_points: bool,
    ) -> Drive:
        """Return the way over all waypoints; raise EngineAway, NoWay or TooMany."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...
