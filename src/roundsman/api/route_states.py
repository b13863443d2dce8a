"""Routes at the door: ready, dispatched, put away."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.route import AssignedRoute
from roundsman.operations import dispatch
from roundsman.wire.v2024_07.requests import DispatchBody
from roundsman.wire.v2024_07.routes import RouteAnswer, encode_route

_TAG = "Routes"


def _dispatch_route(call: Call) -> AssignedRoute:
    return dispatch.dispatch_route(
        call.tools, call.request, call.path["routeId"], call.body.dispatched_until
    )


def _undispatch_route(call: Call) -> AssignedRoute:
    return dispatch.undispatch_route(call.tools, call.request, call.path["routeId"])


def _mark_ready(call: Call) -> AssignedRoute:
    return dispatch.mark_ready(call.tools, call.request, call.path["routeId"])


def _archive_route(call: Call) -> AssignedRoute:
    return dispatch.archive_route(call.tools, call.request, call.path["routeId"])


def _unarchive_route(call: Call) -> AssignedRoute:
    return dispatch.unarchive_route(call.tools, call.request, call.path["routeId"])


OPERATIONS = (
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
    Operation(
        id="undispatchRoute",
        method="DELETE",
        path="/routes/{routeId}/dispatch",
        summary="Take a route back from its driver",
        tag=_TAG,
        handle=_undispatch_route,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="markRouteReady",
        method="POST",
        path="/routes/{routeId}/ready",
        summary="Make the stops of a route ready for delivery",
        tag=_TAG,
        handle=_mark_ready,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="archiveRoute",
        method="POST",
        path="/routes/{routeId}/archive",
        summary="Put a route away; that undispatches it",
        tag=_TAG,
        handle=_archive_route,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="unarchiveRoute",
        method="DELETE",
        path="/routes/{routeId}/archive",
        summary="Take an archived route out again",
        tag=_TAG,
        handle=_unarchive_route,
        answer=RouteAnswer,
        render=encode_route,
    ),
)
