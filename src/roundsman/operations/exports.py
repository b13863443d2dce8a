"""Routes and days as files of other programs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.imported_stop import ImportedStop
from roundsman.kit.loading import load
from roundsman.operations.days import find_day
from roundsman.operations.route_changes import assign_stored, load_route
from roundsman.operations.tools import Tools
from roundsman.routing.route_files import write_calendar, write_geojson, write_gpx
from roundsman.routing.route_rows import HEADER, Row, rows_of_route
from roundsman.storage.days import list_routes_of_day
from roundsman.storage.imported_stops import find_imported_stops

_IN_ONE_QUERY = 500


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
    imported = _find_imported(tools, organization_id, [assigned])
    return _export(kind, assigned.route.name, [assigned], imported)


def export_day(tools: Tools, organization_id: str, day: str, kind: str) -> ExportedFile:
    """Return the routes of a day as one file; raise InvalidArgument where there is no such day."""
    routes = find_routes_to_show(tools, organization_id, day)
    return _export(kind, day, routes, _find_imported(tools, organization_id, routes))


def _find_imported(
    tools: Tools, organization_id: str, routes: Sequence[AssignedRoute]
) -> Mapping[str, ImportedStop]:
    """Return the stops of the pool that the routes' stops were made of, by id."""
    ids = sorted({stop.imported_stop_id for one in routes for stop in one.route.stops} - {""})
    with tools.database.reading() as tx:
        return {
            stop.id: stop
            for some in batched(ids, _IN_ONE_QUERY)
            for stop in find_imported_stops(tx, organization_id, ids=some)
        }


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


def _export(
    kind: str,
    name: str,
    routes: Sequence[AssignedRoute],
    imported: Mapping[str, ImportedStop],
) -> ExportedFile:
    rows = [row for route in routes for row in rows_of_route(route, imported)]
    content = (
        write_geojson(routes, imported) if kind == "GEOJSON" else _WRITERS[kind](name, rows, routes)
    )
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
    "ICS": lambda _name, _rows, routes: write_calendar(routes[0]),
}


def _file_name(name: str) -> str:
    """Return a name that every file system takes."""
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", name)
    return kept.strip("-.")[:80] or "route"
