"""What putting a stop at one place of a route does to the rest of it: money, metres, and delays."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.domain.vehicle import USUAL_COSTS, VehicleCosts
from roundsman.planning import FixedRoute

_HOUR = 3_600
_KILOMETER = 1_000

type _Windows = Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """A route driven in one order; seconds count from the departure."""

    arrivals: Sequence[int]
    end: int


def time_of(legs: Sequence[int], service: Sequence[int], windows: Sequence[_Windows]) -> Timing:
    """Return when each visit is reached and when the route ends; legs have one entry more."""
    now = 0
    arrivals = []
    for leg, served, open_in in zip(legs[:-1], service, windows, strict=True):
        now += leg
        arrivals.append(now)
        now = _begin(now, open_in) + served
    return Timing(arrivals=arrivals, end=now + legs[-1])


def _begin(arrival: int, windows: _Windows) -> int:
    """Return when service begins: in the first window still open, at once after the last."""
    return next((max(arrival, opens) for opens, closes in windows if arrival <= closes), arrival)


@dataclass(frozen=True, kw_only=True, slots=True)
class Effects:
    """What a place means for a route."""

    arrival: int
    """At the new visit, in seconds from the departure."""

    delays: Sequence[int]
    """Of each visit that was there already, in seconds; 0 where it is reached no later."""

    extra_seconds: int
    """By which the route ends later."""


def effects_of(route: FixedRoute, place: int) -> Effects:
    """Return what a place of a route means: before the visit of that number, or behind all."""
    before = time_of(route.legs, route.service, route.windows)
    reached = route.to_new[place], route.from_new[place]
    after = time_of(
        [*route.legs[:place], *reached, *route.legs[place + 1 :]],
        [*route.service[:place], route.new_service, *route.service[place:]],
        [*route.windows[:place], route.new_windows, *route.windows[place:]],
    )
    others = [*after.arrivals[:place], *after.arrivals[place + 1 :]]
    return Effects(
        arrival=after.arrivals[place],
        delays=[max(0, now - was) for now, was in zip(others, before.arrivals, strict=True)],
        extra_seconds=after.end - before.end,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What a route gains by a stop."""

    seconds: int
    traveled_seconds: int
    meters: int
    is_first: bool
    """Whether the route had no stop before, so that its vehicle would not have left."""


def cost_of(costs: VehicleCosts | None, added: Added) -> float:
    """Return what a stop costs more, in the organization's money; the usual costs without any."""
    price = costs or USUAL_COSTS
    total = (
        (price.fixed if added.is_first else 0.0)
        + price.per_hour * added.seconds / _HOUR
        + price.per_traveled_hour * added.traveled_seconds / _HOUR
        + price.per_kilometer * added.meters / _KILOMETER
        + price.per_stop
    )
    return round(total, 2)
