"""The recipe: build an order, improve it, prove it when short, search on until the budget ends.

Least lateness comes first (excess duration counts as lateness), then fewest pairs out of priority
order, then least travel: a higher priority gives way only where that makes the route less late.
The result is never worse than an initial order. A budget is seconds, kept to the clock. With
`moves` as well, equal input gives equal output wherever the seconds suffice, because then only
moves are counted.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from roundsman.kit.mapped_code import unmap_code
from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.bound import bound_travel
from roundsman.planning.breeding import affordable_routes, breed
from roundsman.planning.budget import SLICE, Budget, Cancelled
from roundsman.planning.compiled import COMPILER, compiling_alone, is_interpreting
from roundsman.planning.construction import insert_visits, insertion_sequence, open_tour
from roundsman.planning.exact import (
    MOST_VISITS,
    PROVEN,
    RUNNING,
    STATUS,
    extend_labels,
    new_labels,
    trace,
)
from roundsman.planning.matrix import FAR, Int64, Network, reduce_problem
from roundsman.planning.problem import Problem
from roundsman.planning.schedule import schedule
from roundsman.planning.searching import RouteSearch, begin_search, improve
from roundsman.planning.solution import Solution
from roundsman.planning.tour import new_tour

NEIGHBOURS = 7
FIRST_MOVES = 350  # for each pair of visits: enough for a good bound before the proof
BOUND_CELLS = 40_000_000
ROUND_MOVES = 100  # for each pair of visits: after those a search has mostly settled
LEAST_ROUND = 200_000  # so that setting out anew stays a small share
WARM_MOVES = 300_000  # enough to enter every kernel
SHARES = (
    ((1, True, 2), (1, False, 1)),
    ((14, True, 2), (14, False, 2)),
    ((6, False, 1), (60, False, 1)),
)
"""Routes that enter every kernel: how many visits, whether they have windows, how many priorities.

All searches: the one for windows also serves priorities, which make roads one-way, and routes are
only joined where they differ, which takes many stops. What all of them begin with is the first
share; the others have few more kernels in common.
"""


def search_sequence(
    problem: Problem,
    *,
    seconds: float,
    seed: int = 0,
    moves: int | None = None,
    initial_order: Sequence[int] | None = None,
    cancelled: Cancelled | None = None,
) -> Solution:
    """Find the best order that the budget allows; cancelled, return the best so far."""
    initial = None if initial_order is None else problem.check_order("initial_order", initial_order)
    compile_searches()
    return _optimize(problem, Budget(seconds, moves, cancelled), seed, initial)


def bound_gap(problem: Problem, found: Solution, *, cells: int = BOUND_CELLS) -> Solution:
    """Add a lower bound on travel to a solution; a bound that is met is a proof.

    Costs nothing of the search, but time of its own: about 2 ns a cell, far less for short routes.
    A late route, or one out of priority order, gets none: less travel would not make it better.
    """
    late, inversions, travel = found.schedule.cost
    if found.lower_bound is not None or late or inversions or travel >= int(FAR):
        return found
    network = reduce_problem(problem, neighbours=1, merge=True).network
    bound = bound_travel(network, travel, cells)
    return replace(found, lower_bound=bound, proven_optimal=found.proven_optimal or bound == travel)


@cache
def compile_searches() -> None:
    """Compile every kernel, or load it from the cache, so that no request has to wait for it."""
    if is_interpreting():
        return
    with compiling_alone():
        for number in range(len(SHARES)):
            warm_share(number)
    unmap_code(COMPILER)


def warm_share(number: int) -> None:
    """Enter the kernels of one share."""
    for size, is_timed, classes in SHARES[number]:
        nodes = range(size)
        durations = [[row * column * 71 % 97 + (row > column) for column in nodes] for row in nodes]
        windows = [[(hour * 100, hour * 100 + 900)] if is_timed else () for hour in nodes]
        priority = [node % classes for node in nodes]
        problem = Problem(durations, None, 0, None, [1] * size, windows, priority, 0)  # type: ignore[arg-type]  # converted
        _optimize(problem, Budget(3600, WARM_MOVES, None), 0, None)
        bound_travel(reduce_problem(problem, neighbours=1, merge=True).network, size * 7, 1)


def _optimize(
    problem: Problem, budget: Budget, seed: int, initial: tuple[int, ...] | None
) -> Solution:
    is_short = len(problem.visits) <= MOST_VISITS
    reduction = reduce_problem(problem, neighbours=NEIGHBOURS, merge=not is_short)
    network = reduction.network
    starts = [_build(network, budget, seed)]
    if initial is not None:
        starts.append(reduction.route(initial))
    under = begin_search(network, starts, seed)
    proven = len(problem.visits) <= 1
    if is_short and not proven:
        improve(under, budget, FIRST_MOVES * len(problem.visits) ** 2)
        proven = _prove(network, under, budget)
    if not (proven or network.timed) and affordable_routes(under, budget):
        under = breed(network, under, partial(_build, network, budget), budget, seed)
    elif not proven:
        under = _search_in_rounds(network, under, budget, seed)
    return _solution(problem, reduction.order(under.best), initial, proven, budget)


def _build(network: Network, budget: Budget, seed: int) -> Int64:
    """Insert the visits one by one; those left when the budget is over go to the end."""
    sequence = insertion_sequence(network, seed)
    tour = new_tour(np.zeros(len(network.service), dtype=np.int64), seed)
    open_tour(network, tour)
    done = 0
    while done < len(sequence) and not budget.is_over:
        before = int(tour.state[MOVES])
        done = insert_visits(network, tour, sequence, done, before + SLICE)
        budget.spent += int(tour.state[MOVES]) - before
    tour.route[done + 1 : -1] = sequence[done:]
    tour.route[-1] = len(network.service) - 1
    return tour.route


def _search_in_rounds(
    network: Network, under: RouteSearch, budget: Budget, seed: int
) -> RouteSearch:
    """Search until the budget ends, setting out anew whenever a round is over; return the best.

    A search that has settled finds little more, however long it goes on; from elsewhere it may.
    """
    size = len(network.service)
    unit = max(LEAST_ROUND, ROUND_MOVES * size**2)
    best, rounds = under, 0
    while True:
        rounds += 1
        improve(under, budget, unit * round_length(rounds))
        if under.cost < best.cost:
            best = under
        if budget.is_over:
            return best
        under = best.anew(_build(network, budget, seed + rounds), seed + rounds)


def round_length(number: int) -> int:
    """Return 1, 1, 2, 1, 1, 2, 4, ...: good whatever the odds (Luby, Sinclair & Zuckerman 1993)."""
    if number & (number + 1) == 0:
        return (number + 1) // 2
    return round_length(number - 2 ** (number.bit_length() - 1) + 1)


def _prove(network: Network, under: RouteSearch, budget: Budget) -> bool:
    """Look through all orders for a better one; say whether that was finished."""
    labels = new_labels(network, *under.cost)
    while labels.state[STATUS] == RUNNING and not budget.is_over:
        extend_labels(network, labels, SLICE)
        budget.spent += SLICE
    better = trace(labels, network)
    if better is not None:
        under.adopt(better)
    return bool(labels.state[STATUS] == PROVEN)


def _solution(
    problem: Problem,
    order: tuple[int, ...],
    initial: tuple[int, ...] | None,
    proven: bool,  # noqa: FBT001 -- one caller, two lines above
    budget: Budget,
) -> Solution:
    plan = schedule(problem, order)
    if initial is not None:
        plan = min((schedule(problem, initial), plan), key=lambda known: known.cost)
    inside = plan.path[1:] if problem.end is None else plan.path[1:-1]
    proven = proven and plan.travel_seconds < int(FAR)
    return Solution(
        order=inside,
        travel_seconds=plan.travel_seconds,
        lateness_seconds=plan.lateness_seconds,
        arrivals=plan.arrivals,
        service_starts=plan.service_starts,
        proven_optimal=proven,
        schedule=plan,
        moves=budget.spent,
        lower_bound=plan.travel_seconds if proven else None,
    )
