"""The search keeps a running copy of the schedule's rules; here it is held against a fresh one."""

import numpy as np
import pytest
from tests.planning.worlds import random_problem

from roundsman.planning import schedule, warm
from roundsman.planning.disturbance import disturb
from roundsman.planning.matrix import reduce_problem
from roundsman.planning.neighbourhood import improve_around
from roundsman.planning.rebuilding import rebuild
from roundsman.planning.tour import HIGH, LATE, LOW, SOFT, new_tour, renew


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warm()


@pytest.mark.parametrize("seed", range(12))
def test_every_move_leaves_the_tour_as_if_newly_computed(seed: int) -> None:
    problem = random_problem(30, seed, windows=seed % 2 == 1, priority=seed % 4 > 1)
    reduction = reduce_problem(problem, neighbours=7, merge=False)
    network = reduction.network
    order = np.random.default_rng(seed).permutation(problem.visits).tolist()
    tour, fresh = new_tour(reduction.route(order), 1), new_tour(reduction.route(order), 1)
    renew(network, tour)

    for node in [*range(1, len(tour.route) - 1)] * 3:
        improve_around(network, tour, tour.move, node)
        fresh.route[:] = tour.route
        renew(network, fresh)
        assert tour.state[LATE] == fresh.state[LATE]
        assert tour.state[SOFT] == fresh.state[SOFT]
        assert tour.position.tolist() == fresh.position.tolist()
        if not network.symmetric:
            assert tour.skew.tolist() == fresh.skew.tolist()
        for row in ("busy", "arrive", "leave", "late", "latest") if network.timed else ():
            assert getattr(tour, row)[1:].tolist() == getattr(fresh, row)[1:].tolist()


@pytest.mark.parametrize("seed", range(12))
def test_the_tour_and_the_schedule_agree(seed: int) -> None:
    problem = random_problem(25, seed, windows=True, priority=seed % 2 == 0)
    reduction = reduce_problem(problem, neighbours=7, merge=False)
    order = np.random.default_rng(seed).permutation(problem.visits).tolist()
    tour = new_tour(reduction.route(order), 1)

    renew(reduction.network, tour)

    plan = schedule(problem, order)
    late, inversions, travel = plan.cost
    assert tour.state[LATE] == late
    assert tour.state[SOFT] == travel + inversions * reduction.network.price
    shown = len(plan.path)
    assert tour.arrive[1:shown].tolist() == plan.arrivals[1:].tolist()
    assert reduction.order(tour.route) == tuple(order)


@pytest.mark.parametrize("seed", range(12))
def test_every_disturbance_leaves_the_tour_as_if_newly_computed(seed: int) -> None:
    problem = random_problem(30, seed, windows=True)
    reduction = reduce_problem(problem, neighbours=7, merge=False)
    network = reduction.network
    order = np.random.default_rng(seed).permutation(problem.visits).tolist()
    tour, fresh = new_tour(reduction.route(order), seed), new_tour(reduction.route(order), 1)
    renew(network, tour)

    for step in range(60):
        before = tour.route.copy()
        tour.state[LOW], tour.state[HIGH] = len(before), 0
        if step % 2:
            rebuild(network, tour)
        else:
            disturb(network, tour, 10**6)
        fresh.route[:] = tour.route
        renew(network, fresh)
        changed = np.flatnonzero(before != tour.route)
        assert tour.state[LATE] == fresh.state[LATE]
        assert tour.state[SOFT] == fresh.state[SOFT]
        assert sorted(tour.route.tolist()) == list(range(len(before)))
        assert not len(changed) or tour.state[LOW] <= changed[0] <= changed[-1] <= tour.state[HIGH]
        for row in ("position", "skew", "busy", "arrive", "leave", "late", "latest"):
            assert getattr(tour, row)[1:].tolist() == getattr(fresh, row)[1:].tolist(), row
