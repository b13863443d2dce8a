"""Roads on the installed maps: each pair from a map that holds both ends, else estimated.

A map's box says whether it may hold a point, and the engine's snapping decides. The map that holds
most of the points is used first; what it cannot drive, the next one may.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.roads.engine import SNAP_LIMIT_METERS
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.installed_maps import list_maps
from roundsman.roads.network import Leg, Path, TravelMatrix, TravelProfile
from roundsman.roads.supervisor import EngineSupervisor, MappedRoads

_START_SECONDS = 60.0


class MapRoads:
    """Roads on the maps whose engines a supervisor runs.

    With `patient` the engines start when they are first needed, and the first call waits for them:
    a command gives one answer. A server starts them with itself, and estimates until they answer.
    """

    def __init__(self, supervisor: EngineSupervisor, *, patient: bool) -> None:
        self._supervisor = supervisor
        self._patient = patient
        self._estimate = EstimatedRoads()

    def start(self, wait_seconds: float) -> None:
        """Start the engines, and wait a short time for those of small maps."""
        self._supervisor.start()
        self._supervisor.wait_settled(wait_seconds)

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs."""
        whole = self._estimate.matrix(sources, targets, profile)
        for mapped in self._maps_for([*sources, *targets]):
            rows, columns = _inside(mapped, sources), _inside(mapped, targets)
            cells = np.ix_(rows, columns)
            lacking = whole.estimated[cells]
            if not lacking.any():
                continue
            part = mapped.roads.matrix(
                [sources[row] for row in rows], [targets[column] for column in columns], profile
            )
            found = lacking & ~part.estimated
            whole.durations[cells] = np.where(found, part.durations, whole.durations[cells])
            whole.distances[cells] = np.where(found, part.distances, whole.distances[cells])
            whole.estimated[cells] = lacking & ~found
        return whole

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints."""
        legs = self._estimate.legs(waypoints, profile)
        for mapped in self._maps_for(waypoints):
            for first, last in _runs_inside(mapped, waypoints):
                if not any(leg.estimated for leg in legs[first:last]):
                    continue
                found = mapped.roads.legs(waypoints[first : last + 1], profile)
                legs[first:last] = [
                    new if old.estimated else old
                    for old, new in zip(legs[first:last], found, strict=True)
                ]
        return legs

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        """Return lines along roads of the map that holds most points; straight ones elsewhere."""
        maps = self._maps_for(waypoints)
        if not maps:
            return self._estimate.paths(waypoints, profile)
        paths: list[Path] = []
        here = 0
        for first, last in _runs_inside(maps[0], waypoints):
            paths += self._estimate.paths(waypoints[here : first + 1], profile)
            paths += maps[0].roads.paths(waypoints[first : last + 1], profile)
            here = last
        return paths + self._estimate.paths(waypoints[here:], profile)

    def attribution(self) -> str:
        """Return the attribution of the maps' data."""
        names = dict.fromkeys(one.manifest.attribution for one in self._supervisor.mapped_roads())
        return ", ".join(names)

    def close(self) -> None:
        """End the engines."""
        self._supervisor.close()

    def _maps_for(self, points: Sequence[Coordinates]) -> list[MappedRoads]:
        """Return the maps that may hold some of the points, those that hold most first."""
        if self._patient and list_maps(self._supervisor.maps):
            self._patient = False
            self.start(_START_SECONDS)
        counted = [
            (len(_inside(mapped, points)), mapped) for mapped in self._supervisor.mapped_roads()
        ]
        counted.sort(key=lambda pair: (-pair[0], pair[1].manifest.name))
        return [mapped for count, mapped in counted if count]


def _inside(mapped: MappedRoads, points: Sequence[Coordinates]) -> list[int]:
    bounds = mapped.manifest.bounds
    return [place for place, point in enumerate(points) if bounds.holds(point, SNAP_LIMIT_METERS)]


def _runs_inside(mapped: MappedRoads, waypoints: Sequence[Coordinates]) -> list[tuple[int, int]]:
    """Return the first and last waypoint of every run of two or more inside a map's box."""
    inside = set(_inside(mapped, waypoints))
    runs: list[tuple[int, int]] = []
    for here, there in pairwise(range(len(waypoints))):
        if here not in inside or there not in inside:
            continue
        if runs and runs[-1][1] == here:
            runs[-1] = (runs[-1][0], there)
        else:
            runs.append((here, there))
    return runs
