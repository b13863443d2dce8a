"""What planners ask of past days: whether arrivals were as customers were told."""

from collections.abc import Sequence
from statistics import median

from roundsman.domain.arrival_forecast import KeptForecast
from roundsman.domain.arrival_window import STOPS_AHEAD
from roundsman.domain.model import UNSET, Model, UnsetType


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
