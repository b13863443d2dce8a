"""The interval in which a driver is expected at a stop, such as a customer may be promised.

It is a share of the time that is left until the expected arrival, before and after it (doors, 4.5),
by how many stops are ahead. The shares are start values, the same for everybody, until an
organization's own days say more (`arrival_forecast`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from roundsman.domain.model import Model

STEP = timedelta(minutes=5)
"""Windows begin and end on such steps of the clock, and are two of them wide at least."""

DEPARTURE_COUNTS_AS = timedelta(hours=1)
"""Until a driver has left, nobody knows when they will: that is as unsure as an hour of driving."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NARROWER = 2 / 3


class ArrivalWindow(Model):
    """From when until when the driver is expected."""

    start: datetime
    """Not before this time."""

    end: datetime
    """Not after this time."""


class Spread(Model):
    """How much of the time that is left a driver may come earlier or later than expected."""

    early: float
    late: float
    least: timedelta = STEP
    """So far to either side the window reaches in any case; nothing where days have taught it."""


ROAD_SPREAD = Spread(early=0.15, late=0.25)
ESTIMATE_SPREAD = Spread(early=0.10, late=0.60)
"""Estimated travel times are too short far more often than too long."""

STOPS_AHEAD = (0, 1, 3, 6, 11)
"""The least of each group in which stops ahead are counted: 0, 1-2, 3-5, 6-10, 11 and more."""

LEAST_LEFT = STEP
"""With less time left, arrivals are not surer for that."""


def stops_ahead_as_counted(ahead: int) -> int:
    """Return the least of the group in which a number of stops ahead is counted."""
    return STOPS_AHEAD[_group_of(ahead)]


def _group_of(ahead: int) -> int:
    return bisect_right(STOPS_AHEAD, ahead) - 1


class ArrivalSpreads(Model):
    """How unsure arrivals are, for each group of stops ahead."""

    roads: Sequence[Spread]
    estimates: Sequence[Spread]

    def at(self, ahead: int, *, is_estimated: bool) -> Spread:
        """Return how unsure the arrival is at a stop with so many stops before it."""
        return (self.estimates if is_estimated else self.roads)[_group_of(ahead)]


START_SPREADS = ArrivalSpreads(
    roads=(ROAD_SPREAD,) * len(STOPS_AHEAD), estimates=(ESTIMATE_SPREAD,) * len(STOPS_AHEAD)
)


def expect_window(
    expected: datetime, known_at: datetime, spread: Spread, opens_at: datetime | None = None
) -> ArrivalWindow:
    """Return the window of an arrival as it was expected at a moment.

    Nobody is served before the stop's own time window opens, so no arrival is promised before.
    """
    left = max(expected - known_at, LEAST_LEFT)
    start = _rounded_down(expected - max(spread.least, left * spread.early))
    end = _rounded_up(expected + max(spread.least, left * spread.late))
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
