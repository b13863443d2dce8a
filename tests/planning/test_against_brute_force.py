"""Ten thousand small problems, each held against every one of its orders."""

import numpy as np
import pytest
from tests.planning.worlds import least_cost, least_of_all, random_problem

from roundsman.planning import Problem, optimize, schedule

GENEROUS = 60.0  # seconds that no test uses up: moves or the proof end first
CHUNKS = 40
CASES = 250  # a chunk


def _case(seed: int) -> Problem:
    """Mix sizes, windows, priorities and ends; large ones are rare because all orders are tried."""
    size = 1 + (seed * 7919) % 6 if seed % 500 else 10 - seed % 1000 // 500
    return random_problem(size, seed, windows=seed % 4 != 0, priority=seed % 3 == 0)


@pytest.mark.parametrize(
    "chunk",
    [pytest.param(one, marks=pytest.mark.full if one % 8 else ()) for one in range(CHUNKS)],
)
def test_no_order_is_better_than_the_one_found(chunk: int) -> None:
    for seed in range(chunk * CASES, (chunk + 1) * CASES):
        problem = _case(seed)

        found = optimize(problem, seconds=GENEROUS)

        assert found.schedule.cost == least_of_all(problem), seed
        assert found.proven_optimal, seed


@pytest.mark.parametrize("seed", range(30))
def test_both_brute_forces_agree(seed: int) -> None:
    problem = _case(seed + 1)

    assert least_of_all(problem) == least_cost(problem)


@pytest.mark.parametrize("seed", range(40))
def test_the_search_alone_finds_the_best_order_of_a_few_visits(seed: int) -> None:
    problem = random_problem(8, seed, windows=seed % 2 == 0, priority=seed % 4 == 1)
    # Thirteen visits are searched, not proved, so five dummies far behind all others are added.
    padded = _with_far_visits(problem, 6)

    found = optimize(padded, seconds=GENEROUS, moves=2_000_000)

    inner = [node for node in found.order if node < problem.size]
    if problem.end is None and problem.max_duration is None and not problem.priority.any():
        assert schedule(problem, inner).cost == least_of_all(problem)
    assert schedule(padded, found.order).cost == found.schedule.cost


def _with_far_visits(problem: Problem, count: int) -> Problem:
    """Add visits a long way behind all others, all at one distance, to be driven last."""
    size = problem.size + count
    durations = np.full((size, size), 10**6, dtype=np.int64)
    durations[: problem.size, : problem.size] = problem.durations
    durations[problem.size :, problem.size :] = 5
    np.fill_diagonal(durations, 0)
    none = np.zeros(count, dtype=np.int32)
    return Problem(
        durations=durations.astype(np.int32),
        distances=None,
        start=problem.start,
        end=problem.end,
        service=np.concatenate((problem.service, none)),
        windows=[*problem.windows, *[()] * count],
        priority=np.concatenate((problem.priority, none)),
        departure=problem.departure,
        max_duration=problem.max_duration,
    )
