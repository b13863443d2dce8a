"""`roundsman plan --vehicles`, from what was said to what is printed."""

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path

import typer

from roundsman.cli.fleet_files import routes_of, table_of
from roundsman.cli.fleet_json import (
    render_fleet_csv,
    render_fleet_json,
    render_fleet_json_without_plan,
)
from roundsman.cli.fleet_map import render_fleet_map
from roundsman.cli.fleet_plan import (
    FleetReport,
    FleetSearch,
    UsualVehicle,
    alike_vans,
    locate_vehicles,
    names_shift,
    plan_fleet_sheet,
    stops_to_plan,
)
from roundsman.cli.fleet_table import render_fleet
from roundsman.cli.options import errors_in_one_line
from roundsman.cli.plan_departure import remark_on_departure
from roundsman.cli.plan_ends import Located, locate_route_end
from roundsman.cli.plan_files import PlanFiles, write_private
from roundsman.cli.plan_input import PlanInput, locate_stops
from roundsman.cli.plan_map import write_map
from roundsman.cli.plan_run import run_with_progress
from roundsman.cli.plan_sheet import (
    CLOCK,
    IDS,
    REMARKS,
    choose_departure,
    country_of,
    locate_option,
    looking_up,
    open_output,
    read_content,
    read_departure,
    read_sheet,
    refuse_file,
    report_lines,
    say_doubts,
    stop_if_unplannable,
    with_remarks,
)
from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import StopToPlan, VehicleToPlan
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.loads import KILOGRAMS
from roundsman.domain.model import UNSET
from roundsman.domain.plan_draft import (
    MOST_PLANNED_VEHICLES,
    BalanceBy,
    PlanBalance,
    PlanEffort,
)
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.answer_cache import AnswersInMemory
from roundsman.geocoding.geocoder import Geocoder
from roundsman.geography import make_geocoder, open_roads, open_street_map
from roundsman.routing.fleet_problem import moves_of
from roundsman.settings import load_settings
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.load_columns import (
    PLAN_COLUMNS,
    find_loads_of_stops,
    find_misspelt_load,
)
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.stop_sheet import StopSheet
from roundsman.spreadsheets.vehicle_sheet import SheetVehicle, VehicleSheet, read_vehicle_sheet

_MOST_SECONDS = 600.0
_STOPS_A_SECOND = 40
"""About so many are planned by the usual effort."""

_COMPACT_PRICE = 0.3
"""Of a kilometre from the middle of a route; what driving one costs where nobody says."""

_EVEN_PRICE = 50.0
"""Of a stop on the fullest route: an hour and a half of detour."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetCommand:
    """What was said of a plan of many vehicles."""

    stops: Path
    vehicles: str
    start: str
    end: str
    is_round_trip: bool
    start_at: str
    day: date | None
    effort: PlanEffort
    seconds: float | None
    seed: int
    compact: bool
    even: bool
    csv_file: Path | None
    map_file: Path | None
    files: PlanFiles
    as_json: bool
    with_matches: bool
    strict: bool
    options: RouteOptions
    data: Path | None


def plan_vehicles(said: FleetCommand) -> None:
    """Give the stops to several vehicles, and print the plan."""
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(said.data) if said.data else None)
    made = make_geocoder(settings, memory=AnswersInMemory(), clock=CLOCK)
    if said.vehicles.isdigit():
        if not said.start:
            raise typer.BadParameter("say where alike vehicles leave", param_hint="--start")
    elif not Path(said.vehicles).is_file():
        problem = f"{said.vehicles} is neither a file nor a number of vehicles"
        raise typer.BadParameter(problem, param_hint="--vehicles")
    with looking_up(), errors_in_one_line(), closing(made) as geocoder:
        given, vehicles, stops = _understand(said, geocoder)
    moves = None if said.seconds is not None else moves_of(said.effort, len(stops))
    search = FleetSearch(
        moves=moves,
        seconds=said.seconds or _MOST_SECONDS,
        seed=said.seed,
        compactness=_COMPACT_PRICE if said.compact else 0.0,
        balance=PlanBalance(by=BalanceBy.STOPS, cost_per_stop=_EVEN_PRICE) if said.even else UNSET,
        wants_paths=said.map_file is not None,
    )
    interrupted = threading.Event()
    with closing(open_roads(settings)) as roads:
        report = run_with_progress(
            REMARKS,
            f"Planning {len(stops)} stops on {len(vehicles)} vehicles",
            said.seconds or len(stops) / _STOPS_A_SECOND,
            lambda cancelled: plan_fleet_sheet(given, stops, vehicles, search, roads, cancelled),
            interrupted,
        )
        with errors_in_one_line(), closing(open_street_map(settings)) as street_map:
            routes, beside = routes_of(report, CLOCK.now()), table_of(report, CLOCK.now())
            written = said.files.write(routes, given, street_map, roads, beside)
    _print_fleet(report, said)
    report_lines(written)
    if said.map_file is not None:
        with errors_in_one_line(), closing(open_street_map(settings)) as street_map:
            write_map(said.map_file, render_fleet_map(said.stops.stem, report, street_map))
        report_lines([f"map written to {said.map_file}"])
    if interrupted.is_set():
        raise typer.Exit(130)
    if said.strict and report.plan.unassigned:
        raise typer.Exit(1)


def _understand(
    said: FleetCommand, geocoder: Geocoder
) -> tuple[PlanInput, list[VehicleToPlan], tuple[StopToPlan, ...]]:
    """Return what there is to plan: the sheet as it was read, the vehicles, and the stops."""
    now = CLOCK.now()
    origin = locate_option("--start", said.start, geocoder) if said.start else None
    target = locate_option("--end", said.end, geocoder) if said.end else None
    doubts: list[Remark] = []
    usual = UsualVehicle(
        start=origin,
        end=target,
        is_round_trip=said.is_round_trip,
        leaves=partial(_leaves, said, now, doubts) if said.start_at else None,
        options=said.options,
    )
    sheet = read_sheet(said.stops, country=country_of(origin) if origin else "", strict=said.strict)
    fleet = VehicleSheet() if said.vehicles.isdigit() else _read_vehicles(said, sheet)
    rows = fleet.vehicles
    if rows:
        _refuse_needless(said, rows)
    if origin is None and (country := _country_of_vehicles(rows, geocoder)):
        sheet = read_sheet(said.stops, country=country, strict=said.strict)
    given = locate_stops(sheet, geocoder, options=said.options, ids=IDS, now=now)
    loads = set(map(fold_header, fleet.loads()))
    given = say_doubts(given, origin, strict=said.strict, also=PLAN_COLUMNS | loads)
    given = _say_unread(given, said.vehicles, fleet)
    as_none = render_fleet_json_without_plan if said.as_json else None
    stop_if_unplannable(given, strict=said.strict, as_json=as_none)
    if origin is not None and not rows:
        departure, given = choose_departure(said.start_at, said.day, origin, given)
        end = origin if said.is_round_trip else target
        vehicles = alike_vans(_count(said.vehicles), origin, end, departure, said.options)
    else:
        first = given.stops[0].planned_coordinates
        vehicles = _in_sheet(
            Path(said.vehicles),
            lambda: locate_vehicles(rows, geocoder, first, now, said.day, usual),
        )
        given = with_remarks(given, doubts)
    stops = _in_sheet(said.stops, lambda: stops_to_plan(given, sheet, vehicles, rows, now))
    return given, vehicles, stops


def _print_fleet(report: FleetReport, said: FleetCommand) -> None:
    if said.as_json:
        typer.echo(render_fleet_json(report, report.given.remarks, with_matches=said.with_matches))
    else:
        open_output().print(render_fleet(report))
    if said.csv_file is not None:
        with errors_in_one_line():
            write_private(said.csv_file, render_fleet_csv(report).encode())
        report_lines([f"plan written to {said.csv_file}"])
    report_lines(filter(None, [report.attribution]))


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_PLANNED_VEHICLES:
        problem = f"{text} vehicles; between 1 and {MOST_PLANNED_VEHICLES} can be planned"
        raise typer.BadParameter(problem, param_hint="--vehicles")
    return count


def _country_of_vehicles(rows: Sequence[SheetVehicle], geocoder: Geocoder) -> str:
    """Return the country that the first vehicle with a start leaves from; empty where none does."""
    start = next((one.start for one in rows if one.start), "")
    try:
        return country_of(locate_route_end(start, geocoder)) if start else ""
    except InvalidArgument:
        return ""  # who locates the vehicles says which row is wrong


def _read_vehicles(said: FleetCommand, stops: StopSheet) -> VehicleSheet:
    """Return the vehicles; end the command where a load has another name in the other file."""
    path = Path(said.vehicles)
    of_stops = find_loads_of_stops(stops, PLAN_COLUMNS)
    fleet = _in_sheet(path, lambda: read_vehicle_sheet(read_content(path), of_stops))
    if misspelt := find_misspelt_load(stops, of_stops, fleet.loads()):
        header, meant = misspelt
        problem = f'column "{header}": no vehicle has such a load, did you mean "{meant}"?'
        raise refuse_file(said.stops, problem)
    return fleet


def _say_unread(given: PlanInput, path: str, fleet: VehicleSheet) -> PlanInput:
    """Say which columns of the vehicles were not read."""
    if fleet.ignored:
        named = ", ".join(fleet.ignored)
        report_lines([f"{path}: columns without a meaning here, ignored: {named}"])
    return with_remarks(given, [Remark(message=f"{path}: {doubt}") for doubt in fleet.doubts])


def _leaves(said: FleetCommand, now: datetime, doubts: list[Remark], at: Coordinates) -> datetime:
    here = Located(address=UNSET, coordinates=at)
    departure = read_departure(said.start_at, said.day, here, now)
    doubts += [] if said.day else remark_on_departure(said.start_at, departure, here, now)
    return departure


def _refuse_needless(said: FleetCommand, rows: Sequence[SheetVehicle]) -> None:
    """End the command where an option says what every vehicle of the file says itself."""
    options = said.options
    every: list[tuple[str, object, str, Callable[[SheetVehicle], object]]] = [
        ("--start", said.start, "start", lambda row: row.start),
        ("--end", said.end, "end", lambda row: row.end),
        ("--round-trip", said.is_round_trip, "end", lambda row: row.end),
        ("--start-at", said.start_at, "shift, and --date says the day", names_shift),
        ("--max-duration", options.max_duration, "maxDuration", lambda row: row.max_duration),
        (
            "--max-kilograms",
            options.max_kilograms,
            "kilograms",
            lambda row: KILOGRAMS in row.capacities,
        ),
        (
            "--speed-factor",
            options.speed_factor != 1,
            "speedFactor",
            lambda row: row.speed_factor is not UNSET,
        ),
    ]
    for option, is_given, what, says in every:
        if is_given and all(says(row) for row in rows):
            problem = f"every vehicle of {said.vehicles} has its own {what}; leave this out"
            raise typer.BadParameter(problem, param_hint=option)


def _in_sheet[T](path: Path, read: Callable[[], T]) -> T:
    """Return what is read of a file; end the command where it cannot be understood."""
    try:
        return read()
    except InvalidArgument as error:
        raise refuse_file(path, error.message) from error
