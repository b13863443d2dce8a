"""How the public interface writes a route, a part of one, and lists of them."""

from collections.abc import Sequence

import msgspec

from roundsman.domain.reoptimization import ReoptimizedRoute
from roundsman.domain.route import AssignedRoute
from roundsman.endpoints.operation import Answer
from roundsman.operations.paging import Page
from roundsman.operations.route_changes import RoutePart
from roundsman.wire.current_version import (
    ESTIMATED,
    ESTIMATED_MEANS,
    ESTIMATED_OF_LIST_MEANS,
    GAP,
    GAP_MEANS,
    ReoptimizedRouteAnswer,
    RouteAnswer,
    RouteListAnswer,
    RoutesAnswer,
    encode_reoptimized_route,
    encode_route,
    encode_route_list,
    encode_routes,
    list_headers,
    part_headers,
    route_headers,
)

ROUTE_HEADERS = {ESTIMATED: ESTIMATED_MEANS, GAP: GAP_MEANS}
_LIST_HEADERS = {ESTIMATED: ESTIMATED_OF_LIST_MEANS}

ROUTE: Answer[AssignedRoute] = Answer(RouteAnswer, encode_route, route_headers, ROUTE_HEADERS)
REOPTIMIZED_ROUTE: Answer[ReoptimizedRoute] = Answer(
    ReoptimizedRouteAnswer, encode_reoptimized_route, route_headers, ROUTE_HEADERS
)
ROUTE_LIST: Answer[Sequence[AssignedRoute]] = Answer(
    RouteListAnswer, encode_route_list, list_headers, _LIST_HEADERS
)


def _encode_page(page: Page[AssignedRoute]) -> bytes:
    return encode_routes(page.rows, page.next_cursor)


ROUTES_PAGE: Answer[Page[AssignedRoute]] = Answer(
    RoutesAnswer, _encode_page, lambda page: list_headers(page.rows), _LIST_HEADERS
)


def part_of_route[T](shape: type[T]) -> Answer[RoutePart[T]]:
    """Return how a part of a route is written."""
    return Answer(shape, _encode_part, part_headers, {ESTIMATED: ESTIMATED_MEANS})


def _encode_part[T](part: RoutePart[T]) -> bytes:
    return msgspec.json.encode(part.shown)
