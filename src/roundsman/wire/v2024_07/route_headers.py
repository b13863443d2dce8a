"""What an answer with routes in it says of their times, in headers of our own.

The interface gives a route no fields for it, and clients may be strict about fields.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route

ESTIMATED = "Roundsman-Estimated"
GAP = "Roundsman-Gap"
ESTIMATED_MEANS = "true when some times or distances of the route are not from roads."
ESTIMATED_OF_LIST_MEANS = (
    "Which routes have times or distances that are not from roads: their indexes in the "
    "list, the first being 0, separated by commas; true when over 200 have."
)
GAP_MEANS = "0.02 when no order in time could travel over 2 % less than the optimized one."

_YES = "true"
_MOST_INDEXES = 200
"""As many as a page may have. Ids of as many would be 8 kB, more than proxies take for a head."""


class HasRoute(Protocol):
    """A route, or a part of one."""

    @property
    def route(self) -> Route: ...


def route_headers(shown: HasRoute) -> Mapping[str, str]:
    """Return the headers of an answer that shows a whole route."""
    return {**part_headers(shown), **_gap(shown.route)}


def part_headers(shown: HasRoute) -> Mapping[str, str]:
    """Return the headers of an answer that shows a part of a route."""
    return {ESTIMATED: _YES} if shown.route.has_estimates else {}


def list_headers(listed: Sequence[AssignedRoute]) -> Mapping[str, str]:
    """Return the headers of an answer that shows several routes."""
    indexes = [str(index) for index, row in enumerate(listed) if row.route.has_estimates]
    if not indexes:
        return {}
    # A list without pages may be of any length; what is then too long says that there are some.
    return {ESTIMATED: ", ".join(indexes) if len(indexes) <= _MOST_INDEXES else _YES}


def _gap(route: Route) -> Mapping[str, str]:
    if isinstance(route.travel_gap, UnsetType) or not (route.optimized and route.order_is_current):
        return {}
    return {GAP: f"{route.travel_gap:.4f}"}
