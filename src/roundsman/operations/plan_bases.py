"""Plans that are based on others: the same day, patched by fixes, from the routes found there on.

A fix changes what the plan is computed from and nothing else: a window that closes later in a plan
closes when it did on the imported stop, whose route then shows it as late.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from msgspec.structs import replace

from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleToPlan, WidenedWindow
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.model import UNSET
from roundsman.domain.plan import Plan, PlanProposal, PlanStatus
from roundsman.domain.plan_draft import PlanBreak, PlanDraft, PlanOptions, PlanShift
from roundsman.domain.time_window import TimeWindow
from roundsman.domain.unassigned_stop import (
    BlockingBreak,
    PlanFix,
    PlanFixType,
    UnassignedStop,
)
from roundsman.kit.durations import from_seconds, whole_seconds
from roundsman.routing.fleet_break_changes import SHORTEST_BREAK
from roundsman.routing.fleet_problem import moves_of

_RESOLVED_ALREADY = ("unassigned_cost", "lateness_cost_per_hour", "max_lateness", "territories")


def require_basis(plan: Plan) -> None:
    """Refuse a plan that is not finished, or whose stops are on routes by now."""
    if plan.status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED}:
        return
    violation = PreconditionViolation(
        type="status",
        subject=plan.id,
        description="base a plan on one that is COMPLETED or CANCELLED",
    )
    raise FailedPrecondition(f"plan is {plan.status.value}", [violation])


def plan_again(
    asked: PlanDraft, basis: Plan, given: DayToPlan, proposal: PlanProposal
) -> tuple[DayToPlan, PlanOptions]:
    """Return the day of a plan with fixes of it, and the options of the new one."""
    options = basis.options if asked.options == PlanOptions() else asked.options
    if not options.territories:
        options = replace(options, territories=basis.options.territories)
    _refuse_other_prices(options, basis.options)
    fixes = {fix.index: (out, fix) for out in proposal.unassigned for fix in out.fixes}
    unknown = [
        FieldViolation(
            field=f"fixes[{number}]", description=f"{index} is no fix of the plan {basis.id}"
        )
        for number, index in enumerate(asked.fixes)
        if index not in fixes
    ]
    if unknown:
        raise InvalidArgument(f"{unknown[0].field} {unknown[0].description}", unknown)
    day = replace(given, first_routes=_routes_of(given, proposal))
    chosen = [fixes[index] for index in dict.fromkeys(asked.fixes)]
    if chosen:
        day = _keep_served(day, [out for out, _ in chosen])
    for _, fix in chosen:
        day = (
            _change_break(day, fix, fix.break_, given)
            if fix.break_
            else _PATCHES[fix.type](day, fix)
        )
    return (
        replace(
            day,
            moves=options.moves or moves_of(options.effort, len(given.stops)),
            max_seconds=options.max_seconds,
            seed=options.seed,
            priority_inversion_cost=options.priority_inversion_cost,
            max_moved_stops=options.max_moved_stops,
            moved_stop_cost=options.moved_stop_cost,
            churn_curve=options.churn_curve,
            compactness=options.compactness,
            balance=options.balance,
            other_vehicle_cost=options.other_vehicle_cost,
            explain=options.explain,
        ),
        options,
    )


def _refuse_other_prices(options: PlanOptions, before: PlanOptions) -> None:
    """Refuse what each stop has had already, in another size."""
    violations = [
        FieldViolation(
            field=f"options.{PlanOptions.__struct_encode_fields__[number]}",
            description="is that of the plan in basedOn",
        )
        for number, name in enumerate(PlanOptions.__struct_fields__)
        if name in _RESOLVED_ALREADY and getattr(options, name) != getattr(before, name)
    ]
    if violations:
        raise InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)


def _routes_of(given: DayToPlan, proposal: PlanProposal) -> tuple[tuple[int, ...], ...]:
    """Return the routes that were found, or those that a search would have begun with.

    A plan that was cancelled before its search has found none, and locks hold what is on a route.
    """
    if not proposal.routes:
        return given.first_routes or tuple(
            vehicle.present_route.stops if vehicle.present_route else ()
            for vehicle in given.vehicles
        )
    numbers = {stop.name(): number for number, stop in enumerate(given.stops)}
    numbers |= {
        stop.route_stop_id: number for number, stop in enumerate(given.stops) if stop.route_stop_id
    }
    routes = {
        route.vehicle: tuple(
            numbers[step.route_stop_id or step.origin_id()]
            for step in route.steps
            if (step.route_stop_id or step.origin_id()) in numbers
        )
        for route in proposal.routes
    }
    return tuple(routes.get(vehicle.id, ()) for vehicle in given.vehicles)


def _keep_served(day: DayToPlan, also: Sequence[UnassignedStop]) -> DayToPlan:
    """Return the day where all who were served, and these as well, come before other stops.

    Prices alone would give the room that a fix makes to whoever needs less of it.
    """
    served = {number for route in day.first_routes for number in route}
    names = {out.imported_stop_id or out.store_order_id or out.route_stop_id for out in also}
    stops = [
        replace(stop, must_be_served=True) if number in served or stop.name() in names else stop
        for number, stop in enumerate(day.stops)
    ]
    return replace(day, stops=tuple(stops))


def _close_later(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    def change(stop: StopToPlan) -> StopToPlan:
        if fix.time_window:
            return _widen_window(stop, fix.time_window, later=int(fix.amount))
        later = stop.closes_later_seconds + int(fix.amount)
        return replace(stop, closes_later_seconds=later)

    return _with_stop(day, fix, change)


def _open_earlier(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    def change(stop: StopToPlan) -> StopToPlan:
        if fix.time_window:
            return _widen_window(stop, fix.time_window, earlier=int(fix.amount))
        earlier = stop.opens_earlier_seconds + int(fix.amount)
        return replace(stop, opens_earlier_seconds=earlier)

    return _with_stop(day, fix, change)


def _widen_window(
    stop: StopToPlan, window: TimeWindow, *, earlier: int = 0, later: int = 0
) -> StopToPlan:
    """Return a stop of which one window is longer, beside what fixes have changed before."""
    widened = {one.index: one for one in stop.widened_windows}
    index = stop.time_windows.index(window)
    before = widened.get(index, WidenedWindow(index=index))
    widened[index] = replace(
        before,
        opens_earlier_seconds=before.opens_earlier_seconds + earlier,
        closes_later_seconds=before.closes_later_seconds + later,
    )
    return replace(stop, widened_windows=tuple(widened.values()))


def _unpin(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    return _with_stop(
        day, fix, lambda stop: replace(stop, pinned_vehicle=UNSET, pinned_position=UNSET)
    )


def _drop_stop(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    """Return the day with a stop that nobody may serve."""
    number = next(number for number, stop in enumerate(day.stops) if stop.name() == fix.subject)
    routes = [tuple(one for one in route if one != number) for route in day.first_routes]
    day = replace(day, first_routes=tuple(routes))

    def change(stop: StopToPlan) -> StopToPlan:
        return replace(stop, vehicles=(), pinned_vehicle=UNSET, must_be_served=False)

    return _with_stop(day, fix, change)


def _extend_shift(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    def change(vehicle: VehicleToPlan) -> VehicleToPlan:
        end = vehicle.shift.end + timedelta(seconds=fix.amount)
        return replace(vehicle, shift=replace(vehicle.shift, end=end))

    return _with_vehicle(day, fix, change)


def _raise_capacity(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    def change(vehicle: VehicleToPlan) -> VehicleToPlan:
        raised = vehicle.capacities.get(fix.name, 0.0) + fix.amount
        return replace(vehicle, capacities={**vehicle.capacities, fix.name: raised})

    return _with_vehicle(day, fix, change)


def _raise_limit(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    amount = int(fix.amount)

    def change(vehicle: VehicleToPlan) -> VehicleToPlan:
        match fix.name:
            case "maxStops":
                return replace(vehicle, max_stops=vehicle.max_stops + amount)
            case "maxDistanceMeters":
                metres = vehicle.max_distance_meters + amount
                return replace(vehicle, max_distance_meters=metres)
            case _:
                seconds = amount + (
                    whole_seconds(vehicle.max_duration) if vehicle.max_duration else 0
                )
                return replace(vehicle, max_duration=from_seconds(seconds))

    return _with_vehicle(day, fix, change)


def _change_break(
    day: DayToPlan, fix: PlanFix, named: BlockingBreak, given: DayToPlan
) -> DayToPlan:
    """Return the day where a break may begin sooner or later, or is shorter.

    The fix names the break as it was given. Fixes of one break add up, as far as one may go alone.
    """
    by = timedelta(seconds=fix.amount)

    def change(rest: PlanBreak, shift: PlanShift) -> PlanBreak:
        span = rest.time_window
        match fix.type:
            case PlanFixType.START_BREAK_EARLIER:
                start = max(span.start - by, shift.start)
                return replace(rest, time_window=replace(span, start=start))
            case PlanFixType.START_BREAK_LATER:
                end = min(span.end + by, shift.end)
                return replace(rest, time_window=replace(span, end=end))
        seconds = whole_seconds(rest.duration) - int(fix.amount)
        return replace(rest, duration=from_seconds(max(seconds, SHORTEST_BREAK)))

    before = next(vehicle for vehicle in given.vehicles if vehicle.id == fix.subject)
    number = next(
        number
        for number, rest in enumerate(before.breaks)
        if (rest.time_window, rest.duration) == (named.time_window, named.duration)
    )

    def change_named(vehicle: VehicleToPlan) -> VehicleToPlan:
        breaks = list(vehicle.breaks)
        breaks[number] = change(breaks[number], vehicle.shift)
        return replace(vehicle, breaks=tuple(breaks))

    return _with_vehicle(day, fix, change_named)


def _grant_skill(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    return _with_vehicle(
        day, fix, lambda vehicle: replace(vehicle, skills=(*vehicle.skills, fix.name))
    )


def _add_vehicle(day: DayToPlan, fix: PlanFix) -> DayToPlan:
    """Return the day with one more vehicle of a kind, which is none of the fleet."""
    number, like = next(
        (number, one) for number, one in enumerate(day.vehicles) if one.id == fix.subject
    )
    ids = {one.id for one in day.vehicles}
    id_ = next(
        name for count in range(2, len(ids) + 3) if (name := f"{like.id}+{count}") not in ids
    )

    def also(vehicles: tuple[int, ...]) -> tuple[int, ...]:
        return (*vehicles, len(day.vehicles)) if number in vehicles else vehicles

    stops = [
        replace(
            stop,
            vehicles=also(stop.vehicles) if stop.vehicles else stop.vehicles,
            preferred_vehicles=also(stop.preferred_vehicles),
        )
        for stop in day.stops
    ]
    territories = [replace(one, vehicles=also(one.vehicles)) for one in day.territories]
    return replace(
        day,
        stops=tuple(stops),
        territories=tuple(territories),
        vehicles=(*day.vehicles, replace(like, id=id_, vehicle_id="", driver_id="")),
        first_routes=(*day.first_routes, ()),
    )


_PATCHES: Mapping[PlanFixType, Callable[[DayToPlan, PlanFix], DayToPlan]] = {
    PlanFixType.CLOSE_LATER: _close_later,
    PlanFixType.OPEN_EARLIER: _open_earlier,
    PlanFixType.EXTEND_SHIFT: _extend_shift,
    PlanFixType.RAISE_CAPACITY: _raise_capacity,
    PlanFixType.RAISE_LIMIT: _raise_limit,
    PlanFixType.GRANT_SKILL: _grant_skill,
    PlanFixType.ADD_VEHICLE: _add_vehicle,
    PlanFixType.UNPIN: _unpin,
    PlanFixType.DROP_STOP: _drop_stop,
}
"""Of fixes that name no break."""


def _with_stop(
    day: DayToPlan, fix: PlanFix, change: Callable[[StopToPlan], StopToPlan]
) -> DayToPlan:
    stops = [change(stop) if stop.name() == fix.subject else stop for stop in day.stops]
    return replace(day, stops=tuple(stops))


def _with_vehicle(
    day: DayToPlan, fix: PlanFix, change: Callable[[VehicleToPlan], VehicleToPlan]
) -> DayToPlan:
    vehicles: Sequence[VehicleToPlan] = [
        change(vehicle) if vehicle.id == fix.subject else vehicle for vehicle in day.vehicles
    ]
    return replace(day, vehicles=tuple(vehicles))
