"""The recipe for an order that moves few stops, or in which some keep their places.

Short routes are tried whole. Longer ones are improved stop by stop, then by taking strings of stops
out and putting them back, setting out from every order that is known: the one before, that of a
smaller budget, and, where many stops may move, the best order of all brought back within the
budget. What nothing restricts is left to the search that knows no restrictions.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from roundsman.kit.mapped_code import unmap_code
from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.budget import SLICE, Budget, Cancelled
from roundsman.planning.compiled import COMPILER, compiling_alone, is_interpreting
from roundsman.planning.limited_insertion import KEPT_LATE, KEPT_SOFT, begin_with, new_reordering
from roundsman.planning.limited_moves import (
    give_marks_back,
    improve_singly,
    put_appended_back,
    search_few_moves,
)
from roundsman.planning.matrix import Int64, Reduction, reduce_problem
from roundsman.planning.moved_visits import count_moved, longest_increasing
from roundsman.planning.optimizer import WARM_MOVES, search_sequence
from roundsman.planning.problem import Problem
from roundsman.planning.schedule import schedule
from roundsman.planning.short_reorderings import MOST_VISITS, try_orders
from roundsman.planning.solution import Solution
from roundsman.planning.tour import LATE, SOFT, new_tour, renew

NEIGHBOURS = 10
HEAT = 0.5  # how much worse, in mean legs, is readily accepted at the beginning
HEAT_OF_LATENESS = 0.2  # the same of the mean lateness of a stop
FEW_MOVES = 10  # up to so many, the best order of all is of no help
SINGLY = 10  # stops that are moved one by one before the search
LIMITED_SHARE = 6  # of the moves of a full search, so many times fewer for each number of moves
LADDER = (0, 1, 2, 5)  # numbers of moves that are searched before any larger one
TRIES = 8  # moved stops of which one is put back when too many are


@dataclass(frozen=True, kw_only=True, slots=True)
class _Restricted:
    """A problem whose visits may not stand in every order."""

    problem: Problem
    order: tuple[int, ...]
    """The order before, appended visits at their places."""
    reduction: Reduction
    home: Int64
    """By node of the network, the place among the visits before, from 1; 0 for appended ones."""
    locked: Int64
    """By node of the network, whether its index stays."""

    @property
    def existing(self) -> int:
        """How many visits were there before."""
        return int((self.home > 0).sum())

    @property
    def has_locks(self) -> bool:
        """Whether any visit keeps its index."""
        return bool(self.locked.any())

    def is_free(self, most: int) -> bool:
        """Say whether every order is allowed; one visit stays wherever all others go."""
        return most >= self.existing - 1 and not self.has_locks

    def may_need_whole(self, most: int) -> bool:
        """Say whether so many may move that the best order of all is of help."""
        return most > FEW_MOVES and len(self.order) > MOST_VISITS

    def moved(self, order: Sequence[int]) -> int:
        """Return how many visits an order moves."""
        nodes = self.reduction.route(self.order)[1:-1]
        before = [visit for visit, node in zip(self.order, nodes, strict=True) if self.home[node]]
        return count_moved(before, order)


def reorder_in_budgets(  # noqa: PLR0913 -- a problem, what restricts its orders, and a budget
    problem: Problem,
    order: Sequence[int],
    *,
    most_moved: Sequence[int | None],
    locked: Collection[int] = (),
    appended: Collection[int] = (),
    seconds: float,
    moves: int | None = None,
    cancelled: Cancelled | None = None,
) -> list[Solution]:
    """Return the best order found for each number of moved visits; None is any number.

    Locked visits keep their index; appended ones move for nothing. An order that is allowed more
    moves is never worse. Solutions are proved only where nothing restricts the order.
    """
    compile_reorderings()
    restricted = _restrict(problem, problem.check_order("order", order), locked, appended)

    @cache
    def whole() -> Solution:
        return search_sequence(
            problem, seconds=seconds, moves=moves, initial_order=order, cancelled=cancelled
        )

    def is_whole(most: int | None) -> bool:
        """Say whether the best order of all is the answer: it is allowed."""
        if restricted.has_locks:
            return False
        if most is None or restricted.is_free(most):
            return True
        return restricted.may_need_whole(most) and restricted.moved(whole().order) <= most

    known: dict[int | None, Solution] = {}
    for most in _with_ladder(most_moved, [most for most in most_moved if not is_whole(most)]):
        smaller = [*known.values()][-1:]
        if is_whole(most):
            found = whole()
        else:
            allowed = restricted.existing if most is None else min(most, restricted.existing)
            # Any number is searched as if it were asked for alone: what it finds is no other then.
            starts = [] if most is None else [solution.order for solution in smaller]
            if restricted.may_need_whole(allowed):
                starts.append(_around_locks(restricted, whole().order))
            share = 1 if most is None else LIMITED_SHARE
            budget = Budget(seconds, None if moves is None else max(1, moves // share), cancelled)
            found = _search(restricted, allowed, starts, budget)
        known[most] = min([*smaller, found], key=lambda one: one.schedule.cost)
    return [known[most] for most in most_moved]


def _with_ladder(
    most_moved: Sequence[int | None], searched: Sequence[int | None]
) -> list[int | None]:
    """Return the numbers of moves, in rising order, with those that are searched before them.

    Thus a larger number never finds less than a smaller one, also where each is asked for alone.
    """
    counted = {most for most in most_moved if most is not None}
    largest = max((most for most in searched if most is not None), default=0)
    steps = {step for step in LADDER if step < largest}
    return [*sorted(counted | steps), *([None] if None in most_moved else [])]


@cache
def compile_reorderings() -> None:
    """Compile every kernel of this search, or load it from the cache."""
    if is_interpreting():
        return
    with compiling_alone():
        for visits in (4, 12):
            _enter_kernels(visits)
    unmap_code(COMPILER)


def _enter_kernels(visits: int) -> None:
    nodes = range(visits + 1)
    durations = [[row * column * 71 % 97 + (row > column) for column in nodes] for row in nodes]
    windows = [[(hour * 100, hour * 100 + 900)] for hour in nodes]
    priority = [node % 2 for node in nodes]
    problem = Problem(durations, None, 0, None, [1] * len(nodes), windows, priority, 0)  # type: ignore[arg-type]  # converted
    order = tuple(range(1, visits + 1))
    restricted = _restrict(problem, order, (1,), (visits,))
    start = _around_locks(restricted, order[::-1])
    _search(restricted, 1, [start], Budget(3600, WARM_MOVES, None))


def _restrict(
    problem: Problem, order: tuple[int, ...], locked: Collection[int], appended: Collection[int]
) -> _Restricted:
    reduction = reduce_problem(problem, neighbours=NEIGHBOURS, merge=False, is_restricted=True)
    visits = [visit for visit in order if visit not in appended]
    place = {visit: number for number, visit in enumerate(visits, 1)}
    by_node = [group[0] for group in reduction.groups]
    return _Restricted(
        problem=problem,
        order=order,
        reduction=reduction,
        home=np.array([0, *(place.get(visit, 0) for visit in by_node), 0], dtype=np.int64),
        locked=np.array([0, *(visit in locked for visit in by_node), 0], dtype=np.int64),
    )


def _search(
    restricted: _Restricted, most: int, starts: Sequence[Sequence[int]], budget: Budget
) -> Solution:
    """Search from each start with its share of the budget, last from the order before."""
    if len(restricted.order) <= MOST_VISITS:
        return _known(restricted, _try_all(restricted, most), 0)
    routes = dict.fromkeys((*(tuple(start) for start in starts), restricted.order))
    found = [
        _improve(restricted, most, order, budget, number / len(routes))
        for number, order in enumerate(routes, 1)
    ]
    return min((one for one in found if one is not None), key=lambda one: one.schedule.cost)


def _improve(
    restricted: _Restricted, most: int, start: tuple[int, ...], budget: Budget, until: float
) -> Solution | None:
    """Search from an order until a part of the budget is spent; None where no order is allowed.

    A start that moves too many stops is brought back first, which locks may forbid.
    """
    reduction = restricted.reduction
    network = reduction.network
    tour, held = new_reordering(
        network, reduction.route(start), restricted.home, restricted.locked, most
    )
    places = [node for node in tour.route if restricted.home[node]]
    stays = longest_increasing([int(restricted.home[node]) for node in places])
    held.marks[places] = 1
    held.marks[[places[index] for index in stays]] = 0
    begin_with(network, tour, held, len(places) - len(stays))
    if not give_marks_back(network, tour, held, TRIES):
        return None
    if len(held.movable):
        put_appended_back(network, tour, held)
        for _ in range(min(most, SINGLY)):
            if budget.is_over or not improve_singly(network, tour, held):
                break
        heat = HEAT * (int(held.state[KEPT_SOFT]) % network.price) / len(tour.route)
        late_heat = HEAT_OF_LATENESS * int(held.state[KEPT_LATE]) / len(tour.route)
        first, last = budget.left, 1 - until
        while budget.left > last and not budget.is_over:
            before = int(tour.state[MOVES])
            warmth = (budget.left - last) / (first - last)
            search_few_moves(network, tour, held, before + SLICE, heat * warmth, late_heat * warmth)
            budget.spent += int(tour.state[MOVES]) - before
    return _known(restricted, reduction.order(held.best), int(tour.state[MOVES]))


def _try_all(restricted: _Restricted, most: int) -> tuple[int, ...]:
    reduction = restricted.reduction
    tour = new_tour(reduction.route(restricted.order), 0)
    renew(reduction.network, tour)
    cost = int(tour.state[LATE]), int(tour.state[SOFT])
    return reduction.order(
        try_orders(reduction.network, restricted.home, restricted.locked, most, tour.route, cost)
    )


def _around_locks(restricted: _Restricted, order: Sequence[int]) -> tuple[int, ...]:
    """Put the visits of an order around those that are locked."""
    nodes = restricted.reduction.route(restricted.order)[1:-1]
    is_locked = {
        visit
        for visit, node in zip(restricted.order, nodes, strict=True)
        if restricted.locked[node]
    }
    others = iter([visit for visit in order if visit not in is_locked])
    return tuple(visit if visit in is_locked else next(others) for visit in restricted.order)


def _known(restricted: _Restricted, order: Sequence[int], moves: int) -> Solution:
    plan = schedule(restricted.problem, order)
    return Solution(
        order=tuple(order),
        travel_seconds=plan.travel_seconds,
        lateness_seconds=plan.lateness_seconds,
        arrivals=plan.arrivals,
        service_starts=plan.service_starts,
        proven_optimal=False,
        schedule=plan,
        moves=moves,
    )
