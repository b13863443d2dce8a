"""Why stops stay out of a plan: for each kind of vehicle the rule that keeps a stop from it.

Rules are tried on an empty vehicle, on the plan's own travel times, so that a reason holds whatever
else is planned. A stop that fits alone stays out because of others (CONTENTION), or because serving
it costs more than leaving it out (COST): which of both, a search says in which nothing may be left
out for money.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from roundsman.domain.day_to_plan import DayToPlan
from roundsman.domain.model import UnsetType
from roundsman.domain.plan import UnassignedReason
from roundsman.domain.plan import UnassignedReasonType as Type
from roundsman.planning.fleet import (
    NEVER_DROPPED,
    FleetBudget,
    FleetPlan,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    plan_fleet,
)
from roundsman.planning.fleet.problem import Matrix
from roundsman.routing.fleet_cargo import THOUSANDTHS
from roundsman.routing.fleet_problem import FleetDay, with_routes
from roundsman.routing.route_problem import LAST_SECOND, zone_of
from roundsman.routing.wording import describe_duration

_MOVES_AGAIN = 2_000
_NEARLY_NEVER_DROPPED = NEVER_DROPPED / 1_000
_ALWAYS = (-LAST_SECOND, LAST_SECOND)


def explain_unassigned(
    day: FleetDay, plan: FleetPlan, *, seconds: float, cancelled: Callable[[], bool]
) -> list[tuple[UnassignedReason, ...]]:
    """Return the reasons of each unassigned stop, in the order of the plan.

    Searching again takes so many seconds of a processor at most.
    """
    if not plan.unassigned:
        return []
    budget = FleetBudget(
        seconds=seconds, moves=_MOVES_AGAIN, cancelled=cancelled, clock=time.thread_time
    )
    again = _Again(day.problem, plan, budget)
    kinds = _find_kinds(day.given)
    return [
        tuple(
            reason
            for number in kinds
            for reason in list(OnEmptyVehicle(day, index, number).find_broken())
            or [
                again.explain(index, day.given.vehicles[number].id, where=_pin_of(day.given, index))
            ]
        )
        for index in plan.unassigned
    ]


def _pin_of(given: DayToPlan, index: int) -> str:
    """Say where a stop has to be; nothing where no pin holds it."""
    stop = given.stops[index]
    position, vehicle = stop.pinned_position, stop.pinned_vehicle
    where = "" if isinstance(position, UnsetType) else f" {position.value.lower()}"
    on = "" if isinstance(vehicle, UnsetType) else f" to {given.vehicles[vehicle].id}"
    return f"{where}{on}"


def _find_kinds(given: DayToPlan) -> list[int]:
    """Return the index of the first vehicle of each kind; one that a stop names is its own."""
    named = {
        number
        for stop in given.stops
        for number in ([] if isinstance(stop.vehicles, UnsetType) else stop.vehicles)
    }
    named |= {
        stop.pinned_vehicle
        for stop in given.stops
        if not isinstance(stop.pinned_vehicle, UnsetType)
    }
    firsts: dict[object, int] = {}
    for number, vehicle in enumerate(given.vehicles):
        alike = msgspec.structs.replace(vehicle, id="", vehicle_id="", driver_id="")
        firsts.setdefault(number if number in named else msgspec.json.encode(alike), number)
    return list(firsts.values())


@dataclass(frozen=True, slots=True)
class OnEmptyVehicle:
    """One stop alone on one vehicle."""

    day: FleetDay
    index: int
    number: int

    @property
    def _stop(self) -> FleetStop:
        return self.day.problem.stops[self.index]

    @property
    def _van(self) -> FleetVehicle:
        return self.day.problem.vehicles[self.number]

    def reach(self) -> tuple[int, int]:
        """Return the soonest and the latest second at which service can begin within the shift."""
        van, (there, back) = self._van, self._legs(self.day.problem.durations)
        return van.opens + there, van.closes - back - self._stop.service

    def find_broken(self) -> Iterator[UnassignedReason]:
        """Find every rule that this breaks."""
        yield from self._find_forbidden()
        yield from self._find_overload()
        yield from self._find_too_far()
        yield from self._find_too_late()

    def _find_forbidden(self) -> Iterator[UnassignedReason]:
        given = self.day.given.stops[self.index]
        pinned = given.pinned_vehicle
        if not isinstance(pinned, UnsetType) and pinned != self.number:
            name = self.day.given.vehicles[pinned].id
            yield self._because(Type.PINS, f"it is pinned to {name}", subject=name)
        if not isinstance(given.vehicles, UnsetType) and self.number not in given.vehicles:
            words = "it is not for this vehicle" if given.vehicles else "no vehicle may serve it"
            yield self._because(Type.ALLOWED_VEHICLES, words)
        for skill in sorted(self._stop.skills - self._van.skills):
            yield self._because(Type.REQUIRED_SKILLS, f"it needs {skill}", subject=skill)

    def _find_overload(self) -> Iterator[UnassignedReason]:
        names = self.day.load_names
        for name, wanted, most in zip(names, self._stop.loads, self._van.capacities, strict=True):
            if most is not None and wanted > most:
                over = (wanted - most) / THOUSANDTHS
                words = f"it has {over:g} {name} more than the vehicle carries"
                yield self._because(Type.CAPACITIES, words, over, subject=name)

    def _find_too_far(self) -> Iterator[UnassignedReason]:
        most = self._van.max_metres
        if most is None or self.day.problem.distances is None:
            return
        metres = sum(self._legs(self.day.problem.distances))
        if metres > most:
            words = f"there and back is {metres - most:,} m more than the vehicle may drive"
            yield self._because(Type.MAX_DISTANCE_METERS, words, metres - most)

    def _find_too_late(self) -> Iterator[UnassignedReason]:
        """Find what is wrong with times: the shift, the windows, or how long it takes."""
        van, stop = self._van, self._stop
        there, back = self._legs(self.day.problem.durations)
        soonest, latest = self.reach()
        if soonest > latest:
            words = f"the shift is {describe_duration(soonest - latest)} too short for it alone"
            yield self._because(Type.SHIFT, words, soonest - latest)
            return
        windows = [
            (opens, closes + stop.max_lateness) for opens, closes in stop.windows or (_ALWAYS,)
        ]
        gaps = [max(soonest - closes, opens - latest) for opens, closes in windows]
        if min(gaps) > 0:
            missed = f"its windows are missed by {describe_duration(min(gaps))}"
            words = self._describe_other_day() or missed
            yield self._because(Type.TIME_WINDOWS, words, min(gaps))
            return
        if van.max_duration is None:
            return
        leaves = van.closes if van.latest_start is None else van.latest_start
        shortest = min(
            there + max(0, opens - leaves - there) + stop.service + back
            for (opens, _), gap in zip(windows, gaps, strict=True)
            if gap <= 0
        )
        if shortest > van.max_duration:
            over = shortest - van.max_duration
            words = f"alone it takes {describe_duration(over)} more than a route may"
            yield self._because(Type.MAX_DURATION, words, over)

    def _describe_other_day(self) -> str:
        """Say on which day the stop is to be served, where the shift is on none of that day."""
        stop = self.day.given.stops[self.index]
        shift = self.day.given.vehicles[self.number].shift
        if isinstance(stop.delivery_date, UnsetType):
            return ""
        day, zone = stop.delivery_date.as_date(), zone_of(stop.coordinates)
        is_on_day = shift.start.astimezone(zone).date() <= day <= shift.end.astimezone(zone).date()
        return "" if is_on_day else f"it is of another day, {day.isoformat()}"

    def _legs(self, tables: Sequence[Matrix]) -> tuple[int, int]:
        """Return the ways there and back; to a side without a place there is none."""
        van, node = self._van, self._stop.node
        table = tables[van.profile]
        there = 0 if van.start is None else int(table[van.start, node])
        back = 0 if van.end is None else int(table[node, van.end])
        return there, back

    def _because(
        self, kind: Type, words: str, amount: float = 0.0, *, subject: str = ""
    ) -> UnassignedReason:
        vehicle = self.day.given.vehicles[self.number].id
        return UnassignedReason(
            vehicle=vehicle, type=kind, subject=subject, amount=amount, description=words
        )


@dataclass(frozen=True)
class _Again:
    """The plan searched again from where it ended, where no stop may stay out for money.

    Nor in exchange for one that was served.
    """

    problem: FleetProblem
    plan: FleetPlan
    budget: FleetBudget

    @cached_property
    def _found(self) -> FleetPlan:
        out = set(self.plan.unassigned)
        dear = [
            replace(stop, unassigned_cost=_NEARLY_NEVER_DROPPED if number in out else NEVER_DROPPED)
            for number, stop in enumerate(self.problem.stops)
        ]
        begun = with_routes(self.problem, self.plan)
        return plan_fleet(replace(begun, stops=dear), self.budget)

    def explain(self, index: int, vehicle: str, *, where: str) -> UnassignedReason:
        """Say whether a stop that fits alone is out for others or for money.

        `where` says where it is pinned.
        """
        if index in self._found.unassigned:
            pinned = f"it is pinned{where}; there " if where else ""
            return UnassignedReason(
                vehicle=vehicle,
                type=Type.CONTENTION,
                description=f"{pinned}it fits alone, and not beside what the plan has",
            )
        # All that got in share what it costs beyond their prices.
        served = set(self.plan.unassigned) - set(self._found.unassigned)
        out = sum(self.problem.stops[one].unassigned_cost for one in served)
        routes = self.plan.cost - self.plan.unassigned_cost
        dearer = self._found.cost - self._found.unassigned_cost - routes - out
        return UnassignedReason(
            vehicle=vehicle,
            type=Type.COST,
            amount=round(max(0.0, dearer) / len(served), 2),
            description="serving it costs more than leaving it out",
        )
