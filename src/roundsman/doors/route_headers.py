"""What an answer with routes in it says of their times, in headers of our own.

The interface gives a route no fields for it, and clients may be strict about fields.
"""

from collections.abc import Mapping, Sequence

from roundsman.domain.noun import UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.paging import Page
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.route_reading import ReadRoute

ESTIMATED = "Roundsman-Estimated"
GAP = "Roundsman-Gap"

_YES = "true"
_MOST_PLACES = 200
"""As many as a page may have. Ids of as many would be 8 kB, more than proxies take for a head."""


def route_headers(result: object) -> Mapping[str, str]:
    """Return the headers of an answer that shows a route, a stop of one, or several."""
    match result:
        case ReadRoute(assigned=AssignedRoute(route=route)) | AssignedRoute(route=route):
            return {**_estimated(route), **_gap(route)}
        case RoutePart(route=route):
            return _estimated(route)
        case Page(rows=rows):
            return _estimated_places(rows)
        case list() | tuple():
            return _estimated_places(result)
    return {}


def _estimated(route: Route) -> Mapping[str, str]:
    return {ESTIMATED: _YES} if route.has_estimates else {}


def _estimated_places(rows: Sequence[object]) -> Mapping[str, str]:
    """Say which of a list's routes are meant, by their places in it, the first being 0."""
    places = [
        str(place)
        for place, row in enumerate(rows)
        if isinstance(row, AssignedRoute) and row.route.has_estimates
    ]
    if not places:
        return {}
    # A list without pages may be of any length; what is then too long says that there are some.
    return {ESTIMATED: ", ".join(places) if len(places) <= _MOST_PLACES else _YES}


def _gap(route: Route) -> Mapping[str, str]:
    if isinstance(route.travel_gap, UnsetType) or not (route.optimized and route.order_is_current):
        return {}
    return {GAP: f"{route.travel_gap:.4f}"}
