"""A driver's routes at the door."""

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.route import Route
from roundsman.endpoints.access import DriverDevice, HttpRequest
from roundsman.endpoints.conditional import has_already
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.operations import driver_routes
from roundsman.operations.request import Request
from roundsman.operations.route_tags import tag_of
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import RouteAnswer, encode_route, route_headers
from roundsman.wire.driver.answers import (
    DriverRoutesAnswer,
    RouteAreaAnswer,
    encode_driver_routes,
)

OPERATIONS = Operations("Routes", DriverDevice())


def _headers(assigned: AssignedRoute) -> Mapping[str, str]:
    return {**route_headers(assigned), "ETag": f'"{tag_of(assigned)}"'}


_ROUTE: Answer[AssignedRoute] = Answer(RouteAnswer, encode_route, _headers)
_ROUTES: Answer[Sequence[Route]] = Answer(DriverRoutesAnswer, encode_driver_routes)


@OPERATIONS.add(
    "GET",
    "/routes",
    summary="List what is dispatched to the driver, and what may be claimed",
    answer=_ROUTES,
)
def list_driver_routes(tools: Tools, request: Request) -> Sequence[Route]:
    """See what is dispatched to the driver, and what may be claimed."""
    return driver_routes.list_driver_routes(tools, request)


@OPERATIONS.add(
    "GET", "/routes/{routeId}", summary="Get a route as the public interface does", answer=_ROUTE
)
def get_driver_route(
    tools: Tools, http: HttpRequest, request: Request, route_id: str
) -> AssignedRoute | Response:
    """Read a route that is dispatched to the driver, or may be claimed; with `If-None-Match` an
    unchanged one answers 304.
    """
    route = driver_routes.get_driver_route(tools, request, route_id)
    return has_already(http, tag_of(route)) or route


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/area",
    summary="List the tiles of the streets around a route",
    answer=Answer[RouteAreaAnswer](RouteAreaAnswer),
    pool=Pool.CHANGE,
)
def get_route_area(tools: Tools, request: Request, route_id: str) -> RouteAreaAnswer:
    """See which tiles a device keeps to show the streets around a route without a network: around
    the start, every stop and the end, and along the way between them, coarse ones first. There
    are none where this server has no streets.
    """
    return RouteAreaAnswer(tiles=tuple(driver_routes.get_area(tools, request, route_id)))


@OPERATIONS.add("POST", "/routes/{routeId}/claim", summary="Claim a route", answer=_ROUTE)
def claim_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take a route that is dispatched to nobody. Another driver may be faster: then it is
    refused.
    """
    return driver_routes.claim_route(tools, request, route_id)
