"""Every place of every route costs what driving the route with the visit there costs."""

import random
from itertools import pairwise

import numpy as np
import pytest

from roundsman.planning import FixedRoute, Problem, insert_everywhere, join_windows, schedule

CHANCE = random.Random(7)  # noqa: S311 -- no secret


def some_windows() -> tuple[tuple[int, int], ...]:
    opens = [CHANCE.randrange(0, 400) for _ in range(CHANCE.choice((0, 0, 1, 2)))]
    return join_windows(0, [(start, start + CHANCE.randrange(0, 80)) for start in opens])


def some_problem(visits: int, *, has_end: bool) -> Problem:
    """Return a problem whose last visit before the end is the new one."""
    size = visits + 2 + has_end
    return Problem(
        durations=np.array([[CHANCE.randrange(1, 60) for _ in range(size)] for _ in range(size)]),
        distances=None,
        start=0,
        end=size - 1 if has_end else None,
        service=np.array(
            [0, *(CHANCE.randrange(30) for _ in range(visits + 1)), *([0] if has_end else [])]
        ),
        windows=[(), *(some_windows() for _ in range(visits + 1)), *([()] if has_end else [])],
        priority=np.zeros(size, np.int64),
        departure=0,
    )


def as_fixed(problem: Problem, visits: int) -> FixedRoute:
    new, times = visits + 1, problem.durations
    path = [*range(visits + 1), *([] if problem.end is None else [problem.end])]
    open_end = [0] if problem.end is None else []
    return FixedRoute(
        legs=[*(int(times[a, b]) for a, b in pairwise(path)), *open_end],
        to_new=[int(times[node, new]) for node in range(visits + 1)],
        from_new=[*(int(times[new, node]) for node in path[1:]), *open_end],
        service=[int(problem.service[node]) for node in range(1, visits + 1)],
        windows=[problem.windows[node] for node in range(1, visits + 1)],
        new_service=int(problem.service[new]),
        new_windows=problem.windows[new],
    )


@pytest.mark.spec("decisions §15")
def test_every_place_costs_what_driving_it_costs() -> None:
    sizes = [CHANCE.randrange(0, 9) for _ in range(60)]
    problems = [some_problem(size, has_end=CHANCE.random() < 0.5) for size in sizes]
    fixed = [as_fixed(problem, size) for problem, size in zip(problems, sizes, strict=True)]
    found = insert_everywhere(fixed)
    seen_late = 0
    for problem, size, places in zip(problems, sizes, found, strict=True):
        base = None
        for place in range(size + 1):
            order = [*range(1, place + 1), size + 1, *range(place + 1, size + 1)]
            driven = schedule(problem, order)
            assert places.durations[place] == driven.duration_seconds
            assert places.late_visits[place] == int((driven.lateness > 0).sum())
            without = (
                driven.lateness_seconds - int(places.extra_lateness[place]),
                driven.travel_seconds - int(places.extra_travel[place]),
            )
            base = base or without
            assert without == base
            seen_late += driven.lateness_seconds > 0
        assert len(places.extra_travel) == size + 1
    assert seen_late > 20
