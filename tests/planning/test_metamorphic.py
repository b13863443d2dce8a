"""What must not change when a problem is told in other words, and what equal input must give."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.planning.worlds import random_problem

from roundsman.planning import Problem, optimize

GENEROUS = 60.0  # seconds that no test uses up: moves end first
MOVES = 150_000

seeds = st.integers(0, 10_000)


def _moved(problem: Problem, shift: int) -> Problem:
    windows = [[(low + shift, high + shift) for low, high in own] for own in problem.windows]
    return Problem(
        problem.durations,
        None,
        problem.start,
        problem.end,
        problem.service,
        windows,
        problem.priority,
        problem.departure + shift,
        problem.max_duration,
    )


def _renumbered(problem: Problem, shuffle: list[int]) -> Problem:
    label = np.argsort(shuffle)
    return Problem(
        problem.durations[np.ix_(shuffle, shuffle)],
        None,
        int(label[problem.start]),
        None if problem.end is None else int(label[problem.end]),
        problem.service[shuffle],
        [problem.windows[node] for node in shuffle],
        problem.priority[shuffle],
        problem.departure,
        problem.max_duration,
    )


@pytest.mark.spec("decisions §7")
@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, size=st.integers(15, 60), windows=st.booleans(), priority=st.booleans())
def test_equal_input_gives_equal_output(
    seed: int, size: int, *, windows: bool, priority: bool
) -> None:
    one, other = (
        optimize(
            random_problem(size, seed, windows=windows, priority=priority),
            seconds=GENEROUS,
            moves=MOVES,
        )
        for _ in range(2)
    )

    assert one.order == other.order
    assert one.moves == other.moves


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, shift=st.integers(-(10**9), 10**9), priority=st.booleans())
def test_a_day_moved_in_time_is_driven_in_the_same_order(
    seed: int, shift: int, *, priority: bool
) -> None:
    problem = random_problem(30, seed, windows=True, priority=priority)

    one = optimize(problem, seconds=GENEROUS, moves=MOVES)
    other = optimize(_moved(problem, shift), seconds=GENEROUS, moves=MOVES)

    assert one.order == other.order
    assert (one.arrivals + shift).tolist() == other.arrivals.tolist()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=seeds, windows=st.booleans(), data=st.data())
def test_stops_numbered_otherwise_are_driven_in_the_same_order(
    seed: int, data: st.DataObject, *, windows: bool
) -> None:
    problem = random_problem(30, seed, windows=windows)
    shuffle = data.draw(st.permutations(range(30)))

    one = optimize(problem, seconds=GENEROUS, moves=MOVES)
    other = optimize(_renumbered(problem, shuffle), seconds=GENEROUS, moves=MOVES)

    assert [shuffle[node] for node in other.order] == list(one.order)
