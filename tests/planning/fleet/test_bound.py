"""What every plan of a day costs at least."""

from dataclasses import replace

import numpy as np
import pytest
from tests.planning.fleet.days import HOUR, draw_day, put_on_the_road

from roundsman.planning.fleet import (
    FleetBudget,
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    find_lower_bound,
    plan_fleet,
)

pytestmark = pytest.mark.spec("decisions §21")

DEPOT = 0


def line(*, loads: int = 1, price: float = 1_000.0, vehicles: int = 4) -> FleetProblem:
    """Return stops on one line that leads away from the depot, a minute and a kilometre apart."""
    places = np.arange(7)
    away = np.abs(places[:, None] - places[None, :]).astype(np.int32)
    van = FleetVehicle(
        start=DEPOT,
        opens=0,
        closes=8 * HOUR,
        capacities=[6],
        costs=FleetCosts(fixed=50, per_hour=60, per_kilometer=2, per_stop=3),
    )
    stops = [FleetStop(node=place, loads=[loads], unassigned_cost=price) for place in places[1:]]
    return FleetProblem(
        durations=[away * 60], distances=[away * 1000], stops=stops, vehicles=[van] * vehicles,
        loads=1,
    )  # fmt: skip


def cost_of(problem: FleetProblem, moves: int = 400) -> float:
    return plan_fleet(problem, FleetBudget(seconds=60, moves=moves)).cost


def test_no_plan_costs_less() -> None:
    for seed in range(25):
        problem = draw_day(seed)
        bound = find_lower_bound(problem)
        assert bound is not None
        assert 0 <= bound <= cost_of(problem, moves=60), seed


def test_no_plan_costs_less_where_stops_share_places_and_vehicles_are_dear() -> None:
    for seed in range(300, 315):
        drawn = draw_day(seed)
        stops = [replace(stop, node=stop.node // 2) for stop in drawn.stops]
        dear = [
            replace(van, costs=replace(van.costs, fixed=80.0 * (1 + number), per_stop=2.0))
            for number, van in enumerate(drawn.vehicles)
        ]
        problem = replace(drawn, stops=stops, vehicles=dear)
        bound = find_lower_bound(problem)
        assert bound is not None
        assert 0 <= bound <= cost_of(problem, moves=60), seed


def test_it_is_the_cost_itself_where_the_best_legs_make_a_route() -> None:
    problem = line()
    assert cost_of(problem) == 50 + 6 * (1 + 2 + 3)
    assert find_lower_bound(problem) == 86


def test_whole_vehicles_count_where_all_is_served() -> None:
    problem = line(loads=2)
    assert cost_of(problem) == 2 * 50 + 6 * (1 + 2 + 3) + 3 * (1 + 2), (
        "the second drives past three"
    )
    assert find_lower_bound(problem) == 136
    assert find_lower_bound(line(loads=5)) == 5 * 50 + 36, "30 in vans for 6"


def test_what_may_stay_out_counts_by_its_price() -> None:
    assert find_lower_bound(line(price=4)) == 6 * 4
    assert cost_of(line(price=4)) == 6 * 4


def test_nothing_is_said_of_vehicles_under_way() -> None:
    day = draw_day(3)
    morning = plan_fleet(day, FleetBudget(seconds=60, moves=100))
    routes = {one.vehicle: one.stops for one in morning.routes}
    assert find_lower_bound(put_on_the_road(day, routes, 3)) is None
    assert find_lower_bound(replace(day, vehicles=[])) is None
