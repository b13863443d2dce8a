"""Stops pinned to an end of their route are there, whatever the route was before."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from tests.planning.fleet.days import HOUR, draw_roads

from roundsman.planning.fleet import (
    EndPin,
    FleetBudget,
    FleetCosts,
    FleetPlan,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    VehicleProgress,
    allow_present_routes,
    plan_fleet,
)

pytestmark = pytest.mark.spec("decisions §21")

DAYS = 150
LOCKS = ("NONE", "VEHICLE", "SEQUENCE")
NOW = 9 * HOUR


@dataclass(frozen=True)
class LiveDay:
    """Routes that exist with their locks, new stops, and pins of which each can be kept."""

    problem: FleetProblem
    locks: list[str]


def test_pins_to_ends_are_kept_beside_locks_and_what_stays_in_front() -> None:
    pins = 0
    for seed in range(DAYS):
        day = draw_live_day(seed)
        plan = planned(day.problem)
        assert plan.unassigned == (), f"seed {seed}: there is room for all"
        pins += sum(stop.end_pin is not None for stop in day.problem.stops)
        assert list(find_broken(day, plan)) == [], f"seed {seed}"
    assert pins > DAYS


@pytest.mark.parametrize("seed", range(4))
def test_a_new_stop_goes_to_the_end_of_a_far_route_that_keeps_its_order(seed: int) -> None:
    day = draw_live_day(seed, sizes=(60, 60, 60), new=2, locks=("SEQUENCE",))
    assert any(stop.end_pin and stop.home is None for stop in day.problem.stops)
    plan = planned(day.problem)
    assert (plan.unassigned, list(find_broken(day, plan))) == ((), [])


def test_where_windows_leave_a_pin_no_room_its_stop_stays_out_and_no_other() -> None:
    day = draw_live_day(0, sizes=(5,), new=0, locks=("VEHICLE",))
    route = day.problem.vehicles[0].route
    early, late = [(8 * HOUR, 12 * HOUR)], [(15 * HOUR, 16 * HOUR)]
    stops = [replace(stop, end_pin=None, windows=early) for stop in day.problem.stops]
    stops[route[-1]] = replace(stops[route[-1]], end_pin=EndPin.FIRST, windows=late)
    for held in (False, True):
        locked = [replace(stop, held=held and number == route[-1])
                  for number, stop in enumerate(stops)]  # fmt: skip
        problem = allow_present_routes(replace(day.problem, stops=locked, now=None))
        plan = planned(problem)
        assert plan.unassigned == (route[-1],)


def test_a_pin_is_kept_within_the_stops_that_may_move() -> None:
    for seed in range(20):
        day = draw_live_day(seed, locks=("NONE",), pins_move=False)
        problem = replace(day.problem, max_moved=0)
        plan = planned(problem)
        assert (plan.moved, list(find_broken(day, plan))) == ((), [])


def planned(problem: FleetProblem) -> FleetPlan:
    return plan_fleet(problem, FleetBudget(seconds=60, moves=600))


def find_broken(day: LiveDay, plan: FleetPlan) -> Iterator[str]:
    """Find each pin, lock and front that a plan does not keep."""
    served = {number: list[int]() for number in range(len(day.locks))}
    served |= {route.vehicle: list(route.stops) for route in plan.routes}
    for number, (van, lock) in enumerate(zip(day.problem.vehicles, day.locks, strict=True)):
        now = served[number]
        for place, stop in enumerate(now):
            pin = day.problem.stops[stop].end_pin
            if (pin is EndPin.FIRST and place) or (pin is EndPin.LAST and stop != now[-1]):
                yield f"stop {stop} is not {pin}: {now}"
        if now[: van.keep_first] != list(van.route[: van.keep_first]):
            yield f"{number} does not keep its front: {now} after {van.route}"
        own = [stop for stop in now if stop in van.route]
        if lock != "NONE" and set(own) != set(van.route):
            yield f"{number} does not keep its stops"
        if lock == "SEQUENCE" and own != list(van.route):
            yield f"{number} does not keep its order"


def draw_live_day(
    seed: int,
    *,
    sizes: tuple[int, ...] = (),
    new: int | None = None,
    locks: tuple[str, ...] = LOCKS,
    pins_move: bool = True,
) -> LiveDay:
    """Return routes in any order, some under way, with pins that do not contradict each other."""
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    sizes = sizes or tuple(rng.randrange(7) for _ in range(rng.randrange(1, 4)))
    new = rng.randrange(4) if new is None else new
    total = sum(sizes) + new
    numbers = rng.sample(range(total), total)
    routes = [[numbers.pop() for _ in range(size)] for size in sizes]
    drawn = [rng.choice(locks) for _ in sizes]
    vehicles = [draw_van(rng, route, total) for route in routes]
    stops = [FleetStop(node=node, service=rng.randrange(60, 300)) for node in range(total)]
    for number, (route, lock) in enumerate(zip(routes, drawn, strict=True)):
        for stop in route:
            stays = lock != "NONE"
            stops[stop] = replace(
                stops[stop],
                home=number,
                vehicles=frozenset({number}) if stays else None,
                held=lock == "SEQUENCE",
            )
    problem = FleetProblem(
        durations=[draw_roads(rng, total + 1)],
        distances=None,
        stops=stops,
        vehicles=vehicles,
        now=NOW,
    )
    pinned = list(stops)
    for number in range(len(sizes)):
        for end in EndPin:
            able = [
                stop
                for stop in range(total)
                if pinned[stop].end_pin is None
                and can_be_at(problem, number, stop, end)
                and (pins_move or stops[stop].home in {None, number})
            ]
            if able and rng.random() < 0.6:
                stop = rng.choice([one for one in able if one in numbers] or able)
                on = frozenset({number}) if rng.random() < 0.5 else pinned[stop].vehicles
                pinned[stop] = replace(pinned[stop], end_pin=end, vehicles=on)
    return LiveDay(problem=allow_present_routes(replace(problem, stops=pinned)), locks=drawn)


def can_be_at(problem: FleetProblem, number: int, stop: int, end: EndPin) -> bool:
    """Say whether locks and fronts let a stop be at an end of a route."""
    van, home = problem.vehicles[number], problem.stops[stop].home
    kept = list(van.route[: van.keep_first])
    if home != number:
        away = home is None or (
            problem.stops[stop].vehicles is None
            and stop not in problem.vehicles[home].route[: problem.vehicles[home].keep_first]
        )
        return away and (end is EndPin.LAST or not kept)
    order = list(van.route) if problem.stops[stop].held else []
    if end is EndPin.FIRST:
        return (not kept or kept[0] == stop) and (not order or order[0] == stop)
    return stop not in kept and (not order or order[-1] == stop)


def draw_van(rng: random.Random, route: list[int], depot: int) -> FleetVehicle:
    is_under_way = rng.random() < 0.4
    next_stop = route[0] if route else None
    return FleetVehicle(
        start=depot,
        end=depot if rng.random() < 0.7 else None,
        opens=8 * HOUR,
        closes=40 * HOUR,
        costs=FleetCosts(fixed=10, per_hour=25),
        route=route,
        keep_first=min(len(route), rng.randrange(3)) if is_under_way else 0,
        under_way=(
            VehicleProgress(leaves_at=NOW - 300, departed_at=8 * HOUR, stops=1, next_stop=next_stop)
            if is_under_way
            else None
        ),
    )
