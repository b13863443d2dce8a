"""Stops on routes at the door.

The interface names the parameter of a removal `stopIds`; a description may not name one path twice,
so there it is `stopId`, which for a removal holds several ids, comma-separated.
"""

from collections.abc import Sequence

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.address import Location
from roundsman.domain.caller import Caller
from roundsman.domain.errors import FieldViolation
from roundsman.domain.route import AssignedRoute
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplates
from roundsman.operations import locations, route_stop_edits, route_stops
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_stops import Named
from roundsman.operations.work import Tools
from roundsman.wire.v2024_07.requests import AddStopBody, AddStopsBody
from roundsman.wire.v2024_07.route_requests import (
    ROUTE_STOP_LOCATION,
    ROUTE_STOP_UPDATE,
    PositionBody,
    RouteStopItems,
    RouteStopLocation,
)
from roundsman.wire.v2024_07.routes import RouteAnswer, encode_route

_TAG = "Route stops"
_ALL = "/routes/{routeId}/stops"
_ONE = "/routes/{routeId}/stops/{stopId}"


def _add_stops(call: Call) -> AssignedRoute:
    return route_stops.add_stops(
        call.tools, call.request, call.path["routeId"], _named_by(call.body)
    )


def _review_added(
    tools: Tools, caller: Caller, body: Sequence[AddStopBody | None]
) -> list[FieldViolation]:
    return route_stops.review_added_stops(tools, caller.organization_id, _named_by(body))


def _named_by(body: Sequence[AddStopBody | None]) -> list[Named]:
    """Return under which field each stop is named, and how; one that cannot be read is nothing."""
    return [
        ("importedStopId", stop.imported_stop_id)
        if stop and stop.imported_stop_id
        else ("clientStopId", stop.client_stop_id if stop else "")
        for stop in body
    ]


def _remove_stops(call: Call) -> AssignedRoute:
    stop_ids = call.path["stopId"].split(",")
    return route_stops.remove_stops(call.tools, call.request, call.path["routeId"], stop_ids)


def _move_stop(call: Call) -> AssignedRoute:
    return route_stops.move_stop(
        call.tools, call.request, call.path["routeId"], call.path["stopId"], call.body.index
    )


def _encode_stop(part: RoutePart[RouteStop]) -> bytes:
    return msgspec.json.encode(part.shown)


def _get_stop(call: Call) -> RoutePart[RouteStop]:
    return route_stop_edits.get_stop(
        call.tools, call.organization_id, call.path["routeId"], call.path["stopId"]
    )


def _update_stop(call: Call) -> RoutePart[RouteStop]:
    return route_stop_edits.update_stop(
        call.tools, call.request, call.path["routeId"], call.path["stopId"], call.body.apply
    )


def _relocate_stop(call: Call) -> RoutePart[RouteStop]:
    given = call.body.apply(RouteStopLocation())
    place = Location(address=given.address, coordinates=given.planned_coordinates)
    return route_stop_edits.relocate_stop(
        call.tools, call.request, call.path["routeId"], call.path["stopId"], place
    )


def _replace_items(call: Call) -> RoutePart[RouteStop]:
    return route_stop_edits.replace_items(
        call.tools, call.request, call.path["routeId"], call.path["stopId"], call.body
    )


def _replace_tasks(call: Call) -> RoutePart[RouteStop]:
    return route_stop_edits.replace_tasks(
        call.tools, call.request, call.path["routeId"], call.path["stopId"], call.body
    )


OPERATIONS = (
    Operation(
        id="addRouteStops",
        method="POST",
        path=_ALL,
        summary="Append imported stops to a route",
        tag=_TAG,
        handle=_add_stops,
        body=AddStopsBody,
        review=_review_added,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="removeRouteStops",
        method="DELETE",
        path=_ONE,
        summary="Remove stops from a route; stopId may name several, comma-separated",
        tag=_TAG,
        handle=_remove_stops,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="getRouteStop",
        method="GET",
        path=_ONE,
        summary="Get a stop of a route",
        tag=_TAG,
        handle=_get_stop,
        answer=RouteStop,
        render=_encode_stop,
    ),
    Operation(
        id="updateRouteStop",
        method="PATCH",
        path=_ONE,
        summary="Change the fields of a route stop that the mask names",
        tag=_TAG,
        handle=_update_stop,
        body=ROUTE_STOP_UPDATE,
        answer=RouteStop,
        render=_encode_stop,
    ),
    Operation(
        id="updateRouteStopLocation",
        method="PATCH",
        path=f"{_ONE}/location",
        summary="Move a route stop to another place",
        tag=_TAG,
        handle=_relocate_stop,
        body=ROUTE_STOP_LOCATION,
        review=locations.review_location,
        answer=RouteStop,
        render=_encode_stop,
    ),
    Operation(
        id="updateRouteStopItems",
        method="PUT",
        path=f"{_ONE}/items",
        summary="Replace all items of a route stop",
        tag=_TAG,
        handle=_replace_items,
        body=RouteStopItems,
        answer=RouteStop,
        render=_encode_stop,
    ),
    Operation(
        id="updateRouteStopTasks",
        method="PUT",
        path=f"{_ONE}/tasks",
        summary="Replace all tasks of a route stop",
        tag=_TAG,
        handle=_replace_tasks,
        body=TaskTemplates,
        answer=RouteStop,
        render=_encode_stop,
    ),
    Operation(
        id="moveRouteStop",
        method="PUT",
        path=f"{_ONE}/position",
        summary="Put a stop at its final index among the stops",
        tag=_TAG,
        handle=_move_stop,
        body=PositionBody,
        answer=RouteAnswer,
        render=encode_route,
    ),
)
