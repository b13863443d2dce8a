"""The plan mode: what driving a route in its present order means, asked for leg by leg.

Every operation that changes a route times it here, so there is one place that sets planned arrivals
and distances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from msgspec.structs import replace

from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.route import Route, RouteEnd
from roundsman.operations.route_problem import Trip, pose_problem, trip_of
from roundsman.planning.schedule import Schedule, schedule
from roundsman.roads.network import Leg, RoadNetwork, TravelMatrix

_ANY_DEPARTURE = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedRoute:
    """A route with distances and arrivals set; the schedule's places run start, stops, end."""

    route: Route
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
    arrivals = _arrivals(trip, timed) if shows_arrivals else [UNSET] * len(timed.path)
    estimated = any(leg.estimated for leg in legs)
    shown = replace(route, has_estimates=estimated)
    return TimedRoute(
        route=_with_schedule(shown, arrivals, [leg.distance_meters for leg in legs]),
        schedule=timed,
        departure=departure,
        estimated=estimated,
        is_wholly_estimated=all(leg.estimated for leg in legs),
    )


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


def _arrivals(trip: Trip, timed: Schedule) -> list[datetime | UnsetType]:
    return [trip.departure + timedelta(seconds=int(arrival)) for arrival in timed.arrivals]


def _with_schedule(
    route: Route, arrivals: Sequence[datetime | UnsetType], meters: Sequence[int]
) -> Route:
    """Return the route with planned arrivals and leg lengths, one a stop and one for the end."""
    stops = tuple(
        replace(stop, planned_arrival=arrival, updated_arrival=arrival, distance_meters=distance)
        for stop, arrival, distance in zip(
            route.stops, arrivals[1:], meters[: len(route.stops)], strict=False
        )
    )
    departure = route.departure()
    start = replace(route.start, scheduled_start=departure, updated_start=departure)
    if not isinstance(route.end, RouteEnd):
        return replace(route, start=start, stops=stops)
    end = replace(
        route.end,
        planned_arrival=arrivals[-1],
        updated_arrival=arrivals[-1],
        distance_meters=meters[-1],
    )
    return replace(route, start=start, stops=stops, end=end)
