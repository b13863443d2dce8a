"""Routes at the door: made, read, changed as a whole, ordered, deleted."""

from operator import attrgetter

from roundsman.api.operation import Call, Operation, answer_nothing
from roundsman.domain.queries import ListRoutes
from roundsman.domain.route import AssignedRoute
from roundsman.domain.route_draft import RouteDraft
from roundsman.operations import routes
from roundsman.operations.paging import Page
from roundsman.operations.route_reading import ReadRoute, read_route
from roundsman.wire.v2024_07.answers import Nothing
from roundsman.wire.v2024_07.requests import ReoptimizeBody
from roundsman.wire.v2024_07.route_requests import ROUTE_UPDATE
from roundsman.wire.v2024_07.routes import RouteAnswer, RoutesAnswer, encode_route, encode_routes

_TAG = "Routes"


def _create_route(call: Call) -> AssignedRoute:
    return routes.create_route(call.tools, call.request, call.body)


def _list_routes(call: Call) -> Page[AssignedRoute]:
    return routes.list_routes(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[AssignedRoute]) -> bytes:
    return encode_routes(page.rows, page.next_cursor)


def _get_route(call: Call) -> ReadRoute:
    return read_route(call.tools, call.organization_id, call.path["routeId"], encode_route)


def _update_route(call: Call) -> AssignedRoute:
    return routes.update_route(call.tools, call.request, call.path["routeId"], call.body.values)


def _delete_route(call: Call) -> AssignedRoute:
    return routes.delete_route(call.tools, call.request, call.path["routeId"])


def _reoptimize_route(call: Call) -> AssignedRoute:
    return routes.reoptimize_route(
        call.tools,
        call.request,
        call.path["routeId"],
        ignore_completed_stops=call.body.ignore_completed_stops,
        ignore_routing_constraints=call.body.ignore_routing_constraints,
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
        review=routes.review_route,
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
        render=attrgetter("rendered"),
    ),
    Operation(
        id="updateRoute",
        method="PATCH",
        path="/routes/{routeId}",
        summary="Change the fields of a route that the mask names",
        tag=_TAG,
        handle=_update_route,
        body=ROUTE_UPDATE,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="deleteRoute",
        method="DELETE",
        path="/routes/{routeId}",
        summary="Delete a route, archived or not",
        tag=_TAG,
        handle=_delete_route,
        answer=Nothing,
        render=answer_nothing,
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
)
