"""Files that `plan` and `export` write: a spreadsheet, and a page to print.

They hold names and addresses of customers, so nobody else may read them.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer
from msgspec.structs import replace

from roundsman.cli.plan_input import PlanInput
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.loads import Loads
from roundsman.kit.loading import load
from roundsman.roads.network import RoadNetwork
from roundsman.routing.route_rows import HEADER, Row, rows_of_route
from roundsman.spreadsheets.columns import fold_header
from roundsman.storage.private_files import close_to_others
from roundsman.tiles.street_map import StreetMap

_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_PRIVATE = 0o600
_SPREADSHEETS = (".xlsx", ".csv")
FLEET_COLUMNS = ("breakBefore", "breakAfter", "plannedEnd", "reason")
_OF_OTHER_PLANS = (*FLEET_COLUMNS, "plannedDeparture", "endDistanceMeters")
"""In a sheet that an earlier plan wrote; they say nothing of this one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetTable:
    """What the spreadsheet of many vehicles says beside: columns, their cells by the stop's id.

    `left_out` is a route that nobody drives, of the stops that stay out.
    """

    columns: tuple[str, ...] = ()
    cells: Mapping[str, Row] = field(default_factory=dict)
    left_out: AssignedRoute | None = None
    loads: Mapping[str, Loads] = field(default_factory=dict)
    """What stops take beside their goods, by id."""

    load_columns: frozenset[str] = frozenset()
    """Folded headers of the sheet that `loads` has the amounts of."""


_NOTHING_BESIDE = FleetTable()


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanFiles:
    """Where a plan is to be written besides; None where it is not."""

    out: Path | None
    sheet: Path | None
    csv: Path | None = None
    """Written by whoever knows its columns; looked at here beside the others."""

    def check(self, stops: Path, vehicles: str) -> None:
        """Raise BadParameter where a file cannot be written, or has something else in it."""
        if self.out is not None and self.out.suffix.lower() not in _SPREADSHEETS:
            problem = f"{self.out}: the name must end in .xlsx or .csv"
            raise typer.BadParameter(problem, param_hint="--out")
        read = [(stops, "the file with the stops"), (Path(vehicles), "the file with the vehicles")]
        written: dict[Path, str] = {}
        for option, file in (("--out", self.out), ("--sheet", self.sheet), ("--csv", self.csv)):
            if file is None:
                continue
            if not file.absolute().parent.is_dir():
                raise typer.BadParameter(f"no folder {file.parent}", param_hint=option)
            for other, what in read:
                if file.exists() and other.is_file() and file.samefile(other):
                    problem = f"{file} is {what}; name another"
                    raise typer.BadParameter(problem, param_hint=option)
            before = written.setdefault(file.resolve(), option)
            if before != option:
                problem = f"{file} is what {before} writes; name another"
                raise typer.BadParameter(problem, param_hint=option)

    def write(
        self,
        routes: Sequence[AssignedRoute],
        given: PlanInput,
        street_map: StreetMap,
        roads: RoadNetwork,
        beside: FleetTable = _NOTHING_BESIDE,
    ) -> list[str]:
        """Write what is wanted; return a line for each file, or raise InvalidArgument."""
        written = []
        if self.out is not None:
            write_private(self.out, _spreadsheet(self.out, routes, given, beside))
            count = len(beside.left_out.route.stops) if beside.left_out else 0
            stops = (
                "1 stop that stays out stands"
                if count == 1
                else f"{count} stops that stay out stand"
            )
            last = f"; {stops} last, without a route" if count else ""
            written.append(f"plan written to {self.out}{last}")
        if self.sheet is not None:
            render = load("roundsman.operations.sheet_pages:render_sheet")
            write_private(self.sheet, render(routes, street_map, roads).encode())
            written.append(f"page to print written to {self.sheet}")
        return written


def _spreadsheet(
    file: Path, routes: Sequence[AssignedRoute], given: PlanInput, beside: FleetTable
) -> bytes:
    """Return a row a stop that is planned again as the row was that it came from.

    Ids of the stops are left empty: they are of this run alone, and would be imported as ids of
    the client's.
    """
    drafts = dict(given.drafts)
    for of_stop, loads in beside.loads.items():
        drafts[of_stop] = replace(drafts[of_stop], loads=loads)
    own = _list_own_columns(given, beside.load_columns)
    header = (*HEADER, *beside.columns, *own.values())
    nothing: Row = [""] * len(beside.columns)
    position, stop_id = HEADER.index("position"), HEADER.index("stopId")
    rows = [row for one in routes for row in rows_of_route(one, drafts)]
    for row in rows_of_route(beside.left_out, drafts) if beside.left_out else ():
        row[position] = None
        rows.append(row)
    for row in rows:
        of_stop, row[stop_id] = str(row[stop_id]), ""
        cells = given.others.get(of_stop, {})
        row.extend(beside.cells.get(of_stop, nothing))
        row.extend(cells.get(folded, "") for folded in own)
    # Whoever wants no file need not wait for the library that writes workbooks.
    if file.suffix.lower() == ".csv":
        content: bytes = load("roundsman.spreadsheets.written:write_csv")(header, rows)
    else:
        content = load("roundsman.spreadsheets.written:write_workbook")(file.stem, header, rows)
    return content


def _list_own_columns(given: PlanInput, without: frozenset[str]) -> dict[str, str]:
    """Return the headers of the sheet's other columns by their folded form.

    They may be loads, or say which vehicles may serve a stop, to whoever plans this again.
    """
    written = {*map(fold_header, (*HEADER, *_OF_OTHER_PLANS)), *without}
    headers = {
        fold_header(column.header): column.header for column in given.columns if not column.field
    }
    return {folded: header for folded, header in headers.items() if folded not in written}


def write_private(file: Path, content: bytes) -> None:
    """Write a file that others cannot read; raise InvalidArgument where the disk refuses it."""
    try:
        with os.fdopen(os.open(file, _WRITING, _PRIVATE), "wb") as opened:
            opened.write(content)
        close_to_others(file)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InvalidArgument(f"{file} cannot be written: {why}") from error
