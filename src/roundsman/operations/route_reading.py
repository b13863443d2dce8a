"""Reading one route: with its vehicle and driver, its timetable, and its line on the map.

Clients read the same route again and again. Reading and rendering one of a whole day takes a
millisecond, comparing its version a tenth of that. So the last rendering is kept with its tag, and
returned while the database has the same version.
"""

from collections.abc import Callable

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.route import Route
from roundsman.domain.route_views import RouteLine, RoutePath, Timetable
from roundsman.domain.stop_explanation import StopExplanation
from roundsman.operations.route_changes import RoutePart, load_route
from roundsman.operations.route_tags import tag_of
from roundsman.operations.tools import RenderedAnswer, Tools
from roundsman.roads.network import Path, RoadNetwork
from roundsman.routing.explanation import explain_stop
from roundsman.routing.route_problem import trip_of
from roundsman.routing.timing import timetable_of
from roundsman.storage.drivers import look_up_driver
from roundsman.storage.vehicles import look_up_vehicle

type Render = Callable[[AssignedRoute, str], RenderedAnswer]
"""Renders a route of a tag."""


def read_route(
    tools: Tools, organization_id: str, route_id: str, tag: str, render: Render
) -> RenderedAnswer:
    """Return a route with its vehicle and driver; `tag` is the one that it has now."""
    kept = tools.recent_routes.find((organization_id, route_id))
    if kept is not None and kept.tag == tag:
        return kept
    stored = load_route(tools, organization_id, route_id)
    route = stored.route
    database = tools.database
    vehicle = (
        look_up_vehicle(database, organization_id, route.vehicle_id) if route.vehicle_id else None
    )
    driver = look_up_driver(database, organization_id, route.driver_id) if route.driver_id else None
    assigned = AssignedRoute(
        route=route,
        vehicle=vehicle,
        driver=driver,
        version=stored.version,
        live_revision=stored.live_revision,
    )
    # Of what was read, which may be newer than the tag that was found before.
    rendered = render(assigned, tag_of(assigned))
    tools.recent_routes.keep((organization_id, route_id), rendered, len(rendered.body))
    return rendered


_DECIMALS = 5
"""Of a degree: a metre."""


def get_timetable(tools: Tools, organization_id: str, route_id: str) -> RoutePart[Timetable]:
    """Return when a route is planned to be where, by which clocks, and how late it is by now."""
    route = load_route(tools, organization_id, route_id).route
    return RoutePart(shown=timetable_of(route), route=route)


def get_explanation(
    tools: Tools, organization_id: str, route_id: str, stop_id: str
) -> RoutePart[StopExplanation]:
    """Return why a stop of a route is reached when it is."""
    route = load_route(tools, organization_id, route_id).route
    return RoutePart(shown=explain_stop(route, stop_id), route=route)


def get_path(tools: Tools, organization_id: str, route_id: str) -> RoutePart[RoutePath]:
    """Return what to draw of a route, on the roads there are now; may wait for a road engine."""
    route = load_route(tools, organization_id, route_id).route
    return RoutePart(shown=path_of(tools.roads, route), route=route)


def path_of(roads: RoadNetwork, route: Route) -> RoutePath:
    """Return the lines of a route; may wait for a road engine."""
    trip = trip_of(route, route.created_at)
    waypoints = trip.waypoints()
    lines = [_line(path) for path in roads.paths(waypoints, trip.profile)]
    is_on_roads = any(not line.estimated for line in lines)
    attribution = roads.attribution() if is_on_roads else ""
    return RoutePath(lines=tuple(lines), attribution=attribution)


def _line(path: Path) -> RouteLine:
    points = tuple(
        Coordinates(
            latitude=round(point.latitude, _DECIMALS), longitude=round(point.longitude, _DECIMALS)
        )
        for point in path.points
    )
    return RouteLine(points=points, estimated=path.estimated)
