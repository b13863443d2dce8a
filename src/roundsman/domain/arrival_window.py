"""The interval in which a driver is expected at a stop, such as a customer may be promised.

It is a share of the time that is left until the expected arrival, before and after it (doors, 4.5).
The shares are start values, the same for everybody, until an organization's own days say more.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from roundsman.domain.model import Model

STEP = timedelta(minutes=5)
"""Windows begin and end on such steps of the clock, and reach at least one to either side."""

DEPARTURE_COUNTS_AS = timedelta(hours=1)
"""Until a driver has left, nobody knows when they will: that is as unsure as an hour of driving."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NARROWER = 2 / 3


class ArrivalWindow(Model):
    """From when until when the driver is expected."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Spread:
    """How much of the time that is left a driver may come earlier or later than expected."""

    early: float
    late: float


ROAD_SPREAD = Spread(early=0.15, late=0.25)
ESTIMATE_SPREAD = Spread(early=0.10, late=0.60)
"""Estimated travel times are too short far more often than too long."""


def expect_window(
    expected: datetime, known_at: datetime, spread: Spread, opens_at: datetime | None = None
) -> ArrivalWindow:
    """Return the window of an arrival as it was expected at a moment.

    Nobody is served before the stop's own time window opens, so no arrival is promised before.
    """
    left = max(expected - known_at, timedelta())
    start = _rounded_down(expected - max(STEP, left * spread.early))
    end = _rounded_up(expected + max(STEP, left * spread.late))
    if opens_at is not None:
        start = max(start, _rounded_up(opens_at))
    return ArrivalWindow(start=start, end=max(end, start + 2 * STEP))


def hold_window(promised: ArrivalWindow, fresh: ArrivalWindow, expected: datetime) -> ArrivalWindow:
    """Return the promised window, or the fresh one where that has to be said.

    That is where the expected arrival is not in the promised one any more, or the fresh one is
    narrower by a third (decisions §16, "Windows that hold").
    """
    is_left = not promised.start <= _within(expected, fresh) <= promised.end
    is_narrower = (fresh.end - fresh.start) <= (promised.end - promised.start) * _NARROWER
    return fresh if is_left or is_narrower else promised


def _within(expected: datetime, window: ArrivalWindow) -> datetime:
    """Return when the driver can be there at the earliest: one who is early has to wait."""
    return max(expected, window.start)


def _rounded_down(instant: datetime) -> datetime:
    return instant - (instant - _EPOCH) % STEP


def _rounded_up(instant: datetime) -> datetime:
    return instant + (_EPOCH - instant) % STEP
