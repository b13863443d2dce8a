"""A plan of many vehicles as `plan --vehicles --json` prints it, and as CSV (decisions §21)."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.cli.fleet_plan import FleetReport, break_begin, describe_reasons
from roundsman.cli.plan_input import PlanInput
from roundsman.cli.plan_json import render_match
from roundsman.domain.model import UnsetType
from roundsman.domain.plan import PlanRoute, PlanStep, PlanStepType
from roundsman.domain.unassigned_stop import PlanFix, UnassignedReason
from roundsman.kit.durations import from_seconds
from roundsman.kit.timestamps import format_timestamp
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.table import RejectedRow

CSV_COLUMNS = (
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
    "breakBefore",
    "breakAfter",
    "plannedEnd",
    "endDistanceMeters",
)


def render_fleet_json(
    report: FleetReport, remarks: Sequence[Remark], *, with_matches: bool = False
) -> str:
    """Return the whole plan, stops in driving order; matches are told to who asks for them."""
    plan = report.plan

    def match_of(stop_id: str) -> dict[str, Any]:
        return render_match(report.given.matches.get(stop_id)) if with_matches else {}

    shown = {
        "routes": [
            {
                "vehicle": route.vehicle,
                "plannedDeparture": format_timestamp(route.departure),
                "plannedEnd": format_timestamp(route.end),
                "cost": route.costs.total,
                "costs": msgspec.to_builtins(route.costs),
                "totalDistanceMeters": route.total_distance_meters,
                "totalDuration": from_seconds(round((route.end - route.departure).total_seconds())),
                "durations": msgspec.to_builtins(route.durations),
                "loads": route.loads,
                "stops": [
                    _stop(report, step) | match_of(step.imported_stop_id)
                    for step in _stop_steps(route)
                ],
                "breaks": _breaks(route),
                **_end(report, route),
            }
            for route in report.routes
        ],
        "unassigned": [
            {
                "row": report.row(out.imported_stop_id),
                "name": report.stops[out.imported_stop_id].order_name,
                "reasons": [_reason(report, reason) for reason in out.reasons],
                "fixes": [_fix(report, fix) for fix in out.fixes],
                **match_of(out.imported_stop_id),
            }
            for out in report.unassigned
        ],
        "cost": round(plan.cost, 6),
        "vehiclesUsed": len(plan.routes),
        "estimated": any(report.estimated_legs),
        "statistics": {
            "moves": plan.moves,
            "stoppedBy": plan.stopped_by.value,
            "seed": report.day.given.seed,
            "totalDistanceMeters": sum(route.total_distance_meters for route in report.routes),
            "unassignedCost": plan.unassigned_cost,
            "balanceCost": plan.balance_cost,
            "compactnessCost": round(sum(route.cost.compactness for route in plan.routes), 6),
        },
        **_rejected(report.given.rejected, remarks),
    }
    return msgspec.json.format(msgspec.json.encode(shown), indent=2).decode()


def render_fleet_json_without_plan(given: PlanInput) -> str:
    """Return the answer where nothing was planned: the same keys, no routes, every reason."""
    shown = {
        "routes": [],
        "unassigned": [],
        "cost": 0.0,
        "vehiclesUsed": 0,
        "estimated": False,
        "statistics": {
            "moves": 0,
            "totalDistanceMeters": 0,
            "unassignedCost": 0.0,
            "balanceCost": 0.0,
            "compactnessCost": 0.0,
        },
        **_rejected(given.rejected, given.remarks),
    }
    return msgspec.json.format(msgspec.json.encode(shown), indent=2).decode()


def _rejected(rows: Sequence[RejectedRow], remarks: Sequence[Remark]) -> dict[str, Any]:
    return {
        "rejectedRows": [{"row": row.row, "reason": row.reason} for row in rows],
        "warnings": [remark.message for remark in remarks],
    }


def _reason(report: FleetReport, reason: UnassignedReason) -> dict[str, Any]:
    """Return a reason; stops whose windows bind are named by their rows, as in fixes."""
    shown: dict[str, Any] = msgspec.to_builtins(reason)
    for limit in shown["limits"]:
        if limit["subject"] in report.stops:
            limit["subject"] = f"row {report.row(limit['subject'])}"
    return shown


def _fix(report: FleetReport, fix: PlanFix) -> dict[str, Any]:
    """Return a fix; stops are named by their rows: their ids mean nothing outside this run."""
    shown: dict[str, Any] = msgspec.to_builtins(fix)
    if fix.subject in report.stops:
        row = report.row(fix.subject)
        shown |= {"subject": f"row {row}", "row": row}
    if fix.also_serves:
        rows = sorted(map(report.row, fix.also_serves))
        shown |= {"alsoServes": [f"row {row}" for row in rows], "alsoServesRows": rows}
    for name, stops in (("servesInstead", fix.serves_instead), ("leavesOut", fix.leaves_out)):
        shown[name] = [f"row {row}" for row in sorted(map(report.row, stops))]
    return shown


def _stop_steps(route: PlanRoute) -> list[PlanStep]:
    return [step for step in route.steps if step.type is PlanStepType.STOP]


def _breaks(route: PlanRoute) -> list[dict[str, Any]]:
    """Return the breaks, and how many stops come before each.

    From arrival to departure is the waiting until a break may begin, and then the break.
    """
    return [
        {
            "afterStops": sum(one.type is PlanStepType.STOP for one in route.steps[:index]),
            "plannedArrival": format_timestamp(step.planned_arrival),
            "plannedDeparture": format_timestamp(step.planned_departure),
            "waiting": step.waiting or "0s",
            "duration": from_seconds(
                round((step.planned_departure - break_begin(step)).total_seconds())
            ),
            "distanceMeters": step.distance_meters,
        }
        for index, step in enumerate(route.steps)
        if step.type is PlanStepType.BREAK
    ]


def _end(report: FleetReport, route: PlanRoute) -> dict[str, Any]:
    """Return the way to where the vehicle ends; nothing where it ends at its last stop."""
    end = report.end_of(route)
    if isinstance(end, UnsetType):
        return {}
    shown = {
        "latitude": end.coordinates.latitude,
        "longitude": end.coordinates.longitude,
        "plannedArrival": format_timestamp(route.end),
        "distanceMeters": end.distance_meters,
    }
    return {"end": shown}


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
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for route in report.routes:
        beside = report.breaks_by_stop(route)
        for position, step in enumerate(_stop_steps(route), 1):
            near = beside[step.imported_stop_id]
            row = {"vehicle": route.vehicle, "position": position, **_stop(report, step)}
            row["breakBefore"] = "; ".join(map(_interval, near.breaks_before))
            row["breakAfter"] = "; ".join(map(_interval, near.breaks_after))
            if near.is_last:
                row["plannedEnd"] = format_timestamp(route.end)
            if near.is_last and (end := report.end_of(route)):
                row["endDistanceMeters"] = end.distance_meters
            writer.writerow(row)
    for out in report.unassigned:
        name = report.stops[out.imported_stop_id].order_name
        reason = describe_reasons(out)
        writer.writerow({"row": report.row(out.imported_stop_id), "name": name, "reason": reason})
    return text.getvalue()


def _interval(step: PlanStep) -> str:
    """Return when a break is, as ISO 8601 writes an interval."""
    return f"{format_timestamp(break_begin(step))}/{format_timestamp(step.planned_departure)}"
