"""Which windows cannot be met together: a smallest set that can be named, if there is one.

A set is a conflict when even a route that drives to nothing else is late somewhere. Ways between
its visits are the quickest there are, over any places and without service, so that a conflict
holds whatever else the route does. One visit and two are tried for the visits that are late and
those around them; larger sets by the deletion filter (Chinneck & Dravnieks 1991) over so few visits
that each trial is a proof.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from roundsman.planning.constrained_solver import ConstrainedSolver
from roundsman.planning.problem import Problem, Seconds
from roundsman.planning.schedule import begin_service

MOST_LATE = 6
"""Late visits whose conflicts are looked for."""
MOST_TRIED = 10
"""Visits of the deletion filter: few enough that each trial is proved."""
_MOST_CLOSED = 300
"""Nodes up to which quickest ways over other places are worked out; beyond, only the direct one."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Visits whose windows cannot all be met; no smaller set of them is a conflict."""

    nodes: tuple[int, ...]
    late_seconds: tuple[int, ...]
    """For one visit, how late it is even when it comes first; for two, how late the second one
    is when the one at this place comes first; nothing for more."""


def find_conflict(
    problem: Problem, late: Sequence[int], resolver: ConstrainedSolver
) -> Conflict | None:
    """Return the smallest conflict around the visits that are late in the best order known."""
    quickest = _closure(problem)
    windowed = [node for node in problem.visits if problem.windows[node]]
    candidates = [node for node in late if node in windowed][:MOST_LATE]
    for node in candidates:
        behind = _lateness(problem, quickest, (node,))
        if behind:
            return Conflict((node,), (behind,))
    for node in candidates:
        pair = _pair_with(problem, quickest, node, windowed)
        if pair is not None:
            return pair
    return _filtered(problem, quickest, candidates, windowed, resolver)


def _closure(problem: Problem) -> Seconds:
    """Return the quickest travel times over any other places (Floyd 1962)."""
    quickest = problem.durations.astype(np.int64)
    if problem.size <= _MOST_CLOSED:
        for over in range(problem.size):
            np.minimum(quickest, quickest[:, over, None] + quickest[over], out=quickest)
    return quickest


def _lateness(problem: Problem, quickest: Seconds, order: Sequence[int]) -> int:
    """Return how late the last of these visits is when the route drives to nothing else."""
    here, clock, late = problem.start, problem.departure + int(problem.service[problem.start]), 0
    for node in order:
        begins, late = begin_service(problem.windows[node], clock + int(quickest[here, node]))
        here, clock = node, begins + int(problem.service[node])
    return late


def _pair_with(
    problem: Problem, quickest: Seconds, node: int, windowed: Sequence[int]
) -> Conflict | None:
    """Return the two windows that are furthest from being met together, one of them the node's."""
    found = None
    for other in windowed:
        if other == node or _lateness(problem, quickest, (other,)):
            continue
        behind = tuple(_lateness(problem, quickest, order) for order in permutations((node, other)))
        apart = min(behind)
        if apart and (found is None or apart > min(found.late_seconds)):
            found = Conflict((node, other), behind)
    return found


def _filtered(
    problem: Problem,
    quickest: Seconds,
    candidates: Sequence[int],
    windowed: Sequence[int],
    resolver: ConstrainedSolver,
) -> Conflict | None:
    """Leave out one visit after another as long as what is left cannot be met."""
    if not candidates or problem.size > _MOST_CLOSED:
        return None
    closes = problem.windows[candidates[0]][-1][1]
    near = sorted(windowed, key=lambda node: (abs(problem.windows[node][-1][1] - closes), node))
    tried = sorted(near[:MOST_TRIED])
    if not _is_unmeetable(problem, quickest, tried, resolver):
        return None
    for node in list(tried):
        rest = [other for other in tried if other != node]
        if _is_unmeetable(problem, quickest, rest, resolver):
            tried = rest
    return Conflict(tuple(tried), ())


def _is_unmeetable(
    problem: Problem, quickest: Seconds, nodes: Sequence[int], resolver: ConstrainedSolver
) -> bool:
    """Say whether it is proved that no order of these visits alone meets their windows."""
    cells = [problem.start, *nodes]
    alone = Problem(
        durations=quickest[np.ix_(cells, cells)],  # type: ignore[arg-type] # converted and checked
        distances=None,
        start=0,
        end=None,
        service=problem.service[cells],
        windows=[problem.windows[node] for node in cells],
        priority=np.zeros(len(cells), dtype=np.int32),
        departure=problem.departure,
    )
    solution = resolver.solve(alone, alone.visits)
    return solution is not None and solution.proven_optimal and solution.lateness_seconds > 0
