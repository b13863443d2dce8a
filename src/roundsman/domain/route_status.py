"""How far a route has come, derived from its stops and its end."""

from enum import StrEnum

from roundsman.domain.route import EndStatus, Route, RouteEnd
from roundsman.domain.route_stop import DeliveryStatus


class RouteStatus(StrEnum):
    """How far a route has come."""

    UNSTARTED = "UNSTARTED"
    READY = "READY"
    STARTED = "STARTED"
    COMPLETED = "COMPLETED"


def route_status(route: Route) -> RouteStatus:
    """Return a route's status (decisions §14, "Derived status"); an empty one is UNSTARTED."""
    if not route.stops:
        return RouteStatus.UNSTARTED
    done = [stop.is_done() for stop in route.stops]
    is_end_done = not isinstance(route.end, RouteEnd) or route.end.status is EndStatus.COMPLETED
    if all(done) and is_end_done:
        return RouteStatus.COMPLETED
    statuses = {stop.delivery_status for stop in route.stops}
    if any(done) or DeliveryStatus.OUT_FOR_DELIVERY in statuses:
        return RouteStatus.STARTED
    if DeliveryStatus.READY_FOR_DELIVERY in statuses:
        return RouteStatus.READY
    return RouteStatus.UNSTARTED
