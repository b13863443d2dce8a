"""The only translation between routes and the planning engine: nouns in, visits and seconds out.

Node 0 is where the vehicle leaves, the stops follow in their present order, the end is last. Time
runs in whole seconds from the departure. Interface flags end here: the engine sees fewer visits or
no limits, never a flag.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

import numpy as np
from msgspec.structs import replace as replace_struct
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_progress import locate_driver
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import whole_seconds
from roundsman.kit.time_zones import require_even_time, wall_clock, zone_at
from roundsman.planning import Problem
from roundsman.roads.network import TravelMatrix, TravelProfile

_SECOND = timedelta(seconds=1)
LAST_SECOND = 10**10
"""Seconds that no route reaches: an open side of a time window."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trip:
    """What is to be ordered or timed: from an origin over stops to an end, from a moment on."""

    origin: Coordinates
    stops: tuple[RouteStop, ...]
    end: Coordinates | None
    departure: datetime
    day_of: datetime
    speed_factor: float
    max_duration_seconds: int | None
    profile: TravelProfile
    elapsed_seconds: int = 0
    """Of the route before this trip begins; what a longest duration has left takes it off."""

    def __post_init__(self) -> None:
        require_even_time(self.departure)

    def waypoints(self) -> list[Coordinates]:
        """Return the places in the order of the problem's nodes."""
        locations = [self.origin, *(stop.planned_coordinates for stop in self.stops)]
        return locations if self.end is None else [*locations, self.end]


def trip_of(route: Route, departure: datetime, day_of: datetime | None = None) -> Trip:
    """Return the whole route as a trip; its windows belong to the day of `day_of`."""
    limit = route.max_duration
    return Trip(
        origin=route.start.coordinates,
        stops=route.stops,
        end=route.end.coordinates if isinstance(route.end, RouteEnd) else None,
        departure=departure,
        day_of=day_of or departure,
        speed_factor=route.speed_factor,
        max_duration_seconds=None if isinstance(limit, UnsetType) else whole_seconds(limit),
        profile=profile_of(route),
    )


def trip_ahead_of_driver(route: Route) -> Trip:
    """Return what is left of a route under way, from where and when its driver was last.

    Nothing ahead is reached before the route was last planned on the road: until then the driver
    had been at none of it.
    """
    driver = locate_driver(route)
    leaves_at = max(driver.at, route.replanned_at or driver.at)
    trip = trip_of(
        replace_struct(route, stops=route.open_stops()), leaves_at, route.departure() or leaves_at
    )
    limit = route.max_duration
    if isinstance(limit, UnsetType):
        return replace(trip, origin=driver.coordinates)
    driven = (leaves_at - (route.start.updated_start or leaves_at)) // timedelta(seconds=1)
    left = max(0, whole_seconds(limit) - driven)
    return replace(
        trip, origin=driver.coordinates, max_duration_seconds=left, elapsed_seconds=driven
    )


def profile_of(route: Route) -> TravelProfile:
    """Return how the route's vehicle may travel."""
    return TravelProfile(avoid_tolls=route.avoid_tolls, avoid_u_turns=route.avoid_u_turns)


def pose_problem(trip: Trip, matrix: TravelMatrix) -> Problem:
    """Return the engine's problem; `matrix` runs over the trip's waypoints."""
    size = len(trip.stops) + (1 if trip.end is None else 2)
    beside_stops = [0] * (size - 1 - len(trip.stops))
    return Problem(
        durations=scaled(matrix.durations, trip.speed_factor),
        distances=matrix.distances,
        start=0,
        end=None if trip.end is None else size - 1,
        service=np.array(
            [0, *(service_seconds(stop) for stop in trip.stops), *beside_stops], dtype=np.int32
        ),
        windows=[
            (),
            *(windows_on_axis(stop, trip.departure, trip.day_of) for stop in trip.stops),
            *(() for _ in beside_stops),
        ],
        priority=np.array([0, *(stop.priority for stop in trip.stops), *beside_stops], np.int32),
        departure=0,
        max_duration=trip.max_duration_seconds,
    )


def scaled(durations: NDArray[np.int32], speed_factor: float) -> NDArray[np.int32]:
    """Return travel times at a speed factor; 2 is twice as fast (decisions §7)."""
    if speed_factor == 1:
        return durations
    return np.rint(durations / speed_factor).astype(np.int32)


def service_seconds(stop: RouteStop) -> int:
    """Return how long the stop takes."""
    return 0 if isinstance(stop.duration, UnsetType) else whole_seconds(stop.duration)


def windows_on_axis(
    stop: RouteStop, departure: datetime, day_of: datetime
) -> tuple[tuple[int, int], ...]:
    """Return the stop's windows in seconds from the departure.

    They belong to the stop's delivery date, or else to the local day of `day_of` at the stop, which
    is the departure wherever one is known (decisions §12).
    """
    if not stop.time_windows:
        return ()
    zone = zone_of(stop.planned_coordinates)
    day = (
        stop.delivery_date.as_planned()
        if isinstance(stop.delivery_date, Date)
        else day_of.astimezone(zone).date()
    )
    return windows_of_day(stop.time_windows, day, zone, departure)


@lru_cache(maxsize=4_096)  # the stops of a day have few windows, and are asked for again and again
def windows_of_day(
    windows: tuple[TimeWindow, ...], day: date, zone: tzinfo, axis_begins: datetime
) -> tuple[tuple[int, int], ...]:
    """Return windows on a local day, in seconds from a moment."""

    def seconds(instant: datetime) -> int:
        return int((instant - axis_begins) // _SECOND)

    def on_axis(window: TimeWindow) -> tuple[int, int]:
        opens, closes = _edges(window, day, zone)
        first = -LAST_SECOND if opens is None else seconds(opens)
        return first, LAST_SECOND if closes is None else max(first, seconds(closes))

    return tuple(on_axis(window) for window in windows)


def _edges(window: TimeWindow, day: date, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """Return when a window opens and closes on a day; None is a side that is open."""
    opens = closes = None
    if isinstance(window.start, TimeOfDay):
        opens = wall_clock(datetime.combine(day, window.start.as_time()), zone, latest=False)
    if isinstance(window.end, TimeOfDay):
        on = day + timedelta(days=1) if _spans_midnight(window) else day
        closes = wall_clock(datetime.combine(on, window.end.as_time()), zone, latest=True)
    return opens, closes


def zone_of(location: Coordinates) -> tzinfo:
    """Return the zone of a place."""
    return zone_at(latitude=location.latitude, longitude=location.longitude)


def _spans_midnight(window: TimeWindow) -> bool:
    if isinstance(window.start, UnsetType) or isinstance(window.end, UnsetType):
        return False
    return window.end.as_time() < window.start.as_time()


def assumed_departure(
    stops: Sequence[RouteStop], travel_seconds: Sequence[int], now: datetime
) -> datetime:
    """Return a departure for a route that has none: just in time for its first window, today.

    Today is the local day at each stop, as it is for the windows that are then to be met. Such a
    route has no arrivals to show, but its windows still order its stops. `travel_seconds` is the
    time from the origin straight to each stop.
    """
    instant = now.replace(microsecond=0)
    in_time = [
        (opens if opens > -LAST_SECOND else closes) - travel
        for stop, travel in zip(stops, travel_seconds, strict=True)
        for opens, closes in windows_on_axis(stop, instant, now)
        if opens > -LAST_SECOND or closes < LAST_SECOND
    ]
    return instant + timedelta(seconds=min(in_time, default=0))
