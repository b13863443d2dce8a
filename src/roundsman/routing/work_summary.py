"""What was done on routes, summed up: how much, how punctually, how fast, how well."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.rating import CustomerRating
from roundsman.domain.report import ReasonCount, WorkSummary
from roundsman.domain.route import Route
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.routing.timing import lateness_of

_HOUR_SECONDS = 3_600


def sum_up_work(routes: Sequence[Route]) -> WorkSummary:
    """Return what was planned and done on these routes."""
    visits = [(route, stop) for route in routes for stop in _visits_of(route)]
    statuses = Counter(stop.delivery_status for _, stop in visits)
    done = [(route, stop) for route, stop in visits if stop.is_done()]
    late = sum(bool(lateness_of(stop, route.departure())) for route, stop in done)
    seconds = sum(_seconds_on_the_road(route) for route in routes)
    ratings = [
        stop.customer_rating.rating
        for _, stop in visits
        if isinstance(stop.customer_rating, CustomerRating)
    ]
    reasons = Counter(
        stop.attempted_reason
        for _, stop in visits
        if stop.delivery_status is DeliveryStatus.ATTEMPTED_DELIVERY
    )
    return WorkSummary(
        routes=len(routes),
        stops=len(visits),
        delivered=statuses[DeliveryStatus.DELIVERED],
        attempted=statuses[DeliveryStatus.ATTEMPTED_DELIVERY],
        open=len(visits) - len(done),
        on_time=len(done) - late,
        late=late,
        on_time_share=_share(len(done) - late, len(done), 4),
        distance_meters=round(sum(route.total_distance_meters() for route in routes)),
        seconds_on_the_road=seconds,
        stops_per_hour=_share(len(done) * _HOUR_SECONDS, seconds, 2),
        failed_reasons=tuple(
            ReasonCount(reason=reason, count=count)
            for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
        ),
        ratings=len(ratings),
        average_rating=_share(sum(ratings), len(ratings), 2),
    )


def _visits_of(route: Route) -> Iterator[RouteStop]:
    return (stop for stop in route.stops if stop.type is not StopType.BREAK)


def _seconds_on_the_road(route: Route) -> int:
    """Return how long a route took from leaving to the last stop that is done."""
    left = route.start.updated_start or route.departure()
    times = [stop.updated_arrival for stop in _visits_of(route) if stop.is_done()]
    known = [at for at in times if isinstance(at, datetime)]
    if not known or isinstance(left, UnsetType):
        return 0
    return max(round((max(known) - left).total_seconds()), 0)


def _share(part: float, whole: float, digits: int) -> float | UnsetType:
    return round(part / whole, digits) if whole else UNSET
