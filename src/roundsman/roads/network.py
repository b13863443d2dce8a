"""What every source of travel times does.

No call fails: where no road, no map or no engine answers, the answer is an estimate and is marked
so, cell by cell and leg by leg.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates

OPENSTREETMAP = "© OpenStreetMap contributors"
"""The owner of the road graphs' data (ODbL); shown wherever routes from them are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TravelProfile:
    """How the vehicle may travel; the speed factor is applied by the caller, after any cache."""

    avoid_tolls: bool = False
    avoid_u_turns: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TravelMatrix:
    """From each source (row) to each target (column).

    `durations` int32 seconds, `distances` int32 metres, `estimated` bool: which cells are not from
    a road graph.
    """

    durations: NDArray[np.int32]
    distances: NDArray[np.int32]
    estimated: NDArray[np.bool_]


class Leg(Struct, frozen=True, kw_only=True, gc=False):
    """The way between two consecutive waypoints."""

    duration_seconds: int
    distance_meters: int
    estimated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Path:
    """A line to draw: along roads, or straight where it is `estimated`."""

    points: tuple[Coordinates, ...]
    estimated: bool


class RoadNetwork(Protocol):
    """Returns travel times and distances; a pair without a road is estimated."""

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs."""
        ...

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints, one fewer than there are waypoints."""
        ...

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        """Return the lines to draw from the first waypoint over all to the last."""
        ...

    def attribution(self) -> str:
        """Return who must be named with what is not estimated; empty when nobody."""
        ...

    def close(self) -> None:
        """Release connections and processes."""
        ...
