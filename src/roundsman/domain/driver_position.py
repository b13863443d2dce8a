"""Where the driver of a route under way is, as far as is known: what later arrivals start from."""

from datetime import datetime, timedelta

from roundsman.domain.route import DriverFix, Route

FIX_LASTS = timedelta(minutes=15)
"""An older position says less of where a driver is than the last stop that was done (§15)."""


def locate_driver(route: Route) -> DriverFix:
    """Return the newest of: where the device was, the stops that are done, the start.

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
    return max([*known, DriverFix(coordinates=route.start.coordinates, at=left)], key=_instant)


def _is_outdated(fix: DriverFix, route: Route) -> bool:
    planned = route.replanned_at
    return isinstance(planned, datetime) and planned - fix.at > FIX_LASTS


def _instant(fix: DriverFix) -> datetime:
    return fix.at
