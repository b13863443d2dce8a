"""Reports of past days, by the clocks of the organization."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from roundsman.domain.arrival_forecast import KEPT_FOR
from roundsman.domain.errors import NotFound
from roundsman.domain.queries import Query, ReportDays
from roundsman.domain.report import ArrivalsReport, report_arrivals
from roundsman.kit.time_zones import wall_clock
from roundsman.operations.tools import Tools
from roundsman.storage.arrivals import list_kept_forecasts
from roundsman.storage.organizations import find_organization

_DAY = timedelta(days=1)


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


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
