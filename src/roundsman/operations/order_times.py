"""When orders are to arrive: taken over by their stops from what their shops say by now."""

from msgspec.structs import replace

from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.operations.order_locations import find_order_of_stop
from roundsman.operations.request import Request
from roundsman.operations.route_changes import RoutePart, change_stop
from roundsman.operations.tools import Tools
from roundsman.routing.timing import time_route

type Asked = tuple[Date | UnsetType, tuple[TimeWindow, ...]]
"""A day, or none, and the windows on it."""


def resync_windows(
    tools: Tools, request: Request, route_id: str, stop_id: str, asked: Asked | None
) -> RoutePart[RouteStop]:
    """Give a stop the day and windows of its order, or others while the order stays as it is."""

    def change(route: Route) -> Route:
        stop, order = find_order_of_stop(tools, request, route, stop_id)
        # An order that says no day any more leaves the stop on its own.
        day, windows = asked or (order.delivery_date or stop.delivery_date, order.time_windows)
        edited = replace(stop, delivery_date=day, time_windows=windows)
        notes = order.notes(edited)
        shown = replace(
            stop.store_order or notes,
            delivery_date=notes.delivery_date,
            time_windows=notes.time_windows,
        )
        changed = route.with_stop_edited(replace(edited, store_order=shown), tools.clock.now())
        is_same = edited.order_basis() == stop.order_basis()
        return changed if is_same else time_route(changed, tools.roads).route

    return change_stop(tools, request, route_id, stop_id, change)
