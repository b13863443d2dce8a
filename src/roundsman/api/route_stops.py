"""Stops on routes at the door.

The interface names the parameter of a removal `stopIds`; a description may not name one path twice,
so there it is `stopId`, which for a removal holds several ids, comma-separated.
"""

from collections.abc import Sequence

from roundsman.api.route_answers import CHANGED_STOP, ROUTE, STOP, part_of_route
from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FieldViolation
from roundsman.domain.principal import Principal, Scope
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_explanation import StopExplanation
from roundsman.domain.task import TaskTemplates
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import locations, ratings, route_reading, route_stops
from roundsman.operations.request import Request
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_stops import Named
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    ROUTE_STOP_LOCATION,
    ROUTE_STOP_UPDATE,
    AddStopBody,
    AddStopsBody,
    OrderBody,
    PositionBody,
    RatingLink,
    RouteStopItems,
    RouteStopLocation,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Route stops", ApiClient(), Scope.WRITE)


def _review_added(
    tools: Tools, caller: Principal, body: Sequence[AddStopBody | None]
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


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/stops",
    summary="Add imported stops to a route, at the end or where they are to be",
    answer=ROUTE,
    review=_review_added,
)
def add_route_stops(
    tools: Tools, request: Request, route_id: str, body: AddStopsBody
) -> AssignedRoute:
    """Add stops of the pool, or new ones, at the end or at an index. A stop that is on the route
    already, or a limit that would be broken, refuses the whole. Records ROUTE_UPDATED.
    """
    indexes = [stop.index for stop in body]
    return route_stops.add_stops(tools, request, route_id, _named_by(body), indexes)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/stops/{stopId}",
    summary="Remove stops from a route; stopId may name several, comma-separated",
    answer=ROUTE,
)
def remove_route_stops(
    tools: Tools, request: Request, route_id: str, stop_id: str
) -> AssignedRoute:
    """Take a stop off the route; one of the pool is unrouted again, with what was corrected of it
    here. A done stop is refused. Records ROUTE_UPDATED, and IMPORTED_STOP_UPDATED where the stop of
    the pool changes by it.
    """
    stop_ids = stop_id.split(",")
    return route_stops.remove_stops(tools, request, route_id, stop_ids)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/stops/{stopId}/position",
    summary="Put a stop at its final index among the stops",
    answer=ROUTE,
)
def move_route_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: PositionBody
) -> AssignedRoute:
    """Give a stop another place on its own route. No place is before a done stop. Records
    ROUTE_UPDATED.
    """
    return route_stops.move_stop(tools, request, route_id, stop_id, body.index)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/order",
    summary="Put all stops of a route that are not done into an order",
    answer=ROUTE,
)
def order_route_stops(
    tools: Tools, request: Request, route_id: str, body: OrderBody
) -> AssignedRoute:
    """Give the open stops the order of their ids. Done ones stay in front, and a locked one keeps
    the place that it is given. Records ROUTE_UPDATED once, and nothing where the order is that
    already.
    """
    return route_stops.put_in_order(tools, request, route_id, body.stop_ids)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/stops/{stopId}",
    summary="Get a stop of a route",
    answer=STOP,
)
def get_route_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str
) -> RoutePart[RouteStop]:
    """Read one stop of a route: times, status, and what proves its delivery."""
    return route_stops.get_stop(tools, request.organization_id, route_id, stop_id)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/stops/{stopId}/explanation",
    summary="Get why a stop is reached when it is: what cost how much, in data and in a sentence",
    answer=part_of_route(StopExplanation),
)
def explain_route_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str
) -> RoutePart[StopExplanation]:
    """See why a stop is reached when it is: which earlier stop, waiting or delay cost how much, as
    data and as a sentence.
    """
    return route_reading.get_explanation(tools, request.organization_id, route_id, stop_id)


@OPERATIONS.add(
    "PATCH",
    "/routes/{routeId}/stops/{stopId}",
    summary="Change the fields of a route stop that the mask names",
    update=ROUTE_STOP_UPDATE,
    answer=CHANGED_STOP,
)
def update_route_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: Changes
) -> RoutePart[RouteStop]:
    """Change one stop of a route; the mask says which fields. Records ROUTE_UPDATED."""
    return route_stops.update_stop(tools, request, route_id, stop_id, body.values)


@OPERATIONS.add(
    "PATCH",
    "/routes/{routeId}/stops/{stopId}/location",
    summary="Move a route stop to another place",
    update=ROUTE_STOP_LOCATION,
    answer=CHANGED_STOP,
    review=locations.review_location,
)
def update_route_stop_location(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: Changes
) -> RoutePart[RouteStop]:
    """Let a stop of a route be elsewhere; an address is looked up. Times are worked out anew.
    Records ROUTE_UPDATED.
    """
    given = body.apply(RouteStopLocation())
    location = Location(address=given.address, coordinates=given.planned_coordinates)
    return route_stops.relocate_stop(tools, request, route_id, stop_id, location)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/stops/{stopId}/items",
    summary="Replace all items of a route stop",
    answer=CHANGED_STOP,
)
def update_route_stop_items(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: RouteStopItems
) -> RoutePart[RouteStop]:
    """Replace what is delivered at a stop of a route. Records ROUTE_UPDATED."""
    return route_stops.replace_stop_items(tools, request, route_id, stop_id, body)


@OPERATIONS.add(
    "PUT",
    "/routes/{routeId}/stops/{stopId}/tasks",
    summary="Replace all tasks of a route stop",
    answer=CHANGED_STOP,
)
def update_route_stop_tasks(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: TaskTemplates
) -> RoutePart[RouteStop]:
    """Replace what the driver has to do at a stop of a route. Records ROUTE_UPDATED."""
    return route_stops.replace_stop_tasks(tools, request, route_id, stop_id, body)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/stops/{stopId}/rating-link",
    summary="Get the link with which a stop's customer may rate it",
)
def get_rating_link(tools: Tools, request: Request, route_id: str, stop_id: str) -> RatingLink:
    """Get the page on which the customer of a delivered stop rates it."""
    return RatingLink(
        url=ratings.make_rating_url(tools, request.organization_id, route_id, stop_id)
    )
