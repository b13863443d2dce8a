"""Routes: made, read, ordered, changed, given to a driver, put away."""

import msgspec
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
from roundsman.domain.queries import ListHistory, ListRoutes, Query
from roundsman.domain.reoptimization import ReoptimizedRoute, ReoptimizeOptions
from roundsman.domain.route_draft import RouteDraft
from roundsman.domain.route_history import HistoryEntry
from roundsman.domain.route_views import RoutePath, RouteTrack, Timetable
from roundsman.domain.task import TaskTemplates
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.conditional import has_already
from roundsman.endpoints.operation import NOTHING, Answer, Operations, Pool
from roundsman.operations import (
    locations,
    route_ends,
    route_history,
    route_reading,
    routes,
    tracks,
)
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_reading import read_route
from roundsman.operations.route_tags import find_route_tag
from roundsman.operations.tools import RenderedAnswer, Tools
from roundsman.wire.current_version import (
    ROUTE_END_LOCATION,
    ROUTE_UPDATE,
    DispatchBody,
    DriverBody,
    HistoryAnswer,
    ReoptimizeBody,
    RouteAnswer,
    VehicleBody,
    encode_route,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Routes", ApiClient(), Scope.WRITE)

_READ_ROUTE: Answer[RenderedAnswer] = Answer(
    RouteAnswer,
    lambda read: read.body,
    lambda read: read.headers,
    ROUTE_HEADERS,
)


def _render(assigned: AssignedRoute, tag: str) -> RenderedAnswer:
    return RenderedAnswer(tag, encode_route(assigned), tagged_headers(assigned))


@OPERATIONS.add(
    "POST", "/routes", summary="Create an empty route", answer=ROUTE, review=routes.review_route
)
def create_route(tools: Tools, request: Request, body: RouteDraft) -> AssignedRoute:
    """Make a route without stops: where and when it starts, where it ends, its limits. An address
    is looked up, and refused when it is not found. Records ROUTE_CREATED.
    """
    return routes.create_route(tools, request, body)


@OPERATIONS.add("GET", "/routes", summary="List routes, page by page", answer=ROUTES_PAGE)
def list_routes(tools: Tools, request: Request, query: Query[ListRoutes]) -> Page[AssignedRoute]:
    """Walk routes page by page, with their stops. Filters narrow them by driver, vehicle, status,
    tag and text; archived ones are left out unless asked for.
    """
    return routes.list_routes(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET", "/routes/{routeId}", summary="Get a route with its stops", answer=_READ_ROUTE
)
def get_route(
    tools: Tools, http: HttpRequest, request: Request, route_id: str
) -> RenderedAnswer | Response:
    """Read a route with its stops in driving order, times and progress. With `If-None-Match` an
    unchanged route answers 304.
    """
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
    """Change what holds of a route as a whole; the mask says which fields. Times are worked out
    anew. Records ROUTE_UPDATED; an archived route is refused.
    """
    return routes.update_route(tools, request, route_id, body.values)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}", summary="Delete a route, archived or not", answer=NOTHING
)
def delete_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Delete a route; its stops are unrouted again. Records ROUTE_DELETED. One that is dispatched
    has to be taken back first.
    """
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
    """Put the open stops into the best order under time windows, priorities and limits; done stops
    stay in front. Where limits cannot be met it is refused with what would help. Records
    ROUTE_UPDATED when something changes. With `dryRun` nothing changes: the answer says what would.
    """
    options = ReoptimizeOptions(
        ignore_completed_stops=body.ignore_completed_stops,
        ignore_routing_constraints=body.ignore_routing_constraints,
        keep=body.keep,
        max_moves=body.max_moves,
        tradeoffs=body.tradeoffs,
        dry_run=body.dry_run,
    )
    return routes.reoptimize_route(tools, request, route_id, options)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/timetable",
    summary="Get the planned times of a route, place by place, and the zones of their clocks",
    answer=part_of_route(Timetable),
)
def get_route_timetable(tools: Tools, request: Request, route_id: str) -> RoutePart[Timetable]:
    """See when the route is where: arrival, waiting, service and lateness of each stop, by the
    clocks there.
    """
    return route_reading.get_timetable(tools, request.organization_id, route_id)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/path",
    summary="Get the lines to draw of a route, along roads where there is a map",
    answer=part_of_route(RoutePath),
    pool=Pool.CHANGE,
)
def get_route_path(tools: Tools, request: Request, route_id: str) -> RoutePart[RoutePath]:
    """Get the line to draw on a map, as encoded polylines on the roads there are; straight lines
    where there are none.
    """
    return route_reading.get_path(tools, request.organization_id, route_id)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/track",
    summary="Get where the drivers of a route were, a point in ten seconds, for as long as kept",
)
def get_route_track(tools: Tools, request: Request, route_id: str) -> RouteTrack:
    """See where the driver has been, as positions of the last 30 days or as long as the
    organization keeps them.
    """
    return tracks.get_track(tools, request.organization_id, route_id)


def _encode_history(page: Page[HistoryEntry]) -> bytes:
    return msgspec.json.encode(HistoryAnswer(entries=page.rows, next_cursor=page.next_cursor))


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/history",
    summary="List what happened to a route and its stops, page by page, newest first",
    answer=Answer(HistoryAnswer, _encode_history),
)
def list_route_history(
    tools: Tools, request: Request, route_id: str, query: Query[ListHistory]
) -> Page[HistoryEntry]:
    """Read who changed what of a route and when, what its drivers did, and what its customers were
    told, for as long as events are kept. `query.stopId` asks for what concerns one stop.
    """
    return route_history.list_history(tools, request.organization_id, route_id, query)


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
    """Hand a route to its driver, or to any driver who claims it. Refused without stops, or where
    the driver may not drive. Records ROUTE_DISPATCHED.
    """
    return routes.dispatch_route(tools, request, route_id, body.dispatched_until)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/dispatch",
    scope=Scope.DISPATCH,
    summary="Take a route back from its driver",
    answer=ROUTE,
)
def undispatch_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take a route back from its driver. One that is not dispatched stays as it is. Records
    ROUTE_UPDATED when something changes.
    """
    return routes.undispatch_route(tools, request, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/ready",
    scope=Scope.DISPATCH,
    summary="Make the stops of a route ready for delivery",
    answer=ROUTE,
)
def mark_route_ready(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Say that every parcel is packed: stops that nobody has begun become READY_FOR_DELIVERY.
    Records STOP_STATUS_UPDATED for each.
    """
    return routes.mark_ready(tools, request, route_id)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/archive",
    summary="Put a route away; that undispatches it",
    answer=ROUTE,
)
def archive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Put a route away: it is left out of lists and cannot be changed. It is taken back from its
    driver.
    """
    return routes.archive_route(tools, request, route_id)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}/archive", summary="Take an archived route out again", answer=ROUTE
)
def unarchive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Bring a route back that was put away."""
    return routes.unarchive_route(tools, request, route_id)


@OPERATIONS.add("PUT", "/routes/{routeId}/vehicle", summary="Give a route a vehicle", answer=ROUTE)
def assign_route_vehicle(
    tools: Tools, request: Request, route_id: str, body: VehicleBody
) -> AssignedRoute:
    """Say which vehicle drives the route. An archived vehicle is refused. Records ROUTE_UPDATED."""
    return routes.assign_vehicle(tools, request, route_id, body.vehicle_id)


@OPERATIONS.add(
    "DELETE", "/routes/{routeId}/vehicle", summary="Take the vehicle from a route", answer=ROUTE
)
def unassign_route_vehicle(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Say that no vehicle is chosen yet."""
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
    """Say who drives the route. A driver who is archived, or may not take over what is dispatched,
    is refused. Records ROUTE_UPDATED.
    """
    return routes.assign_driver(tools, request, route_id, body.driver_id)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/driver",
    summary="Take the driver from a route; while dispatched it can be claimed",
    answer=ROUTE,
)
def unassign_route_driver(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Say that nobody drives the route yet."""
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
    """Let the route start elsewhere; an address is looked up. Times are worked out anew. Records
    ROUTE_UPDATED.
    """
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
    """Let the route end elsewhere, or give it an end. Times are worked out anew. Records
    ROUTE_UPDATED.
    """
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
    """Replace what the driver has to do before leaving. Records ROUTE_UPDATED."""
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
    """Replace what the driver has to do at the end. Records ROUTE_UPDATED."""
    return route_ends.replace_end_tasks(tools, request, route_id, body)
