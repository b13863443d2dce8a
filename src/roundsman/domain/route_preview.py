"""What a change of a route would mean, before anybody makes it."""

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import Model
from roundsman.domain.route_views import Timetable


class RouteTotals(Model):
    """How far and how long a route is; of a route under way, what is ahead of its driver."""

    distance_meters: int
    travel_seconds: int
    duration_seconds: int
    """Until the arrival at the end, or until the last stop is left; waiting and service count."""


class RoutePreview(Model):
    """The times of a route as it would be, and what it would break."""

    timetable: Timetable
    lateness: int
    """Seconds that all stops together are served after their last time windows close."""

    violations: tuple[PreconditionViolation, ...] = ()
    totals: RouteTotals
