"""Routes and days as files, and as sheets to print, at the door."""

from collections.abc import Sequence

from starlette.responses import Response

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.export import DayExport, DayFileFormat, RouteExport, RouteFileFormat
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import reader_language
from roundsman.kit.template_files import TemplateFiles
from roundsman.operations import exports
from roundsman.operations.exports import ExportedFile
from roundsman.operations.organizations import get_organization
from roundsman.operations.request import Request
from roundsman.operations.sheet_pages import render_sheet, style_digest
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Exports", ApiClient(), Scope.READ)
_OF_ROUTES = [exports.MEDIA_TYPES[kind].partition(";")[0] for kind in RouteFileFormat]
_OF_DAYS = [exports.MEDIA_TYPES[kind].partition(";")[0] for kind in DayFileFormat]
_PAGE = ["text/html"]
_TEMPLATES = TemplateFiles("roundsman.api")


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/export",
    summary="Take a route away as CSV, XLSX, GPX, GeoJSON or a calendar: one row a stop",
    answers_files=_OF_ROUTES,
)
def export_route(
    tools: Tools, request: Request, route_id: str, query: Query[RouteExport]
) -> Response:
    """Download a route as a file: one row a stop for spreadsheets, tracks for navigation,
    appointments for calendars.
    """
    kind = query.arguments.format.value
    return _file(exports.export_route(tools, request.organization_id, route_id, kind))


@OPERATIONS.add(
    "GET",
    "/days/{date}/export",
    summary="Take the routes of a day away as CSV, XLSX or GeoJSON: one row a stop",
    answers_files=_OF_DAYS,
)
def export_day(tools: Tools, request: Request, date: str, query: Query[DayExport]) -> Response:
    """Download every route of a day as one file, one row a stop."""
    kind = query.arguments.format.value
    return _file(exports.export_day(tools, request.organization_id, date, kind))


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/sheet",
    summary="Get a route as a page to print, in driving order",
    answers_files=_PAGE,
)
def show_route_sheet(tools: Tools, request: Request, http: HttpRequest, route_id: str) -> Response:
    """Print a route: a page with phone, note, window, items and room for a signature a stop.

    Where a map is imported, the route is shown on its streets. The page is in the language of
    `Accept-Language`, or else the organization's.
    """
    routes = [exports.find_route_to_show(tools, request.organization_id, route_id)]
    return _sheet(tools, http, request.organization_id, routes)


@OPERATIONS.add(
    "GET",
    "/days/{date}/sheet",
    summary="Get the routes of a day as pages to print, one a route",
    answers_files=_PAGE,
)
def show_day_sheet(tools: Tools, request: Request, http: HttpRequest, date: str) -> Response:
    """Print every route of a day, each from a new page on and, with a map, on its streets.

    The page is in the language of `Accept-Language`, or else the organization's.
    """
    routes = exports.find_routes_to_show(tools, request.organization_id, date)
    return _sheet(tools, http, request.organization_id, routes)


def _file(made: ExportedFile) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.content, media_type=made.media_type, headers=headers)


def _sheet(
    tools: Tools, http: HttpRequest, organization_id: str, routes: Sequence[AssignedRoute]
) -> Response:
    usual = get_organization(tools.database, organization_id).language
    page = render_sheet(
        routes, tools.street_map, tools.roads, reader_language(http, usual), tools.address.url
    )
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{style_digest(routes)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    headers["Vary"] = "Accept-Language"
    return Response(page, media_type="text/html", headers=headers)
