"""The recipe: lay what is there, build, choose the vehicles, anneal, polish each route."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from roundsman.planning.compiled import compiling_alone, is_interpreting
from roundsman.planning.engine import optimize
from roundsman.planning.fleet.annealing import (
    Best,
    anneal,
    build,
    empty_route,
    keep_best,
    lay_route,
    reorder_route,
    reset,
    restore,
)
from roundsman.planning.fleet.budget import FleetBudget, Progress
from roundsman.planning.fleet.plan import FleetPlan, FleetRoute, StepKind, StoppedBy
from roundsman.planning.fleet.problem import (
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
)
from roundsman.planning.fleet.routes import (
    ABSENT,
    AFTER,
    CLOSED,
    COUNT,
    LONGEST,
    TOTAL,
    VAN,
    Routes,
    new_routes,
)
from roundsman.planning.fleet.rules import (
    FIRST_RELOAD,
    FIXED,
    HELD,
    IS_UNDER_WAY,
    MOST_RELOADS,
    Rules,
    along_tour,
    build_rules,
    price_driving,
)
from roundsman.planning.fleet.timetable import time_fleet_route
from roundsman.planning.fleet.timing import walk_route
from roundsman.planning.fleet.totals import find_longest
from roundsman.planning.fleet.vehicle_choice import choose_vehicles
from roundsman.planning.problem import Problem

HOT = 1.0
"""The first temperature, in mean legs: 0.1 and 3 are far worse (plans, 3.3)."""

COLD = 0.01
SLICE = 200
"""Steps between two looks at the clock: 10 ms or so."""

FEWER_SHARE = 0.25
"""Of the budget at most, to do with fewer vehicles."""

FEWER_HEAT = 0.1
POLISH_MOVES = 20_000
POLISH_SECONDS = 0.05


def search_plan(
    problem: FleetProblem,
    budget: FleetBudget,
    *,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> FleetPlan:
    """Return the best plan that the budget allows: never an illegal one, whenever it ends.

    With `moves`, equal input gives equal output wherever the seconds suffice.
    """
    order = along_tour(problem)
    numbered = renumber(problem, order)
    search = _Search(numbered, budget, seed, on_progress)
    search.run()
    return _read_plan(problem, search, order)


class _Search:
    def __init__(
        self, problem: FleetProblem, budget: FleetBudget, seed: int, on_progress: Progress | None
    ) -> None:
        self.problem = problem
        self.budget = budget
        self.rules: Rules = build_rules(problem)
        self.routes: Routes = new_routes(self.rules, seed)
        reset(self.rules, self.routes)
        self.best = Best(links=self.routes.links.copy(), cost=np.array([np.inf]))
        self._on_progress = on_progress

    def run(self) -> None:
        rules, routes, best = self.rules, self.routes, self.best
        for number, vehicle in enumerate(self.problem.vehicles):
            if vehicle.route:
                lay_route(rules, routes, number, np.array(vehicle.route, np.int64))
        build(rules, routes)
        keep_best(routes, best)
        self._report()
        if not len(self.problem.stops) or not len(self.problem.vehicles):
            return
        leg = self._mean_leg()
        self._use_fewer(leg * FEWER_HEAT)
        if routes.totals[TOTAL] > best.cost[0]:
            # Packed into too few vehicles, nothing could be moved any more.
            restore(rules, routes, best)
        routes.van[:, CLOSED] = 0
        choose_vehicles(self, leg)
        begun = self.budget.share
        while self.budget.ended_by is None:
            warmth = (self.budget.share - begun) / max(1e-9, 1 - begun)
            temperature = leg * HOT * (COLD / HOT) ** warmth
            self.advance(temperature, by_misses=False)
        restore(rules, routes, best)
        self._polish()
        self._report()

    def advance(self, temperature: float, *, by_misses: bool, best: Best | None = None) -> bool:
        """Take a slice of steps; say whether nothing is left out any more, by misses."""
        kept = self.best if best is None else best
        is_whole = anneal(self.rules, self.routes, kept, SLICE, temperature, by_misses)
        self.budget.spent += SLICE
        self._report()
        return is_whole

    def _report(self) -> None:
        if self._on_progress is not None:
            used, absent = self._best_counts()
            self._on_progress(self.budget.share, float(self.best.cost[0]), absent, used)

    def _best_counts(self) -> tuple[int, int]:
        stops = len(self.problem.stops)
        vans = self.best.links[:stops, VAN]
        return len(np.unique(vans[vans >= 0])), int((vans < 0).sum())

    def _mean_leg(self) -> float:
        """Return what a leg of the first plan costs to drive."""
        per_second, per_metre = price_driving(self.rules)
        stops = len(self.problem.stops)
        near = self.rules.near[:, :10]
        legs = self.rules.legs[0, np.arange(stops)[:, None], near]
        cost = per_second * legs[:, :, 0]
        if self.rules.has_metres:
            cost = cost + per_metre * legs[:, :, 1]
        return float(cost.mean()) if near.size else 1.0

    def _use_fewer(self, temperature: float) -> None:
        """Take vehicles away as long as everything finds a place, for a share of the budget."""
        rules, routes, best = self.rules, self.routes, self.best
        while routes.state[ABSENT] == 0 and self.budget.share < FEWER_SHARE:
            chosen = self._least_used()
            if chosen is None:
                return
            empty_route(rules, routes, chosen)
            is_whole = False
            while not is_whole and self.budget.share < FEWER_SHARE:
                if self.budget.ended_by is not None:
                    break
                is_whole = self.advance(temperature, by_misses=True)
            if not is_whole:
                restore(rules, routes, best)
                return

    def _least_used(self) -> int | None:
        """Return the vehicle with the fewest stops whose going would save something."""
        rules, routes = self.rules, self.routes
        used = [van for van in range(len(routes.van)) if routes.van[van, COUNT]]
        free = [van for van in used if rules.van_price[van, FIXED] > 0 and self.may_close(van)]
        if not free or len(used) <= _fewest_vehicles(rules):
            return None
        return min(free, key=lambda van: (routes.van[van, COUNT], van))

    def may_close(self, van: int) -> bool:
        """Say whether a vehicle may stay at home: it has not left, and no stop stays with it."""
        if self.rules.van[van, IS_UNDER_WAY]:
            return False
        stops = len(self.rules.stop)
        own = self.routes.links[:stops, VAN] == van
        return not bool((own & (self.rules.stop[:, HELD] > 0)).any())

    def _polish(self) -> None:
        """Order each route anew by the search for one route, and keep what is cheaper."""
        for vehicle in range(len(self.problem.vehicles)):
            numbers = _sequence(self.best, len(self.rules.stop) + vehicle)
            began = list(self.problem.vehicles[vehicle].route)
            if numbers == began and not self.budget.polishes_all:
                continue
            if len(numbers) > 2 and self._may_polish(vehicle, numbers):
                self._polish_route(vehicle, numbers)

    def _may_polish(self, vehicle: int, numbers: Sequence[int]) -> bool:
        van = self.problem.vehicles[vehicle]
        is_tied = van.keep_first or van.under_way or van.breaks or van.start is None
        is_tied = is_tied or max(numbers) >= len(self.problem.stops)  # it reloads
        return not (is_tied or self.rules.has_end_pins or self.rules.stop[:, HELD].any())

    def _polish_route(self, vehicle: int, numbers: list[int]) -> None:
        van = self.problem.vehicles[vehicle]
        stops = [self.problem.stops[number] for number in numbers]
        has_end = van.end is not None
        places = [van.start, *(stop.node for stop in stops), *([van.end] if has_end else [])]
        durations = self.problem.durations[van.profile][np.ix_(places, places)]  # type: ignore[arg-type]  # has a start
        found = optimize(
            Problem(
                durations=durations,
                distances=None,
                start=0,
                end=len(places) - 1 if has_end else None,
                service=np.array([0, *(stop.service for stop in stops), *[0] * has_end]),
                windows=[
                    (),
                    *(stop.windows for stop in stops),
                    *[((van.opens, van.closes),)] * has_end,
                ],
                priority=np.zeros(len(places), np.int64),
                departure=van.opens,
            ),
            seconds=POLISH_SECONDS,
            moves=POLISH_MOVES,
            initial_order=range(1, len(stops) + 1),
        )
        order = np.array([numbers[node - 1] for node in found.order], np.int64)
        reorder_route(self.rules, self.routes, self.best, vehicle, order)


def _fewest_vehicles(rules: Rules) -> int:
    """Return how many vehicles the loads need at least, if the roomiest are taken."""
    fewest = 1
    for load in range(rules.loads.shape[1]):
        wanted = int(rules.loads[:, load].sum())
        most = rules.capacity[:, load].astype(np.float64) * (1 + rules.van[:, MOST_RELOADS])
        room = np.cumsum(np.sort(most)[::-1])
        fewest = max(fewest, int(np.searchsorted(room, wanted)) + 1)
    return fewest


def renumber(problem: FleetProblem, order: Sequence[int]) -> FleetProblem:
    """Return the problem with its stops in another order."""
    number_of = {stop: number for number, stop in enumerate(order)}
    vehicles = []
    for vehicle in problem.vehicles:
        under_way = vehicle.under_way
        if under_way is not None and under_way.next_stop is not None:
            under_way = replace(under_way, next_stop=number_of[under_way.next_stop])
        route = [number_of[stop] for stop in vehicle.route]
        vehicles.append(replace(vehicle, route=route, under_way=under_way))
    return replace(problem, stops=[problem.stops[stop] for stop in order], vehicles=vehicles)


def _read_plan(problem: FleetProblem, search: _Search, order: Sequence[int]) -> FleetPlan:
    rules, best = search.rules, search.best
    stops = len(problem.stops)
    routes = []
    for vehicle in range(len(problem.vehicles)):
        numbers = _sequence(best, len(rules.stop) + vehicle)
        if numbers:
            routes.append(_time(problem, rules, search.routes, vehicle, numbers, order))
    unassigned = sorted(order[k] for k in range(stops) if best.links[k, VAN] < 0)
    left_out = sum(problem.stops[stop].unassigned_cost for stop in unassigned)
    served = {stop: route.vehicle for route in routes for stop in route.stops}
    moved = [
        number
        for number, stop in enumerate(problem.stops)
        if stop.home is not None and served.get(number) != stop.home
    ]
    moves_cost = problem.moved_cost * len(moved)
    find_longest(rules, search.routes)
    balance_cost = float(rules.longest_price * search.routes.totals[LONGEST])
    return FleetPlan(
        routes=tuple(routes),
        unassigned=tuple(unassigned),
        moved=tuple(moved),
        cost=sum(route.cost.total for route in routes) + left_out + moves_cost + balance_cost,
        unassigned_cost=left_out,
        moves_cost=moves_cost,
        balance_cost=balance_cost,
        moves=search.budget.spent,
        stopped_by=search.budget.ended_by or StoppedBy.PROVEN,
    )


def _sequence(best: Best, home: int) -> list[int]:
    numbers = []
    stop = int(best.links[home, AFTER])
    while stop != home:
        numbers.append(stop)
        stop = int(best.links[stop, AFTER])
    return numbers


def _time(
    problem: FleetProblem,
    rules: Rules,
    routes: Routes,
    vehicle: int,
    numbers: Sequence[int],
    order: Sequence[int],
) -> FleetRoute:
    """Time a route by a walk, which says when to leave and where to take breaks."""
    walk = routes.walk
    walk.path[: len(numbers)] = numbers
    walk_route(rules, walk, vehicle, len(numbers))
    taken = int(walk.result[3])
    breaks: list[tuple[int, int]] = []
    for position in range(len(numbers), -1, -1):
        for _ in range(int(walk.took_break[position, taken])):
            taken -= 1
            breaks.append((position, taken))
    breaks.reverse()
    visits = [
        (StepKind.STOP, order[number])
        if number < len(order)
        else (StepKind.RELOAD, _index_of_reload(rules, vehicle, number))
        for number in numbers
    ]
    return time_fleet_route(problem, vehicle, visits, int(walk.result[1]), breaks)


def _index_of_reload(rules: Rules, vehicle: int, reload: int) -> int:
    """Return at which of its places to reload a vehicle makes a reload."""
    van = rules.van[vehicle]
    return int((reload - van[FIRST_RELOAD]) // van[MOST_RELOADS])


@cache
def compile_fleet() -> None:
    """Compile every kernel, or load it from the cache, by planning a small day."""
    if is_interpreting():
        return
    size = 8
    table = np.array([[abs(row - column) * 60 for column in range(size)] for row in range(size)])
    problem = FleetProblem(
        durations=[table.astype(np.int32)],
        distances=[table.astype(np.int32)],
        stops=[
            FleetStop(node=node, service=60, windows=[(0, 9_000)], loads=[1])
            for node in range(1, size)
        ],
        vehicles=[
            FleetVehicle(
                start=0,
                end=0,
                opens=0,
                closes=10_000,
                capacities=[5],
                costs=FleetCosts(fixed=1, per_hour=1, per_kilometer=1),
                route=route,
            )
            for route in ([0, 1], [2], [3], [])  # their loads need two, so one is emptied
        ],
        loads=1,
    )
    with compiling_alone():
        search_plan(problem, FleetBudget(seconds=3600, moves=2 * SLICE))
