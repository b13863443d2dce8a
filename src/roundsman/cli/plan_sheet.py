"""What planning one route and planning many vehicles have in common: reading, doubts, output."""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import typer
from rich.console import Console

from roundsman.cli.output import printable
from roundsman.cli.plan_departure import (
    departure_of,
    names_date,
    remark_on_departure,
    suggest_departure,
    suggest_departure_on,
)
from roundsman.cli.plan_doubts import (
    find_far_stops,
    say_far_start,
    say_far_stops,
    say_repeated_stops,
)
from roundsman.cli.plan_ends import Located, locate_route_end
from roundsman.cli.plan_input import PlanInput, describe_columns
from roundsman.cli.route_table import render_rejected
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.issue import Issue, IssueType
from roundsman.domain.planned_days import OUTSIDE, is_planned, parse_planned_day
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.geocoder import Geocoder
from roundsman.kit.clock import SystemClock
from roundsman.kit.ids import RandomIds
from roundsman.kit.time_zones import country_at
from roundsman.spreadsheets.bounds import MOST_BYTES
from roundsman.spreadsheets.remarks import Remark, group_remarks
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.spreadsheets.table import RejectedRow, RowProblem

CLOCK = SystemClock()
IDS = RandomIds()
REMARKS = Console(stderr=True)
_TWO_DAYS = "--date says the day, too; give a time such as 08:00, or leave --date out"
_PIPED_WIDTH = 160
"""Columns of a table that no terminal limits."""


def looking_up() -> AbstractContextManager[object]:
    """Show that addresses are looked up, where somebody watches."""
    return REMARKS.status("Locating addresses") if REMARKS.is_terminal else nullcontext()


def read_sheet(path: Path, *, country: str, strict: bool) -> StopSheet:
    """Return the stops of a file; end the command where it cannot be read."""
    try:
        return read_stop_sheet(read_content(path), country_code, country=country, strict=strict)
    except InvalidArgument as error:
        raise refuse_file(path, error.message) from error


def refuse_file(path: Path, message: str) -> typer.Exit:
    """Say what is wrong with a file; the command ends with what this returns."""
    typer.echo(printable(f"roundsman: {path}: {message}"), err=True)
    return typer.Exit(2)


def read_content(path: Path) -> bytes:
    """Return what the file holds, or so much of it that it is known to be too large."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def country_of(location: Located) -> str:
    """Return the ISO code of the country where a place is."""
    here = location.coordinates
    return country_at(latitude=here.latitude, longitude=here.longitude)


def locate_option(option: str, text: str, geocoder: Geocoder) -> Located:
    """Return the place that an option names; end the command where there is none."""
    try:
        location = locate_route_end(text, geocoder)
    except InvalidArgument as error:
        raise typer.BadParameter(error.message, param_hint=option) from error
    if location.match is not None:
        # A name may be known under a spelling that was not meant, so what it was taken for is told.
        report_lines([f"{option} {text}: {location.match.label}"])
    return location


def read_day(text: str) -> date | None:
    """Return the day that `--date` says; end the command where it is none."""
    try:
        return parse_planned_day(text) if text else None
    except ValueError as error:
        raise typer.BadParameter(f"{text} {error}", param_hint="--date") from error


def choose_departure(
    text: str, day: date | None, origin: Located, given: PlanInput
) -> tuple[datetime, PlanInput]:
    """Return when the route leaves, and the input with what there is to say of that."""
    now = CLOCK.now()
    if text:
        departure = read_departure(text, day, origin, now)
        doubts = [] if day else remark_on_departure(text, departure, origin, now)
        return departure, with_remarks(given, doubts)
    if day is not None:
        departure, said = suggest_departure_on(day, given, origin, now)
        report_lines([said] if said else [])
        return departure, given
    departure, said = suggest_departure(given, origin, now)
    return departure, with_remarks(given, [Remark(message=said)] if said else [])


def read_departure(text: str, day: date | None, origin: Located, now: datetime) -> datetime:
    """Return the moment that `--start-at` says, on a day; end the command where it is none."""
    says_day = names_date(text) or text.strip().casefold().startswith(("today", "tomorrow"))
    if day is not None and says_day:
        raise typer.BadParameter(_TWO_DAYS, param_hint="--start-at")
    try:
        departure = departure_of(f"{day} {text.strip()}" if day else text, origin, now)
    except ValueError as error:
        message = (
            f"{text} is no time; write 08:00, tomorrow 8:00, 2026-07-01 08:00, or RFC 3339 such as "
            "2026-07-01T08:00:00-04:00"
        )
        raise typer.BadParameter(message, param_hint="--start-at") from error
    if not is_planned(departure.date()):
        raise typer.BadParameter(f"{text} {OUTSIDE}", param_hint="--start-at")
    return departure


def say_doubts(
    given: PlanInput, start: Located | None, *, strict: bool, also: Collection[str] = ()
) -> PlanInput:
    """Say how the sheet was read and what is odd; `strict` leaves out what is likely wrong.

    Columns in `also` mean something beside those of stops.
    """
    report_lines(describe_columns(given.columns, also))
    _warn(group_remarks(given.remarks))
    given = with_remarks(given, say_repeated_stops(given))
    if start is None:
        return given
    far = find_far_stops(given, start.coordinates)
    given = with_remarks(given, say_far_start(given, start))
    if not strict:
        return with_remarks(given, say_far_stops(far))
    issue = Issue(type=IssueType.FAR_FROM_OTHERS)
    left_out = [
        RejectedRow(row=stop.row, problems=(RowProblem(reason=stop.reason, issue=issue),))
        for stop in far
    ]
    rejected = sorted((*given.rejected, *left_out), key=lambda row: row.row)
    return replace(given, rejected=tuple(rejected))


def with_remarks(given: PlanInput, remarks: Iterable[Remark]) -> PlanInput:
    """Warn, and keep the warnings for the document."""
    result = tuple(remarks)
    _warn(remark.message for remark in result)
    return replace(given, remarks=(*given.remarks, *result))


def _warn(lines: Iterable[str]) -> None:
    for line in lines:
        text = printable(f"warning: {line}")
        REMARKS.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)


def report_lines(lines: Iterable[str]) -> None:
    """Write lines for whoever watches to standard error."""
    for line in lines:
        text = printable(line)
        REMARKS.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def stop_if_unplannable(
    given: PlanInput, *, strict: bool, as_json: Callable[[PlanInput], str] | None
) -> None:
    """End the command where there is nothing to plan, or `strict` forbids it."""
    if given.stops and not (strict and given.rejected):
        return
    if as_json is not None:
        typer.echo(as_json(given))
    elif given.rejected:
        open_output().print(render_rejected(given.rejected))
    why = "--strict: nothing was planned" if given.stops else "no row can be planned"
    REMARKS.print(why, style="red")
    raise typer.Exit(1)


def open_output() -> Console:
    """Return what tables are printed on: as wide as a terminal, else wide enough for all."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=_PIPED_WIDTH, highlight=False)
