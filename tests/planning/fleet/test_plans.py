"""Plans of many vehicles keep every rule, and are the same whenever they are made again."""

import itertools
import threading
from dataclasses import replace

import numpy as np
import pytest
from tests.planning.fleet.days import HOUR, draw_day, put_on_the_road

from roundsman.planning.fleet import (
    Break,
    EndPin,
    FleetBalance,
    FleetBudget,
    FleetCosts,
    FleetPlan,
    FleetProblem,
    FleetRoute,
    FleetStop,
    FleetVehicle,
    StepKind,
    StoppedBy,
    allow_present_routes,
    plan_fleet,
)

pytestmark = pytest.mark.spec("decisions §21")

CHUNK = 40
CHUNKS = [pytest.param(one, marks=pytest.mark.full if one else ()) for one in range(250)]
FEW = 40


def planned(problem: FleetProblem, moves: int = 400, seed: int = 0) -> FleetPlan:
    """Plan a day, and hold that what the search believed it costs is what it costs.

    But for the way home of whoever is under way and has nothing left to do.
    """
    believed: list[float] = []
    plan = plan_fleet(
        problem,
        FleetBudget(seconds=60, moves=moves),
        seed=seed,
        on_progress=lambda _, cost, *__: believed.append(cost),
    )
    served = {route.vehicle for route in plan.routes}
    if all(number in served or not van.under_way for number, van in enumerate(problem.vehicles)):
        assert believed[-1] == pytest.approx(plan.cost)
    return plan


@pytest.mark.parametrize("chunk", CHUNKS)
def test_no_plan_breaks_a_rule(chunk: int) -> None:
    for seed in range(chunk * CHUNK, chunk * CHUNK + CHUNK):
        problem = draw_day(seed)
        plan = planned(problem)
        assert_legal(problem, plan)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_no_plan_of_a_day_under_way_breaks_a_rule_or_moves_too_many(chunk: int) -> None:
    for seed in range(chunk * CHUNK, chunk * CHUNK + CHUNK):
        day = draw_day(seed)
        morning = planned(day)
        routes = {one.vehicle: one.stops for one in morning.routes}
        problem = allow_present_routes(put_on_the_road(day, routes, seed))
        plan = planned(problem)
        assert_legal(problem, plan)
        assert len(plan.moved) <= (problem.max_moved or 0)
        served = {route.vehicle: route.stops for route in plan.routes}
        for number, van in enumerate(problem.vehicles):
            kept = list(van.route[: van.keep_first])
            assert served.get(number, [])[: len(kept)] == kept


def assert_legal(problem: FleetProblem, plan: FleetPlan) -> None:
    """Check what reading a plan does not check already: each stop once, pins, the sum of costs."""
    served = [stop for route in plan.routes for stop in route.stops]
    assert sorted([*served, *plan.unassigned]) == list(range(len(problem.stops)))
    for route in plan.routes:
        assert keeps_pins(problem, (tuple(route.stops),))
        trips = trips_of(route)
        assert all(trips)
        assert len(trips) - 1 <= problem.vehicles[route.vehicle].max_reloads
        moments = [moment for step in route.steps for moment in (step.arrival, step.departure)]
        assert moments == sorted(moments)
        assert all(step.begin >= (problem.now or 0) for step in route.steps)
    assert plan.balance_cost == pytest.approx(price_of_longest(problem, plan))
    total = sum(route.cost.total for route in plan.routes) + plan.balance_cost
    assert plan.cost == pytest.approx(total + plan.unassigned_cost + plan.moves_cost)


def trips_of(route: FleetRoute) -> list[list[int]]:
    """Return the stops of a route by what is loaded together."""
    trips: list[list[int]] = [[]]
    for step in route.steps:
        if step.kind is StepKind.RELOAD:
            trips.append([])
        elif step.kind is StepKind.STOP:
            trips[-1].append(step.index)
    return trips


def price_of_longest(problem: FleetProblem, plan: FleetPlan) -> float:
    """Return what the longest route costs, what vehicles have done already included."""
    balance = problem.balance or FleetBalance()
    served = {route.vehicle for route in plan.routes}
    done = [
        begun
        for number, van in enumerate(problem.vehicles)
        if number not in served and (begun := van.under_way)
    ]
    now = problem.now or 0
    hours = [0.0, *((max(now, one.leaves_at) - one.departed_at) / HOUR for one in done)]
    stops = [0, *(one.stops for one in done)]
    for route in plan.routes:
        begun = problem.vehicles[route.vehicle].under_way
        hours.append((route.end - (begun.departed_at if begun else route.departure)) / HOUR)
        stops.append(len(route.stops) + (begun.stops if begun else 0))
    return balance.per_hour * max(hours) + balance.per_stop * max(stops)


def test_small_days_get_the_plan_that_trying_all_finds() -> None:
    for seed in range(25):
        problem = draw_day(seed, stops=4, vehicles=2)
        plan = planned(problem, moves=2_000)
        least = min(cost_of(problem, shares) for shares in every_share(4, 2))
        assert plan.cost <= least + 1e-6


def every_share(stops: int, vehicles: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return every way to share stops out in order; the last share is left out."""
    found = []
    for owners in itertools.product(range(vehicles + 1), repeat=stops):
        groups = [[k for k in range(stops) if owners[k] == own] for own in range(vehicles)]
        found += list(itertools.product(*(itertools.permutations(group) for group in groups)))
    return found


def cost_of(problem: FleetProblem, shares: tuple[tuple[int, ...], ...]) -> float:
    """Return what a plan with just these routes costs, or infinity where it cannot be."""
    held = replace(
        problem,
        stops=[replace(stop, held=True) for stop in problem.stops],
        vehicles=[
            replace(van, route=list(own), max_reloads=0 if own else van.max_reloads)
            for van, own in zip(problem.vehicles, shares, strict=True)
        ],
    )
    plan = planned(held, moves=1)
    served = {route.vehicle: tuple(route.stops) for route in plan.routes}
    is_as_given = all(served.get(van, ()) == own for van, own in enumerate(shares))
    return plan.cost if is_as_given and keeps_pins(problem, shares) else np.inf


def keeps_pins(problem: FleetProblem, shares: tuple[tuple[int, ...], ...]) -> bool:
    pins = [[problem.stops[stop].end_pin for stop in own] for own in shares]
    return not any(EndPin.FIRST in own[1:] or EndPin.LAST in own[:-1] for own in pins)


def test_the_same_request_gets_the_same_plan_and_another_seed_may_not() -> None:
    problem = draw_day(5, stops=40, vehicles=6)
    first = planned(problem, moves=3_000)
    assert all(planned(problem, moves=3_000) == first for _ in range(3))
    assert {planned(problem, moves=3_000, seed=seed).cost for seed in range(6)} != {first.cost}


def test_a_search_that_is_cancelled_answers_with_a_legal_plan() -> None:
    problem = draw_day(7, stops=60, vehicles=8)
    cancelled = threading.Event()
    plan = plan_fleet(
        problem,
        FleetBudget(seconds=60, cancelled=cancelled),
        on_progress=lambda *_: cancelled.set(),
    )
    assert plan.stopped_by is StoppedBy.CANCEL
    assert_legal(problem, plan)


def test_the_cost_that_is_reported_never_rises() -> None:
    costs: list[float] = []
    problem = draw_day(3, stops=40, vehicles=6)
    plan_fleet(
        problem,
        FleetBudget(seconds=60, moves=4_000),
        on_progress=lambda _, cost, *__: costs.append(cost),
    )
    assert len(costs) > 10
    assert costs == sorted(costs, reverse=True)


def test_a_vehicle_that_is_not_needed_stays_at_home() -> None:
    problem = plain_day(stops=12, vehicles=6, capacity=6)
    plan = planned(problem, moves=3_000)
    assert len(plan.routes) == 2
    assert plan.unassigned == ()


def test_who_is_cheapest_to_leave_out_stays_out() -> None:
    problem = plain_day(stops=9, vehicles=2, capacity=4)
    prices = [100.0, 100.0, 100.0, 100.0, 5_000.0, 100.0, 100.0, 100.0, 60.0]
    stops = [
        replace(stop, unassigned_cost=price)
        for stop, price in zip(problem.stops, prices, strict=True)
    ]
    assert planned(replace(problem, stops=stops)).unassigned == (8,)


def test_held_stops_keep_their_route_and_order_and_new_ones_come_between() -> None:
    day = plain_day(stops=10, vehicles=3, capacity=9)
    route = [7, 1, 5, 3]
    problem = replace(
        day,
        stops=[
            replace(stop, held=index in route, home=1 if index in route else None)
            for index, stop in enumerate(day.stops)
        ],
        vehicles=[
            replace(van, route=route if k == 1 else ()) for k, van in enumerate(day.vehicles)
        ],
    )
    plan = planned(problem, moves=2_000)
    (served,) = (one.stops for one in plan.routes if one.vehicle == 1)
    assert [stop for stop in served if stop in route] == route
    assert plan.moved == ()


def test_a_vehicle_leaves_as_late_as_costs_nothing() -> None:
    day = plain_day(stops=1, vehicles=1, capacity=5)
    noon = replace(day.stops[0], windows=[(12 * HOUR, 13 * HOUR)])
    (route,) = planned(replace(day, stops=[noon])).routes
    (step,) = route.steps
    assert step.begin == step.arrival == 12 * HOUR
    assert route.departure == 12 * HOUR - int(day.durations[0][1, 0])


def test_a_break_that_is_due_is_taken_in_its_window() -> None:
    taken = 0
    for seed in range(FEW):
        problem = draw_day(seed)
        for route in planned(problem).routes:
            for step in route.steps:
                if step.kind is StepKind.BREAK:
                    rest = problem.vehicles[route.vehicle].breaks[step.index]
                    assert rest.opens <= step.begin <= rest.closes
                    taken += 1
    assert taken > 5


def test_of_two_breaks_that_are_alike_both_are_taken() -> None:
    day = plain_day(stops=8, vehicles=1, capacity=8)
    rest = Break(opens=9 * HOUR, closes=12 * HOUR, duration=900)
    long = [replace(stop, service=HOUR) for stop in day.stops]
    vans = [replace(van, breaks=[rest, rest]) for van in day.vehicles]
    (route,) = planned(replace(day, stops=long, vehicles=vans)).routes
    rests = [step.index for step in route.steps if step.kind is StepKind.BREAK]
    assert sorted(rests) == [0, 1]


def test_who_may_leave_when_a_break_has_just_closed_takes_none_and_is_back_in_time() -> None:
    day = plain_day(stops=1, vehicles=1, capacity=1)
    travel = int(day.durations[0][1, 0])
    afternoon = replace(day.stops[0], windows=[(14 * HOUR, 15 * HOUR)])
    closes = 14 * HOUR - travel + 600
    rest = Break(opens=9 * HOUR, closes=closes, duration=1800)
    there_and_back = travel + int(day.durations[0][0, 1]) + afternoon.service
    (van,) = day.vehicles
    for most in (None, there_and_back):
        short = replace(van, breaks=[rest], max_duration=most)
        (route,) = planned(replace(day, stops=[afternoon], vehicles=[short])).routes
        assert [step.kind for step in route.steps] == [StepKind.STOP]
        assert (route.departure, route.end) == (closes + 1, closes + 1 + there_and_back)


def test_a_break_is_taken_where_leaving_after_it_would_be_too_late() -> None:
    day = plain_day(stops=1, vehicles=1, capacity=1)
    travel = int(day.durations[0][1, 0])
    punctual = replace(day.stops[0], windows=[(14 * HOUR, 14 * HOUR + 600)])
    rest = Break(opens=9 * HOUR, closes=14 * HOUR - travel + 600, duration=1800)
    vans = [replace(van, breaks=[rest]) for van in day.vehicles]
    (route,) = planned(replace(day, stops=[punctual], vehicles=vans)).routes
    assert StepKind.BREAK in [step.kind for step in route.steps]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda stop: replace(stop, node=99), r"stops\[0\].node"),
        (lambda stop: replace(stop, loads=(-1,)), r"stops\[0\].loads"),
        (lambda stop: replace(stop, service=-1), r"stops\[0\]"),
        (lambda stop: replace(stop, windows=[(5, 4)]), r"windows\[0\]"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(change: object, field: str) -> None:
    day = plain_day(stops=2, vehicles=1, capacity=1)
    with pytest.raises(ValueError, match=field):
        replace(day, stops=[change(day.stops[0]), day.stops[1]])  # type: ignore[operator]


def plain_day(*, stops: int, vehicles: int, capacity: int) -> FleetProblem:
    """Return equal vehicles from one depot, which is behind the stops on a line."""
    nodes = np.arange(stops + 1)
    seconds = np.abs(nodes[:, None] - nodes[None]).astype(np.int32) * 300
    return FleetProblem(
        durations=[seconds],
        distances=None,
        stops=[
            FleetStop(node=k, service=120, loads=(1,), unassigned_cost=900.0) for k in range(stops)
        ],
        vehicles=[
            FleetVehicle(
                start=stops,
                end=stops,
                opens=8 * HOUR,
                closes=18 * HOUR,
                capacities=(capacity,),
                costs=FleetCosts(fixed=20, per_hour=25),
            )
            for _ in range(vehicles)
        ],
        loads=1,
    )
