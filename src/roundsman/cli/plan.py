"""`roundsman plan`: the main job without a server. Stops in, the best order out.

Standard output carries the route and nothing else, a table or, with `--json`, one JSON document;
progress and remarks go to standard error.
"""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from roundsman.cli.fleet_command import FleetCommand, plan_vehicles
from roundsman.cli.options import DataFolder, errors_in_one_line
from roundsman.cli.plan_csv import render_route_csv
from roundsman.cli.plan_doubts import (
    say_closed_windows,
    say_other_days,
    say_vans_needed,
    say_windows_after_midnight,
)
from roundsman.cli.plan_files import PlanFiles, write_private
from roundsman.cli.plan_input import PlanInput, locate_stops
from roundsman.cli.plan_json import render_json, render_json_without_plan
from roundsman.cli.plan_map import check_map_file, write_map
from roundsman.cli.plan_report import PlanReport
from roundsman.cli.plan_run import PlanRequest, plan_request, run_with_progress
from roundsman.cli.plan_sheet import (
    CLOCK,
    IDS,
    REMARKS,
    choose_departure,
    country_of,
    locate_option,
    looking_up,
    open_output,
    read_day,
    read_sheet,
    report_lines,
    say_doubts,
    stop_if_unplannable,
    with_remarks,
)
from roundsman.cli.route_map import render_map
from roundsman.cli.route_table import render_route
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import PlanEffort
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.answer_cache import AnswersInMemory
from roundsman.geography import make_geocoder, open_roads, open_street_map
from roundsman.kit.durations import Duration
from roundsman.roads.network import RoadNetwork
from roundsman.settings import load_settings
from roundsman.spreadsheets.durations import parse_minutes

_USUAL_SECONDS = 0.5
_TWO_ENDS = "a route has one end, and --round-trip puts it at the start; give one of the two"
_MATCHES_WITHOUT_JSON = "the table tells how addresses were understood by itself; add --json"
_HEAVIEST_KILOGRAMS = 1_000_000_000
"""As heavy as a route may be; without a bound, `inf` would be taken."""


def plan(  # noqa: PLR0913, PLR0915 -- every parameter is an option, to be checked and passed on
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
    context: typer.Context,
    start: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS|LAT,LON",
            help="Where the vehicle leaves; needed unless VEHICLES.csv says it.",
        ),
    ] = "",
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
    vehicles: Annotated[
        str,
        typer.Option(
            metavar="VEHICLES.csv|NUMBER",
            help="Plan many: the vehicles of a file, one a row, or so many alike for eight hours.",
        ),
    ] = "",
    day: Annotated[
        str,
        typer.Option(
            "--date",
            metavar="YYYY-MM-DD",
            help="Day to plan; a route leaves when its first window opens, or at 8:00, unless "
            "--start-at says a time. Default: today; with VEHICLES.csv tomorrow when all shifts "
            "have begun or, of those without times, have two hours left.",
        ),
    ] = "",
    effort: Annotated[
        PlanEffort,
        typer.Option(help="How long to search with --vehicles, unless --seconds says it."),
    ] = PlanEffort.NORMAL,
    seed: Annotated[
        int, typer.Option(min=0, max=1_000_000_000, help="With --vehicles: another plan.")
    ] = 0,
    compact: Annotated[
        bool,
        typer.Option("--compact", help="With --vehicles: each keeps to its part of the town."),
    ] = False,
    even: Annotated[
        bool, typer.Option("--even", help="With --vehicles: about as many stops each.")
    ] = False,
    csv_file: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            metavar="OUT.csv",
            dir_okay=False,
            help="Also write the plan as CSV, one stop a row, with times in UTC.",
        ),
    ] = None,
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
    out_file: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="PLAN.xlsx|.csv",
            dir_okay=False,
            help="Also write the plan as a spreadsheet, one stop a row.",
        ),
    ] = None,
    sheet_file: Annotated[
        Path | None,
        typer.Option(
            "--sheet",
            metavar="OUT.html",
            dir_okay=False,
            help="Also write a page to print, with room for signatures.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Plan nothing when a row or a cell is left out, or a row far away."
        ),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=600,
            help="About how long to search for a better order; at most 600. Default: 0.5.",
        ),
    ] = None,
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

    With --vehicles the stops are given to several vehicles, and what stays out is told with the
    reason. Columns of VEHICLES.csv: name, count, start, end (empty: at the last stop, =: back at
    the start), shiftStart, shiftEnd, skills, maxStops, maxDuration, maxDistance (km), breaks
    (12:00-13:30 30m), fixedCost, costPerHour, costPerTraveledHour, costPerKilometer, speedFactor,
    driver; any other is a load if stops have such a column, too, and is named if not. Stops may
    have those loads, skills, vehicles, fixedVehicle and unassignedCost; lists are separated by
    semicolons.

    Exit status: 0 planned; 1 nothing could be planned, or --strict found a row or a stop to leave
    out; 2 the command line, the start or a file could not be understood; 130 interrupted.
    """
    files = PlanFiles(out=out_file, sheet=sheet_file, csv=csv_file)
    files.check(stops, vehicles)
    on = read_day(day)
    if end and round_trip:
        raise typer.BadParameter(_TWO_ENDS, param_hint="--end")
    if matches and not as_json:
        raise typer.BadParameter(_MATCHES_WITHOUT_JSON, param_hint="--matches")
    options = RouteOptions(
        speed_factor=speed_factor,
        avoid_tolls=avoid_tolls,
        max_duration=_duration("--max-duration", max_duration),
        default_stop_duration=_duration("--service-time", service_time),
        max_kilograms=max_kilograms,
    )
    if vehicles:
        _check_map(map_file, stops)
        plan_vehicles(
            FleetCommand(
                stops=stops,
                vehicles=vehicles,
                start=start,
                end=end,
                is_round_trip=round_trip,
                start_at=start_at,
                day=on,
                effort=effort,
                seconds=seconds,
                seed=seed,
                compact=compact,
                even=even,
                csv_file=csv_file,
                map_file=map_file,
                files=files,
                as_json=as_json,
                with_matches=matches,
                strict=strict,
                options=options,
                data=data,
            )
        )
        return
    if not start:
        raise typer.BadParameter("say where the vehicle leaves", param_hint="--start")
    _refuse_of_many(context)
    _check_map(map_file, stops)
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
    made = make_geocoder(settings, memory=AnswersInMemory(), clock=CLOCK)
    with looking_up(), errors_in_one_line(), closing(made) as geocoder:
        origin = locate_option("--start", start, geocoder)
        target = origin if round_trip else locate_option("--end", end, geocoder) if end else None
        sheet = read_sheet(stops, country=country_of(origin), strict=strict)
        given = locate_stops(sheet, geocoder, options=options, ids=IDS, now=CLOCK.now())
    given = say_doubts(given, origin, strict=strict)
    as_none = render_json_without_plan if as_json else None
    stop_if_unplannable(given, strict=strict, as_json=as_none)
    departure, given = choose_departure(start_at, on, origin, given)
    request = PlanRequest(
        name=stops.stem,
        start=origin,
        end=target,
        given=given,
        options=options,
        departure=departure,
        seconds=_USUAL_SECONDS if seconds is None else seconds,
        wants_paths=map_file is not None,
    )
    with closing(open_roads(settings)) as roads:
        report = _search(request, roads)
        with errors_in_one_line(), closing(open_street_map(settings)) as street_map:
            written = files.write([AssignedRoute(route=report.route)], given, street_map, roads)
    given = with_remarks(given, (*say_other_days(report), *say_windows_after_midnight(report)))
    if not start_at:
        given = with_remarks(given, say_closed_windows(report))
    again = {
        "--start": start,
        "--end": end,
        "--round-trip": round_trip,
        "--start-at": start_at,
        "--date": day,
        "--service-time": service_time,
        "--speed-factor": speed_factor if speed_factor != 1 else "",
        "--avoid-tolls": avoid_tolls,
        "--max-duration": max_duration,
        "--max-kilograms": max_kilograms,
        "--data": data,
    }
    report_lines(say_vans_needed(report, stops, again))
    _print(report, given, as_json=as_json, tells_matches=matches)
    report_lines(written)
    if csv_file is not None:
        with errors_in_one_line():
            write_private(csv_file, render_route_csv(report).encode())
        report_lines([f"plan written to {csv_file}"])
    if map_file is not None:
        with errors_in_one_line(), closing(open_street_map(settings)) as street_map:
            write_map(map_file, render_map(report, street_map))
        report_lines([f"map written to {map_file}"])


def _search(request: PlanRequest, roads: RoadNetwork) -> PlanReport:
    def work(cancelled: Callable[[], bool]) -> PlanReport:
        return plan_request(request, roads=roads, ids=IDS, now=CLOCK.now(), cancelled=cancelled)

    label = f"Ordering {len(request.given.stops)} stops"
    return run_with_progress(REMARKS, label, request.seconds, work)


def _refuse_of_many(context: typer.Context) -> None:
    """End the command where an option was given that only several vehicles heed."""
    for name in ("effort", "seed", "compact", "even"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            problem = "is for several vehicles; add --vehicles, or leave this out"
            raise typer.BadParameter(problem, param_hint=f"--{name}")


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


def _print(report: PlanReport, given: PlanInput, *, as_json: bool, tells_matches: bool) -> None:
    if not as_json:
        open_output().print(render_route(report))
        return
    result = render_json(report, given.remarks, tells_matches=tells_matches)
    typer.echo(result)
    report_lines(filter(None, [report.attribution]))
