"""What makes an order allowed, written down a second time, and orders to begin with."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tests.planning.worlds import random_problem

from roundsman.planning import Problem


def common_length(before: Sequence[int], after: Sequence[int]) -> int:
    """Return the length of a longest common subsequence, by the table of Wagner and Fischer."""
    row = [0] * (len(after) + 1)
    for one in before:
        corner = 0
        for column, other in enumerate(after, 1):
            corner, row[column] = (
                row[column],
                corner + 1 if one == other else max(row[column], row[column - 1]),
            )
    return row[-1]


@dataclass(frozen=True, kw_only=True)
class Restricted:
    """A problem, the order before, and which visits are appended or locked."""

    problem: Problem
    order: tuple[int, ...]
    appended: frozenset[int]
    locked: frozenset[int]

    def moved(self, order: Sequence[int]) -> int:
        before = [visit for visit in self.order if visit not in self.appended]
        after = [visit for visit in order if visit not in self.appended]
        return len(before) - common_length(before, after)

    def is_allowed(self, order: Sequence[int], most: int) -> bool:
        stays = all(order[self.order.index(visit)] == visit for visit in self.locked)
        return stays and self.moved(order) <= most

    def allowed(self, most: int) -> Iterator[tuple[int, ...]]:
        for order in itertools.permutations(self.order):
            if self.is_allowed(order, most):
                yield order


def restricted_problem(visits: int, seed: int, *, locks: float = 0.2) -> Restricted:
    """Shuffle visits, append up to two of them, and lock some of the others."""
    random = np.random.default_rng(seed)
    problem = random_problem(visits + 1, seed, windows=seed % 2 == 1, priority=seed % 5 < 2)
    order = tuple(int(visit) for visit in random.permutation(problem.visits))
    appended = int(random.integers(0, 3)) if len(order) > 3 else 0
    placed = order[: len(order) - appended]
    return Restricted(
        problem=problem,
        order=order,
        appended=frozenset(order[len(placed) :]),
        locked=frozenset(visit for visit in placed if random.random() < locks),
    )
