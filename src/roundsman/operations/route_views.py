"""What a planner's board shows of a route beside the route itself: its timetable and its lines."""

from datetime import datetime, timedelta

from roundsman.domain.address import Coordinates
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.route import RouteEnd
from roundsman.domain.route_path import RouteLine, RoutePath
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.timetable import LocationTimes, Timetable
from roundsman.kit.durations import Duration, from_seconds
from roundsman.operations.route_changes import RoutePart, load_route
from roundsman.operations.route_problem import service_seconds, trip_of, windows_on_axis
from roundsman.operations.wording import zone_of
from roundsman.operations.work import Tools
from roundsman.planning.schedule import begin_service
from roundsman.roads.network import Path

_DECIMALS = 5
"""Of a degree: a metre."""


def get_timetable(tools: Tools, organization_id: str, route_id: str) -> RoutePart[Timetable]:
    """Return when a route is planned to be where, by which clocks, and how late it is by now."""
    route = load_route(tools, organization_id, route_id).route
    start = LocationTimes(timezone=_zone_name(route.start.coordinates), departure=route.departure())
    places = [start, *(_times_at(stop, route.departure()) for stop in route.stops)]
    if isinstance(route.end, RouteEnd):
        zone = _zone_name(route.end.coordinates)
        places.append(LocationTimes(timezone=zone, arrival=route.end.planned_arrival))
    return RoutePart(shown=Timetable(places=tuple(places)), route=route)


def _times_at(stop: RouteStop, route_departs: datetime | UnsetType) -> LocationTimes:
    arrival = stop.planned_arrival
    zone = _zone_name(stop.planned_coordinates)
    late = _lateness(stop, route_departs)
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


def _lateness(stop: RouteStop, route_departs: datetime | UnsetType) -> Duration | UnsetType:
    came = stop.updated_arrival or stop.planned_arrival
    if isinstance(came, UnsetType):
        return UNSET
    if stop.is_done():
        # What is known is when a stop was done, and windows hold the start of its service.
        came -= timedelta(seconds=service_seconds(stop))
    _, late = begin_service(sorted(windows_on_axis(stop, came, route_departs or came)), 0)
    return from_seconds(late) if late else UNSET


def _zone_name(place: Coordinates) -> str:
    return str(zone_of(place))


def get_path(tools: Tools, organization_id: str, route_id: str) -> RoutePart[RoutePath]:
    """Return what to draw of a route, on the roads there are now; may wait for a road engine."""
    route = load_route(tools, organization_id, route_id).route
    trip = trip_of(route, route.created_at)
    waypoints = trip.waypoints()
    lines = [_line(path) for path in tools.roads.paths(waypoints, trip.profile)]
    is_on_roads = any(not line.estimated for line in lines)
    attribution = tools.roads.attribution() if is_on_roads else ""
    return RoutePart(shown=RoutePath(lines=tuple(lines), attribution=attribution), route=route)


def _line(path: Path) -> RouteLine:
    points = tuple(
        Coordinates(
            latitude=round(point.latitude, _DECIMALS), longitude=round(point.longitude, _DECIMALS)
        )
        for point in path.points
    )
    return RouteLine(points=points, estimated=path.estimated)
