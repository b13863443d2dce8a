"""Travel times and distances between all places of a day, for each way of driving."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, VehicleLocation, VehicleToPlan
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import RoadNetwork, TravelMatrix, TravelProfile
from roundsman.routing.route_problem import scaled

_PLACES = 300
"""On each side of the parts that are asked for: of a part the road engine of a map is asked once
(`engine_process.TABLE_POINTS`), and between two it can be said how far it is."""

type IsOver = Callable[[float], bool]
"""Is told which share of the times is there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetTables:
    """Travel times and distances between places: one table for each way of driving."""

    node_of: Mapping[Coordinates, int]
    vehicle_profile: Sequence[int]
    """Of each vehicle."""

    durations: Sequence[NDArray[np.int32]]
    distances: Sequence[NDArray[np.int32]]
    estimated: Sequence[NDArray[np.bool_]]
    """Whether a time and its distance are no road's."""


def find_tables(given: DayToPlan, roads: RoadNetwork, is_over: IsOver) -> FleetTables:
    """Ask for the travel times of a day; what is asked for when it is over is estimated."""
    ends = [
        place.coordinates
        for vehicle in given.vehicles
        for place in (vehicle.start, vehicle.end, *vehicle.reloads)
        if isinstance(place, VehicleLocation)
    ]
    places = list(dict.fromkeys([*(stop.coordinates for stop in given.stops), *ends]))
    ways = [(vehicle_profile(vehicle), vehicle.speed_factor) for vehicle in given.vehicles]
    numbers = {way: number for number, way in enumerate(dict.fromkeys(ways))}
    profiles = list(dict.fromkeys(profile for profile, _ in numbers))

    def is_over_at(done: int, share: float) -> bool:
        return is_over((done + share) / len(profiles))

    matrices = {
        profile: _find_matrix(places, roads, profile, partial(is_over_at, done))
        for done, profile in enumerate(profiles)
    }
    return FleetTables(
        node_of={place: number for number, place in enumerate(places)},
        vehicle_profile=[numbers[way] for way in ways],
        durations=[scaled(matrices[profile].durations, factor) for profile, factor in numbers],
        distances=[matrices[profile].distances for profile, _ in numbers],
        estimated=[matrices[profile].estimated for profile, _ in numbers],
    )


def vehicle_profile(vehicle: VehicleToPlan) -> TravelProfile:
    """Return which roads a vehicle takes."""
    return TravelProfile(avoid_tolls=vehicle.avoid_tolls, avoid_u_turns=vehicle.avoid_u_turns)


def _find_matrix(
    places: Sequence[Coordinates], roads: RoadNetwork, profile: TravelProfile, is_over: IsOver
) -> TravelMatrix:
    shape = (len(places), len(places))
    whole = TravelMatrix(
        durations=np.empty(shape, np.int32),
        distances=np.empty(shape, np.int32),
        estimated=np.empty(shape, np.bool_),
    )
    sides = [slice(first, first + _PLACES) for first in range(0, len(places), _PLACES)]
    for done, (rows, columns) in enumerate(product(sides, repeat=2)):
        asked = EstimatedRoads() if is_over(done / len(sides) ** 2) else roads
        part = asked.matrix(places[rows], places[columns], profile)
        whole.durations[rows, columns] = part.durations
        whole.distances[rows, columns] = part.distances
        whole.estimated[rows, columns] = part.estimated
    return whole
