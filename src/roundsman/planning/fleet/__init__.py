"""Plans of many vehicles: stops, vehicles and a budget in, a route for each vehicle out."""

from dataclasses import replace

from roundsman.kit.loading import load
from roundsman.planning.availability import await_kernels, has_given_up, has_kernels
from roundsman.planning.fleet.budget import FleetBudget, Progress
from roundsman.planning.fleet.plan import (
    FleetPlan,
    FleetRoute,
    FleetStep,
    RouteCost,
    StepKind,
    StoppedBy,
)
from roundsman.planning.fleet.problem import (
    NEVER_DROPPED,
    Break,
    EndPin,
    FleetBalance,
    FleetCosts,
    FleetProblem,
    FleetStop,
    FleetVehicle,
    Reload,
    VehicleProgress,
)
from roundsman.planning.interpretation import interpret

COMPILE = "roundsman.planning.fleet.search:compile_fleet"
_SEARCH = "roundsman.planning.fleet.search:search_plan"
_WIDEN = "roundsman.planning.fleet.present_routes:widen_for_present_routes"

__all__ = [
    "NEVER_DROPPED",
    "Break",
    "EndPin",
    "FleetBalance",
    "FleetBudget",
    "FleetCosts",
    "FleetPlan",
    "FleetProblem",
    "FleetRoute",
    "FleetStep",
    "FleetStop",
    "FleetVehicle",
    "Progress",
    "Reload",
    "RouteCost",
    "StepKind",
    "StoppedBy",
    "VehicleProgress",
    "allow_present_routes",
    "find_lower_bound",
    "plan_fleet",
]


def plan_fleet(
    problem: FleetProblem,
    budget: FleetBudget,
    *,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> FleetPlan:
    """Return the best plan that the budget allows: never an illegal one, whenever it ends.

    With moves in the budget, equal input gives equal output wherever its seconds suffice. Where
    kernels are being compiled the seconds begin when they are there.
    """

    def is_over() -> bool:
        if on_progress is not None:
            on_progress(0.0, float(NEVER_DROPPED), len(problem.stops), 0)
        return budget.ended_by is StoppedBy.CANCEL

    if not has_kernels():
        if not await_kernels(is_over):
            given_up = replace(budget, cancelled=has_given_up)
            begun: FleetPlan = interpret(_SEARCH, problem, given_up, seed=seed)
            return begun
        budget.begin()
    load(COMPILE)()
    found: FleetPlan = load(_SEARCH)(problem, budget, seed=seed, on_progress=on_progress)
    return found


def allow_present_routes(problem: FleetProblem) -> FleetProblem:
    """Return the problem with limits that the present route of each vehicle keeps as it is."""
    if not has_kernels() and any(vehicle.route for vehicle in problem.vehicles):
        known: FleetProblem = interpret(_WIDEN, problem)
        return known
    allowed: FleetProblem = load(_WIDEN)(problem)
    return allowed


def find_lower_bound(problem: FleetProblem) -> float | None:
    """Return what every plan of the problem costs at least; None where nothing is known."""
    bound: float | None = load("roundsman.planning.fleet.bound:bound_cost")(problem)
    return bound
