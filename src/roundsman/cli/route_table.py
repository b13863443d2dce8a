"""A planned route as a table for the terminal, with everything that did not go into it."""

from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from roundsman.cli.output import printable
from roundsman.cli.plan_advice import say_advice
from roundsman.cli.plan_report import (
    PlanReport,
    Visit,
    format_distance,
    format_span,
    format_time,
)
from roundsman.routing.wording import describe_duration
from roundsman.spreadsheets.table import RejectedRow

WHOLLY_ESTIMATED = "times and distances are estimates from straight lines, not from roads"
PARTLY_ESTIMATED = (
    "some times and distances are estimates: no map has roads between all of these stops"
)


def render_route(report: PlanReport) -> RenderableType:
    """Return the route, its totals, and what went wrong, in this order."""
    parts: list[RenderableType] = [_stops(report), _totals(report)]
    parts += [_text(f"! {broken.description}", "red") for broken in report.violations]
    parts += [_text(f"\N{RIGHTWARDS ARROW} {line}", "yellow") for line in say_advice(report.advice)]
    if report.rejected:
        parts.append(render_rejected(report.rejected))
    parts += [_text(line, "dim") for line in _remarks(report)]
    return Group(*parts)


def render_rejected(rejected: tuple[RejectedRow, ...]) -> RenderableType:
    """Return the rows that are no stops, each with its reasons."""
    title = f"{len(rejected)} {'row' if len(rejected) == 1 else 'rows'} left out"
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("Row", justify="right")
    table.add_column("Reason", overflow="fold")
    for row in rejected:
        table.add_row(str(row.row), _text(row.reason, "yellow"))
    return table


def _stops(report: PlanReport) -> Table:
    table = Table(title=_text(report.name), title_justify="left", title_style="bold")
    for header in ("#", "Row"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("Name", overflow="fold", max_width=28)
    table.add_column("Address", overflow="fold", max_width=48)
    table.add_column("Window", no_wrap=True)
    for header in ("Arrival", "Wait", "Distance"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("Late", justify="right", no_wrap=True)
    table.add_row(
        "",
        "",
        "Start",
        _text(report.start.label),
        "",
        _time(report, report.start.at),
        style="cyan",
    )
    for number, visit in enumerate(report.visits, start=1):
        table.add_row(str(number), str(visit.row), *_cells(report, visit))
    if report.end is not None:
        arrival = _time(report, report.end.at)
        leg = format_distance(report.end_distance_meters)
        label = _text(report.end.label)
        table.add_row("", "", "End", label, "", arrival, "", leg, style="cyan")
    return table


def _cells(report: PlanReport, visit: Visit) -> list[RenderableType]:
    return [
        _text(visit.stop.order_name),
        _address(visit),
        visit.windows_line().replace(", ", "\n"),
        _time(report, visit.arrival),
        format_span(visit.waiting()) if visit.waiting() else "",
        format_distance(visit.stop.distance_meters),
        Text(describe_duration(round(visit.late.total_seconds())), "bold red")
        if visit.late
        else "",
    ]


def _address(visit: Visit) -> Text:
    number = visit.stop.planned_coordinates
    here = f"{number.latitude:.5f}, {number.longitude:.5f}"
    address = _text(visit.address_line() or here)
    if found := visit.placed_at():
        address.append(f"\n{printable(found)}", "dim italic")
    return address


def _totals(report: PlanReport) -> Text:
    parts = [
        "1 stop" if len(report.visits) == 1 else f"{len(report.visits)} stops",
        format_distance(report.distance_meters),
        f"{format_span(report.duration)} in all",
        f"{format_span(report.travel)} driving",
        f"{format_span(report.service())} at stops",
    ]
    if report.waiting():
        parts.append(f"{format_span(report.waiting())} waiting")
    parts.append(f"done at {_time(report, report.ends_at)}")
    totals = Text(" · ".join(parts), "bold")
    if late := report.late_visits():
        totals.append(f" · {late} late", "bold red")
    return totals


def _remarks(report: PlanReport) -> list[str]:
    remarks = [report.address_quality()] if report.address_quality() else []
    if report.proven_optimal:
        remarks.append("no order of these stops is shorter: proven")
    elif report.travel_gap is not None:
        remarks.append(f"no order in time travels over {report.travel_gap:.1%} less: proven")
    if report.wholly_estimated:
        remarks.append(WHOLLY_ESTIMATED)
    elif report.estimated:
        remarks.append(PARTLY_ESTIMATED)
    if report.attribution:
        remarks.append(report.attribution)
    return remarks


def _time(report: PlanReport, instant: datetime) -> str:
    return format_time(instant, since=report.start.at, with_zone=report.crosses_zones())


def _text(line: str, style: str = "") -> Text:
    """Text is never markup: a name in brackets is a name."""
    return Text(printable(line), style)
