"""The lines that the vehicles of a plan drive, to be drawn on a map."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from roundsman.domain.day_to_plan import VehicleLocation
from roundsman.domain.plan import PlanRoute
from roundsman.planning.fleet import FleetPlan, StepKind
from roundsman.roads.encoded_polyline import encode_polyline
from roundsman.roads.network import Path, RoadNetwork
from roundsman.routing.fleet_problem import FleetDay
from roundsman.routing.fleet_tables import IsOver, vehicle_profile


def draw_fleet_paths(
    day: FleetDay, plan: FleetPlan, roads: RoadNetwork, is_over: IsOver = lambda _: False
) -> dict[str, tuple[Path, ...]]:
    """Return by vehicle what it drives, from its start over its stops to its end.

    `is_over` is called before each; vehicles that are not drawn when it is over are absent. May
    wait for a road engine; raises Unavailable.
    """
    drawn: dict[str, tuple[Path, ...]] = {}
    for route in plan.routes:
        if is_over(len(drawn) / len(plan.routes)):
            break
        vehicle = day.given.vehicles[route.vehicle]
        waypoints = [
            *(one.coordinates for one in (vehicle.start,) if isinstance(one, VehicleLocation)),
            *(
                day.given.stops[step.index].coordinates
                if step.kind is StepKind.STOP
                else vehicle.reloads[step.index].coordinates
                for step in route.steps
                if step.kind is not StepKind.BREAK
            ),
            *(one.coordinates for one in (vehicle.end,) if isinstance(one, VehicleLocation)),
        ]
        drawn[vehicle.id] = tuple(roads.paths(waypoints, vehicle_profile(vehicle)))
    return drawn


def with_polylines(
    routes: Sequence[PlanRoute], paths: Mapping[str, Sequence[Path]]
) -> tuple[PlanRoute, ...]:
    """Return routes with their lines; one that is estimated throughout has none."""
    return tuple(_with_polyline(route, paths.get(route.vehicle, ())) for route in routes)


def _with_polyline(route: PlanRoute, paths: Sequence[Path]) -> PlanRoute:
    if all(path.estimated for path in paths):
        return route
    line = encode_polyline(point for path in paths for point in path.points)
    return replace(route, polyline=line)
