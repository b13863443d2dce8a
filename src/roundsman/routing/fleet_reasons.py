"""Why stops stay out of a plan: for each kind of vehicle the rule that keeps a stop from it.

Rules and breaks are tried on an empty vehicle, on the plan's own travel times, so that a reason
holds whatever else is planned. A stop that fits alone stays out because of others (CONTENTION), or
because serving it costs more than leaving it out (COST): which of both, a search says in which
nothing may be left out for money.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property

import msgspec

from roundsman.domain.day_to_plan import DayToPlan
from roundsman.domain.model import UnsetType
from roundsman.domain.unassigned_stop import UnassignedReason
from roundsman.domain.unassigned_stop import UnassignedReasonType as Type
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
from roundsman.routing.fleet_limits import FleetLimits, WhatBinds
from roundsman.routing.fleet_problem import FleetDay, with_routes
from roundsman.routing.route_problem import LAST_SECOND, windows_of_day, zone_of
from roundsman.routing.wording import describe_distance, describe_duration, describe_load

_MOVES_AGAIN = 2_000
_MOVES_ALONE = 1_000
"""Of a search for what one stop would cost."""

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
    again = _Again(day, plan, seconds, cancelled)
    kinds = _find_kinds(day.given)
    return [
        tuple(
            reason
            for kind in kinds
            for reason in list(OnEmptyVehicle(day, index, kind[0]).find_broken())
            or [again.explain(index, kind, where=_pin_of(day.given, index))]
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


def _find_kinds(given: DayToPlan) -> list[list[int]]:
    """Return the indexes of the vehicles of each kind; one that a stop names is its own."""
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
    kinds: dict[object, list[int]] = {}
    for number, vehicle in enumerate(given.vehicles):
        alike = msgspec.structs.replace(vehicle, id="", vehicle_id="", driver_id="")
        kind = number if number in named else msgspec.json.encode(alike)
        kinds.setdefault(kind, []).append(number)
    return list(kinds.values())


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

    def metres(self) -> int:
        """Return how far it is there and back."""
        return sum(self._legs(self.day.problem.distances or ()))

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
                words = f"it has {describe_load(over, name)} more than the vehicle carries"
                yield self._because(Type.CAPACITIES, words, over, subject=name)

    def _find_too_far(self) -> Iterator[UnassignedReason]:
        most = self._van.max_metres
        if most is None or self.day.problem.distances is None:
            return
        metres = self.metres()
        if metres > most:
            over = describe_distance(metres - most)
            words = f"there and back is {over} more than the vehicle may drive"
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
        gaps = self._gaps(windows)
        if min(gaps) > 0:
            missed = f"its windows are missed by {describe_duration(min(gaps))}"
            words = self._describe_other_day() or f"{missed}{self._describe_night()}"
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

    def _describe_night(self) -> str:
        """Say which day to name, where the windows that are meant are of another day of the shift.

        Windows without a date are of the day on which the shift begins.
        """
        stop, shift = self.day.given.stops[self.index], self.day.given.vehicles[self.number].shift
        zone = zone_of(stop.coordinates)
        first, last = (moment.astimezone(zone).date() for moment in (shift.start, shift.end))
        is_dated = not isinstance(stop.delivery_date, UnsetType)
        own = first if isinstance(stop.delivery_date, UnsetType) else stop.delivery_date.as_date()
        for later in range((last - first).days + 1):
            day = first + timedelta(days=later)
            windows = windows_of_day(stop.time_windows, day, zone, self.day.begins)
            if day != own and min(self._gaps(windows)) <= 0:
                why = "its deliveryDate" if is_dated else "when the shift begins"
                hours = "after" if day > own else "before"
                return (
                    f"; they are of {own.isoformat()}, {why}: for the hours "
                    f"{hours} midnight its deliveryDate has to be {day.isoformat()}"
                )
        return ""

    def _gaps(self, windows: Sequence[tuple[int, int]]) -> list[int]:
        """Return by how many seconds each window is missed; nothing or less where it is not."""
        soonest, latest = self.reach()
        return [max(soonest - closes, opens - latest) for opens, closes in windows]

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
    """The plan searched again from where it ended, where a stop may not stay out for money.

    Every search takes from the same seconds of a processor.
    """

    day: FleetDay
    plan: FleetPlan
    seconds: float
    cancelled: Callable[[], bool]
    _begun: float = field(default_factory=time.thread_time)
    _prices: dict[int, float | None] = field(default_factory=dict)

    @property
    def problem(self) -> FleetProblem:
        """Return what was searched."""
        return self.day.problem

    @cached_property
    def _limits(self) -> FleetLimits:
        return FleetLimits(self.day, self.plan)

    @cached_property
    def _planned(self) -> FleetProblem:
        return with_routes(self.problem, self.plan)

    @cached_property
    def _with_all(self) -> FleetPlan:
        """Return a plan in which no stop stays out for money, nor for one that was served."""
        out = set(self.plan.unassigned)
        dear = [
            replace(stop, unassigned_cost=_NEARLY_NEVER_DROPPED if number in out else NEVER_DROPPED)
            for number, stop in enumerate(self.problem.stops)
        ]
        return plan_fleet(replace(self._planned, stops=dear), self._budget(_MOVES_AGAIN))

    def explain(self, index: int, kind: Sequence[int], *, where: str) -> UnassignedReason:
        """Say whether a stop that fits alone is out for a break, for others or for money.

        `where` says where it is pinned.
        """
        vehicle = self.day.given.vehicles[kind[0]].id
        pinned = f"it is pinned{where}; there " if where else ""
        alone = self._limits.find_alone(index, kind[0])
        if alone is not None:
            return _because_of_breaks(vehicle, alone, pinned, self._describe_break(index, alone))
        served = set(self.plan.unassigned) - set(self._with_all.unassigned)
        # Who stays out beside others that got in may have fitted without them.
        exact = self._find_price(index) if served else None
        if index not in served and exact is None:
            return self._because_of_others(index, kind, pinned)
        amount = _above(self._bound_price(index) if exact is None else exact)
        at_most = "at most " if exact is None else ""
        return UnassignedReason(
            vehicle=vehicle,
            type=Type.COST,
            amount=amount,
            description=f"serving it costs {at_most}{amount:,.2f} more than leaving it out",
        )

    def _because_of_others(self, index: int, kind: Sequence[int], pinned: str) -> UnassignedReason:
        """Say that a stop fits alone and not beside others, and what binds if there is time."""
        binds = WhatBinds() if self._is_over() else self._limits.find_contention(index, kind)
        words = f"{pinned}it fits alone, and not beside what the plan has"
        if binds.words:
            words += f": {binds.words}"
        if binds.break_:
            rest = self._describe_break(index, binds)
            words += f"; without the break of {binds.break_.vehicle} ({rest}) it would fit"
        return UnassignedReason(
            vehicle=self.day.given.vehicles[kind[0]].id,
            type=Type.CONTENTION,
            limits=binds.limits,
            break_=binds.break_,
            description=words,
        )

    def _describe_break(self, index: int, binds: WhatBinds) -> str:
        return self._limits.describe_break(index, binds.break_) if binds.break_ else ""

    def _find_price(self, index: int) -> float | None:
        """Return what a stop's price lacks for a plan to serve it, all else as it was asked for.

        None where no plan is found that serves it, or no time is left to look for one.
        """
        if index not in self._prices:
            self._prices[index] = None if self._is_over() else self._search_price(index)
        return self._prices[index]

    def _search_price(self, index: int) -> float | None:
        stops = list(self.problem.stops)
        stops[index] = replace(stops[index], unassigned_cost=NEVER_DROPPED)
        found = plan_fleet(
            replace(self._planned, stops=stops), self._budget(_MOVES_ALONE, polishes_all=False)
        )
        out, before = set(found.unassigned), set(self.plan.unassigned)
        if index in out or (out - before and index in self._with_all.unassigned):
            return None
        paid_more = self._price_of(out - before) - self._price_of(before - out)
        return self._dearer(found) + paid_more

    def _bound_price(self, index: int) -> float:
        """Return what a stop's price lacks at most: to serve it alone costs no more than all do."""
        return self._dearer(self._with_all) - self._price_of({index})

    def _dearer(self, found: FleetPlan) -> float:
        """Return how much more a plan costs, but for what stays out."""
        routes = self.plan.cost - self.plan.unassigned_cost
        return found.cost - found.unassigned_cost - routes

    def _price_of(self, stops: Iterable[int]) -> float:
        return sum(self.problem.stops[one].unassigned_cost for one in stops)

    def _left(self) -> float:
        return self.seconds - (time.thread_time() - self._begun)

    def _is_over(self) -> bool:
        return self.cancelled() or self._left() <= 0

    def _budget(self, moves: int, *, polishes_all: bool = True) -> FleetBudget:
        return FleetBudget(
            seconds=max(0.01, self._left()),
            moves=moves,
            cancelled=self.cancelled,
            clock=time.thread_time,
            polishes_all=polishes_all,
        )


def _because_of_breaks(vehicle: str, binds: WhatBinds, pinned: str, which: str) -> UnassignedReason:
    """Say that a vehicle has no time for a stop, not even alone, because it has breaks."""
    named = (
        f"the break of {vehicle} ({which}) leaves" if which else f"the breaks of {vehicle} leave"
    )
    return UnassignedReason(
        vehicle=vehicle,
        type=Type.BREAKS,
        amount=binds.amount,
        limits=binds.limits,
        break_=binds.break_,
        description=f"{pinned}{named} no time for it even alone: {binds.words}",
    )


def _above(money: float) -> float:
    """Return the next whole cent above an amount: so much more is enough."""
    return (math.floor(max(0.0, money) * 100) + 1) / 100
