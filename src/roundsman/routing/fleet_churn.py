"""What a plan of routes that exist would cost with fewer stops moved to other routes.

Each search begins from the plan before, which may move fewer stops, so that no point of the curve
costs more than the one before it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from roundsman.planning.fleet import (
    FleetBudget,
    FleetPlan,
    FleetProblem,
    Progress,
    StoppedBy,
    plan_fleet,
)
from roundsman.routing.fleet_problem import FleetDay, with_routes

CURVE_SHARE = 0.5
"""Of the moves and seconds of a plan, to search for its curve in all."""

_STEPS = (1, 2, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChurnPoint:
    """The best plan that was found with so many moved stops at most."""

    most_moved: int
    plan: FleetPlan


def list_limits(most: int) -> list[int]:
    """Return 0, 1, 2, 5, 10, 20, 50 and so on, as long as they are below a number."""
    limits, size = [0], 1
    while size < most:
        limits += [step * size for step in _STEPS]
        size *= 10
    return [limit for limit in limits if limit < most]


def find_churn_curve(
    day: FleetDay,
    found: FleetPlan,
    seconds: float,
    cancelled: Callable[[], bool],
    on_progress: Progress,
) -> list[ChurnPoint]:
    """Return what fewer moved stops would cost than a plan moves, the fewest first.

    The plan itself comes last, or the plan with fewer moved stops that turned out to cost less. Of
    a search that is cancelled only that one is left.
    """
    least = len(day.problem.excluded_from_home())
    limits = [limit for limit in list_limits(len(found.moved)) if limit >= least]
    problem = _with_present_routes(day)
    ends_at = time.monotonic() + seconds
    moves = None
    if day.given.moves:
        moves = max(1, round(CURVE_SHARE * day.given.moves / max(1, len(limits))))
    curve: list[ChurnPoint] = []
    for number, limit in enumerate(limits):
        left = ends_at - time.monotonic()
        if left <= 0:
            found = replace(found, stopped_by=StoppedBy.SECONDS)
            break
        seconds = left / (len(limits) - number)
        budget = FleetBudget(seconds=seconds, moves=moves, cancelled=cancelled)
        plan = plan_fleet(
            replace(problem, max_moved=limit), budget, seed=day.given.seed, on_progress=on_progress
        )
        if curve and curve[-1].plan.cost < plan.cost:
            plan = replace(curve[-1].plan, stopped_by=plan.stopped_by)
        curve.append(ChurnPoint(most_moved=limit, plan=plan))
        problem = with_routes(day.problem, plan)
        if plan.stopped_by is StoppedBy.CANCEL:
            return [ChurnPoint(most_moved=len(found.moved), plan=_stopped(found, plan))]
    by_the_clock = [
        plan
        for plan in (found, *(point.plan for point in curve))
        if plan.stopped_by is StoppedBy.SECONDS
    ]
    last = found
    if curve and curve[-1].plan.cost <= found.cost:
        last = curve.pop().plan
    if by_the_clock:
        last = _stopped(last, by_the_clock[0])
    return [*curve, ChurnPoint(most_moved=len(last.moved), plan=last)]


def _with_present_routes(day: FleetDay) -> FleetProblem:
    """Return the problem whose vehicles begin with the routes there are: nothing has moved."""
    vehicles = [
        replace(posed, route=given.present_route.stops if given.present_route else ())
        for given, posed in zip(day.given.vehicles, day.problem.vehicles, strict=True)
    ]
    return replace(day.problem, vehicles=vehicles)


def _stopped(plan: FleetPlan, by: FleetPlan) -> FleetPlan:
    return replace(plan, stopped_by=by.stopped_by)
