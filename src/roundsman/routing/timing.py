"""The one place that sets the times of a route: what driving it in its present order means.

Every operation that changes a route times it here, leg by leg, by the rules of the engine's
schedule. What a stored route does not keep of that, such as waiting, is worked out again for its
timetable. Before a route starts, all arrivals are as planned. Once its driver has left,
`plannedArrival` stays as it was planned, and `updatedArrival` of what is ahead follows from where
and when the driver was last known to be; what is done keeps the moment at which it was done.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta

import numpy as np
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.arrival_window import (
    DEPARTURE_COUNTS_AS,
    START_SPREADS,
    ArrivalSpreads,
    ArrivalWindow,
    expect_window,
    hold_window,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import EndStatus, RouteEnd
from roundsman.domain.route_progress import order_after_delay
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.route_views import LocationTimes, Timetable
from roundsman.domain.stop_type import StopType
from roundsman.kit.durations import Duration, from_seconds
from roundsman.planning.problem import Seconds, join_windows
from roundsman.planning.schedule import Schedule, begin_service, schedule
from roundsman.roads.network import Leg, RoadNetwork, TravelMatrix
from roundsman.routing.route_problem import (
    LAST_SECOND,
    Trip,
    pose_problem,
    service_seconds,
    trip_ahead_of_driver,
    trip_of,
    windows_on_axis,
    zone_of,
)

_ANY_DEPARTURE = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedRoute:
    """A route with distances and arrivals set; the schedule's arrays run start, visits, end.

    Of a route under way the schedule starts where its driver is and visits what is ahead. Tuples
    run along the visits.
    """

    route: Route
    visits: tuple[RouteStop, ...]
    schedule: Schedule
    departure: datetime
    estimated: bool
    is_wholly_estimated: bool = False

    def instant(self, seconds: int) -> datetime:
        """Return a time of the schedule's axis as a moment."""
        return self.departure + timedelta(seconds=int(seconds))

    @property
    def service_starts(self) -> tuple[datetime, ...]:
        """Return when service starts at each visit."""
        return tuple(
            self.instant(seconds) for seconds in self._along_visits(self.schedule.service_starts)
        )

    @property
    def departures(self) -> tuple[datetime, ...]:
        """Return when the vehicle leaves each visit."""
        return tuple(
            self.instant(seconds) for seconds in self._along_visits(self.schedule.departures)
        )

    @property
    def lateness_seconds(self) -> tuple[int, ...]:
        """Return how long after its last window each visit is served."""
        return tuple(int(late) for late in self._along_visits(self.schedule.lateness))

    @property
    def ends_at(self) -> datetime:
        """Return the arrival at the end, or the last departure of a route without one."""
        return self.instant(self.schedule.duration_seconds)

    def _along_visits(self, along_path: Seconds) -> Seconds:
        return along_path[1 : len(self.visits) + 1]


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
    unsure = _Unsure(route.arrival_spreads or START_SPREADS, estimated=estimated, has_left=False)
    planned = _planned(trip, timed, unsure if shows_arrivals else None)
    return TimedRoute(
        route=_with_schedule(shown, planned, meters),
        visits=route.stops,
        schedule=timed,
        departure=departure,
        estimated=estimated,
        is_wholly_estimated=all(leg.estimated for leg in legs),
    )


def time_route_under_way(
    route: Route, roads: RoadNetwork, *, is_planned_anew: bool = False
) -> TimedRoute:
    """Time what is ahead of the driver; only a new plan changes what was planned of it."""
    trip = trip_ahead_of_driver(route)
    legs = roads.legs(trip.waypoints(), trip.profile)
    timed = schedule(pose_problem(trip, _chain(legs)), range(1, len(trip.stops) + 1))
    estimated = any(leg.estimated for leg in legs)
    unsure = _Unsure(route.arrival_spreads or START_SPREADS, estimated=estimated, has_left=True)
    planned = _planned(trip, timed, unsure)
    whole = roads.legs(trip_of(route, trip.departure).waypoints(), trip.profile)
    lengths = [leg.distance_meters for leg in whole]
    due = {stop.id: there for stop, there in zip(trip.stops, planned[1:], strict=False)}
    stops = tuple(
        _expected_stop(stop, due.get(stop.id), distance, is_planned_anew=is_planned_anew)
        for stop, distance in zip(route.stops, lengths, strict=False)
    )
    start = replace(route.start, scheduled_start=route.departure())
    estimated = estimated or any(leg.estimated for leg in whole)
    moved = replace(route, start=start, stops=stops, has_estimates=estimated)
    if isinstance(route.end, RouteEnd):
        is_over = route.end.status is EndStatus.COMPLETED
        arrival = None if is_over else planned[-1].arrival
        end = _expected(route.end, arrival, lengths[-1], is_planned_anew=is_planned_anew)
        moved = replace(moved, end=end)
    return TimedRoute(
        route=moved if is_planned_anew else order_after_delay(moved),
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
    moved = replace(moved, arrival_window=_hold(stop, there))
    return replace(moved, planned_lateness=there.lateness) if is_planned_anew else moved


def _hold(stop: RouteStop, there: "_Planned") -> ArrivalWindow | UnsetType:
    """Return the window that was promised, or the one that takes its place."""
    promised, fresh, expected = stop.arrival_window, there.window, there.arrival
    if (
        isinstance(promised, UnsetType)
        or isinstance(fresh, UnsetType)
        or isinstance(expected, UnsetType)
    ):
        return fresh
    return hold_window(promised, fresh, expected)


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
    window: ArrivalWindow | UnsetType = UNSET
    """In which the vehicle is expected at a stop, as far as is known when the trip begins."""


@dataclass(frozen=True, slots=True)
class _Unsure:
    """How unsure arrivals are."""

    spreads: ArrivalSpreads
    _: KW_ONLY
    estimated: bool
    has_left: bool


def _planned(trip: Trip, timed: Schedule, unsure: _Unsure | None) -> list[_Planned]:
    """Return what is planned at each place; nothing where no arrivals are shown."""
    if unsure is None:
        return [_Planned()] * len(timed.path)
    windows: list[ArrivalWindow | UnsetType] = [UNSET] * len(timed.path)
    windows[1 : len(trip.stops) + 1] = _expected_windows(trip, timed, unsure)
    return [
        _Planned(
            trip.departure + timedelta(seconds=int(arrival)),
            from_seconds(int(late)) if late else UNSET,
            window,
        )
        for arrival, late, window in zip(timed.arrivals, timed.lateness, windows, strict=True)
    ]


def _expected_windows(
    trip: Trip, timed: Schedule, unsure: _Unsure
) -> list[ArrivalWindow | UnsetType]:
    """Return in which window each stop's customer may expect the driver; nobody awaits a break."""
    known_at = trip.departure if unsure.has_left else trip.departure - DEPARTURE_COUNTS_AS
    windows: list[ArrivalWindow | UnsetType] = []
    ahead = -1
    for number, stop in enumerate(trip.stops, start=1):
        if stop.type is StopType.BREAK:
            windows.append(UNSET)
            continue
        ahead += 1
        served = int(timed.service_starts[number])
        opened = [
            opens
            for opens, _ in windows_on_axis(stop, trip.departure, trip.day_of)
            if -LAST_SECOND < opens <= served
        ]
        opens_at = trip.departure + timedelta(seconds=max(opened)) if opened else None
        expected = trip.departure + timedelta(seconds=int(timed.arrivals[number]))
        spread = unsure.spreads.at(ahead, is_estimated=unsure.estimated)
        windows.append(expect_window(expected, known_at, spread, opens_at))
    return windows


def _with_schedule(route: Route, planned: Sequence[_Planned], meters: Sequence[int]) -> Route:
    """Return the route with what is planned and leg lengths, one a stop and one for the end."""
    stops = tuple(
        replace(
            stop,
            planned_arrival=there.arrival,
            updated_arrival=there.arrival,
            # Before a dispatch nothing is promised that would have to hold.
            arrival_window=there.window if route.dispatched_until is UNSET else _hold(stop, there),
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


def timetable_of(route: Route) -> Timetable:
    """Return when a route is planned to be where, by which clocks, and how late it is by now."""
    start = LocationTimes(timezone=_zone_name(route.start.coordinates), departure=route.departure())
    places = [start, *(_times_at(stop, route.departure()) for stop in route.stops)]
    if isinstance(route.end, RouteEnd):
        zone = _zone_name(route.end.coordinates)
        places.append(LocationTimes(timezone=zone, arrival=route.end.planned_arrival))
    return Timetable(places=tuple(places))


def _times_at(stop: RouteStop, route_departs: datetime | UnsetType) -> LocationTimes:
    arrival = stop.planned_arrival
    zone = _zone_name(stop.planned_coordinates)
    late = lateness_of(stop, route_departs)
    if isinstance(arrival, UnsetType):
        return LocationTimes(stop_id=stop.id, timezone=zone, lateness=late)
    # The rule of the schedule, asked again: arrivals are kept, starts of service are not.
    windows = sorted(windows_on_axis(stop, arrival, route_departs or arrival))
    waiting, _ = begin_service(windows, 0)
    return LocationTimes(
        stop_id=stop.id,
        timezone=zone,
        arrival=arrival,
        waiting=from_seconds(waiting) if waiting else UNSET,
        departure=arrival + timedelta(seconds=waiting + service_seconds(stop)),
        lateness=late,
    )


def lateness_of(stop: RouteStop, route_departs: datetime | UnsetType) -> Duration | UnsetType:
    """Return how long after its last window a stop was served, or is to be as far as is known."""
    came = stop.updated_arrival or stop.planned_arrival
    if isinstance(came, UnsetType):
        return UNSET
    if stop.is_done():
        # What is known is when a stop was done, and windows hold the start of its service.
        came -= timedelta(seconds=service_seconds(stop))
    windows = windows_on_axis(stop, came, route_departs or came)
    _, late = begin_service(windows if len(windows) < 2 else join_windows(0, windows), 0)
    return from_seconds(late) if late else UNSET


def _zone_name(place: Coordinates) -> str:
    return str(zone_of(place))
