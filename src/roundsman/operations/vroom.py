"""Problems in VROOM's JSON, solved while the client waits; nothing is read or written."""

import time

from msgspec.structs import replace

from roundsman.domain.plan_draft import PlanEffort
from roundsman.domain.vroom import VroomComputingTimes, VroomProblem, VroomSolution
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.planning.fleet import FleetBudget, plan_fleet
from roundsman.routing.fleet_problem import moves_of
from roundsman.routing.vroom_problem import pose_vroom_problem
from roundsman.routing.vroom_solution import draw_lines, show_solution

_DEEP = 4


def solve_vroom_problem(tools: Tools, request: Request, given: VroomProblem) -> VroomSolution:
    """Return the best routes that the budget of its options finds."""
    began = time.monotonic()
    posed = pose_vroom_problem(given, tools.roads)
    loading = _milliseconds_since(began)
    began = time.monotonic()
    effort = PlanEffort.NORMAL if given.options.x >= _DEEP else PlanEffort.QUICK
    budget = FleetBudget(
        seconds=given.options.l,
        moves=moves_of(effort, len(given.jobs)),
        cancelled=request.cancelled,
    )
    plan = plan_fleet(posed.fleet, budget) if given.jobs else None
    times = VroomComputingTimes(loading=loading, solving=_milliseconds_since(began))
    solution = show_solution(posed, plan, times)
    return _with_lines(tools, solution) if given.options.g else solution


def _with_lines(tools: Tools, solution: VroomSolution) -> VroomSolution:
    """Return a solution with the lines to draw."""
    began = time.monotonic()
    lines = draw_lines(solution, tools.roads)
    routes = [
        replace(route, geometry=line) for route, line in zip(solution.routes, lines, strict=True)
    ]
    times = replace(solution.summary.computing_times, routing=_milliseconds_since(began))
    summary = replace(solution.summary, computing_times=times)
    return replace(solution, summary=summary, routes=tuple(routes))


def _milliseconds_since(began: float) -> int:
    return round(1000 * (time.monotonic() - began))
