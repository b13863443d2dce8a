"""A road network that is asked once for what one operation needs several times.

A route that is planned again without a stop, or at another time, travels between the same places.
"""

from collections.abc import Sequence

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.roads.network import Leg, Path, RoadNetwork, TravelMatrix, TravelProfile


class RememberedRoads:
    """Answers from the last matrix between all of some places, where that knows the answer."""

    def __init__(self, roads: RoadNetwork) -> None:
        self._roads = roads
        self._profile: TravelProfile | None = None
        self._index: dict[Coordinates, int] = {}
        self._known: TravelMatrix | None = None

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs; raise `Unavailable` when away."""
        asked = {*sources, *targets}
        known = self._known
        if known is None or profile != self._profile or not asked <= self._index.keys():
            places = list(dict.fromkeys((*sources, *targets)))
            known = self._known = self._roads.matrix(places, places, profile)
            self._index = {place: number for number, place in enumerate(places)}
            self._profile = profile
        cells = np.ix_(
            [self._index[place] for place in sources], [self._index[place] for place in targets]
        )
        return TravelMatrix(
            durations=known.durations[cells],
            distances=known.distances[cells],
            estimated=known.estimated[cells],
        )

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints, one fewer than there are waypoints."""
        return self._roads.legs(waypoints, profile)

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        """Return the lines to draw from the first waypoint over all to the last."""
        return self._roads.paths(waypoints, profile)

    def attribution(self) -> str:
        """Return who must be named beside what is not estimated; empty when nobody."""
        return self._roads.attribution()

    def close(self) -> None:
        """Leave the network to whoever opened it."""
