"""When a delivery is over: the days for which its customer's data are kept begin there."""

from datetime import UTC, datetime, timedelta

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.planned_times import within_planned_days
from roundsman.domain.route import Route
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date

UNDATED_FOR = timedelta(days=365)
"""For how long what has no day and is on no route counts as still to be delivered."""

_DAY_IS_OVER = timedelta(days=1, hours=12)
"""From its midnight in UTC; then it is over in every time zone."""

_DONE = (StoreOrderState.FULFILLED, StoreOrderState.CANCELLED)


def end_of_route(route: Route) -> datetime:
    """Return when the last delivery of a route is over: never before its latest change."""
    route = within_planned_days(route)
    end = UNSET if isinstance(route.end, UnsetType) else route.end.updated_arrival
    moments: list[datetime | UnsetType] = [route.departure(), route.planned_end(), end]
    for stop in route.stops:
        moments += [stop.planned_arrival, stop.updated_arrival, _end_of_day(stop.delivery_date)]
    return _latest(route.updated_at, *moments)


def end_of_stop(
    stop: ImportedStop, changed_at: datetime, route_ends: tuple[datetime, ...]
) -> datetime:
    """Return when an imported stop is delivered, by its day, and the routes that it is on."""
    if isinstance(stop.delivery_date, UnsetType) and not route_ends:
        return changed_at + UNDATED_FOR
    return _latest(changed_at, _end_of_day(stop.delivery_date), *route_ends)


def end_of_order(
    order: StoreOrder, changed_at: datetime, route_ends: tuple[datetime, ...]
) -> datetime:
    """Return when an order is delivered, by its day, and the routes that it is on."""
    is_undated = isinstance(order.delivery_date, UnsetType) and not route_ends
    if is_undated and order.state not in _DONE:
        return changed_at + UNDATED_FOR
    return _latest(changed_at, _end_of_day(order.delivery_date), *route_ends)


def _end_of_day(day: Date | UnsetType) -> datetime | UnsetType:
    if isinstance(day, UnsetType):
        return UNSET
    planned = day.as_planned()
    return datetime(planned.year, planned.month, planned.day, tzinfo=UTC) + _DAY_IS_OVER


def _latest(changed_at: datetime, *moments: datetime | UnsetType) -> datetime:
    return max([changed_at, *(one for one in moments if isinstance(one, datetime))])
