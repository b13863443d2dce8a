"""Which single changes may bring a stop into a plan, the likeliest first; nothing is tried here."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from roundsman.domain.model import UnsetType
from roundsman.domain.plan_draft import LONGEST_SHIFT
from roundsman.domain.unassigned_stop import (
    PlanFixType,
    UnassignedReason,
    UnassignedReasonType,
)
from roundsman.planning.fleet import FleetPlan, FleetProblem, FleetStop, FleetVehicle
from roundsman.routing.fleet_break_changes import BreakChanges
from roundsman.routing.fleet_cargo import THOUSANDTHS
from roundsman.routing.fleet_problem import FleetDay, widen_windows
from roundsman.routing.fleet_reasons import OnEmptyVehicle
from roundsman.routing.plan_change import Patch, PlanChange

_MINUTE = 60
_KILOMETRE = 1_000
_MOST_MINUTES = 240
_VEHICLES_TRIED = 3
_STOPS_TRIED = 2


@dataclass(frozen=True, kw_only=True)
class PlanChanges:
    """Lists the changes that may help the stops that a plan leaves out."""

    day: FleetDay
    plan: FleetPlan

    def list_for(self, index: int, reasons: Sequence[UnassignedReason]) -> Iterator[PlanChange]:
        """Yield what may bring a stop in, each change of a kind once.

        What needs more than a change may be is none: a stop of another day needs no overtime.
        """
        listed = set()
        for change in self._list_by_reasons(index, reasons):
            called = change.called
            if called not in listed and change.least <= change.most:
                listed.add(called)
                yield change

    def _list_by_reasons(
        self, index: int, reasons: Sequence[UnassignedReason]
    ) -> Iterator[PlanChange]:
        """Yield what may bring a stop in, by what keeps it from each vehicle."""
        numbers = {vehicle.id: number for number, vehicle in enumerate(self.day.given.vehicles)}
        by_vehicle: dict[str, list[UnassignedReason]] = {}
        for reason in reasons:
            by_vehicle.setdefault(reason.vehicle, []).append(reason)
        only = {numbers[one]: own[0] for one, own in by_vehicle.items() if len(own) == 1}
        in_time = [
            number
            for number, reason in only.items()
            if reason.type is UnassignedReasonType.TIME_WINDOWS
        ]
        if in_time:
            yield from self._in_time_for(index, in_time)
        for number, reason in only.items():
            if reason.type is UnassignedReasonType.CONTENTION:
                yield from self._for_room(index, number, reason)
            elif reason.type is UnassignedReasonType.BREAKS:
                yield from self._for_time(index, number, reason)
            else:
                yield from self._for_rule(index, number, reason)

    def _for_rule(self, index: int, number: int, reason: UnassignedReason) -> Iterator[PlanChange]:
        """Yield what lifts the one rule that keeps a stop from a vehicle.

        Windows are looked at for all vehicles at once; against what serving a stop costs nothing is
        offered.
        """
        stop = self.day.problem.stops[index]
        match reason.type:
            case UnassignedReasonType.CAPACITIES:
                yield self._more_room(number, self.day.load_names.index(reason.subject), stop)
            case UnassignedReasonType.REQUIRED_SKILLS:
                yield self._of_vehicle(
                    PlanFixType.GRANT_SKILL,
                    number,
                    lambda one, _units: replace(one, skills=one.skills | {reason.subject}),
                    name=reason.subject,
                )
            case UnassignedReasonType.SHIFT:
                yield self._longer_shift(number, reason.amount)
            case UnassignedReasonType.MAX_DURATION:
                yield self._longer_duration(number, reason.amount)
            case UnassignedReasonType.MAX_DISTANCE_METERS:
                most = 1 + 2 * int(reason.amount) // _KILOMETRE + 50
                yield self._longer_distance(number, metres_short=reason.amount, most=most)
            case UnassignedReasonType.PINS:
                yield self._unpinned(index)

    def _for_time(self, index: int, number: int, reason: UnassignedReason) -> Iterator[PlanChange]:
        """Yield what gives a vehicle time for a stop beside its breaks."""
        yield from self._breaks.list_for(index, reason)
        if self.day.problem.stops[index].windows:
            yield self._other_window(index, PlanFixType.CLOSE_LATER)
            yield self._other_window(index, PlanFixType.OPEN_EARLIER)
        yield self._longer_shift(number)
        if self.day.problem.vehicles[number].max_duration is not None:
            yield self._longer_duration(number)

    def _in_time_for(self, index: int, numbers: Sequence[int]) -> Iterator[PlanChange]:
        """Yield what brings one of these vehicles in time: other windows, or a longer shift."""
        stop = self.day.problem.stops[index]
        too_late: list[int] = []
        too_early: dict[int, int] = {}
        for number in numbers:
            soonest, latest = OnEmptyVehicle(self.day, index, number).reach()
            # A shift may lie between two windows, after the one and before the other.
            late = [soonest - closes - stop.max_lateness for _, closes in stop.windows]
            early = [opens - latest for opens, _ in stop.windows]
            too_late += [seconds for seconds in late if seconds > 0]
            if any(seconds > 0 for seconds in early):
                too_early[number] = min(seconds for seconds in early if seconds > 0)
        if too_late:
            yield self._other_window(index, PlanFixType.CLOSE_LATER, seconds_short=min(too_late))
        if too_early:
            sooner = min(too_early.values())
            yield self._other_window(index, PlanFixType.OPEN_EARLIER, seconds_short=sooner)
        for number, seconds in too_early.items():
            yield self._longer_shift(number, seconds)

    @property
    def _breaks(self) -> BreakChanges:
        return BreakChanges(self.day, self.plan)

    def _for_room(self, index: int, number: int, reason: UnassignedReason) -> Iterator[PlanChange]:
        """Yield what makes room for a stop that fits alone.

        One vehicle more comes first: one search for it may do for many stops.
        """
        yield from self._for_pin(index, number)
        yield from self._breaks.list_for(index, reason)
        if self.day.problem.stops[index].windows:
            yield self._other_window(index, PlanFixType.CLOSE_LATER)
            yield self._other_window(index, PlanFixType.OPEN_EARLIER)
        for other in self._list_cheaper(index):
            yield self._without(other)
        for near in self._nearest(index):
            yield self._longer_shift(near)
            stop, van = self.day.problem.stops[index], self.day.problem.vehicles[near]
            for load, (wanted, most) in enumerate(zip(stop.loads, van.capacities, strict=True)):
                lacking = max(0.0, wanted - self._free_room[load])
                if wanted and most is not None and lacking <= wanted:
                    yield self._more_room(near, load, stop, lacking)
            yield from self._higher_limits(index, near)

    def _higher_limits(self, index: int, number: int) -> Iterator[PlanChange]:
        """Yield what raises the limits of a vehicle: by what one more stop takes at most."""
        van = self.day.problem.vehicles[number]
        if van.max_stops is not None:
            yield self._of_vehicle(
                PlanFixType.RAISE_LIMIT,
                number,
                lambda one, units: replace(one, max_stops=(one.max_stops or 0) + units),
                name="maxStops",
            )
        if van.max_duration is not None:
            yield self._longer_duration(number)
        if van.max_metres is not None and self.day.problem.distances is not None:
            alone = OnEmptyVehicle(self.day, index, number).metres()
            yield self._longer_distance(number, most=1 + _units(alone, _KILOMETRE))

    def _longer_duration(self, number: int, seconds_short: float = 0) -> PlanChange:
        most = self.day.problem.vehicles[number].max_duration or 0
        return self._of_vehicle(
            PlanFixType.RAISE_LIMIT,
            number,
            lambda one, units: replace(one, max_duration=most + units * _MINUTE),
            name="maxDuration",
            units=range(_units(seconds_short, _MINUTE), _MOST_MINUTES + 1),
            unit=_MINUTE,
        )

    def _longer_distance(self, number: int, *, metres_short: float = 0, most: int) -> PlanChange:
        metres = self.day.problem.vehicles[number].max_metres or 0
        return self._of_vehicle(
            PlanFixType.RAISE_LIMIT,
            number,
            lambda one, units: replace(one, max_metres=metres + units * _KILOMETRE),
            name="maxDistanceMeters",
            units=range(_units(metres_short, _KILOMETRE), most + 1),
            unit=_KILOMETRE,
        )

    def _for_pin(self, index: int, number: int) -> Iterator[PlanChange]:
        """Yield what lifts the pin of a stop, and one more vehicle where no pin holds it on one."""
        given = self.day.given.stops[index]
        is_on_vehicle = not isinstance(given.pinned_vehicle, UnsetType)
        if is_on_vehicle or not isinstance(given.pinned_position, UnsetType):
            yield self._unpinned(index)
        if not (is_on_vehicle or self.day.given.vehicles[number].present_route):
            yield self._of_fleet(number)

    @cached_property
    def _free_room(self) -> list[float]:
        """How much of each load the plan leaves free on all vehicles together.

        No order of stops makes room for more than that; where vehicles load again or have no limit
        it says nothing.
        """
        problem = self.day.problem
        served = [one for route in self.plan.routes for one in route.stops]
        free: list[float] = []
        for load in range(problem.loads):
            most = [van.capacities[load] for van in problem.vehicles]
            if any(one is None for one in most) or any(van.max_reloads for van in problem.vehicles):
                free.append(math.inf)
                continue
            taken = sum(problem.stops[one].loads[load] for one in served)
            done = sum(van.under_way.loads[load] for van in problem.vehicles if van.under_way)
            free.append(sum(one for one in most if one is not None) - taken - done)
        return free

    def _nearest(self, index: int) -> list[int]:
        """Return vehicles that come nearest to a stop and may serve it."""
        problem = self.day.problem
        table, here = problem.durations[0], problem.stops[index].node
        away = {
            route.vehicle: min(int(table[problem.stops[one].node, here]) for one in route.stops)
            for route in self.plan.routes
            if problem.may_serve(route.vehicle, index)
        }
        return sorted(away, key=away.__getitem__)[:_VEHICLES_TRIED]

    def _list_cheaper(self, index: int) -> list[int]:
        """Return served stops near to this one that cost no more than it when they stay out."""
        problem, given = self.day.problem, self.day.given.stops
        table, here = problem.durations[0], problem.stops[index].node
        served = (one for route in self.plan.routes for one in route.stops)
        cheaper = [
            one
            for one in served
            if problem.stops[one].home is None
            and given[one].unassigned_cost <= given[index].unassigned_cost
            and given[one].priority <= given[index].priority
        ]
        return sorted(cheaper, key=lambda one: int(table[here, problem.stops[one].node]))[
            :_STOPS_TRIED
        ]

    def _unpinned(self, index: int) -> PlanChange:
        given = self.day.given.stops[index]
        allowed = None if isinstance(given.vehicles, UnsetType) else frozenset(given.vehicles)
        return PlanChange(
            kind=PlanFixType.UNPIN,
            subject=given.name(),
            patch=_of_stop(index, lambda one, _: replace(one, vehicles=allowed, end_pin=None)),
            has_amount=False,
        )

    def _without(self, other: int) -> PlanChange:
        def leave_out(problem: FleetProblem, units: int) -> FleetProblem:
            del units
            stops, vehicles = list(problem.stops), list(problem.vehicles)
            stops[other] = replace(stops[other], vehicles=frozenset(), unassigned_cost=0.0)
            for number, van in enumerate(vehicles):
                left = tuple(stop for stop in van.route if stop != other)
                vehicles[number] = replace(van, route=left)
            return replace(problem, stops=stops, vehicles=vehicles)

        return PlanChange(
            kind=PlanFixType.DROP_STOP,
            subject=self.day.given.stops[other].name(),
            patch=leave_out,
            has_amount=False,
            given_up=other,
        )

    def _more_room(self, number: int, load: int, stop: FleetStop, lacking: float = 0) -> PlanChange:
        unit = THOUSANDTHS

        def raise_capacity(one: FleetVehicle, units: int) -> FleetVehicle:
            most = list(one.capacities)
            most[load] = (most[load] or 0) + units * unit
            return replace(one, capacities=most)

        return self._of_vehicle(
            PlanFixType.RAISE_CAPACITY,
            number,
            raise_capacity,
            name=self.day.load_names[load],
            units=range(_units(lacking, unit), 1 - (-stop.loads[load] // unit)),
        )

    def _longer_shift(self, number: int, seconds_short: float = 0) -> PlanChange:
        shift = self.day.given.vehicles[number].shift
        left = int((LONGEST_SHIFT - (shift.end - shift.start)).total_seconds()) // _MINUTE
        return self._of_vehicle(
            PlanFixType.EXTEND_SHIFT,
            number,
            lambda one, units: replace(one, closes=one.closes + units * _MINUTE),
            units=range(_units(seconds_short, _MINUTE), min(_MOST_MINUTES, left) + 1),
            unit=_MINUTE,
        )

    def _other_window(
        self, index: int, kind: PlanFixType, *, seconds_short: float = 0
    ) -> PlanChange:
        subject = self.day.given.stops[index].name()

        def later(one: FleetStop, units: int) -> FleetStop:
            return replace(one, windows=widen_windows(one.windows, later=units * _MINUTE))

        def earlier(one: FleetStop, units: int) -> FleetStop:
            return replace(one, windows=widen_windows(one.windows, earlier=units * _MINUTE))

        return PlanChange(
            kind=kind,
            subject=subject,
            patch=_of_stop(index, later if kind is PlanFixType.CLOSE_LATER else earlier),
            window_of=index,
            least=_units(seconds_short, _MINUTE),
            most=_MOST_MINUTES,
            unit=_MINUTE,
        )

    def _of_fleet(self, number: int) -> PlanChange:
        """Return one more vehicle of a kind."""

        def add(problem: FleetProblem, units: int) -> FleetProblem:
            del units
            another = replace(problem.vehicles[number], route=())
            # Stops that name vehicles know nothing of one that is not there yet; pins stay.
            named = [
                _also_by(stop, number, len(problem.vehicles))
                if isinstance(given.pinned_vehicle, UnsetType)
                else stop
                for stop, given in zip(problem.stops, self.day.given.stops, strict=True)
            ]
            return replace(problem, vehicles=[*problem.vehicles, another], stops=named)

        return PlanChange(
            kind=PlanFixType.ADD_VEHICLE,
            subject=self.day.given.vehicles[number].id,
            patch=add,
            has_amount=False,
        )

    def _of_vehicle(
        self,
        kind: PlanFixType,
        number: int,
        change: Callable[[FleetVehicle, int], FleetVehicle],
        *,
        name: str = "",
        units: range = range(1, 2),
        unit: float = 1.0,
    ) -> PlanChange:
        def patch(problem: FleetProblem, units: int) -> FleetProblem:
            vehicles = list(problem.vehicles)
            vehicles[number] = change(vehicles[number], units)
            return replace(problem, vehicles=vehicles)

        return PlanChange(
            kind=kind,
            subject=self.day.given.vehicles[number].id,
            name=name,
            patch=patch,
            least=units.start,
            most=units.stop - 1,
            unit=unit,
            has_amount=kind is not PlanFixType.GRANT_SKILL,
        )


def _also_by(stop: FleetStop, like: int, another: int) -> FleetStop:
    """Return a stop that another vehicle may serve as one like it may, at the same price."""
    if stop.vehicles is not None and like in stop.vehicles:
        stop = replace(stop, vehicles=stop.vehicles | {another})
    if like in stop.vehicle_costs:
        costs = {**stop.vehicle_costs, another: stop.vehicle_costs[like]}
        stop = replace(stop, vehicle_costs=costs)
    return stop


def _units(amount: float, unit: float) -> int:
    """Return the least number of whole units that make up an amount."""
    return max(1, math.ceil(amount / unit))


def _of_stop(index: int, change: Callable[[FleetStop, int], FleetStop]) -> Patch:
    def patch(problem: FleetProblem, units: int) -> FleetProblem:
        stops = list(problem.stops)
        stops[index] = change(stops[index], units)
        return replace(problem, stops=stops)

    return patch
