"""Reoptimizing a stored route (specification, POST /routes/{id}/reoptimize)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from roundsman.domain.errors import Aborted, FailedPrecondition, PreconditionViolation
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.advice import advised, explain
from roundsman.operations.remembered_roads import RememberedRoads
from roundsman.operations.route_changes import change_route
from roundsman.operations.route_planning import Budget, PlannedRoute, plan_route
from roundsman.operations.route_timing import time_route
from roundsman.operations.wording import Wording
from roundsman.operations.work import Request, Tools
from roundsman.planning import measure_gap, moves_within
from roundsman.roads.network import RoadNetwork


@dataclass(frozen=True, kw_only=True, slots=True)
class ReoptimizeOptions:
    """What to leave out of account.

    Stops that are done are left out on every route under way; asking for the contrary is refused.
    """

    ignore_completed_stops: bool | UnsetType = UNSET
    ignore_routing_constraints: bool = False


def reoptimize_route(
    tools: Tools, request: Request, route_id: str, options: ReoptimizeOptions
) -> AssignedRoute:
    """Put the stops into the best order; a route whose order is current is returned as it is.

    Its order is not current any more when it was found with other options, or on estimates where
    there are roads now.
    """

    def reoptimize(route: Route) -> Route:
        _require_done_stops_stay(route, options)
        if _is_current(route, options) and not _is_driven_otherwise(route, tools.roads):
            return route
        route.require_not_archived()
        if not route.stops:
            return route.with_order_computed()
        plan = _planner(replace(tools, roads=RememberedRoads(tools.roads)), request)
        planned = plan(route)
        _require_waited_for(request)
        if planned.violations and not options.ignore_routing_constraints:
            raise _unmet(planned, plan, request, tools.clock.now())
        measured = measure_gap(planned.search.problem, planned.search.solution)
        return planned.route.with_order_computed(
            measured.gap, ignores_constraints=options.ignore_routing_constraints
        )

    return change_route(tools, request, route_id, reoptimize)


def _require_done_stops_stay(route: Route, options: ReoptimizeOptions) -> None:
    if options.ignore_completed_stops is not False or not route.is_started():
        return
    violation = PreconditionViolation(
        type="ignoreCompletedStops",
        subject=route.id,
        description="must be true or absent on a started route: what is done stays in front",
    )
    raise FailedPrecondition("stops that are done cannot be ordered again", [violation])


def _is_current(route: Route, options: ReoptimizeOptions) -> bool:
    is_computed = route.optimized and route.order_is_current
    return is_computed and route.order_ignores_constraints == options.ignore_routing_constraints


def _is_driven_otherwise(route: Route, roads: RoadNetwork) -> bool:
    """Tell whether what was estimated of a route is known better now, or worse."""
    if not route.has_estimates or isinstance(route.archived_at, datetime):
        return False
    return time_route(route, roads).route.leg_lengths() != route.leg_lengths()


def _planner(tools: Tools, request: Request) -> Callable[[Route], PlannedRoute]:
    now = tools.clock.now()

    def plan(route: Route) -> PlannedRoute:
        return plan_route(
            route,
            roads=tools.roads,
            departure=route.departure(),
            budget=replace(budget_for(len(route.stops)), cancelled=request.cancelled),
            now=now,
        )

    return plan


def _require_waited_for(request: Request) -> None:
    if request.cancelled is not None and request.cancelled():
        raise Aborted("the request was cancelled; nothing was changed")


def _unmet(
    planned: PlannedRoute,
    plan: Callable[[Route], PlannedRoute],
    request: Request,
    now: datetime,
) -> FailedPrecondition:
    advice = explain(planned, plan, now=now, wording=Wording(), cancelled=request.cancelled)
    _require_waited_for(request)
    violations = advised(planned.violations, advice)
    more = len(violations) - 1
    others = f", and {more} more" if more else ""
    return FailedPrecondition(
        f"no order of the stops meets every limit: {violations[0].description}{others}",
        violations,
        advice,
    )


def budget_for(stops: int) -> Budget:
    """Return how much search a route of so many stops is worth.

    Counted in moves, so that equal input gives equal output on any load: measured in processor
    seconds, at most 0.15 for 100 stops, 0.65 for 400 and 2.1 for 800, less with windows. The clock
    only guards against a machine that is far slower.
    """
    slow_seconds = 0.1 + 0.0018 * stops + 1.4e-6 * stops**2
    return Budget(seconds=3 * slow_seconds, moves=moves_within(slow_seconds))
