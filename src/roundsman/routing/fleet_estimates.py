"""Which legs of a plan of many vehicles are estimated: places that nobody drives to say nothing."""

from itertools import pairwise

from roundsman.planning.fleet import FleetPlan, StepKind
from roundsman.routing.fleet_problem import FleetDay


def find_estimated_legs(day: FleetDay, plan: FleetPlan) -> list[bool]:
    """Return for each leg that is driven whether its time and distance are no road's."""
    legs: list[bool] = []
    for route in plan.routes:
        vehicle = day.problem.vehicles[route.vehicle]
        nodes = [
            vehicle.start,
            *(
                day.problem.stops[step.index].node
                if step.kind is StepKind.STOP
                else vehicle.reloads[step.index].node
                for step in route.steps
                if step.kind is not StepKind.BREAK
            ),
            vehicle.end,
        ]
        table = day.estimated[vehicle.profile]
        driven = pairwise(node for node in nodes if node is not None)
        legs += [bool(table[before, after]) for before, after in driven if before != after]
    return legs
