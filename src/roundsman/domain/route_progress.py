"""Progress of a route under way: where its driver is, and whether its order still holds."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from roundsman.domain.route import DriverFix, Route

ORDER_HOLDS_WITHIN = timedelta(seconds=60)
"""A next stop that is reached so much earlier or later may ask for another order (§15)."""

FIX_LASTS = timedelta(minutes=15)
"""An older position says less of where a driver is than the last stop that was done (§15)."""


def locate_driver(route: Route) -> DriverFix:
    """Return the newest of: where the device was, the stops done or arrived at, the start.

    A position that was too old when the route was last planned on the road stays out of account, so
    that later arrivals start from the same place as that plan.
    """
    left = route.start.updated_start or route.departure() or route.created_at
    fix = route.last_fix
    known = [fix] if isinstance(fix, DriverFix) and not _is_outdated(fix, route) else []
    known += [
        DriverFix(
            coordinates=stop.delivered_coordinates or stop.planned_coordinates,
            at=stop.updated_arrival,
        )
        for stop in route.stops
        if stop.is_done() and isinstance(stop.updated_arrival, datetime)
    ]
    known += [
        DriverFix(coordinates=stop.planned_coordinates, at=stop.arrived_at)
        for stop in route.stops
        if isinstance(stop.arrived_at, datetime) and not stop.is_done()
    ]
    return max([*known, DriverFix(coordinates=route.start.coordinates, at=left)], key=_instant)


def _is_outdated(fix: DriverFix, route: Route) -> bool:
    planned = route.replanned_at
    return isinstance(planned, datetime) and planned - fix.at > FIX_LASTS


def _instant(fix: DriverFix) -> datetime:
    return fix.at


def order_after_progress(before: Route, after: Route) -> Route:
    """Return the route after a change; its order is outdated when the driver has left the order.

    The order stays current while the stops are done in it (decisions §15). The `optimized` flag
    stays too: it says what the planner requested.
    """
    expected = before.open_stops()[:1]
    was_open = {stop.id for stop in before.open_stops()}
    arrived = {stop.id: stop.arrived_at for stop in before.stops}
    done = [
        stop
        for stop in after.stops
        if stop.id in was_open and (stop.is_done() or stop.arrived_at != arrived[stop.id])
    ]
    has_left = after.is_started() and not before.is_started()
    is_in_order = all(stop.id == expected[0].id for stop in done)
    return replace(after, order_is_current=False) if has_left or not is_in_order else after


def order_after_delay(route: Route) -> Route:
    """Return the route; its order is outdated when the next stop is reached at another time."""
    for stop in route.open_stops()[:1]:
        planned, expected = stop.planned_arrival, stop.updated_arrival
        if not (isinstance(planned, datetime) and isinstance(expected, datetime)):
            return route
        if abs(expected - planned) > ORDER_HOLDS_WITHIN:
            return replace(route, order_is_current=False)
    return route
