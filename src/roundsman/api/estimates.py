"""Saying in a header that a route's times and distances are not all from roads.

The interface gives a route no field for it, and clients may be strict about fields (decisions §12).
"""

from collections.abc import Mapping

from roundsman.domain.route import AssignedRoute
from roundsman.operations.route_reading import ReadRoute

ESTIMATED = "Roundsman-Estimated"


def estimate_header(result: object) -> Mapping[str, str]:
    """Return the header that an answer of one route carries, if any."""
    if isinstance(result, ReadRoute):
        result = result.assigned
    if isinstance(result, AssignedRoute) and result.route.has_estimates:
        return {ESTIMATED: "true"}
    return {}
