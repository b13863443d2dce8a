"""Estimated travel times where there is no map, from great-circle distances.

A fixed minute, then a slow speed for the first ten kilometres and a faster one beyond; the way is
longer than the great circle by a fixed factor. The factors come from comparison with real roads,
where a pair is off by a fifth to a third (design, Roads). That is good enough to order stops, not
to promise a minute.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.network import Leg, Path, TravelMatrix, TravelProfile

_EARTH_RADIUS_KM = 6_371.0088
_START_SECONDS = 60
_NEAR_KM = 10
_NEAR_SECONDS_PER_KM = 110
_FAR_SECONDS_PER_KM = 55
_ROAD_METERS_PER_KM = 1_400


class EstimatedRoads:
    """Estimates every pair; the profile changes nothing, since there are no roads."""

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,  # noqa: ARG002 -- tolls and u-turns need a road
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs."""
        kilometers = kilometers_between(sources, targets)
        return TravelMatrix(
            durations=_seconds(kilometers),
            distances=_meters(kilometers),
            estimated=np.ones(kilometers.shape, dtype=np.bool_),
        )

    def legs(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,  # noqa: ARG002 -- tolls and u-turns need a road
    ) -> list[Leg]:
        """Return the legs between consecutive waypoints, one fewer than there are waypoints."""
        points = _radians(waypoints)
        kilometers = _kilometers(points[:-1], points[1:])
        return [
            Leg(duration_seconds=seconds, distance_meters=meters, estimated=True)
            for seconds, meters in zip(
                _seconds(kilometers).tolist(), _meters(kilometers).tolist(), strict=True
            )
        ]

    def paths(
        self,
        waypoints: Sequence[Coordinates],
        profile: TravelProfile,  # noqa: ARG002 -- as above
    ) -> list[Path]:
        """Return one straight line for each leg."""
        return [Path(points=ends, estimated=True) for ends in pairwise(waypoints)]

    def attribution(self) -> str:
        """Return nothing: estimates use nobody's data."""
        return ""

    def close(self) -> None:
        """Do nothing: nothing is held."""


def kilometers_between(
    sources: Sequence[Coordinates], targets: Sequence[Coordinates]
) -> NDArray[np.float64]:
    """Return the great circle from each source (row) to each target (column)."""
    return _kilometers(_radians(sources)[:, np.newaxis], _radians(targets))


def _radians(points: Sequence[Coordinates]) -> NDArray[np.float64]:
    """Return latitude and longitude of each point, a point a row."""
    latitudes = [point.latitude for point in points]
    longitudes = [point.longitude for point in points]
    # Two long lists are read several times as fast as a list of many pairs.
    return np.radians(np.array([latitudes, longitudes], dtype=np.float64)).T


def _kilometers(ones: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return great-circle distances by the haversine formula, symmetric to the last bit."""
    half = np.sin((ones - others) / 2) ** 2
    across = np.cos(ones[..., 0]) * np.cos(others[..., 0])
    chord = half[..., 0] + across * half[..., 1]
    distance: NDArray[np.float64] = np.arcsin(np.sqrt(np.minimum(chord, 1)))
    return 2 * _EARTH_RADIUS_KM * distance


def _seconds(kilometers: NDArray[np.float64]) -> NDArray[np.int32]:
    near = np.minimum(kilometers, _NEAR_KM)
    far = kilometers - near
    seconds = _START_SECONDS + _NEAR_SECONDS_PER_KM * near + _FAR_SECONDS_PER_KM * far
    return np.rint(np.where(kilometers > 0, seconds, 0)).astype(np.int32)


def _meters(kilometers: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(kilometers * _ROAD_METERS_PER_KM).astype(np.int32)
