"""A planned route as `plan --json` prints it (decisions §12)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.cli.plan_advice import render_change
from roundsman.cli.plan_input import PlanInput
from roundsman.cli.plan_report import PlanReport, Visit
from roundsman.domain.errors import PreconditionViolation
from roundsman.geocoding.geocoder import Match
from roundsman.kit.durations import from_seconds
from roundsman.kit.timestamps import format_timestamp
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.table import RejectedRow


def render_json(
    report: PlanReport, remarks: Sequence[Remark], *, tells_matches: bool = False
) -> str:
    """Return the whole report, stops in driving order.

    Matches are told only to who asks for them: the keys of a stop are promised to be these.
    """
    return _encode(
        {
            "stops": [_stop(visit, tells_match=tells_matches) for visit in report.visits],
            "totalDistanceMeters": report.distance_meters,
            "totalDuration": from_seconds(round(report.duration.total_seconds())),
            "plannedEnd": format_timestamp(report.ends_at),
            "estimated": report.estimated,
            "provenOptimal": report.proven_optimal,
            "violations": [_violation(report, violation) for violation in report.violations],
            "rejectedRows": _rejected(report.rejected),
            **_warnings(remarks),
        }
    )


def render_json_without_plan(given: PlanInput) -> str:
    """Return the answer when nothing was planned: no stops, no end, every reason."""
    return _encode(
        {
            "stops": [],
            "totalDistanceMeters": 0,
            "totalDuration": "0s",
            "estimated": False,
            "provenOptimal": False,
            "violations": [],
            "rejectedRows": _rejected(given.rejected),
            **_warnings(given.remarks),
        }
    )


def render_match(match: Match | None) -> dict[str, Any]:
    """A stop that was found by its address says how; one with coordinates of its own does not."""
    if match is None:
        return {}
    return {
        "matchType": match.match_type,
        "matchConfidence": match.confidence,
        "matchedAddress": match.label,
    }


def _stop(visit: Visit, *, tells_match: bool) -> dict[str, Any]:
    match = render_match(visit.match) if tells_match else {}
    return {
        "row": visit.row,
        "name": visit.stop.order_name,
        "address": visit.address_line(),
        "latitude": visit.stop.planned_coordinates.latitude,
        "longitude": visit.stop.planned_coordinates.longitude,
        "plannedArrival": format_timestamp(visit.arrival),
        "plannedDeparture": format_timestamp(visit.departure),
        "distanceMeters": visit.stop.distance_meters,
        **match,
    }


def _violation(report: PlanReport, violation: PreconditionViolation) -> dict[str, Any]:
    """A stop is named by its row: its id means nothing outside this run.

    Each of the changes is enough for all violations.
    """
    row = report.rows.get(violation.subject)
    advice, rows = report.advice, report.rows
    return {
        "type": violation.type,
        "subject": "route" if row is None else f"row {row}",
        "description": violation.description,
        "conflicts": [
            conflict.description
            for conflict in advice.conflicts
            if violation.subject in conflict.subjects
        ],
        "changes": [render_change(change, rows) for change in advice.changes],
        "combinations": [
            [render_change(change, rows) for change in combination.changes]
            for combination in advice.combinations
        ],
    }


def _warnings(remarks: Sequence[Remark]) -> dict[str, Any]:
    """Return nothing where there is nothing to warn of: then the keys are those promised.

    A warning about several rows is one for each of them; one about the file names none.
    """
    warnings = [_warning(remark, row) for remark in remarks for row in remark.rows or (None,)]
    return {"warnings": warnings} if warnings else {}


def _warning(remark: Remark, row: int | None) -> dict[str, Any]:
    result = {"row": row, "column": remark.column or None, "message": remark.message}
    return {name: value for name, value in result.items() if value is not None}


def _rejected(rows: Sequence[RejectedRow]) -> list[dict[str, Any]]:
    return [{"row": rejected.row, "reason": rejected.reason} for rejected in rows]


def _encode(answer: dict[str, Any]) -> str:
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
