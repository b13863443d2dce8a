import dataclasses

import numpy as np
import pytest
from tests.planning.worlds import least_of_all, problem_of, random_problem

from roundsman.planning import Problem, Solution, measure_gap, optimize, schedule

GENEROUS = 60.0  # seconds that no test uses up: moves or the proof end first


def _unmeasured(problem: Problem, moves: int = 200_000) -> Solution:
    """Find an order and forget the proof that a short route comes with."""
    found = optimize(problem, seconds=GENEROUS, moves=moves)
    return dataclasses.replace(found, lower_bound=None, proven_optimal=False)


@pytest.mark.parametrize("chunk", range(10))
def test_the_bound_never_exceeds_the_best_order(chunk: int) -> None:
    for seed in range(chunk * 50, chunk * 50 + 50):
        problem = random_problem(2 + seed % 5, seed, windows=seed % 4 == 1, priority=seed % 3 == 0)
        late, inversions, travel = least_of_all(problem)

        measured = measure_gap(problem, _unmeasured(problem))

        if late or inversions:
            assert measured.lower_bound is None
            continue
        assert measured.lower_bound is not None
        assert measured.lower_bound <= travel, seed
        assert measured.proven_optimal == (measured.lower_bound == travel)


@pytest.mark.parametrize(("end", "seed"), [(None, 0), (0, 1), (None, 2), (0, 4)])
def test_the_bound_comes_near_good_orders_of_many_stops(end: int | None, seed: int) -> None:
    free = random_problem(80, seed)
    problem = problem_of(free.durations, end=end)

    measured = measure_gap(problem, _unmeasured(problem, 3_000_000))

    assert measured.gap is not None
    assert 0 <= measured.gap < 0.06


def test_a_bound_that_is_met_is_a_proof() -> None:
    line = np.abs(np.arange(40)[:, None] - np.arange(40)[None, :]) * 9

    measured = measure_gap(problem_of(line), _unmeasured(problem_of(line)))

    assert measured.lower_bound == measured.travel_seconds == 39 * 9
    assert measured.proven_optimal
    assert measured.gap == 0


def test_windows_that_forbid_legs_raise_the_bound() -> None:
    line = np.abs(np.arange(30)[:, None] - np.arange(30)[None, :]) * 10
    backwards = {node: [(290 + 10 * (29 - node),) * 2] for node in range(1, 30)}
    free, tight = problem_of(line), problem_of(line, windows=backwards)

    measured = measure_gap(tight, _unmeasured(tight, 2_000_000))

    assert schedule(tight, measured.order).lateness_seconds == 0
    assert measured.lower_bound is not None
    assert measured.lower_bound > (measure_gap(free, _unmeasured(free)).lower_bound or 0)


def test_a_late_route_has_no_bound_on_travel() -> None:
    problem = random_problem(40, 1)
    late = problem_of(problem.durations, windows={node: [(0, 1)] for node in range(1, 40)})

    measured = measure_gap(late, optimize(late, seconds=GENEROUS, moves=100_000))

    assert measured.lower_bound is None
    assert measured.gap is None


def test_a_proven_route_needs_no_measuring() -> None:
    found = optimize(random_problem(8, 2), seconds=GENEROUS)

    assert found.lower_bound == found.travel_seconds
    assert measure_gap(random_problem(8, 2), found) is found


def test_equal_input_gives_an_equal_bound() -> None:
    problem = random_problem(70, 5)
    found = optimize(problem, seconds=GENEROUS, moves=200_000)

    assert measure_gap(problem, found).lower_bound == measure_gap(problem, found).lower_bound
