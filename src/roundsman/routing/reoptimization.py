"""The best order for a route, or why there is none (specification, POST /routes/{id}/reoptimize).

Decides whether the order that a route has is still the best, and how much search it is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from roundsman.domain.advice import Advice
from roundsman.domain.errors import Aborted, FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.planning import measure_gap, moves_within
from roundsman.roads.network import RoadNetwork
from roundsman.routing.advice import advised, explain_violations
from roundsman.routing.ordering import CachedRoads, PlannedRoute, SearchBudget, plan_route
from roundsman.routing.timing import time_route
from roundsman.routing.wording import Wording


@dataclass(frozen=True, kw_only=True, slots=True)
class ReoptimizeOptions:
    """What to leave out of account.

    Stops that are done are left out on every route under way; asking for the contrary is refused.
    """

    ignore_completed_stops: bool | UnsetType = UNSET
    ignore_routing_constraints: bool = False


def reoptimize(
    route: Route,
    options: ReoptimizeOptions,
    *,
    roads: RoadNetwork,
    now: datetime,
    cancelled: Callable[[], bool] | None = None,
) -> Route:
    """Return the route with its stops in the best order, or as it is when its order is current.

    Its order is not current any more when it was found with other options, or on estimates where
    there are roads now.
    """
    _require_done_stops_stay(route, options)
    if _is_current(route, options) and not _is_driven_otherwise(route, roads):
        return route
    route.require_not_archived()
    if not route.stops:
        return route.with_order_computed()
    cached = CachedRoads(roads)

    def plan(changed: Route) -> PlannedRoute:
        return plan_route(
            changed,
            roads=cached,
            departure=changed.departure(),
            budget=replace(budget_for(len(changed.stops)), cancelled=cancelled),
            now=now,
        )

    planned = plan(route)
    _require_waited_for(cancelled)
    if planned.violations and not options.ignore_routing_constraints:
        wording = Wording()
        advice = explain_violations(planned, plan, now=now, wording=wording, cancelled=cancelled)
        _require_waited_for(cancelled)
        raise _unmet(planned, advice)
    measured = measure_gap(planned.solved.problem, planned.solved.solution)
    return planned.route.with_order_computed(
        measured.gap, ignores_constraints=options.ignore_routing_constraints
    )


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


def _require_waited_for(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise Aborted("the request was cancelled; nothing was changed")


def _unmet(planned: PlannedRoute, advice: Advice) -> FailedPrecondition:
    violations = advised(planned.violations, advice)
    more = len(violations) - 1
    others = f", and {more} more" if more else ""
    return FailedPrecondition(
        f"no order of the stops meets every limit: {violations[0].description}{others}",
        violations,
        advice,
    )


def budget_for(stops: int) -> SearchBudget:
    """Return how much search a route of so many stops is worth.

    Counted in moves, so that equal input gives equal output on any load: measured in processor
    seconds, at most 0.15 for 100 stops, 0.65 for 400 and 2.1 for 800, less with windows. The clock
    only guards against a machine that is far slower.
    """
    slow_seconds = 0.1 + 0.0018 * stops + 1.4e-6 * stops**2
    return SearchBudget(seconds=3 * slow_seconds, moves=moves_within(slow_seconds))
