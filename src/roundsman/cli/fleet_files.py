"""A plan of many vehicles as routes and as a table, for the files that `plan` writes."""

import dataclasses
from datetime import datetime

from msgspec.structs import replace

from roundsman.cli.fleet_clocks import RouteClocks
from roundsman.cli.fleet_plan import FleetReport, break_begin, describe_reasons
from roundsman.cli.plan_files import FLEET_COLUMNS, FleetTable
from roundsman.domain.address import Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.day_to_plan import StopToPlan, VehicleToPlan
from roundsman.domain.loads import loads_of_items
from roundsman.domain.model import UnsetType
from roundsman.domain.plan import PlanRoute, PlanStep, PlanStepType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.routing.route_problem import zone_of
from roundsman.routing.route_rows import Row
from roundsman.spreadsheets.columns import fold_header


def routes_of(report: FleetReport, now: datetime) -> list[AssignedRoute]:
    """Return the routes of a plan as they would be driven, for files of other programs."""
    vehicles = {vehicle.id: vehicle for vehicle in report.day.given.vehicles}
    routes = (
        Route(
            id=route.vehicle,
            number=number,
            name=route.vehicle,
            start=RouteStart(coordinates=_leaves_from(vehicles[route.vehicle], route, report)),
            end=report.end_of(route),
            scheduled_for=route.departure,
            stops=tuple(
                replace(
                    report.stops[step.imported_stop_id],
                    planned_arrival=step.planned_arrival,
                    distance_meters=step.distance_meters,
                )
                for step in route.steps
                if step.type is PlanStepType.STOP
            ),
            created_at=now,
            updated_at=now,
        )
        for number, route in enumerate(report.routes, 1)
    )
    return [AssignedRoute(route=route) for route in routes]


def table_of(report: FleetReport, now: datetime) -> FleetTable:
    """Return what a spreadsheet of the plan says beside its routes, and who stays out and why."""
    cells: dict[str, Row] = {}
    vehicles = {vehicle.id: vehicle for vehicle in report.day.given.vehicles}
    for route in report.routes:
        clocks = RouteClocks(report, route, vehicles[route.vehicle])
        for stop_id, near in report.breaks_by_stop(route).items():
            stop = report.stops[stop_id]
            before, after = (
                "; ".join(_say_clocks(stop, step) for step in steps)
                for steps in (near.breaks_before, near.breaks_after)
            )
            end = f"{clocks.local_end:%Y-%m-%d %H:%M}" if near.is_last else ""
            cells[stop_id] = [before, after, end, ""]
    out = {one.imported_stop_id: describe_reasons(one) for one in report.unassigned}
    cells |= {stop_id: ["", "", "", why] for stop_id, why in out.items()}
    table = FleetTable(
        columns=FLEET_COLUMNS,
        cells=cells,
        loads={stop.imported_stop_id: _own_loads(report, stop) for stop in report.day.given.stops},
        load_columns=frozenset(
            fold_header(name) for one in report.day.given.vehicles for name in one.capacities
        ),
    )
    if not out:
        return table
    stops = tuple(report.stops[stop_id] for stop_id in out)
    left_out = Route(
        id="",
        name="",
        number=len(report.routes) + 1,
        start=RouteStart(coordinates=stops[0].planned_coordinates),
        stops=stops,
        created_at=now,
        updated_at=now,
    )
    return dataclasses.replace(table, left_out=AssignedRoute(route=left_out))


def _own_loads(report: FleetReport, stop: StopToPlan) -> dict[str, float]:
    """Return what a stop takes beside its goods, or more exactly than they say."""
    of_goods = loads_of_items(report.stops[stop.imported_stop_id].items)
    return {name: amount for name, amount in stop.loads.items() if of_goods.get(name) != amount}


def _say_clocks(stop: RouteStop, step: PlanStep) -> str:
    zone = zone_of(stop.planned_coordinates)
    begin, departure = break_begin(step), step.planned_departure
    return f"{begin.astimezone(zone):%H:%M}-{departure.astimezone(zone):%H:%M}"


def _leaves_from(vehicle: VehicleToPlan, route: PlanRoute, report: FleetReport) -> Coordinates:
    """Return where a vehicle leaves; one that may begin anywhere does so at its first stop."""
    start = vehicle.start
    if isinstance(start, UnsetType) or isinstance(start.coordinates, UnsetType):
        first = next(step for step in route.steps if step.type is PlanStepType.STOP)
        return report.stops[first.imported_stop_id].planned_coordinates
    return start.coordinates
