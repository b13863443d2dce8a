"""Routes at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.route import AssignedRoute
from roundsman.domain.route_draft import RouteDraft
from roundsman.operations import dispatch, reoptimization, route_stops, routes
from roundsman.operations.paging import Page
from roundsman.wire.v2024_07.queries import ListRoutes
from roundsman.wire.v2024_07.requests import (
    AddStopBody,
    AddStopsBody,
    DispatchBody,
    ReoptimizeBody,
)
from roundsman.wire.v2024_07.routes import RouteAnswer, RoutesAnswer, encode_route, encode_routes

_TAG = "Routes"


def _create_route(call: Call) -> AssignedRoute:
    return routes.create_route(call.tools, call.request, call.body)


def _list_routes(call: Call) -> Page[AssignedRoute]:
    return routes.list_routes(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[AssignedRoute]) -> bytes:
    return encode_routes(page.rows, page.next_cursor)


def _get_route(call: Call) -> AssignedRoute:
    return routes.get_route(call.tools, call.organization_id, call.path["routeId"])


def _add_stops(call: Call) -> AssignedRoute:
    named = [_reference(place, stop) for place, stop in enumerate(call.body)]
    return route_stops.add_stops(call.tools, call.request, call.path["routeId"], named)


def _reference(place: int, stop: AddStopBody) -> str:
    if bool(stop.imported_stop_id) == bool(stop.client_stop_id):
        problem = "is required" if not stop.imported_stop_id else "must not be given with"
        other = " when clientStopId is not given" if not stop.imported_stop_id else " clientStopId"
        violation = FieldViolation(field=f"[{place}].importedStopId", description=problem + other)
        raise InvalidArgument(f"{violation.field} {violation.description}", [violation])
    return stop.imported_stop_id or stop.client_stop_id


def _reoptimize_route(call: Call) -> AssignedRoute:
    options = reoptimization.ReoptimizeOptions(
        ignore_completed_stops=call.body.ignore_completed_stops,
        ignore_routing_constraints=call.body.ignore_routing_constraints,
    )
    return reoptimization.reoptimize_route(call.tools, call.request, call.path["routeId"], options)


def _dispatch_route(call: Call) -> AssignedRoute:
    return dispatch.dispatch_route(
        call.tools, call.request, call.path["routeId"], call.body.dispatched_until
    )


OPERATIONS = (
    Operation(
        id="createRoute",
        method="POST",
        path="/routes",
        summary="Create an empty route",
        tag=_TAG,
        handle=_create_route,
        body=RouteDraft,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="listRoutes",
        method="GET",
        path="/routes",
        summary="List routes, page by page",
        tag=_TAG,
        handle=_list_routes,
        query=ListRoutes,
        answer=RoutesAnswer,
        render=_encode_page,
    ),
    Operation(
        id="getRoute",
        method="GET",
        path="/routes/{routeId}",
        summary="Get a route with its stops",
        tag=_TAG,
        handle=_get_route,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="addRouteStops",
        method="POST",
        path="/routes/{routeId}/stops",
        summary="Append imported stops to a route",
        tag=_TAG,
        handle=_add_stops,
        body=AddStopsBody,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="reoptimizeRoute",
        method="POST",
        path="/routes/{routeId}/reoptimize",
        summary="Put the stops of a route into the best order",
        tag=_TAG,
        handle=_reoptimize_route,
        body=ReoptimizeBody,
        body_may_be_absent=True,
        answer=RouteAnswer,
        render=encode_route,
        searches=True,
    ),
    Operation(
        id="dispatchRoute",
        method="POST",
        path="/routes/{routeId}/dispatch",
        summary="Make a route available to its driver, or to be claimed",
        tag=_TAG,
        handle=_dispatch_route,
        body=DispatchBody,
        body_may_be_absent=True,
        answer=RouteAnswer,
        render=encode_route,
    ),
)
