"""What a planner's board shows of a route beside the route itself: its timetable and its lines."""

from roundsman.domain.address import Coordinates
from roundsman.domain.route_views import RouteLine, RoutePath, Timetable
from roundsman.operations.route_changes import RoutePart, load_route
from roundsman.operations.work import Tools
from roundsman.roads.network import Path
from roundsman.routing.route_problem import trip_of
from roundsman.routing.timing import timetable_of

_DECIMALS = 5
"""Of a degree: a metre."""


def get_timetable(tools: Tools, organization_id: str, route_id: str) -> RoutePart[Timetable]:
    """Return when a route is planned to be where, by which clocks, and how late it is by now."""
    route = load_route(tools, organization_id, route_id).route
    return RoutePart(shown=timetable_of(route), route=route)


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
