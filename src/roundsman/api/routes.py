"""Routes: made, read, ordered, changed, given to a driver, put away."""

from starlette.responses import Response

from roundsman.api.route_answers import (
    REOPTIMIZED_ROUTE,
    ROUTE,
    ROUTE_HEADERS,
    ROUTES_PAGE,
    part_of_route,
    tagged_headers,
)
from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListRoutes, Query
from roundsman.domain.reoptimization import ReoptimizedRoute, ReoptimizeOptions
from roundsman.domain.route_draft import RouteDraft
from roundsman.domain.route_views import RoutePath, RouteTrack, Timetable
from roundsman.domain.task import TaskTemplates
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.conditional import has_already
from roundsman.endpoints.operation import NOTHING, Answer, Operations, Pool
from roundsman.operations import locations, route_ends, route_reading, routes, tracks
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_reading import read_route
from roundsman.operations.route_tags import find_route_tag
from roundsman.operations.tools import RenderedRoute, Tools
from roundsman.wire.current_version import (
    ROUTE_END_LOCATION,
    ROUTE_UPDATE,
    DispatchBody,
    DriverBody,
    ReoptimizeBody,
    RouteAnswer,
    VehicleBody,
    encode_route,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Routes", ApiClient(), Scope.WRITE)

_READ_ROUTE: Answer[RenderedRoute] = Answer(
    RouteAnswer,
    lambda read: read.body,
    lambda read: read.headers,
    ROUTE_HEADERS,
)


def _render(assigned: AssignedRoute, tag: str) -> RenderedRoute:
    return RenderedRoute(tag, encode_route(assigned), tagged_headers(assigned))


@OPERATIONS.add(
    "POST", "/routes", summary="Create an empty route", answer=ROUTE, review=routes.review_route
)
def create_route(tools: Tools, request: Request, body: RouteDraft) -> AssignedRoute:
    return routes.create_route(tools, request, body)


@OPERATIONS.add("GET", "/routes", summary="List routes, page by page", answer=ROUTES_PAGE)
def list_routes(tools: Tools, request: Request, query: Query[ListRoutes]) -> Page[AssignedRoute]:
    return routes.list_routes(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET", "/routes/{routeId}", summary="Get a route with its stops", answer=_READ_ROUTE
)
def get_route(
    tools: Tools, http: HttpRequest, request: Request, route_id: str
) -> RenderedRoute | Response:
    tag = find_route_tag(tools, request.organization_id, route_id)
    unchanged = has_already(http, tag)
    return unchanged or read_route(tools, request.organization_id, route_id, tag, _render)


@OPERATIONS.add(
    "PATCH",
    "/routes/{routeId}",
    summary="Change the fields of a route that the mask names",
    update=ROUTE_UPDATE,
    answer=ROUTE,
)
def update_route(tools: Tools, request: Request, route_id: str, body: Changes) -> AssignedRoute:
    return routes.update_route(tools, request, route_id, body.values)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}", summary="Delete a route, archived or not", answer=NOTHING
)
def delete_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.delete_route(tools, request, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/reoptimize",
    summary="Put the stops of a route into the best order",
    body_may_be_absent=True,
    answer=REOPTIMIZED_ROUTE,
    pool=Pool.SEARCH,
    notices_departure=True,
)
def reoptimize_route(
    tools: Tools, request: Request, route_id: str, body: ReoptimizeBody
) -> ReoptimizedRoute:
    options = ReoptimizeOptions(
        ignore_completed_stops=body.ignore_completed_stops,
        ignore_routing_constraints=body.ignore_routing_constraints,
        keep=body.keep,
        max_moves=body.max_moves,
        tradeoffs=body.tradeoffs,
    )
    return routes.reoptimize_route(tools, request, route_id, options)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/timetable",
    summary="Get the planned times of a route, place by place, and the zones of their clocks",
    answer=part_of_route(Timetable),
)
def get_route_timetable(tools: Tools, request: Request, route_id: str) -> RoutePart[Timetable]:
    return route_reading.get_timetable(tools, request.organization_id, route_id)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/path",
    summary="Get the lines to draw of a route, along roads where there is a map",
    answer=part_of_route(RoutePath),
    pool=Pool.CHANGE,
)
def get_route_path(tools: Tools, request: Request, route_id: str) -> RoutePart[RoutePath]:
    return route_reading.get_path(tools, request.organization_id, route_id)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/track",
    summary="Get where the drivers of a route were, a point in ten seconds, for as long as kept",
)
def get_route_track(tools: Tools, request: Request, route_id: str) -> RouteTrack:
    return tracks.get_track(tools, request.organization_id, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/dispatch",
    scope=Scope.DISPATCH,
    summary="Make a route available to its driver, or to be claimed",
    body_may_be_absent=True,
    answer=ROUTE,
)
def dispatch_route(
    tools: Tools, request: Request, route_id: str, body: DispatchBody
) -> AssignedRoute:
    return routes.dispatch_route(tools, request, route_id, body.dispatched_until)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/dispatch",
    scope=Scope.DISPATCH,
    summary="Take a route back from its driver",
    answer=ROUTE,
)
def undispatch_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.undispatch_route(tools, request, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/ready",
    scope=Scope.DISPATCH,
    summary="Make the stops of a route ready for delivery",
    answer=ROUTE,
)
def mark_route_ready(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.mark_ready(tools, request, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/archive",
    summary="Put a route away; that undispatches it",
    answer=ROUTE,
)
def archive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.archive_route(tools, request, route_id)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}/archive", summary="Take an archived route out again", answer=ROUTE
)
def unarchive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.unarchive_route(tools, request, route_id)


@OPERATIONS.add("PUT", "/routes/{routeId}/vehicle", summary="Give a route a vehicle", answer=ROUTE)
def assign_route_vehicle(
    tools: Tools, request: Request, route_id: str, body: VehicleBody
) -> AssignedRoute:
    return routes.assign_vehicle(tools, request, route_id, body.vehicle_id)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}/vehicle", summary="Take the vehicle from a route", answer=ROUTE
)
def unassign_route_vehicle(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.unassign_vehicle(tools, request, route_id)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/driver",
    summary="Give a route a driver; a running dispatch goes over",
    answer=ROUTE,
)
def assign_route_driver(
    tools: Tools, request: Request, route_id: str, body: DriverBody
) -> AssignedRoute:
    return routes.assign_driver(tools, request, route_id, body.driver_id)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/driver",
    summary="Take the driver from a route; while dispatched it can be claimed",
    answer=ROUTE,
)
def unassign_route_driver(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    return routes.unassign_driver(tools, request, route_id)


@OPERATIONS.add(
    "PATCH",
    "/routes/{routeId}/start/location",
    summary="Move the start of a route",
    update=ROUTE_END_LOCATION,
    answer=ROUTE,
    review=locations.review_location,
)
def update_route_start_location(
    tools: Tools, request: Request, route_id: str, body: Changes
) -> AssignedRoute:
    location = body.apply(Location())
    return route_ends.relocate_start(tools, request, route_id, location)


@OPERATIONS.add(
    "PATCH",
    "/routes/{routeId}/end/location",
    summary="Move the end of a route, or give it one",
    update=ROUTE_END_LOCATION,
    answer=ROUTE,
    review=locations.review_location,
)
def update_route_end_location(
    tools: Tools, request: Request, route_id: str, body: Changes
) -> AssignedRoute:
    location = body.apply(Location())
    return route_ends.relocate_end(tools, request, route_id, location)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/start/tasks",
    summary="Replace all tasks of the start of a route",
    answer=ROUTE,
)
def update_route_start_tasks(
    tools: Tools, request: Request, route_id: str, body: TaskTemplates
) -> AssignedRoute:
    return route_ends.replace_start_tasks(tools, request, route_id, body)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/end/tasks",
    summary="Replace all tasks of the end of a route",
    answer=ROUTE,
)
def update_route_end_tasks(
    tools: Tools, request: Request, route_id: str, body: TaskTemplates
) -> AssignedRoute:
    return route_ends.replace_end_tasks(tools, request, route_id, body)
