"""The best place for a stop on each of some routes, whose orders stay as they are.

The ways to and from the stop are asked for once for all routes of one travel profile. Places are
weighed by what they break, lateness, priorities, and travel.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace as replace_struct
from numpy.typing import NDArray

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.insertion import DelayedStop, Insertion, StopWishes
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import (
    InsertionPoint,
    first_free_index,
    put_stop,
    require_origin_absent,
)
from roundsman.domain.vehicle import USUAL_COSTS, Vehicle, VehicleCosts, first_named
from roundsman.kit.durations import from_seconds, whole_seconds
from roundsman.planning import (
    FixedRoute,
    Insertions,
    Limits,
    check_limits,
    insert_everywhere,
    join_windows,
)
from roundsman.roads.network import Leg, RoadNetwork
from roundsman.routing.insertion_effects import Added, cost_of, effects_of
from roundsman.routing.previews import time_for_violations
from roundsman.routing.route_problem import (
    Trip,
    assumed_departure,
    scaled,
    service_seconds,
    trip_ahead_of_driver,
    trip_of,
    windows_on_axis,
)
from roundsman.routing.vehicle_fit import list_unfit
from roundsman.routing.violations import limits_of, list_violations, load_of
from roundsman.routing.wording import Wording

_WORDING = Wording()


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A route, and the stop as it would be there."""

    route: Route
    stop: RouteStop
    vehicle: Vehicle | None = None
    wishes: StopWishes = field(default_factory=StopWishes)


class _Ways(NamedTuple):
    """The legs of a trip, and travel times and distances between its waypoints and a new stop."""

    legs: Sequence[Leg]
    to_new: NDArray[np.int32]
    from_new: NDArray[np.int32]
    to_new_meters: NDArray[np.int32]
    from_new_meters: NDArray[np.int32]


def find_places(
    candidates: Sequence[Candidate], roads: RoadNetwork, now: datetime
) -> list[Insertion]:
    """Return the best place of each route, best route first: violations, lateness, travel."""
    trips = [_trip_of(one.route, now) for one in candidates]
    ways = _find_ways(candidates, trips, roads)
    trips = [_leaving(one, trip, roads, now) for one, trip in zip(candidates, trips, strict=True)]
    fixed = [
        _fix(one, trip, its_ways)
        for one, trip, its_ways in zip(candidates, trips, ways, strict=True)
    ]
    everywhere = insert_everywhere(fixed)
    places = [
        _choose(one, _Laid(trip, route, its_ways), found, roads, now)
        for one, trip, route, its_ways, found in zip(
            candidates, trips, fixed, ways, everywhere, strict=True
        )
    ]
    return sorted(
        places,
        key=lambda place: (
            len(place.violations),
            place.extra_lateness_seconds,
            place.extra_travel_seconds,
        ),
    )


def _trip_of(route: Route, now: datetime) -> Trip:
    if route.is_started():
        return trip_ahead_of_driver(route)
    return trip_of(route, route.departure() or now)


def _leaving(candidate: Candidate, trip: Trip, roads: RoadNetwork, now: datetime) -> Trip:
    """Return the trip with its departure; without one it leaves in time for its first window."""
    route, stops = candidate.route, (*trip.stops, candidate.stop)
    if route.is_started() or not isinstance(route.departure(), UnsetType):
        return trip
    if not any(stop.time_windows for stop in stops):
        return trip
    targets = [stop.planned_coordinates for stop in stops]
    row = roads.matrix([trip.origin], targets, trip.profile).durations
    travel = scaled(row, trip.speed_factor)[0].tolist()
    return replace(trip, departure=assumed_departure(stops, travel, now))


def _find_ways(
    candidates: Sequence[Candidate], trips: Sequence[Trip], roads: RoadNetwork
) -> list[_Ways]:
    """Return the ways of each trip; those to and from the stop are asked for once a profile."""
    by_profile = defaultdict(list)
    for index, trip in enumerate(trips):
        by_profile[trip.profile].append(index)
    found: dict[int, _Ways] = {}
    for profile, indexes in by_profile.items():
        waypoints = [trips[index].waypoints() for index in indexes]
        flat = [point for points in waypoints for point in points]
        new = [candidates[indexes[0]].stop.planned_coordinates]
        to_new, from_new = roads.matrix(flat, new, profile), roads.matrix(new, flat, profile)
        first = 0
        for index, points in zip(indexes, waypoints, strict=True):
            own = slice(first, first + len(points))
            first = own.stop
            factor = trips[index].speed_factor
            found[index] = _Ways(
                legs=roads.legs(points, profile),
                to_new=scaled(to_new.durations[own, 0], factor),
                from_new=scaled(from_new.durations[0, own], factor),
                to_new_meters=to_new.distances[own, 0],
                from_new_meters=from_new.distances[0, own],
            )
    return [found[index] for index in range(len(trips))]


def _fix(candidate: Candidate, trip: Trip, ways: _Ways) -> FixedRoute:
    """Return the engine's view of a trip and the stop."""
    seconds = np.array([leg.duration_seconds for leg in ways.legs], dtype=np.int32)
    open_end = [0] if trip.end is None else []

    def windows_of(stop: RouteStop) -> tuple[tuple[int, int], ...]:
        windows = windows_on_axis(stop, trip.departure, trip.day_of)
        return windows if len(windows) < 2 else join_windows(0, windows)

    return FixedRoute(
        legs=[*scaled(seconds, trip.speed_factor).tolist(), *open_end],
        to_new=ways.to_new[: len(trip.stops) + 1].tolist(),
        from_new=[*ways.from_new[1:].tolist(), *open_end],
        service=[service_seconds(stop) for stop in trip.stops],
        windows=[windows_of(stop) if stop.time_windows else () for stop in trip.stops],
        new_service=service_seconds(candidate.stop),
        new_windows=windows_of(candidate.stop),
    )


class _Laid(NamedTuple):
    """A trip as the engine sees it, and the ways to the new stop."""

    trip: Trip
    route: FixedRoute
    ways: _Ways


def _choose(
    candidate: Candidate, laid: _Laid, found: Insertions, roads: RoadNetwork, now: datetime
) -> Insertion:
    """Return the best place: least broken, least late, fewest priorities crossed, least travel."""
    route, stop, trip = candidate.route, candidate.stop, laid.trip
    indexes = {one.id: index for index, one in enumerate(route.stops)}
    finals = np.array([*(indexes[one.id] for one in trip.stops), len(route.stops)])
    limit = route.max_duration
    longest = None if isinstance(limit, UnsetType) else whole_seconds(limit)
    excess = (
        np.zeros_like(found.durations)
        if longest is None
        else np.maximum(found.durations - longest, 0)
    )
    broken = found.late_visits + (excess > 0)
    keys = (
        finals,
        found.extra_travel,
        _inversions(trip, stop),
        excess,
        found.extra_lateness,
        broken,
    )
    order = np.lexsort(keys)
    allowed = finals >= first_free_index(route)
    best = next(int(place) for place in order if allowed[place])
    is_broken = bool(broken[best]) or _is_too_full(candidate)
    index = int(finals[best])
    travel, lateness = int(found.extra_travel[best]), int(found.extra_lateness[best])
    effects = effects_of(laid.route, best)
    meters = _added_meters(laid.ways, best)
    added = Added(
        seconds=effects.extra_seconds,
        traveled_seconds=travel,
        meters=meters,
        is_first=not route.stops,
    )
    late = candidate.wishes.lateness_cost_per_hour * lateness / 3_600
    of_stop = (
        *_present_already(candidate),
        *list_unfit(candidate.vehicle, route, stop, candidate.wishes),
    )
    broken_there = _list_broken(candidate, index, roads, now) if is_broken else ()
    return Insertion(
        route_id=route.id,
        index=index,
        extra_travel_seconds=travel,
        extra_lateness_seconds=lateness,
        cost=round(cost_of(_costs_of(candidate), added) + late, 2),
        added_distance_meters=meters,
        planned_arrival=trip.departure + timedelta(seconds=effects.arrival),
        delayed=tuple(
            DelayedStop(stop_id=one.id, delay=from_seconds(delay))
            for one, delay in zip(trip.stops, effects.delays, strict=True)
            if delay
        ),
        violations=(*of_stop, *broken_there),
        new_violations=(*of_stop, *_list_new(candidate, broken_there, roads, now)),
    )


def _costs_of(candidate: Candidate) -> VehicleCosts:
    vehicle = candidate.vehicle
    return USUAL_COSTS if vehicle is None else first_named(vehicle.costs)


def _added_meters(ways: _Ways, place: int) -> int:
    """Return by how much longer the route is; the leg that is left out counts against it."""
    to_new = int(ways.to_new_meters[place])
    if place == len(ways.legs):
        return to_new  # behind the last stop of a route without an end
    return to_new + int(ways.from_new_meters[place + 1]) - ways.legs[place].distance_meters


def _is_too_full(candidate: Candidate) -> bool:
    """Say whether the route breaks a limit with the stop, wherever it stands."""
    limits = limits_of(candidate.route)
    if limits == Limits():
        return False  # adding up the items of long routes takes longer than the rest
    route = candidate.route
    with_it = replace_struct(route, stops=(*route.stops, candidate.stop))
    return bool(check_limits(limits, load_of(with_it)))


def _inversions(trip: Trip, stop: RouteStop) -> NDArray[np.int64]:
    """Return for each place how many visits the stop would stand before or behind wrongly."""
    ranks = np.array([one.priority for one in trip.stops], dtype=np.int64)
    lower_before = np.concatenate([[0], np.cumsum(ranks < stop.priority)])
    higher = np.concatenate([[0], np.cumsum(ranks > stop.priority)])
    return np.asarray(lower_before + higher[-1] - higher, dtype=np.int64)


def _list_new(
    candidate: Candidate,
    broken: Sequence[PreconditionViolation],
    roads: RoadNetwork,
    now: datetime,
) -> tuple[PreconditionViolation, ...]:
    """Return what of this the route does not break without the stop."""
    if not broken:
        return ()
    timed = time_for_violations(candidate.route, roads, now)
    before = {(one.type, one.subject) for one in list_violations(timed, _WORDING)}
    return tuple(one for one in broken if (one.type, one.subject) not in before)


def _list_broken(
    candidate: Candidate, index: int, roads: RoadNetwork, now: datetime
) -> tuple[PreconditionViolation, ...]:
    at = InsertionPoint(index, "index")
    route = put_stop(candidate.route, candidate.stop, at, now)
    return list_violations(time_for_violations(route, roads, now), _WORDING)


def _present_already(candidate: Candidate) -> tuple[PreconditionViolation, ...]:
    try:
        require_origin_absent(candidate.stop, candidate.route)
    except FailedPrecondition as refused:
        return refused.violations
    return ()
