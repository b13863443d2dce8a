"""What was expected of an arrival, what came of it, and what many of those teach.

The windows that customers see are to hold nine times out of ten (decisions §16). How far arrivals
are from what was expected is a share of the time that was left, by how many stops were ahead, and
apart for roads and for estimates: between two quantiles of an organization's own days, chosen as
split conformal prediction does (Vovk et al. 2005; Lei et al. 2018). Windows are rounded outward and
have a least width, so quantiles of the errors alone would promise more than they have to: the tails
are as large as the windows allow that would have been shown. And a window once shown is held on to,
so that it is wider than a fresh one, or not around the arrival that is expected by now: what was
shown and held too often, or too seldom, moves what is aimed at (Gibbs and Candès 2021).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from math import ceil, floor

from roundsman.domain.arrival_window import (
    LEAST_LEFT,
    START_SPREADS,
    STOPS_AHEAD,
    ArrivalSpreads,
    ArrivalWindow,
    Spread,
    expect_window,
    stops_ahead_as_counted,
)
from roundsman.domain.model import Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.kit.durations import whole_seconds

KEPT_FOR = timedelta(days=60)
"""Decisions §16: an organization's own last 60 days teach it."""

HELD_SHARE = 0.9
_MOST_CORRECTED = 0.03
"""Of the share that is aimed at: a few odd days are no reason for windows of another kind."""

ENOUGH = 200
"""So many of one kind speak for themselves; before, all of an organization's speak together."""

ENOUGH_TOGETHER = 50
"""Fewer say less than the start values do."""

MOST_LEARNED_FROM = 2_000
"""Of each kind the latest: enough for a tail of a hundred."""

_TAILS = tuple(share / 200 for share in range(2, 81))
"""Of the arrivals, that may be before the window, and after it: 1 % to 40 %, in steps of a half."""


class ArrivalForecast(Model):
    """What was expected of a stop when it first had so many stops before it."""

    stop_id: str
    stops_ahead: int
    """The least of its group: 0, 1, 3, 6 or 11."""

    is_estimated: bool
    known_at: datetime
    expected_at: datetime
    window: ArrivalWindow

    def holds(self, arrived_at: datetime) -> bool:
        """Say whether the driver came within the window; who is early may have to wait for it."""
        may_wait = self.expected_at < self.window.start
        return (may_wait or self.window.start <= arrived_at) and arrived_at <= self.window.end


class KeptForecast(ArrivalForecast):
    """A forecast, and when the driver came."""

    arrived_at: datetime

    def error(self) -> float:
        """Return by which share of the time that was left the driver came later than expected."""
        left = max(self.expected_at - self.known_at, LEAST_LEFT)
        return (self.arrived_at - self.expected_at) / left


def list_forecasts(before: Route, after: Route, now: datetime) -> list[ArrivalForecast]:
    """Return what is expected of stops that a change has brought nearer to the driver.

    A stop is nearer when it is counted in another group of stops ahead than before.
    """
    known = _count_ahead(before)
    return [
        ArrivalForecast(
            stop_id=stop.id,
            stops_ahead=ahead,
            is_estimated=after.has_estimates,
            known_at=now,
            expected_at=stop.updated_arrival,
            window=stop.arrival_window,
        )
        for stop, ahead in _ahead(after)
        if known.get(stop.id) != ahead
        and isinstance(stop.arrival_window, ArrivalWindow)
        and isinstance(stop.updated_arrival, datetime)
    ]


def _count_ahead(route: Route) -> dict[str, int]:
    return {stop.id: ahead for stop, ahead in _ahead(route)}


def _ahead(route: Route) -> list[tuple[RouteStop, int]]:
    """Return the stops ahead of a driver who has left, with how many are before each."""
    if not route.is_started():
        return []
    stops = [stop for stop in route.stops if not stop.is_done() and stop.type is not StopType.BREAK]
    return [(stop, stops_ahead_as_counted(number)) for number, stop in enumerate(stops)]


def list_arrivals(before: Route, after: Route) -> dict[str, datetime]:
    """Return when the driver came to the stops that a change says so of.

    Who only says that a stop is done came before by as long as it was to take.
    """
    known = {stop.id for stop in before.stops if _arrival_of(stop) is not None}
    arrivals = {stop.id: _arrival_of(stop) for stop in after.stops if stop.id not in known}
    return {stop_id: at for stop_id, at in arrivals.items() if at is not None}


def _arrival_of(stop: RouteStop) -> datetime | None:
    if isinstance(stop.arrived_at, datetime):
        return stop.arrived_at
    if not stop.is_done() or not isinstance(stop.updated_arrival, datetime):
        return None
    service = 0 if isinstance(stop.duration, UnsetType) else whole_seconds(stop.duration)
    return stop.updated_arrival - timedelta(seconds=service)


def learn_spreads(kept: Sequence[KeptForecast]) -> ArrivalSpreads:
    """Return how wide windows have to be, as far as an organization's days say."""
    groups: dict[tuple[bool, int], list[KeptForecast]] = defaultdict(list)
    for one in kept:
        # Who has to wait for a window to open comes whenever it suits.
        if one.expected_at >= one.window.start:
            groups[one.is_estimated, one.stops_ahead].append(one)
    return ArrivalSpreads(
        roads=_learn_kind(groups, START_SPREADS.roads, is_estimated=False),
        estimates=_learn_kind(groups, START_SPREADS.estimates, is_estimated=True),
    )


def _learn_kind(
    groups: dict[tuple[bool, int], list[KeptForecast]],
    usual: Sequence[Spread],
    *,
    is_estimated: bool,
) -> tuple[Spread, ...]:
    together = [one for ahead in STOPS_AHEAD for one in groups.get((is_estimated, ahead), ())]
    pooled = _learn(together) if len(together) >= ENOUGH_TOGETHER else None
    spreads = []
    for number, ahead in enumerate(STOPS_AHEAD):
        own = groups.get((is_estimated, ahead), [])
        spreads.append(_learn(own) if len(own) >= ENOUGH else pooled or usual[number])
    return tuple(spreads)


def _learn(kept: Sequence[KeptForecast]) -> Spread:
    """Return the spread with the largest tails whose windows would have held often enough."""
    latest = sorted(kept, key=lambda one: one.known_at)[-MOST_LEARNED_FROM:]
    errors = sorted(one.error() for one in latest)
    wanted = _share_to_aim_at(latest) * len(latest)

    def holds_often(tail: float) -> bool:
        spread = _between_quantiles(errors, tail)
        return sum(_would_hold(one, spread) for one in latest) >= wanted

    return _between_quantiles(errors, _last_of(_TAILS, holds_often))


def _share_to_aim_at(kept: Sequence[KeptForecast]) -> float:
    """Return how many fresh windows have to hold, so that nine of ten do that are shown."""
    shown = sum(one.holds(one.arrived_at) for one in kept) / len(kept)
    return HELD_SHARE + min(_MOST_CORRECTED, max(-_MOST_CORRECTED, HELD_SHARE - shown))


def _between_quantiles(errors: Sequence[float], tail: float) -> Spread:
    """Return the spread that leaves at most this share of new errors below it, and above it."""
    count = len(errors)
    below = max(0, floor((count + 1) * tail) - 1)
    above = min(count - 1, ceil((count + 1) * (1 - tail)) - 1)
    return Spread(early=-errors[below], late=errors[above], least=timedelta())


def _would_hold(one: KeptForecast, spread: Spread) -> bool:
    window = expect_window(one.expected_at, one.known_at, spread)
    return window.start <= one.arrived_at <= window.end


def _last_of(tails: Sequence[float], holds: Callable[[float], bool]) -> float:
    """Return the last for which something holds that holds less and less; at least the first."""
    low, high = 0, len(tails)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(tails[middle]):
            low = middle
        else:
            high = middle
    return tails[low]
