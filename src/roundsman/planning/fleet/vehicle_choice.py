"""Which vehicles are used, where they differ.

A vehicle more costs its fixed price at once, and saves something only when many stops have come to
it: annealing that moves a few stops at a time does not get there. So a trial opens a vehicle for
nothing, closes one, or does with one kind alone, lets the search go on for a little, and judges
what has come of it at the true price. What is cheaper is kept, and every trial is made again from
there. The problem is known as fleet size and mix (Golden, Assad, Levy and Gheysens 1984).
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple, Protocol

import numpy as np

from roundsman.planning.fleet.annealing import Best, empty_route, restore
from roundsman.planning.fleet.budget import FleetBudget
from roundsman.planning.fleet.problem import FleetProblem, FleetVehicle
from roundsman.planning.fleet.routes import ABSENT, CLOSED, COUNT, TOTAL, Routes
from roundsman.planning.fleet.rules import FIXED, Rules

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
    tried: set[_Trial] = set()
    while search.budget.share < end:
        trial = next((one for one in _list_trials(search, kinds) if one not in tried), None)
        if trial is None or search.budget.ended_by is not None:
            return
        tried.add(trial)
        if _is_cheaper(search, trial, kinds, share, leg):
            tried = {trial}


def _kinds(vehicles: Sequence[FleetVehicle]) -> list[int]:
    """Number the vehicles by what they cost and carry."""
    numbers: dict[object, int] = {}
    return [
        numbers.setdefault((vehicle.costs, tuple(vehicle.capacities)), len(numbers))
        for vehicle in vehicles
    ]


def _list_trials(search: Searching, kinds: Sequence[int]) -> Iterator[_Trial]:
    for kind in range(max(kinds) + 1):
        mine = [van for van, one in enumerate(kinds) if one == kind]
        if _unused(search, mine):
            yield _Trial(_What.OPEN, kind)
        if _closable(search, mine):
            yield _Trial(_What.CLOSE, kind)
        if _closable(search, [van for van, one in enumerate(kinds) if one != kind]):
            yield _Trial(_What.ALONE, kind)


def _unused(search: Searching, vans: Sequence[int]) -> list[int]:
    return [van for van in vans if not search.routes.van[van, COUNT]]


def _closable(search: Searching, vans: Sequence[int]) -> list[int]:
    """Return those in use that may stay at home, the least used first."""
    count = search.routes.van[:, COUNT]
    closable = [van for van in vans if count[van] and search.may_close(van)]
    return sorted(closable, key=lambda van: (count[van], van))


def _is_cheaper(
    search: Searching, trial: _Trial, kinds: Sequence[int], share: float, leg: float
) -> bool:
    """Make a trial from the best plan and go back to the best; say whether that is its own now."""
    rules, routes, best = search.rules, search.routes, search.best
    own = Best(links=best.links.copy(), cost=np.array([np.inf]))
    half, end = search.budget.share + share / 2, search.budget.share + share
    mine = [van for van, one in enumerate(kinds) if one == trial.kind]
    if trial.what is _What.OPEN:
        van = _unused(search, mine)[0]
        price = rules.van_price[van, FIXED]
        rules.van_price[van, FIXED] = 0
        _go_on(search, own, half, leg * HEAT, by_misses=False)
        rules.van_price[van, FIXED] = price
        restore(rules, routes, own)
        own.cost[0] = routes.totals[TOTAL]
    else:
        others = [van for van, one in enumerate(kinds) if one != trial.kind]
        if trial.what is _What.CLOSE:
            closed = _closable(search, mine)[:1]
        else:
            closed = [*_unused(search, others), *_closable(search, others)]
        for van in closed:
            empty_route(rules, routes, van)
        _go_on(search, own, half, leg * HEAT, by_misses=True)
        routes.van[:, CLOSED] = 0
    _go_on(search, own, end, leg * COOLER, by_misses=False)
    is_cheaper = bool(own.cost[0] < best.cost[0])
    if is_cheaper:
        best.links[:] = own.links
        best.cost[0] = own.cost[0]
    restore(rules, routes, best)
    return is_cheaper


def _go_on(
    search: Searching, own: Best, until: float, temperature: float, *, by_misses: bool
) -> None:
    while search.budget.share < until and search.budget.ended_by is None:
        search.advance(temperature, by_misses=by_misses, best=own)
