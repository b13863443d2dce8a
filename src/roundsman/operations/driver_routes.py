"""The routes that a driver may open, the streets around them, and claiming one that nobody has."""

from urllib.parse import quote

from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import NotFound
from roundsman.domain.route import Route
from roundsman.domain.route_access import may_open, require_may_claim
from roundsman.operations.driver_sessions import get_driver_of
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign_stored, change_route
from roundsman.operations.tools import Tools
from roundsman.routing.route_problem import trip_of
from roundsman.storage.routes import find_route, list_dispatched
from roundsman.tiles.area import Location, tiles_of_area

MOST_ROUTES = 200
"""More routes than anybody drives or chooses from; those that expire first are listed."""


MOST_TILES = 160
"""Of the streets around a route: a megabyte and a half in a city."""

_AREA_ZOOMS = (8, 14)
"""Further out a phone shows no streets, and further in it enlarges the finest tiles."""


def list_driver_routes(tools: Tools, request: Request) -> list[Route]:
    """Return the routes dispatched to a driver, and those that may be claimed."""
    now = tools.clock.now()
    with tools.database.reading() as tx:
        found = list_dispatched(
            tx, request.organization_id, request.principal.driver_id, now, MOST_ROUTES
        )
    return [route for route in found if may_open(route, request.principal.driver_id, now)]


def get_driver_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Return a route that the driver may open; any other is not found."""
    with tools.database.reading() as tx:
        stored = find_route(tx, request.organization_id, route_id)
        if stored is None or not may_open(
            stored.route, request.principal.driver_id, tools.clock.now()
        ):
            raise NotFound("route not found")
        return assign_stored(tx, request.organization_id, stored)


def claim_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Make a dispatched route the driver's own; the first claim wins."""

    def claim(route: Route) -> Route:
        driver, _ = get_driver_of(tools, request.principal)
        require_may_claim(route, driver, tools.clock.now())
        return replace(route, driver_id=driver.id)

    return change_route(tools, request, route_id, claim)


def get_area(tools: Tools, request: Request, route_id: str) -> list[str]:
    """Return the addresses of the tiles around a route; none where there are no streets.

    What is at 0,0 counts for nothing: on the way there is only sea. It may wait for a road engine.
    """
    route = get_driver_route(tools, request, route_id).route
    view = tools.street_map.describe()
    if view is None:
        return []
    first, last = _AREA_ZOOMS
    zooms = range(max(first, view.min_zoom), min(last, view.max_zoom) + 1)
    trip = trip_of(route, route.created_at)
    waypoints = [one for one in trip.waypoints() if not one.is_nowhere()]
    paths = tools.roads.paths(waypoints, trip.profile) if len(waypoints) > 1 else []
    ways = [[_location(one) for one in path.points] for path in paths]
    found = tiles_of_area([_location(one) for one in waypoints], ways, zooms, MOST_TILES)
    version = quote(view.version, safe="")
    return [f"/map/tiles/{one.zoom}/{one.column}/{one.row}?v={version}" for one in found]


def _location(at: Coordinates) -> Location:
    return at.longitude, at.latitude
