"""How far a route has come, derived from its stops (decisions §14)."""

from enum import StrEnum

from roundsman.domain.route import Route
from roundsman.domain.route_ends import EndStatus, RouteEnd
from roundsman.domain.route_stop import BreakStatus, DeliveryStatus


class RouteStatus(StrEnum):
    """How far a route has come."""

    UNSTARTED = "UNSTARTED"
    READY = "READY"
    STARTED = "STARTED"
    COMPLETED = "COMPLETED"


_BEGUN = {
    DeliveryStatus.OUT_FOR_DELIVERY,
    DeliveryStatus.ATTEMPTED_DELIVERY,
    DeliveryStatus.DELIVERED,
}


def derive_status(route: Route) -> RouteStatus:
    """Return the status of a route; an empty one is UNSTARTED, and a break is not delivered."""
    statuses = {stop.delivery_status for stop in route.stops}
    if route.stops and all(stop.is_done() for stop in route.stops) and _is_end_done(route):
        return RouteStatus.COMPLETED
    if statuses & _BEGUN or any(stop.break_status is BreakStatus.COMPLETED for stop in route.stops):
        return RouteStatus.STARTED
    if DeliveryStatus.READY_FOR_DELIVERY in statuses:
        return RouteStatus.READY
    return RouteStatus.UNSTARTED


def _is_end_done(route: Route) -> bool:
    return not isinstance(route.end, RouteEnd) or route.end.status is EndStatus.COMPLETED
