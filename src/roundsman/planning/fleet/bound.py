"""What every plan of a day costs at least, so that a cost can be said to be near the best.

The relaxation by arriving legs: each stop that is served is reached over one leg, and that leg
costs no less than the cheapest one that leads there. The legs, the service and the stop's share of
a vehicle's fixed cost are a price below which no plan serves the stop; it is served at that price
or stays out at its own. The share comes from what all vehicles are short of: a load, their number
of stops or their time. If everything is served, whole vehicles count: the bound on the number of
bins by rounding up the sum of sizes (Martello and Toth, Knapsack Problems, 1990, chapter 8, L1).

The bound is loose: the legs of the relaxation need not make routes.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.fleet.problem import FleetProblem, FleetVehicle

_HOUR = 3600
_KILOMETRE = 1000
_COLUMNS_AT_ONCE = 256
_ROUNDING = 1e-9

type _PerStop = NDArray[np.float64]


def bound_cost(problem: FleetProblem) -> float | None:
    """Return a number that no plan costs less than, in hundredths of the caller's money.

    None where a vehicle is under way: part of its route is paid for already.
    """
    vehicles, stops = problem.vehicles, problem.stops
    if not vehicles or any(van.under_way for van in vehicles):
        return None
    if not stops:
        return 0.0
    legs, seconds = _find_cheapest_legs(problem)
    service = np.array([stop.service for stop in stops], dtype=np.float64)
    at_stop = min(van.costs.per_stop for van in vehicles)
    hourly = min(van.costs.per_hour for van in vehicles)
    serving = legs + service / _HOUR * hourly + at_stop
    out = np.array([stop.unassigned_cost for stop in stops])
    to_use = min(van.costs.fixed + _cheapest_way_back(problem, van) for van in vehicles)
    shares = list(_list_shares(problem, seconds + service))
    scarcest = max(shares, key=lambda share: float(share.sum()), default=np.zeros(len(stops)))
    prices = serving + to_use * scarcest
    bound = float(np.minimum(prices, out).sum())
    needed = max((ceil(float(share.sum()) - _ROUNDING) for share in shares), default=1)
    all_served = float(serving.sum()) + to_use * max(1, needed)
    # Or one stop at least stays out, the one where that costs least more than its price.
    some_out = bound + float(np.maximum(0.0, out - prices).min())
    return floor(max(bound, min(all_served, some_out)) * 100) / 100


def _find_cheapest_legs(problem: FleetProblem) -> tuple[_PerStop, _PerStop]:
    """Return for each stop what the leg to it costs at least, and how many seconds it takes.

    The first stop of a vehicle without a start is reached over none.
    """
    count = len(problem.stops)
    if any(van.start is None for van in problem.vehicles):
        return np.zeros(count), np.zeros(count)
    nodes = np.array([stop.node for stop in problem.stops])
    places, shared = np.unique(nodes, return_counts=True)
    starts = np.unique([van.start for van in problem.vehicles if van.start is not None])
    origins = np.concatenate([places, starts])
    cheapest, fastest = np.full(count, np.inf), np.full(count, np.inf)
    for first in range(0, count, _COLUMNS_AT_ONCE):
        columns = slice(first, first + _COLUMNS_AT_ONCE)
        here = nodes[columns]
        # No stop is reached from itself, but from another one at its place.
        itself = (places[:, None] == here[None, :]) & (shared == 1)[:, None]
        for profile, per_second, per_metre in _list_tariffs(problem):
            took = problem.durations[profile][np.ix_(origins, here)].astype(np.float64)
            cost = took * per_second
            if per_metre and problem.distances is not None:
                cost += problem.distances[profile][np.ix_(origins, here)] * per_metre
            cost[: len(places)][itself] = np.inf
            took[: len(places)][itself] = np.inf
            np.minimum(cheapest[columns], cost.min(axis=0), out=cheapest[columns])
            np.minimum(fastest[columns], took.min(axis=0), out=fastest[columns])
    return cheapest, fastest


def _list_tariffs(problem: FleetProblem) -> set[tuple[int, float, float]]:
    """Return how vehicles drive, and what a second and a metre of it cost."""
    return {
        (
            van.profile,
            (van.costs.per_hour + van.costs.per_traveled_hour) / _HOUR,
            van.costs.per_kilometer / _KILOMETRE,
        )
        for van in problem.vehicles
    }


def _cheapest_way_back(problem: FleetProblem, van: FleetVehicle) -> float:
    """Return what the last leg of a vehicle costs at least."""
    if van.end is None:
        return 0.0
    nodes = [stop.node for stop in problem.stops]
    hourly = van.costs.per_hour + van.costs.per_traveled_hour
    cost = problem.durations[van.profile][nodes, van.end] * (hourly / _HOUR)
    if van.costs.per_kilometer and problem.distances is not None:
        metres = problem.distances[van.profile][nodes, van.end]
        cost = cost + metres * (van.costs.per_kilometer / _KILOMETRE)
    return float(cost.min())


def _list_shares(problem: FleetProblem, seconds: _PerStop) -> Iterator[_PerStop]:
    """Yield for all that vehicles are short of which part of the roomiest one each stop takes."""
    vehicles = problem.vehicles
    for load in range(problem.loads):
        wanted = np.array([stop.loads[load] for stop in problem.stops], dtype=np.float64)
        yield from _share(wanted, [_carry(van, load) for van in vehicles])
    yield from _share(np.ones(len(problem.stops)), [van.max_stops for van in vehicles])
    yield from _share(seconds, [_longest(van) for van in vehicles])


def _carry(van: FleetVehicle, load: int) -> int | None:
    """Return how much of a load a vehicle carries at most in all its trips."""
    most = van.capacities[load]
    return None if most is None else most * (1 + van.max_reloads)


def _longest(van: FleetVehicle) -> int:
    shift = van.closes - van.opens
    return shift if van.max_duration is None else min(shift, van.max_duration)


def _share(wanted: _PerStop, room: Sequence[int | None]) -> Iterator[_PerStop]:
    known = [one for one in room if one is not None]
    if len(known) == len(room) and max(known) > 0:
        yield wanted / max(known)
