"""Routes and days as files of other programs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.kit.loading import load
from roundsman.operations.days import find_day
from roundsman.operations.route_changes import assign_stored, load_route
from roundsman.operations.tools import Tools
from roundsman.routing.route_files import write_calendar, write_geojson, write_gpx
from roundsman.routing.route_rows import HEADER, Row, rows_of_route
from roundsman.storage.days import list_routes_of_day


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportedFile:
    """A file, and what it is called."""

    name: str
    media_type: str
    content: bytes


MEDIA_TYPES: Mapping[str, str] = {
    "CSV": "text/csv; charset=utf-8",
    "XLSX": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "GPX": "application/gpx+xml",
    "GEOJSON": "application/geo+json",
    "ICS": "text/calendar; charset=utf-8",
}


def export_route(tools: Tools, organization_id: str, route_id: str, kind: str) -> ExportedFile:
    """Return a route as a file."""
    assigned = find_route_to_show(tools, organization_id, route_id)
    return _export(kind, assigned.route.name, [assigned])


def export_day(tools: Tools, organization_id: str, day: str, kind: str) -> ExportedFile:
    """Return the routes of a day as one file; raise InvalidArgument where there is no such day."""
    return _export(kind, day, find_routes_to_show(tools, organization_id, day))


def find_route_to_show(tools: Tools, organization_id: str, route_id: str) -> AssignedRoute:
    """Return a route with its driver and vehicle."""
    stored = load_route(tools, organization_id, route_id)
    with tools.database.reading() as tx:
        return assign_stored(tx, organization_id, stored)


def find_routes_to_show(tools: Tools, organization_id: str, day: str) -> list[AssignedRoute]:
    """Return the routes of a day with their drivers and vehicles."""
    state = find_day(tools, organization_id, day)
    with tools.database.reading() as tx:
        return list(list_routes_of_day(tx, organization_id, state.span))


def _export(kind: str, name: str, routes: Sequence[AssignedRoute]) -> ExportedFile:
    rows = [row for route in routes for row in rows_of_route(route)]
    content = _WRITERS[kind](name, rows, routes)
    return ExportedFile(
        name=f"{_file_name(name)}.{kind.lower()}", media_type=MEDIA_TYPES[kind], content=content
    )


_WRITTEN = "roundsman.spreadsheets.written"
"""Loaded when somebody takes a table away: a start without it is quicker."""

type _Write = Callable[[str, list[Row], Sequence[AssignedRoute]], bytes]

_WRITERS: Mapping[str, _Write] = {
    "CSV": lambda _name, rows, _routes: load(f"{_WRITTEN}:write_csv")(HEADER, rows),
    "XLSX": lambda name, rows, _routes: load(f"{_WRITTEN}:write_workbook")(name, HEADER, rows),
    "GPX": lambda _name, _rows, routes: write_gpx(routes[0]),
    "GEOJSON": lambda _name, _rows, routes: write_geojson(routes),
    "ICS": lambda _name, _rows, routes: write_calendar(routes[0]),
}


def _file_name(name: str) -> str:
    """Return a name that every file system takes."""
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    return kept.strip("-.")[:80] or "route"
