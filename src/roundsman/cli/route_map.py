"""A planned route as one HTML file: a map to pan and zoom beside the list of stops.

The file needs no network; the map is drawn by a script of its own. What people typed reaches
the page as data, never as markup: it stands in a JSON block where no character can end the block,
and the script writes it as text only.
"""

from datetime import datetime
from importlib.resources import files
from typing import Any

from roundsman.cli.plan_report import (
    PlanReport,
    Terminal,
    Visit,
    format_distance,
    format_span,
    format_time,
)
from roundsman.kit.template_files import TemplateFiles
from roundsman.roads.network import Path

_TEMPLATES = TemplateFiles("roundsman.cli")
_OWN_MARKS = (b"<title>Route</title>", b"drawRouteMap(")
"""What every page of this kind has held, and hardly another one does."""


def render_map(report: PlanReport) -> str:
    """Return the page."""
    return _TEMPLATES.render(
        "route_map.html",
        route=_route(report),
        map_style=_read_part("route_map.css"),
        map_script=_read_part("route_map.js"),
    )


def _read_part(name: str) -> str:
    return files("roundsman.cli").joinpath("map_page", name).read_text(encoding="utf-8")


def is_route_map(content: bytes) -> bool:
    """Say whether a file is such a page, of this version or an earlier one."""
    return content.startswith(b"<!doctype html>") and all(mark in content for mark in _OWN_MARKS)


def _route(report: PlanReport) -> dict[str, Any]:
    return {
        "name": report.name,
        "day": f"{report.start.at:%A}, {report.start.at.day} {report.start.at:%B %Y}",
        "start": _terminal(report, report.start),
        "end": _terminal(report, report.end) if report.end else None,
        "stops": [_stop(report, visit) for visit in report.visits],
        "paths": [_path(path) for path in report.paths],
        "totals": _totals(report),
        "violations": [violation.description for violation in report.violations],
        "rejected": [{"row": row.row, "reason": row.reason} for row in report.rejected],
        "notes": _notes(report),
    }


def _path(path: Path) -> dict[str, Any]:
    """Five decimals are a metre, and keep the file small."""
    line = [[round(point.longitude, 5), round(point.latitude, 5)] for point in path.points]
    return {"line": line, "estimated": path.estimated}


def _totals(report: PlanReport) -> list[dict[str, str]]:
    totals = {
        "Stops": str(len(report.visits)),
        "Distance": format_distance(report.distance_meters),
        "Duration": format_span(report.duration),
        "Done at": _time(report, report.ends_at),
    }
    return [{"label": label, "value": value} for label, value in totals.items()]


def _terminal(report: PlanReport, terminal: Terminal) -> dict[str, Any]:
    return {
        "label": terminal.label,
        "latitude": terminal.coordinates.latitude,
        "longitude": terminal.coordinates.longitude,
        "time": _time(report, terminal.at),
    }


def _stop(report: PlanReport, visit: Visit) -> dict[str, Any]:
    return {
        "row": visit.row,
        "name": visit.stop.order_name,
        "address": visit.address_line(),
        "latitude": visit.stop.planned_coordinates.latitude,
        "longitude": visit.stop.planned_coordinates.longitude,
        "time": _time(report, visit.arrival),
        "leaves": _time(report, visit.departure),
        "window": visit.windows_line(),
        "wait": format_span(visit.waiting()) if visit.waiting() else "",
        "late": format_span(visit.late) if visit.late else "",
        "distance": format_distance(visit.stop.distance_meters),
        "placed": visit.placed_at(),
        "note": visit.stop.note,
    }


def _notes(report: PlanReport) -> list[str]:
    notes = []
    if report.wholly_estimated:
        notes.append("Times and distances are estimates; lines are straight, not roads.")
    elif report.estimated:
        notes.append("Some times and distances are estimates; straight lines are not roads.")
    if report.attribution:
        notes.append(report.attribution)
    return notes


def _time(report: PlanReport, instant: datetime) -> str:
    return format_time(instant, since=report.start.at, with_zone=report.crosses_zones())
