"""Reports of past days, by the clocks of the organization."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from roundsman.domain.arrival_forecast import KEPT_FOR
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import name_of_driver
from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.queries import Query, ReportDays, SummaryDays
from roundsman.domain.report import (
    MOST_SUMMARIZED_DAYS,
    ArrivalsReport,
    DaysReport,
    DaySummary,
    DriversReport,
    DriverSummary,
    WorkSummary,
    report_arrivals,
)
from roundsman.kit.loading import load
from roundsman.kit.time_zones import wall_clock
from roundsman.operations.tools import Tools
from roundsman.routing.work_summary import sum_up_work
from roundsman.storage.arrivals import list_kept_forecasts
from roundsman.storage.days import DaySpan, list_routes_of_day
from roundsman.storage.organizations import find_organization

_DAY = timedelta(days=1)
_WEEK = timedelta(days=6)
"""Before the last day, which makes seven."""


def show_arrivals(tools: Tools, organization_id: str, query: Query[ReportDays]) -> ArrivalsReport:
    """Return whether the windows held that were shown on these days."""
    days = query.arguments
    with tools.database.reading() as tx:
        organization = find_organization(tx, organization_id)
        if organization is None:
            raise NotFound("organization not found")
        zone = ZoneInfo(organization.timezone)
        last = _day(days.to) or tools.clock.now().astimezone(zone).date()
        first = _day(days.from_) or last - KEPT_FOR
        starting, ending = (
            wall_clock(datetime.combine(day, time()), zone, latest=False)
            for day in (first, last + _DAY)
        )
        return report_arrivals(list_kept_forecasts(tx, organization_id, starting, ending))


def show_days(tools: Tools, organization_id: str, query: Query[SummaryDays]) -> DaysReport:
    """Return what was done on each day that has routes."""
    return DaysReport(
        days=tuple(
            DaySummary(date=day, **asdict(sum_up_work([one.route for one in found])))
            for day, found in _walk_days(tools, organization_id, query.arguments)
            if found
        )
    )


def show_drivers(tools: Tools, organization_id: str, query: Query[SummaryDays]) -> DriversReport:
    """Return what each driver has done on these days."""
    driven: dict[str, list[AssignedRoute]] = defaultdict(list)
    for _, found in _walk_days(tools, organization_id, query.arguments):
        for one in found:
            driven[one.route.driver_id].append(one)
    summaries = [
        DriverSummary(
            driver_id=driver_id or UNSET,
            name=name_of_driver(found[-1].driver),
            **asdict(sum_up_work([one.route for one in found])),
        )
        for driver_id, found in driven.items()
    ]
    return DriversReport(
        drivers=tuple(sorted(summaries, key=lambda one: (not one.driver_id, one.name)))
    )


def _walk_days(
    tools: Tools, organization_id: str, days: SummaryDays
) -> Iterator[tuple[str, Sequence[AssignedRoute]]]:
    """Yield each day and its routes, archived ones included; one day is in memory at a time."""
    with tools.database.reading() as tx:
        organization = find_organization(tx, organization_id)
    if organization is None:
        raise NotFound("organization not found")
    zone = ZoneInfo(organization.timezone)
    last = _day(days.to) or tools.clock.now().astimezone(zone).date()
    first = _day(days.from_) or last - _WEEK
    if last - first >= _DAY * MOST_SUMMARIZED_DAYS:
        description = f"must be at most {MOST_SUMMARIZED_DAYS} days before to, both included"
        violation = FieldViolation(field="query.from", description=description)
        raise InvalidArgument(f"query.from {description}", [violation])
    while first <= last:
        starting, ending = (
            wall_clock(datetime.combine(day, time()), zone, latest=False)
            for day in (first, first + _DAY)
        )
        span = DaySpan(date=first.isoformat(), starting=starting, ending=ending, is_today=False)
        with tools.database.reading() as tx:
            found = list_routes_of_day(tx, organization_id, span, with_archived=True)
        yield span.date, found
        first += _DAY


_CSV_HEADER = (
    *("routes", "stops", "delivered", "attempted", "open", "onTime", "late", "onTimeShare"),
    *("distanceMeters", "secondsOnTheRoad", "stopsPerHour", "ratings", "averageRating"),
    "failedReasons",
)
_ARRIVALS_HEADER = ("stopsAhead", "count", "held", "share", "medianErrorSeconds")


def write_report(report: ArrivalsReport | DaysReport | DriversReport) -> bytes:
    """Return a report as CSV, a row a day, a driver, or a group of arrivals."""
    header: tuple[str, ...]
    rows: Sequence[tuple[str | float, ...]]
    if isinstance(report, ArrivalsReport):
        header = _ARRIVALS_HEADER
        rows = [
            (
                *(one.stops_ahead, one.count, one.held),
                _known(one.share),
                _known(one.median_error_seconds),
            )
            for one in report.buckets
        ]
    elif isinstance(report, DaysReport):
        header = ("date", *_CSV_HEADER)
        rows = [(one.date, *_cells(one)) for one in report.days]
    else:
        header = ("driverId", "name", *_CSV_HEADER)
        rows = [(one.driver_id or "", one.name, *_cells(one)) for one in report.drivers]
    content: bytes = load("roundsman.spreadsheets.written:write_csv")(header, rows)
    return content


def _cells(one: WorkSummary) -> tuple[str | float, ...]:
    """Return the cells of a row, in the order of the header."""
    return (
        *(one.routes, one.stops, one.delivered, one.attempted, one.open, one.on_time, one.late),
        *(_known(one.on_time_share), one.distance_meters, one.seconds_on_the_road),
        *(_known(one.stops_per_hour), one.ratings, _known(one.average_rating)),
        "; ".join(f"{failed.reason} {failed.count}" for failed in one.failed_reasons),
    )


def _known(number: float | UnsetType) -> float | str:
    return "" if isinstance(number, UnsetType) else number


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
