"""Which vehicles are used, where they differ.

A vehicle more costs its fixed price at once, and saves something only when many stops have come to
it: annealing that moves a few stops at a time does not get there. So a trial opens a vehicle for
nothing, closes one, or does with one kind alone, lets the search go on for a little, and judges
what has come of it at the true price. What is cheaper is kept, and every trial is made again from
there. The problem is known as fleet size and mix (Golden, Assad, Levy and Gheysens 1984).
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple, Protocol

import numpy as np

from roundsman.planning.fleet.annealing import LEAST_GAIN, Best, empty_route, restore
from roundsman.planning.fleet.budget import FleetBudget
from roundsman.planning.fleet.problem import FleetProblem, FleetVehicle
from roundsman.planning.fleet.routes import ABSENT, CLOSED, COUNT, TOTAL, Routes
from roundsman.planning.fleet.rules import FIXED, MOST_RELOADS, Rules

SHARE = 0.3
"""Of the budget at most."""

LEAST_TRIAL_SHARE = 0.02
"""Of the budget: less is too little to tell one set of vehicles from another."""

HEAT, COOLER = 0.2, 0.06
"""In mean legs: while stops go over, and while that settles."""


class Searching(Protocol):
    """A search whose vehicles are chosen."""

    problem: FleetProblem
    rules: Rules
    routes: Routes
    best: Best
    budget: FleetBudget

    def may_close(self, van: int) -> bool:
        """Say whether a vehicle may stay at home."""

    def advance(self, temperature: float, *, by_misses: bool, best: Best | None = None) -> bool:
        """Take a slice of steps; what is better than `best` becomes it."""


class _What(Enum):
    OPEN = auto()
    """One vehicle more of a kind."""

    CLOSE = auto()
    """One less."""

    ALONE = auto()
    """None of any other kind."""


class _Trial(NamedTuple):
    what: _What
    kind: int


def choose_vehicles(search: Searching, leg: float) -> None:
    """Try other sets of vehicles for a share of the budget; `leg` is what one costs in the mean."""
    kinds = _kinds(search.problem.vehicles)
    count = len(set(kinds))
    if count < 2 or search.routes.state[ABSENT] > 0:
        return
    share = max(SHARE / (len(_What) * count), LEAST_TRIAL_SHARE)
    end = search.budget.share + SHARE
    waiting = [_Trial(what, kind) for what in _What for kind in range(count)]
    failed = 0
    while failed < len(waiting) and search.budget.share < end and search.budget.ended_by is None:
        trial = waiting.pop(0)  # every other one has its turn before it is made again
        waiting.append(trial)
        until = min(end, search.budget.share + share)
        is_better = _is_possible(search, trial, kinds) and _try(search, trial, kinds, until, leg)
        failed = 0 if is_better else failed + 1


def _kinds(vehicles: Sequence[FleetVehicle]) -> list[int]:
    """Number the vehicles by what they cost and carry."""
    numbers: dict[object, int] = {}
    return [
        numbers.setdefault((vehicle.costs, tuple(vehicle.capacities)), len(numbers))
        for vehicle in vehicles
    ]


def _is_possible(search: Searching, trial: _Trial, kinds: Sequence[int]) -> bool:
    mine, others = _split(kinds, trial.kind)
    match trial.what:
        case _What.OPEN:
            return bool(_unused(search, mine))
        case _What.CLOSE:
            return bool(_closable(search, mine))
        case _What.ALONE:
            return bool(_closable(search, others)) and _has_room(search.rules, mine)


def _split(kinds: Sequence[int], kind: int) -> tuple[list[int], list[int]]:
    """Return the vehicles of a kind, and the others."""
    mine = [van for van, one in enumerate(kinds) if one == kind]
    return mine, [van for van, one in enumerate(kinds) if one != kind]


def _has_room(rules: Rules, vans: Sequence[int]) -> bool:
    """Say whether what all stops want fits into these vehicles, their reloads counted."""
    trips = 1 + rules.van[vans, MOST_RELOADS][:, None]
    room = (rules.capacity[vans].astype(np.float64) * trips).sum(axis=0)
    return bool((room >= rules.loads.sum(axis=0)).all())


def _unused(search: Searching, vans: Sequence[int]) -> list[int]:
    return [van for van in vans if not search.routes.van[van, COUNT]]


def _closable(search: Searching, vans: Sequence[int]) -> list[int]:
    """Return those in use that may stay at home, the least used first."""
    count = search.routes.van[:, COUNT]
    closable = [van for van in vans if count[van] and search.may_close(van)]
    return sorted(closable, key=lambda van: (count[van], van))


def _try(search: Searching, trial: _Trial, kinds: Sequence[int], until: float, leg: float) -> bool:
    """Make a trial from the best plan and go back to the best; say whether that is its own now."""
    rules, routes, best = search.rules, search.routes, search.best
    own = Best(links=best.links.copy(), cost=np.array([np.inf]))
    half = (search.budget.share + until) / 2
    mine, others = _split(kinds, trial.kind)
    if trial.what is _What.OPEN:
        van = _unused(search, mine)[0]
        price = rules.van_price[van, FIXED]
        rules.van_price[van, FIXED] = 0
        _go_on(search, own, half, leg * HEAT)
        rules.van_price[van, FIXED] = price
        restore(rules, routes, own)
        own.cost[0] = routes.totals[TOTAL]
    else:
        closed = _closable(search, mine)[:1]
        if trial.what is _What.ALONE:
            closed = [*_unused(search, others), *_closable(search, others)]
        for van in closed:
            empty_route(rules, routes, van)
        _serve_all(search, own, half, leg * HEAT)
        _go_on(search, own, half, leg * HEAT)
        routes.van[:, CLOSED] = 0
    _go_on(search, own, until, leg * COOLER)
    is_cheaper = bool(own.cost[0] < best.cost[0] - LEAST_GAIN)
    if is_cheaper:
        best.links[:] = own.links
        best.cost[0] = own.cost[0]
    restore(rules, routes, best)
    return is_cheaper


def _serve_all(search: Searching, own: Best, until: float, temperature: float) -> None:
    """Search by misses until nothing is left out."""
    is_whole = search.routes.state[ABSENT] == 0
    while not is_whole and search.budget.share < until and search.budget.ended_by is None:
        is_whole = search.advance(temperature, by_misses=True, best=own)


def _go_on(search: Searching, own: Best, until: float, temperature: float) -> None:
    while search.budget.share < until and search.budget.ended_by is None:
        search.advance(temperature, by_misses=False, best=own)
