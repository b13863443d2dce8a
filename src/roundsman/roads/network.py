"""What every source of travel times can do, whatever is behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Leg:
    """The way between two consecutive waypoints."""

    duration_seconds: int
    distance_meters: int
    estimated: bool


class RoadNetwork(Protocol):
    """Answers how long it takes from here to there; a pair without a road is estimated."""

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs; raise `Unavailable` when away."""
        ...

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints, one fewer than there are waypoints."""
        ...
