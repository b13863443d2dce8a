"""The link with which a customer follows one delivery, and how long it says all that it knows."""

from datetime import datetime, timedelta

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd

LINK_LASTS = timedelta(days=7)
"""After the route's end; then the page says the day of delivery alone (decisions §16)."""

REMOVED_STOPS_KEPT_FOR = timedelta(days=90)
"""How long a link to a stop that was taken off its route still says so."""


class TrackingLink(Model):
    """Where a customer follows a delivery."""

    url: str
    expires_at: datetime | UnsetType = UNSET
    """Absent as long as nobody knows when the route ends."""


def link_expiry(route: Route) -> datetime | UnsetType:
    """Return when the links to a route's stops expire, as far as is known now."""
    ends = _known_end(route)
    return UNSET if isinstance(ends, UnsetType) else ends + LINK_LASTS


def is_expired(route: Route, now: datetime) -> bool:
    """Say whether links to a route's stops have expired."""
    expires = link_expiry(route)
    return isinstance(expires, datetime) and expires <= now


def _known_end(route: Route) -> datetime | UnsetType:
    if isinstance(route.completed_at, datetime):
        return route.completed_at
    end = route.end
    expected = [
        *(stop.updated_arrival for stop in route.stops),
        *([end.updated_arrival] if isinstance(end, RouteEnd) else []),
    ]
    # A route that was put away without ever having had times is over, too.
    return max(
        (instant for instant in expected if isinstance(instant, datetime)),
        default=route.archived_at,
    )
