"""Times of routes that were stored before days had bounds, or beside stops of such days.

They are read as those of the nearest moment that can be planned, so that every calendar has them in
every time zone.
"""

from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.model import UnsetType
from roundsman.domain.planned_days import is_planned, nearest_planned_instant
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop


def within_planned_days(route: Route) -> Route:
    """Return the route itself where its first and last times are of such days, as nearly always."""
    ends = (route.scheduled_for, route.planned_end())
    if all(isinstance(moment, UnsetType) or is_planned(moment.date()) for moment in ends):
        return route
    start = replace(
        route.start,
        scheduled_start=_nearest(route.start.scheduled_start),
        updated_start=_nearest(route.start.updated_start),
    )
    end = route.end
    return replace(
        route,
        scheduled_for=_nearest(route.scheduled_for),
        start=start,
        stops=tuple(_stop_within(stop) for stop in route.stops),
        end=(
            replace(
                end,
                planned_arrival=_nearest(end.planned_arrival),
                updated_arrival=_nearest(end.updated_arrival),
            )
            if isinstance(end, RouteEnd)
            else end
        ),
    )


def _stop_within(stop: RouteStop) -> RouteStop:
    window = stop.arrival_window
    if isinstance(window, ArrivalWindow):
        window = ArrivalWindow(
            start=nearest_planned_instant(window.start), end=nearest_planned_instant(window.end)
        )
    return replace(
        stop,
        planned_arrival=_nearest(stop.planned_arrival),
        updated_arrival=_nearest(stop.updated_arrival),
        arrival_window=window,
    )


def _nearest(instant: datetime | UnsetType) -> datetime | UnsetType:
    return instant if isinstance(instant, UnsetType) else nearest_planned_instant(instant)
