"""Small random problems for the planning tests, and the brute force they are held against."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from roundsman.planning import Problem, schedule

type Spans = list[list[tuple[int, int]]]


def problem_of(
    durations: Sequence[Sequence[int]] | NDArray[np.integer],
    *,
    end: int | None = None,
    service: Sequence[int] | None = None,
    windows: dict[int, list[tuple[int, int]]] | None = None,
    priority: Sequence[int] | None = None,
    departure: int = 0,
    max_duration: int | None = None,
) -> Problem:
    """Build a problem that starts at node 0 and leaves out what a test is not about."""
    size = len(durations)
    none = np.zeros(size, dtype=np.int32)
    return Problem(
        durations=np.array(durations, dtype=np.int32),
        distances=None,
        start=0,
        end=end,
        service=none if service is None else np.array(service, dtype=np.int32),
        windows=[(windows or {}).get(node, []) for node in range(size)],
        priority=none if priority is None else np.array(priority, dtype=np.int32),
        departure=departure,
        max_duration=max_duration,
    )


def random_problem(
    size: int, seed: int, *, windows: bool = False, priority: bool = False
) -> Problem:
    """Scatter nodes over a plane with one-way detours; open, round trip and fixed end in turn."""
    random = np.random.default_rng(seed)
    where = random.integers(0, 1000, (size, 2))
    gaps = where[:, None, :] - where[None, :, :]
    durations = np.hypot(gaps[..., 0], gaps[..., 1]) + random.integers(0, 60, (size, size))
    np.fill_diagonal(durations, 0)
    opens = random.integers(-100, 300 * size, (size, 2))
    spans: Spans = [[] for _ in range(size)]
    if windows:
        for node in range(size):
            count = int(random.integers(0, 3))
            spans[node] = [
                (int(at), int(at) + int(random.integers(0, 400))) for at in opens[node, :count]
            ]
    return Problem(
        durations=durations.astype(np.int32),
        distances=None,
        start=0,
        end=[None, 0, size - 1][seed % 3],
        service=random.integers(0, 50, size).astype(np.int32),
        windows=spans,
        priority=random.integers(0, 3 if priority else 1, size).astype(np.int32),
        departure=int(random.integers(-50, 50)),
        max_duration=300 * size if seed % 4 == 0 else None,
    )


def least_cost(problem: Problem) -> tuple[int, int, int]:
    """Try every order."""
    return min(schedule(problem, order).cost for order in itertools.permutations(problem.visits))


def least_of_all(problem: Problem) -> tuple[int, int, int]:
    """Try every order at once, in rows of arrays: the rules of the schedule written a second time.

    Nothing is taken from the engine here but the problem, and thousands of small problems are
    tried within a second.
    """
    orders = np.array(list(itertools.permutations(problem.visits)), dtype=np.int64)
    rows = len(orders)
    durations = problem.durations.astype(np.int64)
    here = np.full(rows, problem.start)
    clock = np.full(rows, problem.departure + int(problem.service[problem.start]))
    late, travel = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    for node in orders.T:
        travel += durations[here, node]
        clock, added = _serve(problem, node, clock + durations[here, node])
        late += added
        clock += problem.service[node]
        here = node
    if problem.end is not None:
        home = np.full(rows, problem.end)
        travel += durations[here, home]
        clock = clock + durations[here, home]
        late += _serve(problem, home, clock)[1]
    if problem.max_duration is not None:
        late += np.maximum(0, clock - problem.departure - problem.max_duration)
    ranks = problem.priority[orders]
    inversions = np.zeros(rows, dtype=np.int64)
    for position in range(orders.shape[1] - 1):
        inversions += (ranks[:, position + 1 :] > ranks[:, position : position + 1]).sum(axis=1)
    best = np.lexsort((travel, inversions, late))[0]
    return int(late[best]), int(inversions[best]), int(travel[best])


def _serve(
    problem: Problem, node: NDArray[np.int64], arrival: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return when service starts and how late that is, for one node a row."""
    start, late = arrival.copy(), np.zeros(len(arrival), dtype=np.int64)
    waiting = np.ones(len(arrival), dtype=bool)
    for which in range(problem.size):
        for opens, closes in problem.windows[which]:
            fits = waiting & (node == which) & (arrival <= closes)
            start[fits] = np.maximum(arrival[fits], opens)
            waiting &= ~fits
        if problem.windows[which]:
            missed = waiting & (node == which)
            late[missed] = arrival[missed] - problem.windows[which][-1][1]
    return start, late
