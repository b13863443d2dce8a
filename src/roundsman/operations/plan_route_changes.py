"""What applying a plan changes of routes that exist: their stops, in the order of the plan.

What a driver has done since stays where it was done, in front. Everything else must be as it was
when the plan was asked for, or the route is named as stale and nothing is written.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.day_to_plan import DayToPlan, PresentRoute, VehicleToPlan
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET
from roundsman.domain.plan import PlanProposal, PlanRoute, PlanStep
from roundsman.domain.plan_draft import RouteLock
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.operations.new_plan_stops import NewStops
from roundsman.operations.tools import Tools
from roundsman.routing.present_routes import digest_route
from roundsman.routing.timing import time_route, time_route_under_way
from roundsman.storage.database import Transaction
from roundsman.storage.routes import StoredRoute, find_route


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadRoutes:
    """The routes that a plan changes, as they are now; None is one that was deleted."""

    stored: Mapping[str, StoredRoute | None]
    """By the id of the route."""

    def stops(self) -> dict[str, RouteStop]:
        """Return every stop of them by its id."""
        return {stop.id: stop for one in self.stored.values() if one for stop in one.route.stops}

    def list_moved(self, planned: Sequence[PlanRoute]) -> list[str]:
        """Return the stops that come from another route than they are planned on."""
        moved = []
        for route in planned:
            stored = self.stored.get(route.route_id)
            own = {stop.id for stop in stored.route.stops} if stored else set()
            ids = (step.route_stop_id for step in route.steps)
            moved += [stop_id for stop_id in ids if stop_id and stop_id not in own]
        return moved


def read_present_routes(
    tx: Transaction, organization_id: str, given: DayToPlan, planned: Sequence[PlanRoute]
) -> ReadRoutes:
    """Return the routes that exist among those that are to be applied."""
    names = {route.vehicle for route in planned}
    return ReadRoutes(
        stored={
            present.id: find_route(tx, organization_id, present.id)
            for vehicle, present in _present_routes(given)
            if vehicle.id in names
        }
    )


def find_stale_routes(
    given: DayToPlan, proposal: PlanProposal, read: ReadRoutes
) -> list[PreconditionViolation]:
    """Find routes that are no longer what was planned; what a driver did in its place may be."""
    planned_on = _vehicles_of_stops(proposal)
    violations = []
    for vehicle, present in _present_routes(given):
        if present.id not in read.stored:
            continue
        problem = _problem_of(vehicle, present, read.stored[present.id], planned_on)
        if problem:
            violations.append(
                PreconditionViolation(type="STALE_ROUTE", subject=present.id, description=problem)
            )
    return violations


def _problem_of(
    vehicle: VehicleToPlan,
    present: PresentRoute,
    stored: StoredRoute | None,
    planned_on: Mapping[str, str],
) -> str:
    if stored is None:
        return "was deleted since the plan was made"
    if digest_route(stored.route) != present.basis:
        return "has changed since the plan was made"
    moved = [
        stop
        for stop in stored.route.stops
        if stop.is_done()
        and stop.type is not StopType.BREAK
        and planned_on.get(stop.id, vehicle.id) != vehicle.id
    ]
    if moved:
        return f"stop {moved[0].id} is done, which the plan gives to another vehicle"
    return ""


def require_whole_moves(
    given: DayToPlan, proposal: PlanProposal, planned: Sequence[PlanRoute]
) -> None:
    """Refuse to apply one route of two between which a stop moves."""
    names = {route.vehicle for route in planned}
    planned_on = _vehicles_of_stops(proposal)
    violations = []
    for vehicle, present in _present_routes(given):
        for number in present.stops:
            stop_id = given.stops[number].route_stop_id
            target = planned_on.get(stop_id)
            if target is None or target == vehicle.id:
                continue
            if (vehicle.id in names) != (target in names):
                missing = vehicle.id if target in names else target
                description = f"stop {stop_id} moves from {vehicle.id} to {target}; apply both"
                violations.append(
                    PreconditionViolation(type="vehicles", subject=missing, description=description)
                )
    if violations:
        raise FailedPrecondition("a stop moves between two routes; apply both", violations)


def _vehicles_of_stops(proposal: PlanProposal) -> dict[str, str]:
    return {
        step.route_stop_id: route.vehicle
        for route in proposal.routes
        for step in route.steps
        if step.route_stop_id
    }


def _present_routes(given: DayToPlan) -> Iterator[tuple[VehicleToPlan, PresentRoute]]:
    for vehicle in given.vehicles:
        if isinstance(vehicle.present_route, PresentRoute):
            yield vehicle, vehicle.present_route


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteChanges:
    """Makes of routes that exist what was planned, not stored yet."""

    tools: Tools
    given: DayToPlan
    read: ReadRoutes
    new_stops: NewStops

    def change(self, planned: PlanRoute) -> Route:
        """Return a route with the stops of the plan, timed anew; locked ones stay as they are."""
        stored = self.read.stored[planned.route_id]
        assert stored is not None  # noqa: S101 -- deleted ones are stale
        route = stored.route
        if self._lock_of(planned) is RouteLock.ALL:
            return route
        stops = self._stops_of(route, planned)
        if [stop.id for stop in stops] == [stop.id for stop in route.stops]:
            return route
        now = self.tools.clock.now()
        changed = replace(
            route,
            stops=stops,
            completed_at=route.completed_at if isinstance(route.end, RouteEnd) else UNSET,
        ).with_order_computed()
        require_route_fits(route, changed)
        if not route.is_started():
            leaving = route.departure() or planned.departure
            return time_route(replace(changed, scheduled_for=leaving), self.tools.roads).route
        again = replace(changed, replanned_at=now)
        timed = time_route_under_way(again, self.tools.roads, is_planned_anew=True).route
        return timed.completed_when_over(now)

    def _lock_of(self, planned: PlanRoute) -> RouteLock:
        return next(
            present.lock
            for _, present in _present_routes(self.given)
            if present.id == planned.route_id
        )

    def _stops_of(self, route: Route, planned: PlanRoute) -> tuple[RouteStop, ...]:
        known = self.read.stops()
        own = {stop.id for stop in route.stops}
        done = [stop for stop in route.stops if stop.is_done()]
        ahead = [
            known[step.route_stop_id]
            if step.route_stop_id in own
            else join_route(self._stop_of(step, route), route, self.tools.clock.now())
            for step in planned.steps
        ]
        ahead = [stop for stop in ahead if not stop.is_done()]
        taken = {stop.id for stop in ahead}
        breaks = [
            stop
            for stop in route.stops
            if stop.type is StopType.BREAK and not stop.is_done() and stop.id not in taken
        ]
        return (*done, *ahead, *breaks)

    def _stop_of(self, step: PlanStep, route: Route) -> RouteStop:
        if step.route_stop_id:
            return self.read.stops()[step.route_stop_id]
        return self.new_stops.make_stop(step, route, self.tools)


def join_route(stop: RouteStop, route: Route, now: datetime) -> RouteStop:
    """Return a stop as it is on a route that it comes to: out with a driver who has left."""
    return stop.sent_out(now) if route.is_started() else stop.called_back(now)
