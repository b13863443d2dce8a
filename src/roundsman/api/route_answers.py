"""How the public interface writes a route, a part of one, and lists of them."""

from collections.abc import Mapping, Sequence

import msgspec

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.reoptimization import ReoptimizedRoute
from roundsman.domain.route_stop import RouteStop
from roundsman.endpoints.operation import Answer
from roundsman.operations.paging import Page
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_tags import tag_of
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
    TransferAnswer,
    encode_reoptimized_route,
    encode_route,
    encode_route_list,
    encode_routes,
    encode_transfer,
    list_headers,
    part_headers,
    route_headers,
)

ROUTE_HEADERS = {
    ESTIMATED: ESTIMATED_MEANS,
    GAP: GAP_MEANS,
    "ETag": "Changes with what is shown; send it as If-None-Match, or as If-Match with a change.",
}
_LIST_HEADERS = {ESTIMATED: ESTIMATED_OF_LIST_MEANS}


def tagged_headers(assigned: AssignedRoute) -> Mapping[str, str]:
    """Return the headers of an answer that shows one route, with its tag."""
    return {**route_headers(assigned), "ETag": _etag_of(assigned)}


def _etag_of(assigned: AssignedRoute) -> str:
    return f'"{tag_of(assigned)}"'


ROUTE: Answer[AssignedRoute] = Answer(RouteAnswer, encode_route, tagged_headers, ROUTE_HEADERS)
REOPTIMIZED_ROUTE: Answer[ReoptimizedRoute] = Answer(
    ReoptimizedRouteAnswer, encode_reoptimized_route, tagged_headers, ROUTE_HEADERS
)
ROUTE_LIST: Answer[Sequence[AssignedRoute]] = Answer(
    RouteListAnswer, encode_route_list, list_headers, _LIST_HEADERS
)


def _encode_transfer(routes: Sequence[AssignedRoute]) -> bytes:
    return encode_transfer(routes, map(_etag_of, routes))


TRANSFER: Answer[Sequence[AssignedRoute]] = Answer(
    TransferAnswer, _encode_transfer, list_headers, _LIST_HEADERS
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


def _encode_stop(part: RoutePart[RouteStop]) -> bytes:
    return msgspec.json.encode(part.shown.as_shown())


def _changed_stop_headers(part: RoutePart[RouteStop]) -> Mapping[str, str]:
    return {**part_headers(part), "ETag": f'"{part.tag}"'}


_STOP_HEADERS = {
    ESTIMATED: ESTIMATED_MEANS,
    "ETag": "Of the route after this change; send it as If-Match with the next change of it.",
}
CHANGED_STOP: Answer[RoutePart[RouteStop]] = Answer(
    RouteStop, _encode_stop, _changed_stop_headers, _STOP_HEADERS
)
STOP: Answer[RoutePart[RouteStop]] = Answer(
    RouteStop, _encode_stop, part_headers, {ESTIMATED: ESTIMATED_MEANS}
)
