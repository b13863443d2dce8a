"""The recipe: reduce, build, prove when small, else search until the budget ends; never end worse.

Least lateness first (excess duration counts as lateness), then fewest pairs out of priority order, then
least travel. So a higher priority gives way only where that makes the route less late. A budget is
seconds, kept to the clock; or also moves, and then equal input gives equal output wherever seconds suffice.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roundsman.planning.construction import insert_visits, insertion_sequence, open_tour
from roundsman.planning.matrix import Network, Reduction, reduce_problem
from roundsman.planning.problem import Problem, Seconds
from roundsman.planning.schedule import Schedule, schedule
from roundsman.planning.sequencing import search
from roundsman.planning.tour import LATE, MOVES, SOFT, WAITING, Tour, enqueue, new_tour, renew

SLICE = 200_000
NEIGHBOURS = int(os.environ.get('NB','10'))
HEAT = float(os.environ.get('HEAT','0.05'))


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """The best order found; `arrivals` and `service_starts` run along start, *order, end if any."""

    order: tuple[int, ...]
    """The visits in driving order, without start and end."""
    travel_seconds: int
    lateness_seconds: int
    arrivals: Seconds
    service_starts: Seconds
    proven_optimal: bool
    schedule: Schedule
    moves: int
    kicks: int
    """How much of a budget of moves was used."""


class Budget:
    """What may still be spent: seconds of the monotonic clock, moves, and the caller's patience."""

    def __init__(
        self, seconds: float, moves: int | None, cancelled: Callable[[], bool] | threading.Event | None
    ) -> None:
        self.seconds = seconds
        self.moves = moves
        self._begun = time.monotonic()
        self._cancelled = cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled

    def is_spent(self, moves: int) -> bool:
        """Say whether to stop after so many moves."""
        if self._cancelled is not None and self._cancelled():
            return True
        if self.moves is not None and moves >= self.moves:
            return True
        return time.monotonic() - self._begun >= self.seconds

    def share(self, moves: int) -> float:
        """Return how much of the budget is used, from 0 to 1."""
        if self.moves is not None:
            return min(1.0, moves / max(1, self.moves))
        return min(1.0, (time.monotonic() - self._begun) / max(self.seconds, 1e-9))


def optimize(
    problem: Problem,
    *,
    seconds: float,
    seed: int = 0,
    moves: int | None = None,
    initial_order: Sequence[int] | None = None,
    cancelled: Callable[[], bool] | threading.Event | None = None,
) -> Solution:
    budget = Budget(seconds, moves, cancelled)
    reduction = reduce_problem(problem, neighbours=NEIGHBOURS, merge=True)
    network = reduction.network
    size = len(network.service)
    tour = new_tour(insertion_sequence(network, seed)[[0] * 0].copy() if False else _blank(size), seed)
    sequence = insertion_sequence(network, seed)
    open_tour(network, tour)
    done = 0
    while done < len(sequence):
        done = insert_visits(network, tour, sequence, done, int(tour.state[MOVES]) + SLICE)
    renew(network, tour)
    kept, best = new_tour(tour.route, seed), new_tour(tour.route, seed)
    renew(network, kept)
    renew(network, best)
    for node in tour.route:
        enqueue(tour, node)
    mean = int(best.state[SOFT]) % network.price / size
    while not budget.is_spent(int(tour.state[MOVES])):
        heat = HEAT * mean * (1 - budget.share(int(tour.state[MOVES])))
        search(network, tour, kept, best, int(tour.state[MOVES]) + SLICE, heat)
    order = reduction.order(best.route)
    plan = schedule(problem, order)
    return Solution(order, plan.travel_seconds, plan.lateness_seconds, plan.arrivals, plan.service_starts, False, plan, int(tour.state[MOVES]), int(tour.state[8]))


def _blank(size: int):
    import numpy as np
    return np.zeros(size, dtype=np.int64)
