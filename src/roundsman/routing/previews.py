"""What a route means as it stands: its timetable, its lateness, what it breaks, how long it is."""

from datetime import datetime

from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_preview import RoutePreview, RouteTotals
from roundsman.roads.network import RoadNetwork
from roundsman.routing.route_problem import assumed_departure, scaled, trip_of
from roundsman.routing.timing import TimedRoute, time_route, time_route_leaving, timetable_of
from roundsman.routing.violations import list_violations
from roundsman.routing.wording import Wording

_WORDING = Wording()


def preview(route: Route, roads: RoadNetwork, now: datetime) -> RoutePreview:
    """Return what driving a route in its present order means."""
    timed = time_for_violations(route, roads, now)
    return RoutePreview(
        timetable=timetable_of(timed.route),
        lateness=timed.schedule.lateness_seconds,
        violations=list_violations(timed, _WORDING),
        totals=RouteTotals(
            distance_meters=timed.schedule.distance_meters or 0,
            travel_seconds=timed.schedule.travel_seconds,
            duration_seconds=timed.schedule.duration_seconds,
        ),
    )


def time_for_violations(route: Route, roads: RoadNetwork, now: datetime) -> TimedRoute:
    """Time a route; one that has no departure yet leaves just in time for its first window.

    It shows no arrivals then, but breaks the windows and limits that reoptimizing it would name.
    """
    if route.is_started() or not isinstance(route.departure(), UnsetType):
        return time_route(route, roads)
    trip = trip_of(route, now)
    targets = [stop.planned_coordinates for stop in trip.stops]
    travel = [0] * len(targets)
    if any(stop.time_windows for stop in trip.stops):
        row = roads.matrix([trip.origin], targets, trip.profile)
        travel = scaled(row.durations, trip.speed_factor)[0].tolist()
    departure = assumed_departure(trip.stops, travel, now)
    return time_route_leaving(route, roads, departure, day_of=now, shows_arrivals=False)
