"""Planned routes as one HTML file: a map to pan and zoom beside the list of stops.

The file needs no network; the map is drawn by a script of its own. What people typed reaches
the page as data, never as markup: it stands in a JSON block where no character can end the block,
and the script writes it as text only.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

import msgspec

from roundsman.cli.plan_report import (
    PlanReport,
    Terminal,
    Visit,
    format_distance,
    format_span,
    format_time,
)
from roundsman.domain.address import Coordinates
from roundsman.kit.template_files import TemplateFiles
from roundsman.roads.network import Path
from roundsman.spreadsheets.table import RejectedRow
from roundsman.tiles.street_drawing import StreetDrawing, draw_streets
from roundsman.tiles.street_map import StreetMap

_TEMPLATES = TemplateFiles("roundsman.cli")
_OWN_MARKS = (b"<title>Route</title>", b"drawRouteMap(")
"""What every page of this kind has held, and hardly another one does."""


def render_map(report: PlanReport, street_map: StreetMap) -> str:
    """Return the page of one route, with the streets around it where an imported map has them."""
    streets = draw_streets(street_map, _coordinates_of(report))
    return render_page(
        {
            "name": report.name,
            "day": f"{long_day(report.start.at)}, leaving at {_time(report, report.start.at)}",
            "totals": _totals(report),
            "routes": [
                {
                    "name": report.name,
                    "start": _terminal(report, report.start),
                    "end": _terminal(report, report.end) if report.end else None,
                    "stops": [_stop(report, visit) for visit in report.visits],
                    "paths": [path_line(path) for path in report.paths],
                }
            ],
            "out": [],
            "violations": [violation.description for violation in report.violations],
            "rejected": rejected_rows(report.rejected),
            "notes": [
                *estimate_notes(wholly=report.wholly_estimated, partly=report.estimated),
                *source_notes(report.attribution, streets),
            ],
        },
        streets,
    )


def render_page(shown: Mapping[str, Any], streets: StreetDrawing | None) -> str:
    """Return the page that shows routes and the streets around them."""
    return _TEMPLATES.render(
        "route_map.html",
        route={**shown, "streets": None if streets is None else msgspec.to_builtins(streets)},
        map_style=_read_part("route_map.css"),
        map_script=_read_part("route_map.js"),
    )


def _read_part(name: str) -> str:
    return files("roundsman.cli").joinpath("map_page", name).read_text(encoding="utf-8")


def is_route_map(content: bytes) -> bool:
    """Say whether a file is such a page, of this version or an earlier one."""
    return content.startswith(b"<!doctype html>") and all(mark in content for mark in _OWN_MARKS)


def _coordinates_of(report: PlanReport) -> list[Coordinates]:
    ends = [report.start, *([report.end] if report.end else [])]
    return [
        *(end.coordinates for end in ends),
        *(visit.stop.planned_coordinates for visit in report.visits),
    ]


def long_day(moment: datetime) -> str:
    """Return a day as people write it: Monday, 1 July 2030."""
    return f"{moment:%A}, {moment.day} {moment:%B %Y}"


def path_line(path: Path) -> dict[str, Any]:
    """Return a path as the page takes it; five decimals are a metre, and keep the file small."""
    line = [[round(point.longitude, 5), round(point.latitude, 5)] for point in path.points]
    return {"line": line, "estimated": path.estimated}


def rejected_rows(rejected: Sequence[RejectedRow]) -> list[dict[str, Any]]:
    """Return the rows that were left out, and why."""
    return [{"row": row.row, "reason": row.reason} for row in rejected]


def source_notes(attribution: str, streets: StreetDrawing | None) -> list[str]:
    """Return who made the data that roads and streets are of, each once."""
    sources = [attribution] if attribution else []
    if streets is not None and streets.attribution not in attribution:
        sources.append(streets.attribution)
    return sources


def _totals(report: PlanReport) -> list[dict[str, str]]:
    return list_totals(
        {
            "Stops": str(len(report.visits)),
            "Distance": format_distance(report.distance_meters),
            "Duration": format_span(report.duration),
            "Done at": _time(report, report.ends_at),
        }
    )


def list_totals(totals: Mapping[str, str]) -> list[dict[str, str]]:
    """Return figures as the page's head takes them."""
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


def estimate_notes(*, wholly: bool, partly: bool) -> list[str]:
    """Return what to say where roads were not known."""
    if wholly:
        return ["Times and distances are estimates; lines are straight, not roads."]
    if partly:
        return ["Some times and distances are estimates; straight lines are not roads."]
    return []


def _time(report: PlanReport, instant: datetime) -> str:
    return format_time(instant, since=report.start.at, with_zone=report.crosses_zones())
