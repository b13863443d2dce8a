"""Routes and days as files, and as sheets to print, at the door."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import name_of_driver
from roundsman.domain.export import DayExport, DayFileFormat, RouteExport, RouteFileFormat
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.kit.durations import whole_seconds
from roundsman.kit.loading import load
from roundsman.kit.template_files import TemplateFiles
from roundsman.operations import exports
from roundsman.operations.exports import ExportedFile
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.routing.route_rows import say_local_time, say_window

if TYPE_CHECKING:
    from roundsman.operations.route_pictures import RoutePicture

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
def show_route_sheet(tools: Tools, request: Request, route_id: str) -> Response:
    """Print a route: a page with phone, note, window, items and room for a signature a stop.

    Where a map is imported, the route is shown on its streets.
    """
    return _sheet(tools, [exports.find_route_to_show(tools, request.organization_id, route_id)])


@OPERATIONS.add(
    "GET",
    "/days/{date}/sheet",
    summary="Get the routes of a day as pages to print, one a route",
    answers_files=_PAGE,
)
def show_day_sheet(tools: Tools, request: Request, date: str) -> Response:
    """Print every route of a day, each from a new page on and, with a map, on its streets."""
    return _sheet(tools, exports.find_routes_to_show(tools, request.organization_id, date))


def _file(made: ExportedFile) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.content, media_type=made.media_type, headers=headers)


def _sheet(tools: Tools, routes: Sequence[AssignedRoute]) -> Response:
    # It reads tiles with a library that a start without sheets need not load.
    draw = load("roundsman.operations.route_pictures:draw_route_picture")
    pictures: list[RoutePicture | None] = [draw(tools, assigned.route) for assigned in routes]
    page = _TEMPLATES.render(
        "sheet.html",
        style=_style(),
        streets={id_: path for one in pictures if one for id_, path in one.paths.items()},
        routes=[
            {**_shown(assigned), "picture": picture}
            for assigned, picture in zip(routes, pictures, strict=True)
        ],
    )
    digest = b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{digest}'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    headers = {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    return Response(page, media_type="text/html", headers=headers)


@cache
def _style() -> str:
    return _TEMPLATES.render("sheet.css")


def _shown(assigned: AssignedRoute) -> dict[str, object]:
    route = assigned.route
    return {
        "name": route.name,
        "driver": name_of_driver(assigned.driver),
        "vehicle": assigned.vehicle.name if assigned.vehicle else "",
        "leaves": say_local_time(route.stops[0], route.departure()) if route.stops else "",
        "kilometers": f"{route.total_distance_meters() / 1000:.1f}",
        "note": route.note,
        "stops": [_shown_stop(number, stop) for number, stop in enumerate(route.stops, 1)],
    }


def _shown_stop(number: int, stop: RouteStop) -> dict[str, object]:
    at = f"{stop.planned_coordinates.latitude},{stop.planned_coordinates.longitude}"
    contact, address = stop.contact, stop.address
    lines = (
        [address.address1, address.address2, f"{address.zip} {address.city}".strip()]
        if address
        else []
    )
    return {
        "number": number,
        "name": name_of_stop(stop),
        "order": stop.order_name,
        "address": [line for line in lines if line],
        "phone": contact.phone if contact else "",
        "windows": ", ".join(say_window(window) for window in stop.time_windows),
        "arrival": say_local_time(stop, stop.updated_arrival)[-5:],
        "minutes": whole_seconds(stop.duration) // 60 if stop.duration else 0,
        "note": stop.note,
        "goods": [f"{item.quantity} {item.name or item.sku}".strip() for item in stop.items],
        "tasks": [task.title for task in stop.tasks],
        "links": {
            "geo": f"geo:{at}?q={at}({quote(name_of_stop(stop))})",
            "Google": f"https://www.google.com/maps/dir/?api=1&destination={at}",
            "Apple": f"https://maps.apple.com/?daddr={at}",
            "Waze": f"https://waze.com/ul?ll={at}&navigate=yes",
        },
    }
