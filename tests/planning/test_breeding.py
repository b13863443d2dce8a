"""Joining routes: children are routes, cost what is said, and are better than their parent."""

from dataclasses import replace

import numpy as np
import pytest
from tests.planning.worlds import random_problem

from roundsman.planning import Problem, optimize, warm
from roundsman.planning.edge_assembly import assemble_edges, new_edge_room
from roundsman.planning.leg_assembly import assemble_legs, new_leg_room
from roundsman.planning.matrix import Int32, reduce_problem
from roundsman.planning.population import (
    Population,
    keep_route,
    lay_on_path,
    lay_out_links,
    new_population,
)
from roundsman.planning.route_arrays import Roads, RouteArrays, new_path, new_roads

SEEDS = range(24)


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    warm()


def _free_problem(size: int, seed: int) -> Problem:
    """Make a problem without windows; every third one is symmetric, every second one open."""
    durations = random_problem(size, seed).durations
    if seed % 3 == 0:
        durations = (durations + durations.T) // 2
    nothing = [0] * size
    end = None if seed % 2 else 0
    return Problem(durations, None, 0, end, nothing, [()] * size, nothing, 0)  # type: ignore[arg-type]  # converted


def _roads(seed: int) -> Roads:
    network = reduce_problem(_free_problem(8 + 2 * seed, seed), neighbours=7, merge=True).network
    return new_roads(network.durations.copy())


def _cost(roads: Roads, route: Int32) -> int:
    return int(roads.durations[route[:-1], route[1:]].sum())


def _random_routes(roads: Roads, count: int, seed: int) -> Population:
    size = len(roads.durations)
    random = np.random.default_rng(seed)
    routes = new_population(count, size)
    for number in range(count):
        inner = random.permutation(np.arange(1, size - 1))
        route = np.array([0, *inner, size - 1], dtype=np.int32)
        keep_route(routes, number, route, _cost(roads, route))
    return routes


def _route(links: Int32) -> Int32:
    route = np.empty(len(links), dtype=np.int32)
    lay_out_links(links, route)
    return route


def _path(roads: Roads) -> RouteArrays:
    return new_path(roads, np.arange(len(roads.durations)), 0)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_children_are_routes_and_cost_what_is_said(seed: int, directed: bool) -> None:  # noqa: FBT001
    roads = _roads(seed)
    size = len(roads.durations)
    routes = _random_routes(roads, 6, seed)
    edges, legs = new_edge_room(size, seed), new_leg_room(size)
    child = edges.chosen
    better = 0

    for first in range(6):
        for second in range(6):
            known = int(routes.costs[first])
            if directed:
                travel = assemble_legs(roads, routes, legs, first, second, known, child)
            else:
                travel = assemble_edges(roads, routes, edges, first, second, 0)

            assert travel <= known
            if first == second:
                assert travel == known
            if travel < known:
                better += 1
                route = _route(child)
                assert sorted(route) == list(range(size))
                assert (route[0], route[-1]) == (0, size - 1)
                assert travel == _cost(roads, route)

    assert better > 0


def test_a_child_takes_a_better_part_over_and_leaves_the_rest() -> None:
    # Twelve stops on a line. The first route confuses two of them, the second two others.
    durations = np.abs(np.arange(14)[:, None] - np.arange(14)[None]).astype(np.int32) * 10
    roads = new_roads(durations.copy(), 7)
    routes = new_population(2, 14)
    for number, swapped in enumerate((2, 9)):
        route = np.arange(14, dtype=np.int32)
        route[[swapped, swapped + 1]] = route[[swapped + 1, swapped]]
        keep_route(routes, number, route, _cost(roads, route))
    edges = new_edge_room(14, 1)

    travel = assemble_edges(roads, routes, edges, 0, 1, 0)

    assert routes.costs.tolist() == [150, 150]
    assert travel == 130
    assert _route(edges.chosen).tolist() == list(range(14))


@pytest.mark.parametrize("seed", SEEDS)
def test_only_nodes_with_new_legs_wait_on_the_path(seed: int) -> None:
    roads = _roads(seed)
    routes = _random_routes(roads, 2, seed)
    path = _path(roads)
    old, new = _route(routes.links[0]), _route(routes.links[1])

    lay_on_path(roads, path, routes.links[1], routes.links[0], int(routes.costs[1]))

    def next_on_cycle(route: Int32) -> list[set[int]]:
        position = {int(node): spot for spot, node in enumerate(route)}
        size = len(route)
        return [
            {int(route[position[node] - 1]), int(route[(position[node] + 1) % size])}
            for node in range(size)
        ]

    changed = [
        one != other for one, other in zip(next_on_cycle(old), next_on_cycle(new), strict=True)
    ]
    assert path.queued.astype(bool).tolist() == changed
    assert path.route.tolist() == new.tolist()
    assert path.position[path.route].tolist() == list(range(len(new)))
    there = roads.durations[path.route[:-1], path.route[1:]].astype(np.int64)
    back = roads.durations[path.route[1:], path.route[:-1]]
    assert path.skew.tolist() == [0, *np.cumsum(there - back).tolist()]


@pytest.mark.parametrize("priority", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_breeding_finds_what_searching_finds_or_better(seed: int, priority: bool) -> None:  # noqa: FBT001
    problem = _free_problem(60, seed)
    if priority:
        ranks = random_problem(60, seed, priority=True).priority
        problem = replace(problem, priority=ranks)
    searched = optimize(problem, seconds=60, moves=60 * 60 * 10)  # too few for a population

    bred = optimize(problem, seconds=60, moves=60 * 60 * 200)
    again = optimize(problem, seconds=60, moves=60 * 60 * 200)

    assert bred.schedule.cost <= searched.schedule.cost
    assert sorted(bred.order) == sorted(problem.visits)
    assert (bred.order, bred.moves) == (again.order, again.moves)


def test_breeding_ends_when_nobody_waits() -> None:
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 400

    problem = _free_problem(60, 1)

    found = optimize(problem, seconds=600, moves=10**9, cancelled=is_cancelled)

    assert found.moves < 10**8
    assert sorted(found.order) == sorted(problem.visits)
