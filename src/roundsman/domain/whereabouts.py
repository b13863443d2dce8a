"""Where the driver of a route under way is, as far as is known: what later arrivals start from."""

from datetime import datetime

from roundsman.domain.route import DriverFix, Route


def locate_driver(route: Route) -> DriverFix:
    """Return the newest of: where the device was, the stops that are done, the start."""
    left = route.start.updated_start or route.departure() or route.created_at
    known = [route.last_fix] if isinstance(route.last_fix, DriverFix) else []
    known += [
        DriverFix(
            coordinates=stop.delivered_coordinates or stop.planned_coordinates,
            at=stop.updated_arrival,
        )
        for stop in route.stops
        if stop.is_done() and isinstance(stop.updated_arrival, datetime)
    ]
    return max([*known, DriverFix(coordinates=route.start.coordinates, at=left)], key=_moment)


def _moment(fix: DriverFix) -> datetime:
    return fix.at
