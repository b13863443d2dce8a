"""The interface to a routing engine over HTTP, and how it fails; each engine has an adapter.

An adapter handles what fits one request. Tiling, caches, stops without a road and engines that do
not answer are the same for all and are handled in `engine_roads`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.network import TravelProfile

SNAP_LIMIT_METERS = 1_000
"""A stop farther from the nearest road than this is not on the map."""


class EngineAway(Exception):
    """No answer: the engine is not running, not reachable, too slow, or serves another map."""


class EngineHung(EngineAway):
    """The engine timed out; a second request soon would too."""


class NoWay(Exception):
    """The engine answered that these waypoints cannot be driven."""


class TooMany(Exception):
    """The engine answered that a request has too many points."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TravelTable:
    """Seconds and metres as floats; NaN where there is no way, or no road near a point."""

    durations: NDArray[np.float64]
    distances: NDArray[np.float64]
    version: str
    """The version of the map, where the engine gives it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drive:
    """A way along all waypoints: seconds and metres of each leg, and its line on request."""

    legs: tuple[tuple[float, float], ...]
    points: tuple[Coordinates, ...]


class RoadEngine(Protocol):
    """An engine over HTTP."""

    table_points: int
    """The most sources, and the most targets, of one table."""

    drive_points: int
    """The most waypoints of one drive."""

    def table(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        timeout_seconds: float,
        *,
        avoid_tolls: bool,
    ) -> TravelTable:
        """Return a table; raise EngineAway or TooMany."""
        ...

    def drive(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,
        timeout_seconds: float,
        *,
        with_points: bool,
    ) -> Drive:
        """Return the way over all waypoints; raise EngineAway, NoWay or TooMany."""
        ...

    def close(self) -> None: ...
