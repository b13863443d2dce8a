"""Applying a plan: routes are made of what it proposes, all of them or none (decisions §21).

What the plan was computed from must be as it was: a stop that has changed, gone or been put on a
route since is named, and nothing is written. Applied again, a plan answers the same routes, or
names those that were deleted since.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.arrival_window import ArrivalSpreads
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.day_to_plan import (
    DayToPlan,
    ReloadLocation,
    VehicleLocation,
    VehicleToPlan,
)
from roundsman.domain.driver import name_of_driver
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.event import plan_happened
from roundsman.domain.execution_events import stops_removed
from roundsman.domain.loads import ITEMS, KILOGRAMS, MOST_AMOUNT
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import (
    AppliedPlan,
    PlanProposal,
    PlanRoute,
    PlanStep,
    PlanStepType,
    require_routes,
    with_proposal,
)
from roundsman.domain.plan_draft import PlanBreak, PlanRouteDetails
from roundsman.domain.planned_days import nearest_planned_instant
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_stop import RouteStop, StopSource
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.domain.topics import Topic
from roundsman.kit.durations import whole_seconds
from roundsman.kit.ids import new_id
from roundsman.operations.arrival_learning import load_spreads
from roundsman.operations.new_plan_stops import (
    NewStops,
    find_stale_stops,
    read_new_stops,
    stop_steps,
)
from roundsman.operations.plan_route_changes import (
    ReadRoutes,
    RouteChanges,
    find_stale_routes,
    join_route,
    read_present_routes,
    require_whole_moves,
)
from roundsman.operations.plans import load_plan
from roundsman.operations.request import Request
from roundsman.operations.route_changes import (
    assign,
    assign_stored,
    save_changed,
    save_created,
    until_current,
)
from roundsman.operations.stop_corrections import return_corrections
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.routing.route_problem import zone_of
from roundsman.routing.timing import time_route
from roundsman.storage import plans as stored
from roundsman.storage.organizations import count_route
from roundsman.storage.routes import (
    VersionConflict,
    find_route,
    release_stops,
)

_RELOAD = "Reload"
"""What a stop is called where a vehicle loads again."""


def apply_plan(
    tools: Tools,
    request: Request,
    plan_id: str,
    vehicles: Sequence[str] | UnsetType,
    details: PlanRouteDetails,
) -> AppliedPlan:
    """Make routes of a plan, or of a part of it, in one transaction.

    Routes that exist and take part are changed; it is all worked out again while somebody else
    changes one of them at the same moment.
    """

    def attempt() -> AppliedPlan:
        return _apply(tools, request, plan_id, vehicles, details)

    return until_current(tools, [plan_id], attempt)


def _apply(
    tools: Tools,
    request: Request,
    plan_id: str,
    vehicles: Sequence[str] | UnsetType,
    details: PlanRouteDetails,
) -> AppliedPlan:
    with tools.database.reading() as tx:
        plan = load_plan(tx, request.organization_id, plan_id)
        plan.require_applicable()
        given = stored.load_plan_input(tx, plan_id)
        proposal = stored.load_proposal(tx, plan_id)
        require_routes(plan, proposal)
        unmade = _list_unmade(proposal, _choose(proposal, vehicles))
        require_whole_moves(given, proposal, unmade)
        read = read_present_routes(tx, request.organization_id, given, unmade)
        stops = read_new_stops(tx, request.organization_id, given, unmade)
    stale_routes = find_stale_routes(given, proposal, read)
    drafts = _PlannedRoutes(tools, request.organization_id, given, stops, read.stops(), details)
    changes = RouteChanges(tools=tools, given=given, read=read, new_stops=stops)
    made = {
        route.vehicle: changes.change(route) if route.route_id else drafts.draw_up(route)
        for route in unmade
        if stops.has_all(route) and not stale_routes
    }
    with begin_work(tools, request) as work:
        plan = load_plan(work.tx, work.organization_id, plan_id, locked=True)
        proposal = stored.load_proposal(work.tx, plan_id)
        wanted = _choose(proposal, vehicles)
        if _list_unmade(proposal, wanted) != unmade:
            raise VersionConflict("the plan was applied at the same time; send the request again")
        _require_current(work, given, unmade, stale_routes)
        _take_off_stops(work, read, unmade, made.values())
        for route in unmade:
            proposal = _store(work, read, made[route.vehicle], route, proposal)
        if unmade:
            plan = plan.applied()
            stored.save_plan(work.tx, plan)
            stored.save_proposal(work.tx, plan_id, proposal)
            work.record(plan_happened(Topic.PLAN_APPLIED, plan))
        routes = _read_made(work, _choose(proposal, vehicles))
        answer = AppliedPlan(routes=routes, plan=with_proposal(plan, proposal))
        return work.done(answer)


def _take_off_stops(
    work: UnitOfWork, read: ReadRoutes, planned: Sequence[PlanRoute], made: Iterable[Route]
) -> None:
    """Have stops leave their routes: for others of the plan, or for the pool."""
    changing = [one.route for one in read.stored.values() if one is not None]
    return_corrections(work, changing, made)
    release_stops(work.tx, work.organization_id, read.list_moved(planned))


def _list_unmade(proposal: PlanProposal, routes: Sequence[PlanRoute]) -> list[PlanRoute]:
    return [route for route in routes if route.vehicle not in proposal.applied]


def _store(
    work: UnitOfWork,
    read: ReadRoutes,
    route: Route,
    planned: PlanRoute,
    proposal: PlanProposal,
) -> PlanProposal:
    """Store a route, a new one or one that has changed; return the proposal that says so."""
    before = read.stored.get(route.id)
    if before is None:
        saved = _save(work, route)
        proposal = _with_route(proposal, planned.vehicle, saved.route.id)
    elif route != before.route:
        save_changed(work, before, route, happened=stops_removed)
    return replace(proposal, applied=(*proposal.applied, planned.vehicle))


def _choose(proposal: PlanProposal, vehicles: Sequence[str] | UnsetType) -> list[PlanRoute]:
    """Return the routes of these vehicles, or all; refuse a vehicle that has none."""
    if isinstance(vehicles, UnsetType):
        return list(proposal.routes)
    by_vehicle = {route.vehicle: route for route in proposal.routes}
    unknown = [
        FieldViolation(field=f"vehicles[{number}]", description=f"{name} has no route in the plan")
        for number, name in enumerate(vehicles)
        if name not in by_vehicle
    ]
    if unknown:
        raise InvalidArgument(f"{unknown[0].field} {unknown[0].description}", unknown)
    return [by_vehicle[name] for name in dict.fromkeys(vehicles)]


def _require_current(
    work: UnitOfWork,
    given: DayToPlan,
    routes: Sequence[PlanRoute],
    stale_routes: Sequence[PreconditionViolation],
) -> None:
    """Refuse routes of which something has changed since they were planned."""
    stale = [*stale_routes, *find_stale_stops(work.tx, work.organization_id, given, routes)]
    if stale:
        raise FailedPrecondition("the plan is out of date; plan again", stale)


def _read_made(work: UnitOfWork, planned: Sequence[PlanRoute]) -> tuple[AssignedRoute, ...]:
    """Return the routes that these have become; refuse one that somebody has deleted since."""
    known = [find_route(work.tx, work.organization_id, route.route_id) for route in planned]
    gone = [
        PreconditionViolation(
            type="STALE_ROUTE",
            subject=route.route_id,
            description=f"the route of {route.vehicle} was deleted since the plan was applied",
        )
        for route, one in zip(planned, known, strict=True)
        if one is None
    ]
    if gone:
        raise FailedPrecondition("the plan is out of date; plan again", gone)
    return tuple(assign_stored(work.tx, work.organization_id, one) for one in known if one)


def _name_of(assigned: AssignedRoute, number: int) -> str:
    """Return the name of the vehicle of the fleet, else of the vehicle in the plan.

    A vehicle that was given no id has its driver's there, or its place in the request: nobody
    calls a route so.
    """
    name, driver_id = assigned.route.name, assigned.route.driver_id
    if assigned.vehicle is not None:
        return assigned.vehicle.name
    if driver_id and name.startswith(driver_id):
        return name_of_driver(assigned.driver) or f"#{number}"
    return f"#{number}" if name.startswith("vehicles[") else name


def _save(work: UnitOfWork, route: Route) -> AssignedRoute:
    """Store a route that is called like its vehicle in the plan, or by something better."""
    number = count_route(work.tx, work.organization_id)
    assigned = assign(work.tx, work.organization_id, route)
    name = _name_of(assigned, number)
    made = replace(route, number=number, name=name, created_at=work.now, updated_at=work.now)
    assigned = replace(assigned, route=made)
    if assigned.vehicle is not None and assigned.vehicle.is_archived:
        violation = PreconditionViolation(
            type="VEHICLE_ARCHIVED",
            subject=assigned.vehicle.id,
            description="was archived since the plan was made",
        )
        raise FailedPrecondition("the plan is out of date; plan again", [violation])
    assigned.require_driver(work.now)
    return save_created(work, assigned)


def _with_route(proposal: PlanProposal, vehicle: str, route_id: str) -> PlanProposal:
    routes = tuple(
        replace(route, route_id=route_id) if route.vehicle == vehicle else route
        for route in proposal.routes
    )
    return replace(proposal, routes=routes)


@dataclass(frozen=True)
class _PlannedRoutes:
    """Makes routes of what was planned, not stored yet."""

    tools: Tools
    organization_id: str
    given: DayToPlan
    new_stops: NewStops
    present: Mapping[str, RouteStop]
    """Stops of routes that exist, by their own ids."""

    details: PlanRouteDetails

    @cached_property
    def _spreads(self) -> ArrivalSpreads | UnsetType:
        return load_spreads(self.tools, self.organization_id)

    def draw_up(self, planned: PlanRoute) -> Route:
        """Return a route with its stops, breaks and reloads in order, timed from its departure."""
        vehicle = next(one for one in self.given.vehicles if one.id == planned.vehicle)
        empty = self._draw_up_empty(planned, vehicle)
        stops: list[RouteStop] = []
        for step in planned.steps:
            if step.type is PlanStepType.STOP:
                stops.append(self._stop_of(step, empty))
                continue
            if step.type is PlanStepType.RELOAD:
                stops.append(self._draw_up_reload(vehicle.reloads[step.reload_index or 0]))
                continue
            here = stops[-1].planned_coordinates if stops else empty.start.coordinates
            stops.append(self._draw_up_break(_break_of(step, vehicle.breaks), here))
        whole = replace(empty, stops=tuple(stops))
        require_route_fits(empty, whole)
        return time_route(whole, self.tools.roads).route.with_order_computed()

    def _stop_of(self, step: PlanStep, route: Route) -> RouteStop:
        if step.route_stop_id:
            return join_route(self.present[step.route_stop_id], route, self.tools.clock.now())
        return self.new_stops.make_stop(step, route, self.tools)

    def _draw_up_empty(self, planned: PlanRoute, vehicle: VehicleToPlan) -> Route:
        now = self.tools.clock.now()
        others = sum(step.type is not PlanStepType.STOP for step in planned.steps)
        trips = 1 + sum(step.type is PlanStepType.RELOAD for step in planned.steps)
        capacities = vehicle.capacities
        return Route(
            id=new_id(self.tools.ids, "rte"),
            number=0,
            name=planned.vehicle,
            start=self._start_of(planned, vehicle),
            end=(
                RouteEnd(
                    address=vehicle.end.address,
                    coordinates=vehicle.end.coordinates,
                    geocoding=vehicle.end.geocoding,
                )
                if isinstance(vehicle.end, VehicleLocation)
                else UNSET
            ),
            created_at=now,
            updated_at=now,
            scheduled_for=nearest_planned_instant(planned.departure),
            vehicle_id=planned.vehicle_id,
            driver_id=planned.driver_id,
            note=self.details.note,
            tags=self.details.tags,
            stop_tasks=self.details.stop_tasks,
            max_stops=_limit(vehicle.max_stops + others) if vehicle.max_stops else 0,
            max_duration=vehicle.max_duration,
            max_item_count=int(capacities.get(ITEMS, 0)) * trips,
            max_kilograms=_limit(capacities.get(KILOGRAMS, 0.0) * trips),
            avoid_tolls=vehicle.avoid_tolls,
            avoid_u_turns=vehicle.avoid_u_turns,
            speed_factor=vehicle.speed_factor,
            arrival_spreads=self._spreads,
        )

    def _start_of(self, planned: PlanRoute, vehicle: VehicleToPlan) -> RouteStart:
        """Return where the vehicle starts; without a start that is where its first stop is."""
        at = vehicle.start or self._first_stop(planned)
        return RouteStart(address=at.address, coordinates=at.coordinates, geocoding=at.geocoding)

    def _first_stop(self, planned: PlanRoute) -> VehicleLocation:
        step = stop_steps(planned)[0]
        if not step.route_stop_id:
            return self.new_stops.locate(step)
        stop = self.present[step.route_stop_id]
        return VehicleLocation(
            address=stop.address, coordinates=stop.planned_coordinates, geocoding=stop.geocoding
        )

    def _draw_up_break(self, rest: PlanBreak, here: Coordinates) -> RouteStop:
        """Return a break as a stop where the vehicle stands, in the window that it may begin in."""
        zone = zone_of(here)
        opens = rest.time_window.start.astimezone(zone)
        closes = rest.time_window.end.astimezone(zone)
        is_within_day = closes - opens < timedelta(days=1)
        return RouteStop(
            id=new_id(self.tools.ids, "rst"),
            type=StopType.BREAK,
            updated_at=self.tools.clock.now(),
            duration=rest.duration,
            planned_coordinates=here,
            source=StopSource.MANUAL,
            time_windows=(
                (TimeWindow(start=_time_of_day(opens), end=_time_of_day(closes)),)
                if is_within_day
                else ()
            ),
            delivery_date=Date(year=opens.year, month=opens.month, day=opens.day),
        )

    def _draw_up_reload(self, place: ReloadLocation) -> RouteStop:
        """Return a reload as a stop where goods are fetched."""
        return RouteStop(
            id=new_id(self.tools.ids, "rst"),
            type=StopType.PICKUP,
            updated_at=self.tools.clock.now(),
            duration=place.duration,
            address=place.address,
            planned_coordinates=place.coordinates,
            geocoding=place.geocoding,
            source=StopSource.MANUAL,
            order_name=_RELOAD,
        )


def _limit[Amount: (int, float)](most: Amount) -> Amount:
    """Return a limit of a route: none where it is more than a route can say."""
    return most if most <= MOST_AMOUNT else type(most)(0)


def _break_of(step: PlanStep, breaks: Sequence[PlanBreak]) -> PlanBreak:
    """Return which break of the vehicle a step is: the first in whose window it begins."""
    return next(
        rest
        for rest in sorted(breaks, key=lambda one: one.time_window.start)
        if rest.time_window.start
        <= step.planned_departure - timedelta(seconds=whole_seconds(rest.duration))
        <= rest.time_window.end
    )


def _time_of_day(moment: datetime) -> TimeOfDay:
    return TimeOfDay(hours=moment.hour, minutes=moment.minute, seconds=moment.second)
