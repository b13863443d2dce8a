"""The start and the end of a route at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.address import Location
from roundsman.domain.route import AssignedRoute
from roundsman.domain.task import TaskTemplates
from roundsman.operations import locations, termini
from roundsman.wire.v2024_07.route_requests import TERMINUS_LOCATION
from roundsman.wire.v2024_07.routes import RouteAnswer, encode_route

_TAG = "Routes"
_START = "/routes/{routeId}/start"
_END = "/routes/{routeId}/end"


def _relocate_start(call: Call) -> AssignedRoute:
    place = call.body.apply(Location())
    return termini.relocate_start(call.tools, call.request, call.path["routeId"], place)


def _relocate_end(call: Call) -> AssignedRoute:
    place = call.body.apply(Location())
    return termini.relocate_end(call.tools, call.request, call.path["routeId"], place)


def _replace_start_tasks(call: Call) -> AssignedRoute:
    return termini.replace_start_tasks(call.tools, call.request, call.path["routeId"], call.body)


def _replace_end_tasks(call: Call) -> AssignedRoute:
    return termini.replace_end_tasks(call.tools, call.request, call.path["routeId"], call.body)


OPERATIONS = (
    Operation(
        id="updateRouteStartLocation",
        method="PATCH",
        path=f"{_START}/location",
        summary="Move the start of a route",
        tag=_TAG,
        handle=_relocate_start,
        body=TERMINUS_LOCATION,
        review=locations.review_location,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="updateRouteStartTasks",
        method="PUT",
        path=f"{_START}/tasks",
        summary="Replace all tasks of the start of a route",
        tag=_TAG,
        handle=_replace_start_tasks,
        body=TaskTemplates,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="updateRouteEndLocation",
        method="PATCH",
        path=f"{_END}/location",
        summary="Move the end of a route, or give it one",
        tag=_TAG,
        handle=_relocate_end,
        body=TERMINUS_LOCATION,
        review=locations.review_location,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="updateRouteEndTasks",
        method="PUT",
        path=f"{_END}/tasks",
        summary="Replace all tasks of the end of a route",
        tag=_TAG,
        handle=_replace_end_tasks,
        body=TaskTemplates,
        answer=RouteAnswer,
        render=encode_route,
    ),
)
