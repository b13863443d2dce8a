"""`roundsman export`: routes that are stored, as files of other programs (decisions §18)."""

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import DataFolder
from roundsman.cli.organizations import Slug
from roundsman.cli.plan_files import write_private
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import InvalidArgument
from roundsman.operations import exports
from roundsman.operations.exports import ExportedFile
from roundsman.operations.organizations import require_organization
from roundsman.operations.sheet_pages import render_sheet
from roundsman.operations.tools import Tools

export = typer.Typer(help="Take routes away as files, or as a page to print.", no_args_is_help=True)


class Format(StrEnum):
    """What a file of a route may be."""

    CSV = "CSV"
    XLSX = "XLSX"
    GPX = "GPX"
    GEOJSON = "GEOJSON"
    ICS = "ICS"
    SHEET = "SHEET"


class DayFormat(StrEnum):
    """What a file of a day may be: a calendar and a track are of one route."""

    CSV = "CSV"
    XLSX = "XLSX"
    GEOJSON = "GEOJSON"
    SHEET = "SHEET"


_BY_ENDING = {
    ".csv": Format.CSV,
    ".xlsx": Format.XLSX,
    ".gpx": Format.GPX,
    ".geojson": Format.GEOJSON,
    ".ics": Format.ICS,
    ".html": Format.SHEET,
}

_FORMAT = typer.Option(
    "--format",
    case_sensitive=False,
    help="SHEET is a page to print. Default: what the name after --out ends in, else CSV.",
)
_OutFile = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", dir_okay=False, help="Default: standard output."),
]


@export.command("route")
def export_route(
    route_id: Annotated[str, typer.Argument(metavar="ROUTE", help="The id of the route.")],
    *,
    slug: Slug,
    kind: Annotated[Format | None, _FORMAT] = None,
    out: _OutFile = None,
    data: DataFolder = None,
) -> None:
    """Take a route away as a file, one stop a row, or as a page to print."""
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        _export(
            tools,
            _format_of(kind, out),
            out,
            lambda wanted: exports.export_route(tools, slug, route_id, wanted),
            lambda: [exports.find_route_to_show(tools, slug, route_id)],
        )


@export.command("day")
def export_day(
    date: Annotated[str, typer.Argument(metavar="YYYY-MM-DD", help="The day of the routes.")],
    *,
    slug: Slug,
    kind: Annotated[DayFormat | None, _FORMAT] = None,
    out: _OutFile = None,
    data: DataFolder = None,
) -> None:
    """Take all routes of a day away as one file, or as pages to print.

    GPX and ICS are of one route.
    """
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        wanted = _format_of(None if kind is None else Format(kind), out)
        if wanted.value not in [one.value for one in DayFormat]:
            problem = f"a day is taken away as {', '.join(DayFormat)}, not as {wanted}"
            raise InvalidArgument(f"{problem}: export each of its routes")
        _export(
            tools,
            wanted,
            out,
            lambda format_: exports.export_day(tools, slug, date, format_),
            lambda: exports.find_routes_to_show(tools, slug, date),
        )


def _format_of(kind: Format | None, out: Path | None) -> Format:
    if kind is not None or out is None:
        return kind or Format.CSV
    found = _BY_ENDING.get(out.suffix.lower())
    if found is None:
        raise InvalidArgument(f"{out} ends in none of {', '.join(_BY_ENDING)}; say --format")
    return found


def _export(
    tools: Tools,
    kind: Format,
    out: Path | None,
    make_file: Callable[[str], ExportedFile],
    find_routes: Callable[[], Sequence[AssignedRoute]],
) -> None:
    if kind is Format.SHEET:
        content = render_sheet(find_routes(), tools.street_map, tools.roads).encode()
    else:
        content = make_file(kind.value).content
    if out is None:
        sys.stdout.buffer.write(content)
        return
    write_private(out, content)
    typer.echo(f"written to {out}", err=True)
