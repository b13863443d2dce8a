"""Vehicles that come back to load again: each trip within the capacity, and no reload too many."""

import itertools
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.planning.fleet.days import HOUR, draw_day, draw_roads
from tests.planning.fleet.test_plans import every_share, plain_day, planned, trips_of

from roundsman.planning.fleet import (
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    Reload,
    StepKind,
    VehicleProgress,
    find_lower_bound,
)
from roundsman.planning.fleet.timetable import IllegalRoute, time_fleet_route

pytestmark = pytest.mark.spec("decisions §21")

DEPOT = 9
STOPS = 4


def reloading_day(*, stops: int = DEPOT, max_reloads: int, vehicles: int = 1) -> FleetProblem:
    """Return vans for three stops that may load again at the depot, a quarter of an hour each."""
    day = plain_day(stops=stops, vehicles=vehicles, capacity=3)
    vans = [
        replace(van, max_reloads=max_reloads, reloads=[Reload(node=stops, duration=900)])
        for van in day.vehicles
    ]
    return replace(day, vehicles=vans)


def test_a_van_comes_back_as_often_as_its_stops_need() -> None:
    (route,) = planned(reloading_day(max_reloads=5)).routes
    assert [len(trip) for trip in trips_of(route)] == [3, 3, 3]
    assert route.reload_seconds == 2 * 900
    assert route.service_seconds == 9 * 120
    for before, step in itertools.pairwise(route.steps):
        if step.kind is StepKind.RELOAD:
            assert step.begin == step.arrival == before.departure + 300 * (DEPOT - before.index)
            assert step.departure - step.begin == 900


def test_what_no_trip_has_room_for_stays_out() -> None:
    plan = planned(reloading_day(max_reloads=1))
    assert len(plan.unassigned) == 3
    assert [len(trip) for trip in trips_of(plan.routes[0])] == [3, 3]


def test_it_comes_back_only_where_that_costs_less_than_another_van() -> None:
    day = reloading_day(max_reloads=2, vehicles=3)
    assert len(planned(day).routes) == 1
    cheap = [
        replace(van, costs=replace(van.costs, fixed=1), reloads=[Reload(node=9, duration=HOUR)])
        for van in day.vehicles
    ]
    plan = planned(replace(day, vehicles=cheap))
    assert len(plan.routes) == 3
    assert all(len(trips_of(route)) == 1 for route in plan.routes)


def test_no_plan_has_two_trips_that_would_fit_into_one() -> None:
    reloads = 0
    for seed in range(40):
        problem = draw_day(seed)
        for route in planned(problem).routes:
            trips = trips_of(route)
            reloads += len(trips) - 1
            for first, second in itertools.pairwise(trips):
                loads = np.sum([problem.stops[k].loads for k in (*first, *second)], axis=0)
                most = problem.vehicles[route.vehicle].capacities
                assert any(
                    room is not None and load > room for load, room in zip(loads, most, strict=True)
                )
    assert reloads > 10


def test_small_days_get_the_plan_that_trying_all_finds() -> None:
    for seed in range(30):
        problem = draw_small_day(seed)
        least = min(cost_of(problem, shares) for shares in every_share(STOPS, 2))
        assert planned(problem, moves=2_000).cost == pytest.approx(least), seed


def draw_small_day(seed: int) -> FleetProblem:
    """Return few heavy stops, two vans, and two places to load again."""
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    seconds = draw_roads(rng, STOPS + 2)
    stops = [
        FleetStop(
            node=node,
            service=rng.randrange(60, 900),
            loads=(rng.randrange(1, 5),),
            unassigned_cost=rng.choice((40.0, 1_000.0)),
        )
        for node in range(STOPS)
    ]
    vehicles = [
        FleetVehicle(
            start=STOPS,
            end=rng.choice((STOPS, None)),
            opens=8 * HOUR,
            closes=8 * HOUR + rng.randrange(2, 9) * HOUR,
            capacities=(rng.randrange(4, 7),),
            max_reloads=rng.randrange(3),
            reloads=[Reload(node=STOPS + k, duration=rng.randrange(1200)) for k in range(2)],
            costs=FleetCosts(fixed=rng.choice((5.0, 40.0)), per_hour=20.0, per_traveled_hour=9.0),
        )
        for _ in range(2)
    ]
    return FleetProblem(
        durations=[seconds], distances=None, stops=stops, vehicles=vehicles, loads=1
    )


def cost_of(problem: FleetProblem, shares: tuple[tuple[int, ...], ...]) -> float:
    """Return what the best reloads between just these stops cost, or infinity."""
    served = {stop for own in shares for stop in own}
    left = sum(stop.unassigned_cost for k, stop in enumerate(problem.stops) if k not in served)
    return left + sum(route_cost(problem, van, own) for van, own in enumerate(shares))


@cache
def route_cost(problem: FleetProblem, vehicle: int, stops: tuple[int, ...]) -> float:
    if not stops:
        return 0.0
    least = np.inf
    for places in itertools.product((None, 0, 1), repeat=len(stops) - 1):
        visits = [(StepKind.STOP, stops[0])]
        for place, stop in zip(places, stops[1:], strict=True):
            visits += [] if place is None else [(StepKind.RELOAD, place)]
            visits.append((StepKind.STOP, stop))
        try:
            route = time_fleet_route(problem, vehicle, visits, 8 * HOUR, [])
        except IllegalRoute:
            continue
        least = min(least, route.cost.total)
    return least


def test_a_plan_goes_on_from_its_own_routes() -> None:
    day = reloading_day(max_reloads=2)
    plan = planned(day)
    again = replace(day, vehicles=[replace(day.vehicles[0], route=plan.routes[0].stops)])
    assert planned(again, moves=1).cost <= plan.cost


@pytest.mark.parametrize(
    ("gaps", "what"),
    [([3], "carries too much"), ([2, 4], "reloads too often"), ([], "carries too much")],
)
def test_the_finished_route_is_judged_without_the_search(gaps: list[int], what: str) -> None:
    day = reloading_day(max_reloads=1)
    visits = [(StepKind.STOP, stop) for stop in range(7 if gaps == [3] else 6)]
    for gap in reversed(gaps):
        visits.insert(gap, (StepKind.RELOAD, 0))
    with pytest.raises(IllegalRoute, match=what):
        time_fleet_route(day, 0, visits, 8 * HOUR, [])


def test_the_lower_bound_knows_that_a_van_may_carry_more() -> None:
    day = reloading_day(max_reloads=2)
    bound = find_lower_bound(day)
    assert bound is not None
    assert 0 < bound <= planned(day).cost


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"max_reloads": -1}, r"vehicles\[0\].max_reloads"),
        ({"max_reloads": 11}, r"vehicles\[0\].max_reloads"),
        ({"reloads": []}, r"vehicles\[0\].reloads"),
        ({"reloads": [Reload(node=99, duration=0)]}, r"vehicles\[0\].reloads\[0\].node"),
        ({"reloads": [Reload(node=0, duration=-1)]}, r"vehicles\[0\].reloads\[0\].duration"),
        ({"route": [0], "keep_first": 1}, r"vehicles\[0\].max_reloads"),
        ({"under_way": VehicleProgress(leaves_at=0, departed_at=0)}, r"vehicles\[0\].max_reloads"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(change: dict[str, object], field: str) -> None:
    day = reloading_day(max_reloads=1)
    with pytest.raises(ValueError, match=field):
        replace(day, vehicles=[replace(day.vehicles[0], **change)])  # type: ignore[arg-type]
