"""`roundsman plan`: the main job without a server. Stops in, the best order out.

Standard output carries the route and nothing else, a table or, with `--json`, one JSON document;
progress and remarks go to standard error.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from roundsman.cli.options import DataFolder, errors_in_one_line
from roundsman.cli.output import printable
from roundsman.cli.plan_departure import departure_of, remark_on_departure, suggest_departure
from roundsman.cli.plan_doubts import (
    find_far_stops,
    say_closed_windows,
    say_far_start,
    say_far_stops,
    say_other_days,
    say_repeated_stops,
)
from roundsman.cli.plan_ends import Located, locate_route_end
from roundsman.cli.plan_input import PlanInput, describe_columns, locate_stops
from roundsman.cli.plan_json import render_json, render_json_without_plan
from roundsman.cli.plan_map import check_map_file, write_map
from roundsman.cli.plan_report import PlanReport
from roundsman.cli.plan_run import PlanRequest, plan_request, run_with_progress
from roundsman.cli.route_map import render_map
from roundsman.cli.route_table import render_rejected, render_route
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.answer_cache import AnswersInMemory
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.geocoder import Geocoder
from roundsman.geography import make_geocoder, open_roads
from roundsman.kit.clock import SystemClock
from roundsman.kit.durations import Duration
from roundsman.kit.ids import RandomIds
from roundsman.kit.time_zones import country_at
from roundsman.roads.network import RoadNetwork
from roundsman.settings import load_settings
from roundsman.spreadsheets.bounds import MOST_BYTES
from roundsman.spreadsheets.durations import parse_minutes
from roundsman.spreadsheets.remarks import Remark, group_remarks
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.spreadsheets.table import RejectedRow

_CLOCK = SystemClock()
_IDS = RandomIds()
_REMARKS = Console(stderr=True)
_PIPED_WIDTH = 160
"""Columns of a table that no terminal limits."""
_TWO_ENDS = "a route has one end, and --round-trip puts it at the start; give one of the two"
_MATCHES_WITHOUT_JSON = "the table tells how addresses were understood by itself; add --json"
_HEAVIEST_KILOGRAMS = 1_000_000_000
"""As heavy as a route may be; without a bound, `inf` would be taken."""


def plan(  # noqa: PLR0913 -- every parameter is an option of the command
    stops: Annotated[
        Path,
        typer.Argument(
            metavar="STOPS.csv",
            exists=True,
            dir_okay=False,
            readable=True,
            help="A CSV or XLSX file with a header; one stop a row.",
        ),
    ],
    *,
    start: Annotated[
        str, typer.Option(metavar="ADDRESS|LAT,LON", help="Where the vehicle leaves.")
    ],
    end: Annotated[
        str, typer.Option(metavar="ADDRESS|LAT,LON", help="Where it ends; else at the last stop.")
    ] = "",
    round_trip: Annotated[bool, typer.Option("--round-trip", help="End at the start.")] = False,
    start_at: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="When it leaves: 08:00, 'tomorrow 8:00', '2026-07-01 08:00' by the clocks at the "
            "start, or RFC 3339 with an offset. Default: the next full hour, or tomorrow at the "
            "earliest window when most windows of today have closed.",
        ),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead of a table.")
    ] = False,
    matches: Annotated[
        bool, typer.Option("--matches", help="With --json, tell how each address was understood.")
    ] = False,
    map_file: Annotated[
        Path | None,
        typer.Option(
            "--map", metavar="OUT.html", dir_okay=False, help="Also write a map in one HTML file."
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Plan nothing when a row or a cell is left out, or a row far away."
        ),
    ] = False,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.01, max=600, help="About how long to search for a better order; at most 600."
        ),
    ] = 0.5,
    service_time: Annotated[
        str, typer.Option(metavar="MINUTES", help="Time at stops that do not say their own.")
    ] = "",
    speed_factor: Annotated[
        float,
        typer.Option(min=0.1, max=10, help="2 drives twice as fast as expected; from 0.1 to 10."),
    ] = 1.0,
    avoid_tolls: Annotated[bool, typer.Option("--avoid-tolls", help="Avoid toll roads.")] = False,
    max_duration: Annotated[
        str, typer.Option(metavar="MINUTES", help="Longest the route may take, such as 480 or 8h.")
    ] = "",
    max_kilograms: Annotated[
        float,
        typer.Option(
            min=0, max=_HEAVIEST_KILOGRAMS, help="Heaviest the load may be; 0 is no limit."
        ),
    ] = 0.0,
    data: DataFolder = None,
) -> None:
    """Order the stops of a spreadsheet into the best route and print it with arrival times.

    Rows that cannot be used are listed with the reason, the others are planned. A cell that cannot
    be read and need not be there is left out with a warning, and rows more than 300 km from the
    others are named; --strict takes both for rows to leave out. Windows and limits that no order
    meets are reported, and the best order is printed all the same.

    Exit status: 0 planned; 1 nothing could be planned, or --strict found a row to leave out;
    2 the command line, the start or the file could not be understood.
    """
    if end and round_trip:
        raise typer.BadParameter(_TWO_ENDS, param_hint="--end")
    if matches and not as_json:
        raise typer.BadParameter(_MATCHES_WITHOUT_JSON, param_hint="--matches")
    _check_map(map_file, stops)
    options = RouteOptions(
        speed_factor=speed_factor,
        avoid_tolls=avoid_tolls,
        max_duration=_duration("--max-duration", max_duration),
        default_stop_duration=_duration("--service-time", service_time),
        max_kilograms=max_kilograms,
    )
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
    made = make_geocoder(settings, memory=AnswersInMemory(), clock=_CLOCK)
    with _looking_up(), errors_in_one_line(), closing(made) as geocoder:
        origin = _locate("--start", start, geocoder)
        target = origin if round_trip else _locate("--end", end, geocoder) if end else None
        sheet = _read(stops, country=_country_of(origin), strict=strict)
        given = locate_stops(sheet, geocoder, options=options, ids=_IDS, now=_CLOCK.now())
    given = _doubted(given, origin, strict=strict)
    _stop_if_unplannable(given, strict=strict, as_json=as_json)
    departure, given = _departure(start_at, origin, given)
    request = PlanRequest(
        name=stops.stem,
        start=origin,
        end=target,
        given=given,
        options=options,
        departure=departure,
        seconds=seconds,
        wants_paths=map_file is not None,
    )
    with closing(open_roads(settings)) as roads:
        report = _search(request, roads)
    given = _remarked(given, say_other_days(report))
    if not start_at:
        given = _remarked(given, say_closed_windows(report))
    _print(report, given, as_json=as_json, tells_matches=matches)
    if map_file is not None:
        with errors_in_one_line():
            write_map(map_file, render_map(report))
        _report([f"map written to {map_file}"])


def _looking_up() -> AbstractContextManager[object]:
    return _REMARKS.status("Locating addresses") if _REMARKS.is_terminal else nullcontext()


def _search(request: PlanRequest, roads: RoadNetwork) -> PlanReport:
    def work(cancelled: Callable[[], bool]) -> PlanReport:
        return plan_request(request, roads=roads, ids=_IDS, now=_CLOCK.now(), cancelled=cancelled)

    label = f"Ordering {len(request.given.stops)} stops"
    return run_with_progress(_REMARKS, label, request.seconds, work)


def _read(path: Path, *, country: str, strict: bool) -> StopSheet:
    try:
        sheet = read_stop_sheet(_content(path), country_code, country=country, strict=strict)
    except InvalidArgument as error:
        raise _unusable(path, error.message) from error
    if not sheet.stops and not sheet.rejected:
        raise _unusable(path, "a header but no rows below it")
    return sheet


def _unusable(path: Path, message: str) -> typer.Exit:
    typer.echo(printable(f"roundsman: {path}: {message}"), err=True)
    return typer.Exit(2)


def _content(path: Path) -> bytes:
    """Return what the file holds, or so much of it that it is known to be too large."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _country_of(location: Located) -> str:
    here = location.coordinates
    return country_at(latitude=here.latitude, longitude=here.longitude)


def _locate(option: str, text: str, geocoder: Geocoder) -> Located:
    try:
        location = locate_route_end(text, geocoder)
    except InvalidArgument as error:
        raise typer.BadParameter(error.message, param_hint=option) from error
    if location.match is not None:
        # A name may be known under a spelling that was not meant, so what it was taken for is told.
        _report([f"{option} {text}: {location.match.label}"])
    return location


def _departure(text: str, origin: Located, given: PlanInput) -> tuple[datetime, PlanInput]:
    """Return when the route leaves, and the input with what there is to say of that."""
    now = _CLOCK.now()
    if not text:
        departure, said = suggest_departure(given, origin, now)
        return departure, _remarked(given, [Remark(message=said)] if said else [])
    try:
        departure = departure_of(text, origin, now)
    except ValueError as error:
        message = (
            f"{text} is no time; write 08:00, tomorrow 8:00, 2026-07-01 08:00, or RFC 3339 such as "
            "2026-07-01T08:00:00-04:00"
        )
        raise typer.BadParameter(message, param_hint="--start-at") from error
    return departure, _remarked(given, remark_on_departure(text, departure, now))


def _duration(option: str, text: str) -> Duration | UnsetType:
    try:
        return parse_minutes(text) if text else UNSET
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _check_map(map_file: Path | None, stops: Path) -> None:
    try:
        if map_file is not None:
            check_map_file(map_file, stops)
    except InvalidArgument as error:
        raise typer.BadParameter(error.message, param_hint="--map") from error


def _doubted(given: PlanInput, start: Located, *, strict: bool) -> PlanInput:
    """Say how the sheet was read and what is odd; `strict` leaves out what is likely wrong."""
    _report(describe_columns(given.columns))
    _warn(group_remarks(given.remarks))
    far = find_far_stops(given, start.coordinates)
    given = _remarked(given, say_repeated_stops(given))
    given = _remarked(given, say_far_start(given, start))
    if not strict:
        return _remarked(given, say_far_stops(far))
    left_out = [RejectedRow(row=stop.row, reason=stop.reason) for stop in far]
    rejected = sorted((*given.rejected, *left_out), key=lambda row: row.row)
    return replace(given, rejected=tuple(rejected))


def _remarked(given: PlanInput, remarks: Iterable[Remark]) -> PlanInput:
    """Warn, and keep the warnings for the document."""
    result = tuple(remarks)
    _warn(remark.message for remark in result)
    return replace(given, remarks=(*given.remarks, *result))


def _warn(lines: Iterable[str]) -> None:
    for line in lines:
        text = printable(f"warning: {line}")
        _REMARKS.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)


def _report(lines: Iterable[str]) -> None:
    for line in lines:
        text = printable(line)
        _REMARKS.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def _stop_if_unplannable(given: PlanInput, *, strict: bool, as_json: bool) -> None:
    if given.stops and not (strict and given.rejected):
        return
    if as_json:
        typer.echo(render_json_without_plan(given.rejected, given.remarks))
    elif given.rejected:
        _output().print(render_rejected(given.rejected))
    why = "--strict: nothing was planned" if given.stops else "no row can be planned"
    _REMARKS.print(why, style="red")
    raise typer.Exit(1)


def _print(report: PlanReport, given: PlanInput, *, as_json: bool, tells_matches: bool) -> None:
    if not as_json:
        _output().print(render_route(report))
        return
    result = render_json(report, given.remarks, tells_matches=tells_matches)
    typer.echo(result)
    _report(filter(None, [report.attribution]))


def _output() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=_PIPED_WIDTH, highlight=False)
