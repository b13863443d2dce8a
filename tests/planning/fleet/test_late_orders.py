"""Orders that come while vans are on the road are placed better than one by one where they fit."""

from dataclasses import replace

import pytest
from tests.planning.fleet.days import draw_day, put_on_the_road
from tests.planning.fleet.test_plans import CHUNK, CHUNKS, assert_legal

from roundsman.planning.fleet import (
    FleetBudget,
    FleetPlan,
    FleetProblem,
    allow_present_routes,
    plan_fleet,
)

pytestmark = pytest.mark.spec("decisions §21")

LATE = 4
"""Orders that nobody knew of in the morning."""


def plan(problem: FleetProblem, budget: FleetBudget) -> tuple[FleetPlan, float]:
    """Return a plan and what it costs with the way home of vans that have nothing left to do."""
    costs: list[float] = []
    found = plan_fleet(problem, budget, on_progress=lambda _, cost, *__: costs.append(cost))
    return found, costs[-1]


def draw_afternoon(seed: int) -> FleetProblem:
    """Return a day under way with orders that the routes of the morning know nothing of."""
    day = draw_day(seed, stops=18)
    unknown = [
        replace(stop, vehicles=frozenset(), unassigned_cost=0.0) if index < LATE else stop
        for index, stop in enumerate(day.stops)
    ]
    budget = FleetBudget(seconds=60, moves=400)
    morning, _ = plan(replace(day, stops=unknown), budget)
    routes = {route.vehicle: route.stops for route in morning.routes}
    return allow_present_routes(put_on_the_road(day, routes, seed))


def insert_greedily(problem: FleetProblem) -> tuple[FleetPlan, float]:
    """Put each order where it costs least, one after another, and move nothing."""
    held = [replace(stop, held=stop.home is not None) for stop in problem.stops]
    at_once = FleetBudget(seconds=60, moves=1, cancelled=lambda: True)
    return plan(replace(problem, stops=held), at_once)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_late_orders_are_placed_at_least_as_well_as_greedily(chunk: int) -> None:
    gained = 0
    for seed in range(chunk * CHUNK, chunk * CHUNK + CHUNK):
        problem = draw_afternoon(seed)
        _, greedily = insert_greedily(problem)
        found, cost = plan(problem, FleetBudget(seconds=60, moves=600))
        assert_legal(problem, found)
        assert len(found.moved) <= (problem.max_moved or 0)
        for number, van in enumerate(problem.vehicles):
            kept = list(van.route[: van.keep_first])
            served = next((one.stops for one in found.routes if one.vehicle == number), [])
            assert served[: len(kept)] == kept
        assert cost <= greedily + 1e-6, seed
        gained += cost < greedily - 1e-6
    assert gained >= CHUNK // 4
