"""A plan of many vehicles for the terminal: a table a vehicle, and what stays out."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from roundsman.cli.fleet_clocks import RouteClocks
from roundsman.cli.fleet_plan import FleetReport
from roundsman.cli.output import printable
from roundsman.cli.plan_report import (
    count_matches,
    describe_match,
    format_distance,
    location_label,
)
from roundsman.cli.route_table import PARTLY_ESTIMATED, WHOLLY_ESTIMATED, render_rejected
from roundsman.domain.model import UNSET
from roundsman.domain.plan import PlanRoute, PlanStepType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.unassigned_stop import (
    BlockingBreak,
    PlanFix,
    PlanFixType,
    UnassignedReasonType,
    UnassignedStop,
)
from roundsman.routing.route_problem import zone_of
from roundsman.routing.wording import (
    describe_distance,
    describe_duration,
    describe_load,
    describe_window,
)

_FIXES_SHOWN = 2
_STOPS_NAMED = 3
_DAY = 24 * 3_600
_IN_TIME = {
    PlanFixType.CLOSE_LATER,
    PlanFixType.OPEN_EARLIER,
    PlanFixType.EXTEND_SHIFT,
    PlanFixType.START_BREAK_EARLIER,
    PlanFixType.START_BREAK_LATER,
    PlanFixType.SHORTEN_BREAK,
}


def render_fleet(report: FleetReport) -> RenderableType:
    """Return the routes, what stays out and why, and what all of it costs."""
    parts: list[RenderableType] = [_route(report, route) for route in report.routes]
    if report.plan.unassigned:
        parts.append(_unassigned(report))
    if report.given.rejected:
        parts.append(render_rejected(report.given.rejected))
    vehicles = len(report.routes)
    served = sum(len(route.stops) for route in report.plan.routes)
    metres = sum(route.total_distance_meters for route in report.routes)
    parts.append(
        Text(
            f"{served} {'stop' if served == 1 else 'stops'} on "
            f"{vehicles} of {len(report.day.given.vehicles)} vehicles, "
            f"{format_distance(metres)}, cost {report.spent:,.2f}",
            style="bold",
        )
    )
    if found := count_matches(report.given.matches.values()):
        parts.append(Text(found, style="dim"))
    if any(report.estimated_legs):
        line = WHOLLY_ESTIMATED if all(report.estimated_legs) else PARTLY_ESTIMATED
        parts.append(Text(line, style="dim"))
    return Group(*parts)


def _route(report: FleetReport, route: PlanRoute) -> Table:
    vehicle = next(one for one in report.day.given.vehicles if one.id == route.vehicle)
    clocks = RouteClocks(report, route, vehicle)
    spent = describe_duration(round((route.end - route.departure).total_seconds()))
    title = (
        f"{vehicle.id}: {clocks.departure} to {clocks.end} ({spent}), "
        f"{format_distance(route.total_distance_meters)}, "
        f"cost {route.costs.total - route.costs.compactness:,.2f}"
    )
    table = Table(title=Text(printable(title)), title_justify="left", title_style="bold")
    for header in ("#", "Row"):
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column("Name", overflow="fold", max_width=28)
    table.add_column("Address", overflow="fold", max_width=48)
    for header in ("Arrival", "Wait", "Distance"):
        table.add_column(header, justify="right", no_wrap=True)
    position = 0
    for step in route.steps:
        waiting = int(step.waiting.rstrip("s")) if step.waiting else 0
        times = (
            clocks.at(step, step.planned_arrival),
            describe_duration(waiting) if waiting else "",
            format_distance(step.distance_meters),
        )
        if step.type is not PlanStepType.STOP:
            table.add_row("", "", step.type.capitalize(), "", *times, style="dim")
            continue
        position += 1
        stop = report.stops[step.imported_stop_id]
        table.add_row(
            str(position),
            str(report.row(stop.id)),
            Text(printable(stop.order_name)),
            _address(report, stop),
            *times,
        )
    if end := report.end_of(route):
        leg = format_distance(end.distance_meters)
        label = Text(printable(location_label(end.address, end.coordinates)))
        table.add_row("", "", "End", label, clocks.end, "", leg, style="cyan")
    return table


def _address(report: FleetReport, stop: RouteStop) -> Text:
    """Return where a stop is, and where its address was put when that is not just there."""
    address = Text(printable(location_label(stop.address, stop.planned_coordinates)))
    if found := describe_match(stop, report.given.matches.get(stop.id)):
        address.append(f"\n{printable(found)}", "dim italic")
    return address


def _clock(moment: object, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%H:%M}"  # type: ignore[attr-defined]


def _unassigned(report: FleetReport) -> Table:
    count = len(report.plan.unassigned)
    title = f"{count} {'stop stays' if count == 1 else 'stops stay'} out"
    table = Table(title=title, title_justify="left", title_style="bold red")
    table.add_column("Row", justify="right")
    table.add_column("Name", overflow="fold", max_width=28)
    table.add_column("Why", overflow="fold")
    table.add_column("What would help", overflow="fold")
    for out in report.unassigned:
        why = "; ".join(f"{one.vehicle}: {one.description}" for one in out.reasons)
        table.add_row(
            str(report.row(out.imported_stop_id)),
            Text(printable(_called(report.stops[out.imported_stop_id]))),
            Text(printable(why), style="yellow"),
            Text(printable("; ".join(_describe_help(report, out)))),
        )
    return table


def _called(stop: RouteStop) -> str:
    return stop.order_name or location_label(stop.address, stop.planned_coordinates)


def _describe_help(report: FleetReport, out: UnassignedStop) -> Iterator[str]:
    """Yield what would bring a stop in: the first changes, or else a higher price."""
    fixes = sorted(out.fixes, key=_needs_more)
    yield from (describe_fix(report, fix) for fix in fixes[:_FIXES_SHOWN])
    prices = [one.amount for one in out.reasons if one.type is UnassignedReasonType.COST]
    if prices:
        yield f"unassignedCost {out.cost + min(prices):.2f}"


def describe_fix(report: FleetReport, fix: PlanFix) -> str:
    """Say what a planner would change, and what a plan with that change alone does otherwise."""
    change = _describe_change(report, fix)
    if fix.also_serves:
        change += f", which also serves {_list_stops(report, fix.also_serves)}"
    if not _needs_more(fix):
        return change
    instead = _describe_others(report, fix)
    if fix.unassigned_cost:
        return f"{change}, and unassignedCost {fix.unassigned_cost:.2f} for it (else {instead})"
    return f"{change} (in a new plan, {instead})"


def _needs_more(fix: PlanFix) -> bool:
    """Say whether a plan made anew with a change alone does something else."""
    return bool(fix.unassigned_cost or fix.serves_instead or fix.leaves_out)


def _describe_others(report: FleetReport, fix: PlanFix) -> str:
    said = []
    if fix.serves_instead:
        be = "is" if len(fix.serves_instead) == 1 else "are"
        said.append(f"{_list_stops(report, fix.serves_instead)} {be} served instead")
    if fix.leaves_out:
        stay = "stays" if len(fix.leaves_out) == 1 else "stay"
        said.append(f"{_list_stops(report, fix.leaves_out)} {stay} out")
    return " and ".join(said) or "it stays out for its price"


def _list_stops(report: FleetReport, ids: Sequence[str]) -> str:
    """Return how stops are called, those that stand first in the sheet by name."""
    called = [_called(report.stops[one]) for one in sorted(ids, key=report.row)]
    named, more = called[:_STOPS_NAMED], len(called) - _STOPS_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _describe_change(  # noqa: C901 -- a row for each change
    report: FleetReport, fix: PlanFix
) -> str:
    amount = _describe_amount(fix)
    if fix.amount and not fix.minimal:
        amount = f"at most {amount}"
    if fix.break_:
        return _describe_break(report, fix, fix.break_, amount)
    match fix.type:
        case PlanFixType.CLOSE_LATER:
            return f"close its window {amount} later{_describe_which(fix)}"
        case PlanFixType.OPEN_EARLIER:
            return f"open its window {amount} earlier{_describe_which(fix)}"
        case PlanFixType.EXTEND_SHIFT:
            return f"{fix.subject} ends {amount} later"
        case PlanFixType.GRANT_SKILL:
            return f"{fix.subject} with {fix.name}"
        case PlanFixType.ADD_VEHICLE:
            return f"one more vehicle like {fix.subject}"
        case PlanFixType.UNPIN:
            return "let any vehicle serve it"
        case PlanFixType.DROP_STOP:
            name = report.stops[fix.subject].order_name or f"row {report.row(fix.subject)}"
            return f"leave {name} out instead"
    match fix.name:
        case "maxStops":
            return f"{fix.subject} has {amount} more"
        case "maxDuration":
            return f"{fix.subject} is on the road {amount} longer"
        case "maxDistanceMeters":
            return f"{fix.subject} drives {amount} more"
    return f"{fix.subject} carries {amount} more"


def _describe_amount(fix: PlanFix) -> str:
    if fix.type in _IN_TIME or fix.name == "maxDuration":
        return describe_duration(round(fix.amount))
    match fix.name:
        case "maxStops":
            return f"{fix.amount:g} {'stop' if fix.amount == 1 else 'stops'}"
        case "maxDistanceMeters":
            return describe_distance(fix.amount)
    return describe_load(fix.amount, fix.name)


def _describe_which(fix: PlanFix) -> str:
    """Say what the window would be and what it is, or only this where a sheet cannot say that."""
    if not fix.time_window:
        return ""
    window = describe_window(fix.time_window)
    wider = _widen(fix.time_window, fix)
    return f" ({describe_window(wider)} instead of {window})" if wider else f" (of {window})"


def _widen(window: TimeWindow, fix: PlanFix) -> TimeWindow | None:
    """Return a window with a fix; None where it would begin the day before or last a whole day."""
    opens = _seconds_of(window.start) if window.start else 0
    closes = _seconds_of(window.end) if window.end else _DAY - 1
    if closes < opens:
        closes += _DAY
    if fix.type is PlanFixType.OPEN_EARLIER:
        opens -= round(fix.amount)
    else:
        closes += round(fix.amount)
    if opens < 0 or closes - opens >= _DAY:
        return None
    return TimeWindow(
        start=_time_of(opens) if window.start else UNSET,
        end=_time_of(closes % _DAY) if window.end else UNSET,
    )


def _seconds_of(time: TimeOfDay) -> int:
    return time.hours * 3_600 + time.minutes * 60 + time.seconds


def _time_of(seconds: int) -> TimeOfDay:
    minutes, rest = divmod(seconds, 60)
    return TimeOfDay(hours=minutes // 60, minutes=minutes % 60, seconds=rest)


def _describe_break(report: FleetReport, fix: PlanFix, rest: BlockingBreak, amount: str) -> str:
    """Say how a break would change, by the clocks where its vehicle starts."""
    vehicle = next(one for one in report.day.given.vehicles if one.id == rest.vehicle)
    where = vehicle.start.coordinates if vehicle.start else report.day.given.stops[0].coordinates
    zone = zone_of(where)
    begins, ends = (_clock(at, zone) for at in (rest.time_window.start, rest.time_window.end))
    which = f"break of {rest.vehicle} ({begins} to {ends})"
    match fix.type:
        case PlanFixType.START_BREAK_EARLIER:
            return f"let the {which} begin {amount} earlier"
        case PlanFixType.START_BREAK_LATER:
            return f"let the {which} begin {amount} later"
    return f"make the {which} {amount} shorter"
