"""What answers of one route say in headers: of what its times are made, and how good its order is.

The interface gives a route no fields for it, and clients may be strict about fields.
"""

from collections.abc import Mapping

from roundsman.domain.noun import UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.route_reading import ReadRoute

ESTIMATED = "Roundsman-Estimated"
GAP = "Roundsman-Gap"


def route_headers(result: object) -> Mapping[str, str]:
    """Return the headers that an answer of one route carries."""
    if isinstance(result, ReadRoute):
        result = result.assigned
    if not isinstance(result, AssignedRoute):
        return {}
    estimated = {ESTIMATED: "true"} if result.route.has_estimates else {}
    return {**estimated, **_gap(result.route)}


def _gap(route: Route) -> Mapping[str, str]:
    if isinstance(route.travel_gap, UnsetType) or not (route.optimized and route.order_is_current):
        return {}
    return {GAP: f"{route.travel_gap:.4f}"}
