"""The plan mode: what driving a route in its present order means, asked for leg by leg.

Every operation that changes a route times it here, so there is one place that sets distances and
arrivals to come. Before a route starts, all arrivals are as planned. Once its driver has left,
`plannedArrival` stays as it was planned, and `updatedArrival` of what is ahead follows from where
and when the driver was last known to be; what is done keeps the moment at which it was done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_trip
from datetime import datetime, timedelta

import numpy as np
from msgspec.structs import replace

from roundsman.domain.driver_position import locate_driver
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.route import EndStatus, Route, RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.durations import Duration, from_seconds, whole_seconds
from roundsman.operations.route_problem import Trip, pose_problem, trip_of
from roundsman.planning.schedule import Schedule, schedule
from roundsman.roads.network import Leg, RoadNetwork, TravelMatrix

_ANY_DEPARTURE = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedRoute:
    """A route with distances and arrivals set; the schedule's places run start, visits, end.

    Of a route under way the schedule starts where its driver is and visits what is ahead.
    """

    route: Route
    visits: tuple[RouteStop, ...]
    schedule: Schedule
    departure: datetime
    estimated: bool
    is_wholly_estimated: bool = False

    def moment(self, seconds: int) -> datetime:
        """Return a time of the schedule's axis as a moment."""
        return self.departure + timedelta(seconds=int(seconds))


def time_route(route: Route, roads: RoadNetwork) -> TimedRoute:
    """Time a route as it stands; without a known departure it gets distances, but no arrivals."""
    departure = route.departure()
    if route.is_started():
        return time_route_under_way(route, roads)
    if isinstance(departure, UnsetType):
        return time_route_leaving(route, roads, _ANY_DEPARTURE, shows_arrivals=False)
    return time_route_leaving(route, roads, departure)


def time_route_leaving(
    route: Route,
    roads: RoadNetwork,
    departure: datetime,
    *,
    day_of: datetime | None = None,
    shows_arrivals: bool = True,
) -> TimedRoute:
    """Time a route from a departure; its windows belong to the day of `day_of`."""
    trip = trip_of(route, departure, day_of)
    legs = roads.legs(trip.waypoints(), trip.profile)
    timed = schedule(pose_problem(trip, _chain(legs)), range(1, len(trip.stops) + 1))
    meters = [leg.distance_meters for leg in legs]
    estimated = any(leg.estimated for leg in legs)
    shown = replace(route, has_estimates=estimated)
    return TimedRoute(
        route=_with_schedule(shown, _planned(trip, timed, shows_arrivals=shows_arrivals), meters),
        visits=route.stops,
        schedule=timed,
        departure=departure,
        estimated=estimated,
        is_wholly_estimated=all(leg.estimated for leg in legs),
    )


def trip_ahead_of_driver(route: Route) -> Trip:
    """Return what is left of a route under way, from where and when its driver was last.

    Nothing ahead is reached before the route was last planned on the road: until then the driver
    had been at none of it.
    """
    driver = locate_driver(route)
    leaves_at = max(driver.at, route.replanned_at or driver.at)
    trip = trip_of(
        replace(route, stops=route.open_stops()), leaves_at, route.departure() or leaves_at
    )
    limit = route.max_duration
    if isinstance(limit, UnsetType):
        return replace_trip(trip, origin=driver.coordinates)
    driven = (leaves_at - (route.start.updated_start or leaves_at)) // timedelta(seconds=1)
    left = max(0, whole_seconds(limit) - driven)
    return replace_trip(
        trip, origin=driver.coordinates, max_duration_seconds=left, elapsed_seconds=driven
    )


def time_route_under_way(
    route: Route, roads: RoadNetwork, *, is_planned_anew: bool = False
) -> TimedRoute:
    """Time what is ahead of the driver; only a new plan changes what was planned of it."""
    trip = trip_ahead_of_driver(route)
    legs = roads.legs(trip.waypoints(), trip.profile)
    timed = schedule(pose_problem(trip, _chain(legs)), range(1, len(trip.stops) + 1))
    planned = _planned(trip, timed, shows_arrivals=True)
    whole = roads.legs(trip_of(route, trip.departure).waypoints(), trip.profile)
    lengths = [leg.distance_meters for leg in whole]
    due = {stop.id: there for stop, there in zip(trip.stops, planned[1:], strict=False)}
    stops = tuple(
        _expected_stop(stop, due.get(stop.id), distance, is_planned_anew=is_planned_anew)
        for stop, distance in zip(route.stops, lengths, strict=False)
    )
    start = replace(route.start, scheduled_start=route.departure())
    estimated = any(leg.estimated for leg in (*legs, *whole))
    moved = replace(route, start=start, stops=stops, has_estimates=estimated)
    if isinstance(route.end, RouteEnd):
        is_over = route.end.status is EndStatus.COMPLETED
        arrival = None if is_over else planned[-1].arrival
        end = _expected(route.end, arrival, lengths[-1], is_planned_anew=is_planned_anew)
        moved = replace(moved, end=end)
    return TimedRoute(
        route=moved if is_planned_anew else moved.with_order_after_delay(),
        visits=trip.stops,
        schedule=timed,
        departure=trip.departure,
        estimated=estimated,
        is_wholly_estimated=all(leg.estimated for leg in (*legs, *whole)),
    )


def _expected_stop(
    stop: RouteStop, there: "_Planned | None", meters: int, *, is_planned_anew: bool
) -> RouteStop:
    """Return a stop with its next arrival; how late it is planned only a new plan changes."""
    if there is None:
        return _expected(stop, None, meters, is_planned_anew=is_planned_anew)
    moved = _expected(stop, there.arrival, meters, is_planned_anew=is_planned_anew)
    return replace(moved, planned_lateness=there.lateness) if is_planned_anew else moved


def _expected[Place: (RouteStop, RouteEnd)](
    place: Place, arrival: datetime | UnsetType | None, meters: int, *, is_planned_anew: bool
) -> Place:
    """Return a place with its next arrival; None is a place that is done, and keeps its own."""
    if arrival is None:
        return replace(place, distance_meters=meters)
    planned = arrival if is_planned_anew else place.planned_arrival or arrival
    return replace(place, planned_arrival=planned, updated_arrival=arrival, distance_meters=meters)


def _chain(legs: Sequence[Leg]) -> TravelMatrix:
    """Return a matrix that knows only the legs driven, from each node to the next."""
    size = len(legs) + 1
    durations = np.zeros((size, size), dtype=np.int32)
    distances = np.zeros((size, size), dtype=np.int32)
    here = np.arange(size - 1)
    durations[here, here + 1] = [leg.duration_seconds for leg in legs]
    distances[here, here + 1] = [leg.distance_meters for leg in legs]
    return TravelMatrix(
        durations=durations, distances=distances, estimated=np.zeros((size, size), dtype=np.bool_)
    )


@dataclass(frozen=True, slots=True)
class _Planned:
    """When the vehicle is to be at a place, and how late; unset where nothing is planned."""

    arrival: datetime | UnsetType = UNSET
    lateness: Duration | UnsetType = UNSET


def _planned(trip: Trip, timed: Schedule, *, shows_arrivals: bool) -> list[_Planned]:
    if not shows_arrivals:
        return [_Planned()] * len(timed.path)
    return [
        _Planned(
            trip.departure + timedelta(seconds=int(arrival)),
            from_seconds(int(late)) if late else UNSET,
        )
        for arrival, late in zip(timed.arrivals, timed.lateness, strict=True)
    ]


def _with_schedule(route: Route, planned: Sequence[_Planned], meters: Sequence[int]) -> Route:
    """Return the route with what is planned and leg lengths, one a stop and one for the end."""
    stops = tuple(
        replace(
            stop,
            planned_arrival=there.arrival,
            updated_arrival=there.arrival,
            planned_lateness=there.lateness,
            distance_meters=distance,
        )
        for stop, there, distance in zip(
            route.stops, planned[1:], meters[: len(route.stops)], strict=False
        )
    )
    departure = route.departure()
    start = replace(route.start, scheduled_start=departure, updated_start=departure)
    if not isinstance(route.end, RouteEnd):
        return replace(route, start=start, stops=stops)
    end = replace(
        route.end,
        planned_arrival=planned[-1].arrival,
        updated_arrival=planned[-1].arrival,
        distance_meters=meters[-1],
    )
    return replace(route, start=start, stops=stops, end=end)
