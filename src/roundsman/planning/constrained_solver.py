"""Solves a changed problem again, within a budget of moves that all re-solves share.

Moves, not seconds, bound the work, so the same problem gets the same advice under any load. Short
problems are proved by each re-solve, so what is found for them is exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roundsman.planning.changes import MINUTE
from roundsman.planning.engine import optimize
from roundsman.planning.problem import Problem
from roundsman.planning.schedule import schedule
from roundsman.planning.solution import Solution

MOVES_EACH = 300_000
"""The budget of one re-solve, about 10 ms; it starts from a good order."""

_MOST_STEPS = 12
"""Of one search for the smallest amount: halving a day of minutes takes eleven."""

type Order = tuple[int, ...]


@dataclass(kw_only=True, slots=True)
class ConstrainedSolver:
    """Solves until the budget is used up; `moves` is what is left."""

    moves: int
    seconds: float
    cancelled: Callable[[], bool] | None = None

    def solve(self, problem: Problem, order: Sequence[int]) -> Solution | None:
        """Solve a problem from a known order; None when the budget is used up or nobody waits."""
        if self.moves <= 0 or (self.cancelled is not None and self.cancelled()):
            return None
        solution = optimize(
            problem,
            seconds=self.seconds,
            moves=MOVES_EACH,
            initial_order=order,
            cancelled=self.cancelled,
        )
        self.moves -= solution.moves + problem.size**2 // 2  # as long as posing it takes
        return solution

    def meet(self, problem: Problem, order: Sequence[int]) -> Order | None:
        """Return an order that meets every window and the duration, if one is found."""
        if is_met(problem, order):
            return tuple(order)
        solution = self.solve(problem, order)
        return None if solution is None or solution.schedule.cost[0] else solution.order

    def least_minutes(
        self, pose: Callable[[int], Problem], most: int, order: Sequence[int]
    ) -> tuple[int, Order] | None:
        """Return the fewest minutes for which the posed problem is met, and an order that does.

        A problem that is met with some minutes has to be met with more; none is known not to do.
        """
        found = self.meet(pose(most), order)
        if found is None:
            return None
        enough, too_few = _fewest_for(pose, found, most), 0
        for _ in range(_MOST_STEPS):
            if enough - too_few <= 1:
                break
            middle = (enough + too_few) // 2
            better = self.meet(pose(middle), found)
            if better is None:
                too_few = middle
            else:
                found, enough = better, _fewest_for(pose, better, middle)
        return enough, found


def is_met(problem: Problem, order: Sequence[int]) -> bool:
    """Say whether an order meets every window and the duration."""
    return schedule(problem, order).cost[0] == 0


def _fewest_for(pose: Callable[[int], Problem], order: Order, enough: int) -> int:
    """Return how many minutes this very order needs."""
    too_few = 0
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if is_met(pose(middle), order):
            enough = middle
        else:
            too_few = middle
    return enough


def seconds_of(minutes: int) -> int:
    """Return whole minutes in seconds."""
    return minutes * MINUTE
