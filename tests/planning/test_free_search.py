"""The search without windows keeps running costs; here they are held against fresh ones."""

import numpy as np
import pytest
from tests.planning.worlds import random_problem

from roundsman.planning import Problem, optimize, warm
from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.free_search import search_free
from roundsman.planning.matrix import Int32, reduce_problem
from roundsman.planning.route_arrays import (
    BEST,
    KEPT,
    Roads,
    RouteArrays,
    new_path,
    new_roads,
    turn_back,
    turn_positions,
)


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warm()


def _world(seed: int) -> tuple[Roads, RouteArrays]:
    """Make a network, every third one symmetric, and a route in the order of its numbers."""
    problem = random_problem(8 + seed, seed)
    durations = problem.durations
    if seed % 3 == 0:
        durations = (durations + durations.T) // 2
    stops = len(durations)
    end = None if seed % 2 else 0
    free = Problem(durations, None, 0, end, [0] * stops, [()] * stops, [0] * stops, 0)  # type: ignore[arg-type]  # converted
    network = reduce_problem(free, neighbours=7, merge=True).network
    roads = new_roads(network.durations.copy())
    return roads, new_path(roads, np.arange(len(network.service)), seed)


def _cost(roads: Roads, route: Int32) -> int:
    return int(roads.durations[route[:-1], route[1:]].sum())


@pytest.mark.parametrize("seed", range(24))
def test_costs_places_and_skew_stay_those_of_the_route(seed: int) -> None:
    roads, path = _world(seed)
    last = len(path.route) - 1

    for _ in range(20):
        search_free(roads, path, int(path.state[MOVES]) + 500, 5.0)

        assert sorted(path.route) == list(range(last + 1))
        assert (path.route[0], path.route[last]) == (0, last)
        assert path.position[path.route].tolist() == list(range(last + 1))
        assert path.state[KEPT] == _cost(roads, path.route)
        assert path.state[BEST] == _cost(roads, path.best)
        if not roads.symmetric:
            there = roads.durations[path.route[:-1], path.route[1:]]
            back = roads.durations[path.route[1:], path.route[:-1]]
            assert path.skew[1:].tolist() == np.cumsum(there - back).tolist()


def test_turning_back_restores_the_route() -> None:
    roads, path = _world(20)
    before, skew = path.route.copy(), path.skew.copy()

    for first, last in ((3, 9), (1, 20), (5, 6)):
        turn_positions(roads, path, first, last)
    assert path.route.tolist() != before.tolist()
    turn_back(roads, path, 0)

    assert path.route.tolist() == before.tolist()
    assert path.skew.tolist() == skew.tolist()


@pytest.mark.parametrize("is_open", [True, False])
def test_stops_round_a_circle_are_driven_round_it(is_open: bool) -> None:  # noqa: FBT001
    size = 60
    angle = np.random.default_rng(3).permutation(size) * 2 * np.pi / size
    where = 1000 * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    durations = np.rint(np.linalg.norm(where[:, None] - where[None], axis=2)).astype(int)
    nothing = [0] * size
    end = None if is_open else 0
    problem = Problem(durations, None, 0, end, nothing, [()] * size, nothing, 0)  # type: ignore[arg-type]  # converted

    found = optimize(problem, seconds=30, moves=2_000_000)

    legs = size - 1 if is_open else size
    assert found.travel_seconds == legs * round(2000 * np.sin(np.pi / size))
