"""A plan of many vehicles as `plan --vehicles --json` prints it, and as CSV (decisions §21)."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.cli.fleet_plan import FleetReport
from roundsman.domain.plan import PlanFix, PlanRoute, PlanStep, PlanStepType
from roundsman.kit.timestamps import format_timestamp
from roundsman.spreadsheets.remarks import Remark

_COLUMNS = (
    "vehicle",
    "position",
    "row",
    "name",
    "address",
    "latitude",
    "longitude",
    "plannedArrival",
    "plannedDeparture",
    "distanceMeters",
    "reason",
)


def render_fleet_json(report: FleetReport, remarks: Sequence[Remark]) -> str:
    """Return the whole plan, stops in driving order."""
    plan = report.plan
    shown = {
        "routes": [
            {
                "vehicle": route.vehicle,
                "plannedDeparture": format_timestamp(route.departure),
                "plannedEnd": format_timestamp(route.end),
                "cost": route.costs.total,
                "stops": [_stop(report, step) for step in _stop_steps(route)],
            }
            for route in report.routes
        ],
        "unassigned": [
            {
                "row": report.row(out.imported_stop_id),
                "name": report.stops[out.imported_stop_id].order_name,
                "reasons": [msgspec.to_builtins(reason) for reason in out.reasons],
                "fixes": [_fix(report, fix) for fix in out.fixes],
            }
            for out in report.unassigned
        ],
        "cost": round(plan.cost, 6),
        "vehiclesUsed": len(plan.routes),
        "estimated": report.day.estimated,
        "statistics": {
            "moves": plan.moves,
            "stoppedBy": plan.stopped_by.value,
            "seed": report.day.given.seed,
            "totalDistanceMeters": sum(route.total_distance_meters for route in report.routes),
            "unassignedCost": plan.unassigned_cost,
            "balanceCost": plan.balance_cost,
            "compactnessCost": round(sum(route.cost.compactness for route in plan.routes), 6),
        },
        "rejectedRows": [{"row": row.row, "reason": row.reason} for row in report.given.rejected],
        "warnings": [remark.message for remark in remarks],
    }
    return msgspec.json.format(msgspec.json.encode(shown), indent=2).decode()


def _fix(report: FleetReport, fix: PlanFix) -> dict[str, Any]:
    """Return a fix; one that changes a stop says in which row of the sheet that is."""
    shown: dict[str, Any] = msgspec.to_builtins(fix)
    is_of_stop = fix.subject in report.stops
    return {**shown, "row": report.row(fix.subject)} if is_of_stop else shown


def _stop_steps(route: PlanRoute) -> list[PlanStep]:
    return [step for step in route.steps if step.type is PlanStepType.STOP]


def _stop(report: FleetReport, step: PlanStep) -> dict[str, Any]:
    stop = report.stops[step.imported_stop_id]
    return {
        "row": report.row(stop.id),
        "name": stop.order_name,
        "address": stop.address.one_line() if stop.address else "",
        "latitude": stop.planned_coordinates.latitude,
        "longitude": stop.planned_coordinates.longitude,
        "plannedArrival": format_timestamp(step.planned_arrival),
        "plannedDeparture": format_timestamp(step.planned_departure),
        "distanceMeters": step.distance_meters,
    }


def render_fleet_csv(report: FleetReport) -> str:
    """Return a row a stop, by vehicle and in driving order; last those that stay out, and why."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for route in report.routes:
        for position, step in enumerate(_stop_steps(route), 1):
            shown = _stop(report, step)
            writer.writerow({"vehicle": route.vehicle, "position": position, **shown})
    for out in report.unassigned:
        name = report.stops[out.imported_stop_id].order_name
        reason = "; ".join(f"{one.vehicle}: {one.description}" for one in out.reasons)
        writer.writerow({"row": report.row(out.imported_stop_id), "name": name, "reason": reason})
    return text.getvalue()
