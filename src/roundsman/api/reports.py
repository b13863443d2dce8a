"""Reports of past days at the door."""

from starlette.responses import Response

from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query, ReportDays, ReportFormat, SummaryDays
from roundsman.domain.report import ArrivalsReport, DaysReport, DriversReport
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import reports
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Reports", ApiClient(), Scope.READ)
_FILES = ["text/csv"]


@OPERATIONS.add(
    "GET",
    "/reports/arrivals",
    summary="See whether drivers came when customers were told, by how many stops were ahead",
    answer=Answer(ArrivalsReport),
    answers_files=_FILES,
)
def get_arrivals_report(
    tools: Tools, request: Request, query: Query[ReportDays]
) -> ArrivalsReport | Response:
    """See how often the windows that customers were shown held, by how many stops were ahead. As
    JSON, or as CSV.
    """
    report = reports.show_arrivals(tools, request.organization_id, query)
    return _as_wished(report, query, "arrivals")


@OPERATIONS.add(
    "GET",
    "/reports/days",
    summary="See what was done on each day: stops, punctuality, distance, ratings",
    answer=Answer(DaysReport),
    answers_files=_FILES,
)
def get_days_report(
    tools: Tools, request: Request, query: Query[SummaryDays]
) -> DaysReport | Response:
    """See what was planned and done on each of up to 31 days, by the clocks of the organization:
    how many stops were delivered, how punctually, how fast, why others failed, how customers
    rated. As JSON, or as CSV.
    """
    report = reports.show_days(tools, request.organization_id, query)
    return _as_wished(report, query, "days")


@OPERATIONS.add(
    "GET",
    "/reports/drivers",
    summary="See what each driver has done: stops, punctuality, distance, ratings",
    answer=Answer(DriversReport),
    answers_files=_FILES,
)
def get_drivers_report(
    tools: Tools, request: Request, query: Query[SummaryDays]
) -> DriversReport | Response:
    """See the same of each driver over up to 31 days. Routes that nobody drove come last."""
    report = reports.show_drivers(tools, request.organization_id, query)
    return _as_wished(report, query, "drivers")


def _as_wished[R: ArrivalsReport | DaysReport | DriversReport](
    report: R, query: Query[ReportDays], name: str
) -> R | Response:
    if query.arguments.format is ReportFormat.JSON:
        return report
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(
        reports.write_report(report), media_type="text/csv; charset=utf-8", headers=headers
    )
