"""What changes of a route under way beside the route: where its driver is, and what follows.

A position changes neither the route nor its version (decisions §14), so that it never gets in the
way of a planner. The arrivals that follow from it are of one version of the route: whoever changes
the route times it anew, from the same position.
"""

from datetime import datetime, timedelta
from typing import Self

from msgspec import field
from msgspec.structs import replace

from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_ends import EndStatus, RouteEnd

TIMED_EVERY = timedelta(minutes=1)
"""How often a road engine is asked, at most, because the driver of a route has moved."""


class LiveRoute(Model):
    """The latest position of a route's driver, and the arrivals expected from there."""

    fix: DriverFix
    version: int = 0
    """Of the route that the arrivals are of; 0 where the route has its own."""

    arrivals: dict[str, datetime] = field(default_factory=dict)
    windows: dict[str, ArrivalWindow] = field(default_factory=dict)
    end_arrival: datetime | UnsetType = UNSET
    order_is_outdated: bool = False
    timed_at: datetime | UnsetType = UNSET
    """When the arrivals were worked out last, here or in the route."""

    def moved(self, fix: DriverFix) -> Self:
        """Return the same arrivals with a newer position."""
        return replace(self, fix=fix)

    def may_be_timed(self, now: datetime) -> bool:
        """Say whether a road engine may be asked again."""
        return isinstance(self.timed_at, UnsetType) or now - self.timed_at >= TIMED_EVERY


def expectations_of(route: Route, version: int, fix: DriverFix, timed_at: datetime) -> LiveRoute:
    """Return what a route expects that was timed from a position, to be kept beside it."""
    end = route.end
    is_end_ahead = isinstance(end, RouteEnd) and end.status is not EndStatus.COMPLETED
    return LiveRoute(
        fix=fix,
        version=version,
        arrivals={
            stop.id: stop.updated_arrival
            for stop in route.open_stops()
            if isinstance(stop.updated_arrival, datetime)
        },
        windows={
            stop.id: stop.arrival_window
            for stop in route.open_stops()
            if isinstance(stop.arrival_window, ArrivalWindow)
        },
        end_arrival=end.updated_arrival if isinstance(end, RouteEnd) and is_end_ahead else UNSET,
        order_is_outdated=not route.order_is_current,
        timed_at=timed_at,
    )


def as_it_is_now(route: Route, version: int, live: LiveRoute) -> Route:
    """Return a stored route with what is known beside it."""
    known = route.last_fix
    if isinstance(known, UnsetType) or live.fix.at > known.at:
        route = replace(route, last_fix=live.fix)
    if live.version != version or not route.is_started():
        return route
    stops = tuple(
        replace(
            stop,
            updated_arrival=live.arrivals[stop.id],
            arrival_window=live.windows.get(stop.id, stop.arrival_window),
        )
        if stop.id in live.arrivals
        else stop
        for stop in route.stops
    )
    end = route.end
    if isinstance(end, RouteEnd) and isinstance(live.end_arrival, datetime):
        end = replace(end, updated_arrival=live.end_arrival)
    is_current = route.order_is_current and not live.order_is_outdated
    return replace(route, stops=stops, end=end, order_is_current=is_current)


def is_under_way(route: Route) -> bool:
    """Say whether the driver has left and is expected on."""
    is_over = isinstance(route.completed_at, datetime) or isinstance(route.archived_at, datetime)
    return route.is_started() and not is_over
