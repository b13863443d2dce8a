"""Reports of past days at the door."""

from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query, ReportDays
from roundsman.domain.report import ArrivalsReport
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import reports
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Reports", ApiClient(), Scope.READ)


@OPERATIONS.add(
    "GET",
    "/reports/arrivals",
    summary="See whether drivers came when customers were told, by how many stops were ahead",
)
def get_arrivals_report(tools: Tools, request: Request, query: Query[ReportDays]) -> ArrivalsReport:
    """See how often the windows that customers were shown held, by how many stops were ahead."""
    return reports.show_arrivals(tools, request.organization_id, query)
