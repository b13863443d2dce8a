"""What putting a stop at one place of a route does to the rest of it: money, metres, and delays."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.domain.vehicle import VehicleCosts
from roundsman.planning import FixedRoute

_HOUR = 3_600
_KILOMETER = 1_000

type _Windows = Sequence[tuple[int, int]]


def _drive(
    now: int, legs: Sequence[int], service: Sequence[int], windows: Sequence[_Windows]
) -> tuple[list[int], int]:
    """Return when each visit is reached and when the last leg, one more than visits, is driven.

    All are seconds from the departure; `now` is when the first leg begins.
    """
    arrivals = []
    for leg, served, open_in in zip(legs[:-1], service, windows, strict=True):
        now += leg
        arrivals.append(now)
        now = (_begin(now, open_in) if open_in else now) + served
    return arrivals, now + legs[-1]


def _begin(arrival: int, windows: _Windows) -> int:
    """Return when service begins: in the first window still open, at once after the last."""
    for opens, closes in windows:
        if arrival <= closes:
            return max(arrival, opens)
    return arrival


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
    arrivals, end = _drive(0, route.legs, route.service, route.windows)
    # Up to the place nothing is new: the van leaves the visit before it as it did.
    leaves = 0
    if place:
        reached, open_in = arrivals[place - 1], route.windows[place - 1]
        leaves = _begin(reached, open_in) + route.service[place - 1]
    arrival = leaves + route.to_new[place]
    begins = _begin(arrival, route.new_windows) + route.new_service
    rest = [route.from_new[place], *route.legs[place + 1 :]]
    later, later_end = _drive(begins, rest, route.service[place:], route.windows[place:])
    behind = (max(0, now - was) for now, was in zip(later, arrivals[place:], strict=True))
    return Effects(arrival=arrival, delays=[*[0] * place, *behind], extra_seconds=later_end - end)


@dataclass(frozen=True, kw_only=True, slots=True)
class Added:
    """What a route gains by a stop."""

    seconds: int
    traveled_seconds: int
    meters: int
    is_first: bool
    """Whether the route had no stop before, so that its vehicle would not have left."""


def cost_of(price: VehicleCosts, added: Added) -> float:
    """Return what a stop costs more, in the organization's money."""
    total = (
        (price.fixed if added.is_first else 0.0)
        + price.per_hour * added.seconds / _HOUR
        + price.per_traveled_hour * added.traveled_seconds / _HOUR
        + price.per_kilometer * added.meters / _KILOMETER
        + price.per_stop
    )
    return round(total, 2)
