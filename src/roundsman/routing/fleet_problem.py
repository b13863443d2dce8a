"""The only translation between plans and the fleet engine: nouns in, whole numbers out, and back.

Time runs in whole seconds from the start of the first shift, loads in thousandths. Places that
several stops share are one row of the travel matrices, of which there is one for each way of
driving.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from roundsman.domain.day_to_plan import (
    DayToPlan,
    PresentRoute,
    StopToPlan,
    VehicleLocation,
    VehicleToPlan,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import CostsByPart, PlanRoute, PlanStep, PlanStepType, RouteDurations
from roundsman.domain.plan_draft import PinPosition, PlanBalance, PlanEffort, RouteLock
from roundsman.domain.time_window import Date
from roundsman.kit.durations import Duration, from_seconds, whole_seconds
from roundsman.kit.time_zones import require_even_time, wall_clock
from roundsman.planning import join_windows
from roundsman.planning.fleet import (
    NEVER_DROPPED,
    Break,
    EndPin,
    FleetBalance,
    FleetCosts,
    FleetPlan,
    FleetProblem,
    FleetRoute,
    FleetStep,
    FleetStop,
    FleetVehicle,
    Reload,
    StepKind,
    VehicleProgress,
    allow_present_routes,
)
from roundsman.roads.network import RoadNetwork
from roundsman.routing.fleet_cargo import Cargo, as_counted, load_trips, most_of
from roundsman.routing.fleet_tables import FleetTables, IsOver, find_tables
from roundsman.routing.preferences import price_vehicles
from roundsman.routing.route_problem import windows_of_day, zone_of

_SECOND = timedelta(seconds=1)
_LAST_MOMENT = time(23, 59, 59)
_MONEY_DECIMALS = 6

_MOVES_OF_500_STOPS = {
    PlanEffort.QUICK: 90_000,
    PlanEffort.NORMAL: 450_000,
    PlanEffort.THOROUGH: 2_700_000,
}
"""About 2, 10 and 60 processor seconds."""

_STOPS_OF_MOVES = 500
_FEWEST_STOPS_OF_MOVES = 20
_END_PINS = {PinPosition.FIRST: EndPin.FIRST, PinPosition.LAST: EndPin.LAST}


@dataclass(frozen=True, kw_only=True)
class FleetDay:
    """A day as the engine sees it, and what its answers mean."""

    given: DayToPlan
    begins: datetime
    problem: FleetProblem
    load_names: Sequence[str]
    estimated: Sequence[NDArray[np.bool_]]
    """For each table of the problem, which times and distances are no road's."""

    def __post_init__(self) -> None:
        require_even_time(self.begins)

    @cached_property
    def digest(self) -> str:
        """Return what the plan depends on in short: stops, vehicles, options and travel times."""
        found = hashlib.sha256(msgspec.json.encode(self.given))
        for table in (*self.problem.durations, *(self.problem.distances or ())):
            found.update(np.ascontiguousarray(table).data)
        return found.hexdigest()

    def windows_of(self, index: int) -> list[tuple[tuple[int, int], ...]]:
        """Return for each window of a stop when it is, on each day that it belongs to."""
        stop, days = self.given.stops[index], _DaysOfShifts(self.given.vehicles)
        by_day = [
            _widen_each(stop, windows_of_day(stop.time_windows, day, zone, self.begins))
            for zone in (zone_of(stop.coordinates),)
            for day in days.of(stop)
        ]
        return list(zip(*by_day, strict=True))

    def instant(self, seconds: int) -> datetime:
        """Return a moment of the engine's axis."""
        return self.begins + timedelta(seconds=seconds)

    def show_routes(self, plan: FleetPlan) -> tuple[PlanRoute, ...]:
        """Return the routes of a plan in the order of its vehicles.

        A route that exists is shown when nothing is left on it, too.
        """
        found = {route.vehicle: self.show_route(route) for route in plan.routes}
        for number, vehicle in enumerate(self.given.vehicles):
            if number not in found and isinstance(vehicle.present_route, PresentRoute):
                found[number] = _show_emptied(vehicle)
        return tuple(found[number] for number in sorted(found))

    def show_route(self, route: FleetRoute) -> PlanRoute:
        """Return a route of the engine as plans show it."""
        vehicle = self.given.vehicles[route.vehicle]
        trips = load_trips(self.given.stops, route.steps)
        at_most = most_of(trips)  # before steps drop anything
        steps = tuple(
            self._show_step(vehicle, step, trip)
            for step, trip in zip(route.steps, trips, strict=True)
        )
        waiting = sum(step.waiting for step in route.steps)
        cost = route.cost
        return PlanRoute(
            vehicle=vehicle.id,
            vehicle_id=vehicle.vehicle_id,
            driver_id=vehicle.driver_id,
            route_id=vehicle.present_route.id if vehicle.present_route else "",
            departure=self.instant(route.departure),
            end=self.instant(route.end),
            steps=steps,
            loads=at_most,
            costs=CostsByPart(
                fixed=_money(cost.fixed),
                per_hour=_money(cost.time),
                per_traveled_hour=_money(cost.driving),
                per_kilometer=_money(cost.distance),
                per_stop=_money(cost.stops),
                lateness=_money(cost.lateness),
                priority_inversions=_money(cost.inversions),
                preferences=_money(cost.preferences),
                compactness=_money(cost.compactness),
                total=_money(cost.total),
            ),
            durations=RouteDurations(
                travel=from_seconds(route.driving_seconds),
                service=from_seconds(route.service_seconds + route.reload_seconds),
                waiting=from_seconds(waiting),
                break_=from_seconds(route.break_seconds),
            ),
            total_distance_meters=route.metres,
        )

    def _show_step(self, vehicle: VehicleToPlan, step: FleetStep, on_board: Cargo) -> PlanStep:
        stop = self.given.stops[step.index] if step.kind is StepKind.STOP else None
        route_stop_id = stop.route_stop_id if stop else ""
        if stop is not None:
            on_board.drop(stop)
        elif vehicle.present_route and step.kind is StepKind.BREAK:
            route_stop_id = vehicle.present_route.breaks[step.index]
        return PlanStep(
            type=PlanStepType(step.kind),
            imported_stop_id=stop.imported_stop_id if stop else "",
            client_stop_id=stop.client_stop_id if stop else "",
            store_order_id=stop.store_order_id if stop else "",
            route_stop_id=route_stop_id,
            reload_index=step.index if step.kind is StepKind.RELOAD else UNSET,
            planned_arrival=self.instant(step.arrival),
            planned_departure=self.instant(step.departure),
            waiting=_unless_none(step.waiting),
            lateness=_unless_none(step.lateness),
            distance_meters=step.metres,
            loads=on_board.amounts(),
        )


def _show_emptied(vehicle: VehicleToPlan) -> PlanRoute:
    """Return the route of a vehicle that has nothing left to do."""
    assert vehicle.present_route  # noqa: S101 -- no other route is shown empty
    nothing = from_seconds(0)
    return PlanRoute(
        vehicle=vehicle.id,
        vehicle_id=vehicle.vehicle_id,
        driver_id=vehicle.driver_id,
        route_id=vehicle.present_route.id,
        departure=vehicle.shift.start,
        end=vehicle.shift.start,
        steps=(),
        loads={},
        costs=CostsByPart(),
        durations=RouteDurations(travel=nothing, service=nothing, waiting=nothing, break_=nothing),
        total_distance_meters=0,
    )


def with_routes(problem: FleetProblem, plan: FleetPlan) -> FleetProblem:
    """Return a problem whose vehicles begin with the routes of a plan."""
    routes = {route.vehicle: route.stops for route in plan.routes}
    vehicles = [
        replace(vehicle, route=routes.get(number, ()))
        for number, vehicle in enumerate(problem.vehicles)
    ]
    return replace(problem, vehicles=vehicles)


def _unless_none(seconds: int) -> Duration | UnsetType:
    return from_seconds(seconds) if seconds else UNSET


def _money(amount: float) -> float:
    return round(amount, _MONEY_DECIMALS)


def moves_of(effort: PlanEffort, stops: int) -> int:
    """Return how many moves a search of so much effort has."""
    share = max(stops, _FEWEST_STOPS_OF_MOVES) / _STOPS_OF_MOVES
    return round(_MOVES_OF_500_STOPS[effort] * share)


def pose_fleet_problem(
    given: DayToPlan, roads: RoadNetwork, is_over: IsOver = lambda _: False
) -> FleetDay:
    """Ask for travel times, and write the day down for the engine.

    `is_over` is called between the parts of a large table; once it says so, what is still to come
    is estimated.
    """
    begins = min(vehicle.shift.start for vehicle in given.vehicles).replace(microsecond=0)
    tables = find_tables(given, roads, is_over)
    names = _limited_loads(given)
    days = _DaysOfShifts(given.vehicles)
    problem = FleetProblem(
        durations=tables.durations,
        distances=tables.distances,
        stops=[
            replace(_pose_stop(stop, tables, names, begins, days), vehicle_costs=costs)
            for stop, costs in zip(given.stops, price_vehicles(given), strict=True)
        ],
        vehicles=[
            _pose_vehicle(vehicle, tables, profile, names, begins)
            for vehicle, profile in zip(given.vehicles, tables.vehicle_profile, strict=True)
        ],
        loads=len(names),
        inversion_cost=given.priority_inversion_cost,
        now=(
            None
            if isinstance(given.planned_at, UnsetType)
            else int((given.planned_at - begins) // _SECOND)
        ),
        max_moved=None if isinstance(given.max_moved_stops, UnsetType) else given.max_moved_stops,
        moved_cost=given.moved_stop_cost,
        compactness=given.compactness,
        balance=_pose_balance(given.balance),
    )
    return FleetDay(
        given=given,
        begins=begins,
        problem=_begin(given, _close_locked(given, allow_present_routes(problem))),
        load_names=names,
        estimated=tables.estimated,
    )


def _pose_balance(balance: PlanBalance | UnsetType) -> FleetBalance | None:
    if isinstance(balance, UnsetType):
        return None
    return FleetBalance(
        per_hour=balance.cost_per_hour or 0.0, per_stop=balance.cost_per_stop or 0.0
    )


def _close_locked(given: DayToPlan, problem: FleetProblem) -> FleetProblem:
    """Return the problem where routes of which nothing may change take no other stop."""
    vehicles = [
        replace(
            posed, max_stops=len(posed.route) + (posed.under_way.stops if posed.under_way else 0)
        )
        if vehicle.present_route and vehicle.present_route.lock is RouteLock.ALL
        else posed
        for vehicle, posed in zip(given.vehicles, problem.vehicles, strict=True)
    ]
    return replace(problem, vehicles=vehicles)


def _begin(given: DayToPlan, problem: FleetProblem) -> FleetProblem:
    """Return the problem whose search begins with the routes that the day says.

    Where those move more stops than the day allows by now, it begins with the routes there are.
    """
    most = given.max_moved_stops
    if not given.first_routes or (not isinstance(most, UnsetType) and _count_moved(given) > most):
        return problem
    vehicles = [
        replace(vehicle, route=route)
        for vehicle, route in zip(problem.vehicles, given.first_routes, strict=True)
    ]
    return replace(problem, vehicles=vehicles)


def _count_moved(given: DayToPlan) -> int:
    """Return how many stops the routes that the day begins with take off their own route."""
    vehicle_of = {stop: number for number, route in enumerate(given.first_routes) for stop in route}
    return sum(
        not isinstance(stop.present_vehicle, UnsetType)
        and vehicle_of.get(number) != stop.present_vehicle
        for number, stop in enumerate(given.stops)
    )


def _limited_loads(given: DayToPlan) -> list[str]:
    """Return the loads of which some vehicle has a capacity: no other can keep a stop out."""
    limited = {name for vehicle in given.vehicles for name in vehicle.capacities}
    return sorted(limited)


class _DaysOfShifts:
    """On which local days shifts begin; a stop without a date may be served on any of them."""

    def __init__(self, vehicles: Sequence[VehicleToPlan]) -> None:
        self._starts = sorted({vehicle.shift.start for vehicle in vehicles})

    def of(self, stop: StopToPlan) -> list[date]:
        if isinstance(stop.delivery_date, Date):
            return [stop.delivery_date.as_planned()]
        zone = zone_of(stop.coordinates)
        return sorted({start.astimezone(zone).date() for start in self._starts})


def _windows_on_axis(
    stop: StopToPlan, days: Sequence[date], begins: datetime
) -> tuple[tuple[int, int], ...]:
    """Return a stop's windows on these days; without windows, a date alone is one of its own."""
    zone = zone_of(stop.coordinates)
    if stop.time_windows:
        return tuple(
            window
            for day in days
            for window in _widen_each(stop, windows_of_day(stop.time_windows, day, zone, begins))
        )
    if isinstance(stop.delivery_date, Date):
        day = stop.delivery_date.as_planned()
        first = wall_clock(datetime.combine(day, time()), zone, latest=False)
        last = wall_clock(datetime.combine(day, _LAST_MOMENT), zone, latest=True)
        return ((int((first - begins) // _SECOND), int((last - begins) // _SECOND)),)
    return ()


def _widen_each(stop: StopToPlan, windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the windows of one day as fixes of single windows have them."""
    changed = list(windows)
    for one in stop.widened_windows:
        opens, closes = changed[one.index]
        changed[one.index] = opens - one.opens_earlier_seconds, closes + one.closes_later_seconds
    return changed


type _Windows = tuple[tuple[int, int], ...]


def widen_windows(windows: Sequence[tuple[int, int]], earlier: int = 0, later: int = 0) -> _Windows:
    """Return windows as fixes have them: each opens earlier or closes later.

    All of them, since one of a stop may be many here: on each day one.
    """
    return join_windows(0, [(opens - earlier, closes + later) for opens, closes in windows])


def _widened(stop: StopToPlan, windows: _Windows) -> _Windows:
    earlier, later = stop.opens_earlier_seconds, stop.closes_later_seconds
    if not windows or not (earlier or later or stop.widened_windows):
        return windows
    return widen_windows(windows, earlier, later)


def _pose_stop(
    stop: StopToPlan,
    tables: FleetTables,
    names: Sequence[str],
    begins: datetime,
    days: _DaysOfShifts,
) -> FleetStop:
    named = None if isinstance(stop.vehicles, UnsetType) else frozenset(stop.vehicles)
    if not isinstance(stop.pinned_vehicle, UnsetType):
        pinned = frozenset({stop.pinned_vehicle})
        named = pinned if named is None else named & pinned
    position = stop.pinned_position
    return FleetStop(
        node=tables.node_of[stop.coordinates],
        service=0 if isinstance(stop.duration, UnsetType) else whole_seconds(stop.duration),
        windows=_widened(stop, _windows_on_axis(stop, days.of(stop), begins)),
        loads=[as_counted(stop.loads.get(name, 0.0)) for name in names],
        skills=frozenset(stop.required_skills),
        vehicles=named,
        unassigned_cost=NEVER_DROPPED if stop.must_be_served else stop.unassigned_cost,
        priority=stop.priority,
        lateness_cost=stop.lateness_cost_per_hour,
        max_lateness=stop.max_lateness_seconds,
        end_pin=None if isinstance(position, UnsetType) else _END_PINS[position],
        home=None if isinstance(stop.present_vehicle, UnsetType) else stop.present_vehicle,
        held=stop.is_held,
    )


def _pose_vehicle(
    vehicle: VehicleToPlan,
    tables: FleetTables,
    profile: int,
    names: Sequence[str],
    begins: datetime,
) -> FleetVehicle:
    def seconds(instant: datetime) -> int:
        return int((instant - begins) // _SECOND)

    def node(place: VehicleLocation | UnsetType) -> int | None:
        return None if isinstance(place, UnsetType) else tables.node_of[place.coordinates]

    shift, costs, latest = vehicle.shift, vehicle.costs, vehicle.shift.latest_start
    return FleetVehicle(
        start=node(vehicle.start),
        end=node(vehicle.end),
        opens=seconds(shift.start),
        closes=seconds(shift.end),
        latest_start=None if isinstance(latest, UnsetType) else seconds(latest),
        capacities=[
            as_counted(vehicle.capacities[name]) if name in vehicle.capacities else None
            for name in names
        ],
        skills=frozenset(vehicle.skills),
        breaks=[
            Break(
                opens=seconds(one.time_window.start),
                closes=seconds(one.time_window.end),
                duration=whole_seconds(one.duration),
            )
            for one in vehicle.breaks
        ],
        max_reloads=vehicle.max_reloads,
        reloads=[
            Reload(node=tables.node_of[one.coordinates], duration=whole_seconds(one.duration))
            for one in vehicle.reloads
        ],
        max_stops=vehicle.max_stops or None,
        max_duration=(
            None
            if isinstance(vehicle.max_duration, UnsetType)
            else whole_seconds(vehicle.max_duration) or None
        ),
        max_metres=vehicle.max_distance_meters or None,
        costs=FleetCosts(
            fixed=costs.fixed,
            per_hour=costs.per_hour,
            per_traveled_hour=costs.per_traveled_hour,
            per_kilometer=costs.per_kilometer,
            per_stop=costs.per_stop,
        ),
        profile=profile,
        route=vehicle.present_route.stops if vehicle.present_route else (),
        keep_first=_keep_first(vehicle),
        under_way=_pose_progress(vehicle, names, begins),
    )


def _keep_first(vehicle: VehicleToPlan) -> int:
    present = vehicle.present_route
    return min(present.keep_first, len(present.stops)) if present else 0


def _pose_progress(
    vehicle: VehicleToPlan, names: Sequence[str], begins: datetime
) -> VehicleProgress | None:
    present = vehicle.present_route
    if not present or not present.under_way:
        return None
    done = present.under_way
    return VehicleProgress(
        leaves_at=int((done.leaves_at - begins) // _SECOND),
        departed_at=int((done.departed_at - begins) // _SECOND),
        stops=done.stops,
        metres=done.metres,
        loads=[as_counted(done.loads.get(name, 0.0)) for name in names],
        next_stop=present.stops[0] if present.stops else None,
    )
