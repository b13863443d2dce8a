"""What is said to keep a stop out does keep it out, and what is said to help does help."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import product

import pytest
from msgspec.structs import replace
from tests.routing.short_days import BEGINS, DEPOT, draw_short_day

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleToPlan
from roundsman.domain.plan import Plan, PlanProposal, PlanStatus
from roundsman.domain.plan_draft import BreakSpan, PlanBreak, PlanDraft, PlanOptions, PlanShift
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.unassigned_stop import (
    BindingLimit,
    BlockingBreak,
    PlanFix,
    PlanFixType,
    UnassignedStop,
)
from roundsman.domain.unassigned_stop import UnassignedReasonType as Type
from roundsman.domain.vehicle import USUAL_COSTS
from roundsman.kit.durations import from_seconds, whole_seconds
from roundsman.operations.plan_bases import plan_again
from roundsman.planning.fleet import FleetBudget, FleetPlan, plan_fleet
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.fleet_problem import FleetDay, pose_fleet_problem
from roundsman.routing.fleet_unassigned import list_unassigned

pytestmark = pytest.mark.spec("decisions §21")

SEEDS = range(16)
LIMITS = {
    Type.CAPACITIES, Type.SHIFT, Type.MAX_STOPS, Type.MAX_DURATION, Type.MAX_DISTANCE_METERS,
    Type.TIME_WINDOWS,
}  # fmt: skip


@dataclass(frozen=True)
class Planned:
    """A day with its plan, and what stays out."""

    given: DayToPlan
    day: FleetDay
    found: FleetPlan
    unassigned: tuple[UnassignedStop, ...]

    def serves(self, given: DayToPlan, name: str) -> bool:
        """Say whether a changed day serves a stop beside all that were served and are there."""
        again = search(pose(given))
        names = [stop.name() for stop in given.stops]
        out = {names[index] for index in again.unassigned}
        before = {self.given.stops[index].name() for index in self.found.unassigned}
        return name not in out and out <= before


def pose(given: DayToPlan) -> FleetDay:
    return pose_fleet_problem(given, EstimatedRoads())


def search(day: FleetDay) -> FleetPlan:
    budget = FleetBudget(seconds=600, moves=day.given.moves)
    return plan_fleet(day.problem, budget, seed=day.given.seed)


@cache
def planned(seed: int) -> Planned:
    given = draw_short_day(seed)
    day = pose(given)
    found = search(day)
    # As long as it takes: what is offered counts here, not how much there is time for.
    unassigned = list_unassigned(day, found, spent=15.0, cancelled=lambda: False)
    return Planned(given, day, found, unassigned)


def routes_first(of: Planned, name: str) -> DayToPlan:
    """Return the day that begins with its plan, where whoever is served and one more has to be."""
    stops_of = {route.vehicle: tuple(route.stops) for route in of.found.routes}
    routes = tuple(stops_of.get(number, ()) for number in range(len(of.given.vehicles)))
    served = {one for route in routes for one in route}
    stops = [
        replace(stop, must_be_served=number in served or stop.name() == name)
        for number, stop in enumerate(of.given.stops)
    ]
    return replace(of.given, stops=tuple(stops), first_routes=routes)


def alone(given: DayToPlan, name: str) -> DayToPlan:
    """Return the day with one stop and no other."""
    stops = tuple(stop for stop in given.stops if stop.name() == name)
    return replace(given, stops=stops, first_routes=())


def with_limits(given: DayToPlan, limits: Sequence[BindingLimit]) -> DayToPlan:
    """Return the day where the limits of one vehicle give way by what they are exceeded by."""
    for limit in limits:
        stops = [
            replace(stop, closes_later_seconds=int(limit.amount))
            if limit.type is Type.TIME_WINDOWS and stop.name() == limit.subject
            else stop
            for stop in given.stops
        ]
        vehicles = [
            raised(van, limit) if van.id == limit.vehicle else van for van in given.vehicles
        ]
        given = replace(given, stops=tuple(stops), vehicles=tuple(vehicles))
    return given


def raised(van: VehicleToPlan, limit: BindingLimit) -> VehicleToPlan:
    amount = int(limit.amount)
    match limit.type:
        case Type.CAPACITIES:
            more = {limit.subject: van.capacities[limit.subject] + limit.amount}
            return replace(van, capacities={**van.capacities, **more})
        case Type.SHIFT:
            end = van.shift.end + timedelta(seconds=amount)
            return replace(van, shift=replace(van.shift, end=end))
        case Type.MAX_STOPS:
            return replace(van, max_stops=van.max_stops + amount)
        case Type.MAX_DISTANCE_METERS:
            return replace(van, max_distance_meters=van.max_distance_meters + amount)
        case Type.MAX_DURATION:
            assert van.max_duration
            return replace(van, max_duration=from_seconds(whole_seconds(van.max_duration) + amount))
        case Type.BREAKS:
            breaks = [
                replace(rest, time_window=replace(rest.time_window, end=later_by(rest, amount)))
                for rest in van.breaks
            ]
            return replace(van, breaks=tuple(breaks))
    return van


def later_by(rest: object, seconds: int) -> datetime:
    end: datetime = rest.time_window.end  # type: ignore[attr-defined]
    return end + timedelta(seconds=seconds)


def test_a_vehicle_has_room_once_all_that_binds_it_gives_way_by_its_amount() -> None:
    seen: Counter[Type] = Counter()
    for of in map(planned, SEEDS):
        for out in of.unassigned:
            for reason in out.reasons:
                if reason.type is not Type.CONTENTION:
                    continue
                assert reason.limits, reason
                vehicle = reason.limits[0].vehicle
                limits = [one for one in reason.limits if one.vehicle == vehicle]
                assert min(one.amount for one in limits) > 0
                day = routes_first(of, out.imported_stop_id)
                # There may be one place alone: it takes a while to find.
                given = replace(with_limits(day, limits), moves=4_000)
                assert of.serves(given, out.imported_stop_id), (of.given.seed, reason)
                seen.update(one.type for one in limits)
    assert set(seen) >= LIMITS, seen


def test_without_the_break_that_is_named_there_is_time() -> None:
    kinds: Counter[Type] = Counter()
    for of in map(planned, SEEDS):
        for out in of.unassigned:
            for reason in out.reasons:
                named = reason.break_
                if not named:
                    continue
                kinds[reason.type] += 1
                day = routes_first(of, out.imported_stop_id)
                vans = [
                    replace(van, breaks=()) if van.id == named.vehicle else van
                    for van in day.vehicles
                ]
                if reason.type is Type.BREAKS:
                    day = alone(day, out.imported_stop_id)
                    assert not of.serves(day, out.imported_stop_id)
                assert of.serves(replace(day, vehicles=tuple(vans)), out.imported_stop_id)
                assert f"break of {named.vehicle} (45 min between 10:00 and 10:20)" in (
                    reason.description
                )
    assert kinds[Type.CONTENTION]
    assert kinds[Type.BREAKS]


def test_whatever_is_offered_brings_its_stop_in_when_it_is_planned_again() -> None:
    seen: Counter[PlanFixType] = Counter()
    for of in map(planned, SEEDS):
        proposal = PlanProposal(routes=of.day.show_routes(of.found), unassigned=of.unassigned)
        basis = Plan(
            id="basis",
            name="basis",
            status=PlanStatus.COMPLETED,
            created_at=of.day.begins,
            options=PlanOptions(priority_inversion_cost=0.0),
        )
        for out in of.unassigned:
            windows = next(
                stop.time_windows for stop in of.given.stops if stop.name() == out.imported_stop_id
            )
            for fix in out.fixes:
                if fix.type is PlanFixType.DROP_STOP:
                    continue
                options = PlanOptions(moves=5_000, priority_inversion_cost=0.0, explain=False)
                asked = PlanDraft(based_on="basis", fixes=(fix.index,), options=options)
                given, _ = plan_again(asked, basis, of.given, proposal)
                assert of.serves(given, out.imported_stop_id), (of.given.seed, fix)
                seen[fix.type] += 1
                if fix.type in {PlanFixType.CLOSE_LATER, PlanFixType.OPEN_EARLIER}:
                    assert fix.time_window in windows
                    changed = next(one for one in given.stops if one.name() == fix.subject)
                    (widened,) = changed.widened_windows
                    assert windows[widened.index] == fix.time_window
    assert {
        PlanFixType.START_BREAK_LATER,
        PlanFixType.SHORTEN_BREAK,
        PlanFixType.CLOSE_LATER,
        PlanFixType.OPEN_EARLIER,
    } <= set(seen), seen


def test_fixes_of_one_break_add_up_as_far_as_one_of_them_may_go() -> None:
    of = next(of for of in map(planned, SEEDS) if of.given.vehicles[0].breaks and of.unassigned)
    van = of.given.vehicles[0]
    (rest,) = van.breaks
    named = BlockingBreak(vehicle=van.id, time_window=rest.time_window, duration=rest.duration)
    kinds = (
        PlanFixType.START_BREAK_EARLIER,
        PlanFixType.START_BREAK_LATER,
        PlanFixType.SHORTEN_BREAK,
    )
    fixes = tuple(
        PlanFix(type=kind, index=index, subject=van.id, amount=amount, break_=named)
        for index, (kind, amount) in enumerate(product(kinds, (600.0, 900.0, 86_400.0)))
    )
    proposal = PlanProposal(unassigned=(replace(of.unassigned[0], fixes=fixes),))
    basis = Plan(id="basis", name="basis", status=PlanStatus.COMPLETED, created_at=of.day.begins)

    def rest_with(*indexes: int) -> PlanBreak:
        given, _ = plan_again(PlanDraft(based_on="basis", fixes=indexes), basis, of.given, proposal)
        return given.vehicles[0].breaks[0]

    minutes = timedelta(minutes=1)
    begins, ends = rest.time_window.start, rest.time_window.end
    assert rest_with(0, 1, 3, 6) == replace(
        rest,
        time_window=BreakSpan(start=begins - 25 * minutes, end=ends + 10 * minutes),
        duration=from_seconds(whole_seconds(rest.duration) - 600),
    )
    assert rest_with(1, 2, 4, 5, 7, 8) == PlanBreak(
        time_window=BreakSpan(start=van.shift.start, end=van.shift.end), duration=from_seconds(900)
    )


def test_who_is_served_late_cannot_wait_for_a_later_departure() -> None:
    """A van that leaves at eight to be a little late waits longer than it may be on the road."""

    def stop(name: str, minutes: int, *windows: TimeWindow) -> StopToPlan:
        return StopToPlan(
            imported_stop_id=name,
            updated_at=BEGINS,
            coordinates=DEPOT.coordinates,
            duration=from_seconds(60 * minutes),
            time_windows=windows,
            loads={},
            unassigned_cost=10_000.0 if name == "served" else 100.0,
            lateness_cost_per_hour=10.0,
            max_lateness_seconds=600,
        )

    half_past_nine = TimeOfDay(hours=9, minutes=30)
    early = TimeWindow(start=TimeOfDay(hours=7), end=TimeOfDay(hours=7, minutes=55))
    short = TimeWindow(start=half_past_nine, end=TimeOfDay(hours=9, minutes=35))
    given = DayToPlan(
        stops=(stop("served", 30, short), stop("out", 30, early, short)),
        vehicles=(
            VehicleToPlan(
                id="van",
                start=DEPOT,
                end=DEPOT,
                shift=PlanShift(start=BEGINS, end=BEGINS + timedelta(hours=8)),
                capacities={},
                max_duration=from_seconds(4_200),
                costs=USUAL_COSTS,
            ),
        ),
        moves=500,
        max_seconds=600,
        seed=1,
        priority_inversion_cost=0.0,
    )
    day = pose(given)
    (out,) = list_unassigned(day, search(day), spent=15.0, cancelled=lambda: False)
    (reason,) = out.reasons
    assert out.imported_stop_id == "out"
    assert reason.limits, reason.description


def test_a_break_that_a_van_takes_while_it_would_wait_for_a_window_is_not_in_its_way() -> None:
    at_ten = TimeWindow(start=TimeOfDay(hours=10), end=TimeOfDay(hours=11))
    rest = PlanBreak(
        time_window=BreakSpan(
            start=BEGINS + timedelta(minutes=85), end=BEGINS + timedelta(minutes=145)
        ),
        duration=from_seconds(2_700),
    )
    given = DayToPlan(
        stops=tuple(
            StopToPlan(
                imported_stop_id=name,
                updated_at=BEGINS,
                coordinates=Coordinates(latitude=39.33, longitude=-76.61),
                duration=from_seconds(1_500),
                time_windows=(at_ten,),
                loads={},
                unassigned_cost=10_000.0,
            )
            for name in ("one", "other")
        ),
        vehicles=(
            VehicleToPlan(
                id="van",
                start=DEPOT,
                end=DEPOT,
                shift=PlanShift(start=BEGINS, end=BEGINS + timedelta(hours=3)),
                capacities={},
                breaks=(rest,),
                costs=USUAL_COSTS,
            ),
        ),
        moves=500,
        max_seconds=600,
        seed=1,
        priority_inversion_cost=0.0,
    )
    day = pose(given)
    (out,) = list_unassigned(day, search(day), spent=15.0, cancelled=lambda: False)
    (reason,) = out.reasons
    assert reason.type is Type.CONTENTION, reason.description
