"""What planners ask of past days: whether arrivals were as told, and what was done by whom."""

from collections.abc import Sequence
from statistics import median

from roundsman.domain.arrival_forecast import KeptForecast
from roundsman.domain.arrival_window import STOPS_AHEAD
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.proof import AttemptedReason


class ArrivalBucket(Model):
    """Arrivals as they were expected with so many stops ahead."""

    stops_ahead: int
    """The least of the group: 0, 1 (to 2), 3 (to 5), 6 (to 10), 11 (and more)."""

    count: int = 0
    held: int = 0
    """How often the driver came within the window that was shown then."""

    share: float | UnsetType = UNSET
    median_error_seconds: int | UnsetType = UNSET
    """By how much half of them came later than expected; below zero: earlier."""


class ArrivalsReport(Model):
    """Whether windows held, by how many stops were ahead when they were shown first."""

    buckets: tuple[ArrivalBucket, ...]


def report_arrivals(kept: Sequence[KeptForecast]) -> ArrivalsReport:
    """Return whether the windows of these forecasts held."""
    return ArrivalsReport(
        buckets=tuple(
            _bucket(ahead, [one for one in kept if one.stops_ahead == ahead])
            for ahead in STOPS_AHEAD
        )
    )


def _bucket(ahead: int, kept: Sequence[KeptForecast]) -> ArrivalBucket:
    if not kept:
        return ArrivalBucket(stops_ahead=ahead)
    held = sum(one.holds(one.arrived_at) for one in kept)
    errors = [(one.arrived_at - one.expected_at).total_seconds() for one in kept]
    return ArrivalBucket(
        stops_ahead=ahead,
        count=len(kept),
        held=held,
        share=round(held / len(kept), 4),
        median_error_seconds=round(median(errors)),
    )


MOST_SUMMARIZED_DAYS = 31
"""Of one report: every route of its days is read."""


class ReasonCount(Model):
    """How often deliveries failed for a reason."""

    reason: AttemptedReason
    count: int


class WorkSummary(Model):
    """What was planned and done on some routes; breaks are no stops."""

    routes: int = 0
    stops: int = 0
    delivered: int = 0
    attempted: int = 0
    open: int = 0
    on_time: int = 0
    """Of those that are done, how many were begun within a time window, or have none."""

    late: int = 0
    on_time_share: float | UnsetType = UNSET
    distance_meters: int = 0
    """Of the routes as they were planned, archived ones included."""

    seconds_on_the_road: int = 0
    """From leaving to the last stop that is done."""

    stops_per_hour: float | UnsetType = UNSET
    failed_reasons: tuple[ReasonCount, ...] = ()
    """The most frequent first."""

    ratings: int = 0
    average_rating: float | UnsetType = UNSET


class DaySummary(WorkSummary):
    """A day by the organization's clocks."""

    date: str


class DaysReport(Model):
    """Each day of the report on which there are routes, the first first."""

    days: tuple[DaySummary, ...]


class DriverSummary(WorkSummary):
    """The days of a driver; without an id the routes that nobody drove."""

    driver_id: str | UnsetType = UNSET
    name: str = ""


class DriversReport(Model):
    """Each driver who has routes on the days of the report, by name."""

    drivers: tuple[DriverSummary, ...]
