"""Links with which customers follow their deliveries: made, revoked, and followed to the stop.

A link is worked out from the stop and how often its link was revoked. So asking for it changes
nothing, and what was revoked fits no more.
"""

import base64
import uuid
from dataclasses import dataclass

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.tracking_link import TrackingLink, link_expiry
from roundsman.kit.secrets import is_signed, sign
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign_stored, load_route
from roundsman.operations.route_tags import require_expected
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops
from roundsman.storage.routes import find_route
from roundsman.storage.tracking_links import (
    TrackedStop,
    count_revocation,
    find_latest_stop,
    find_tracked_stop,
)

TRACKING_PATH = "/t"
UNSUBSCRIBE = "unsubscribe"
_PURPOSE = "tracking"
_PREFIX = "rst-"
_MOST_ATTEMPTS = 20
"""How often a delivery is followed to its next attempt: ids of clients may lead in a circle."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedLink:
    """Where a link leads: to a stop on a route, or to what is known of a stop that is on none."""

    known: TrackedStop
    assigned: AssignedRoute | None = None
    stop: RouteStop | None = None


def get_tracking_link(
    tools: Tools, organization_id: str, route_id: str, stop_id: str
) -> TrackingLink:
    """Return the link to a stop of a route."""
    route = load_route(tools, organization_id, route_id).route
    _require_customer(route.find_stop(stop_id))
    with tools.database.reading() as tx:
        known = find_tracked_stop(tx, stop_id)
        leads_to = route if known is None else _find_route_behind(tx, known, stop_id) or route
    times = 0 if known is None else known.times_revoked
    return TrackingLink(
        url=make_tracking_url(tools, stop_id, times), expires_at=link_expiry(leads_to)
    )


def _find_route_behind(tx: Transaction, known: TrackedStop, stop_id: str) -> Route | None:
    """Return the route that a link shows, which may be that of a later attempt; None if revoked."""
    try:
        assigned = _follow(tx, known, stop_id).assigned
    except NotFound:
        return None
    return assigned.route if assigned else None


def _require_customer(stop: RouteStop) -> None:
    if stop.type is StopType.BREAK:
        violation = PreconditionViolation(
            type="type", subject=stop.id, description="is a break, which nobody waits for"
        )
        raise FailedPrecondition("a break has no customer to follow it", [violation])


def revoke_tracking_link(tools: Tools, request: Request, route_id: str, stop_id: str) -> None:
    """Make the link to a stop lead nowhere; the next time a link is got it is another one.

    One that was taken off since, or whose route was deleted, is on no route: its link leads on.
    """
    with tools.database.reading() as tx:
        known = find_tracked_stop(tx, stop_id)
        is_loose = (
            known is not None
            and known.organization_id == request.organization_id
            and not known.route_id
        )
    if not is_loose:
        stored = load_route(tools, request.organization_id, route_id)
        stored.route.find_stop(stop_id)
        require_expected(tools, request, route_id, stored.version)
    with begin_work(tools, request) as work:
        count_revocation(work.tx, work.organization_id, stop_id)
        work.done(None)


def make_tracking_url(tools: Tools, stop_id: str, times_revoked: int) -> str:
    """Return the address of the page about a stop."""
    return f"{tools.address.url}{TRACKING_PATH}/{_make_token(tools, stop_id, times_revoked)}"


def _make_token(tools: Tools, stop_id: str, times_revoked: int) -> str:
    signature = sign(tools.link_key, _PURPOSE, stop_id, str(times_revoked))
    return f"{_shorten(stop_id)}.{times_revoked}.{signature}"


def _shorten(stop_id: str) -> str:
    """Return an id without what all ids share: links stand in text messages."""
    return base64.urlsafe_b64encode(uuid.UUID(stop_id.removeprefix(_PREFIX)).bytes)[:22].decode()


def _read_token(tools: Tools, token: str) -> tuple[str, int]:
    short, _, rest = token.partition(".")
    times, _, signature = rest.partition(".")
    try:
        stop_id = _PREFIX + str(uuid.UUID(bytes=base64.urlsafe_b64decode(f"{short}==")))
    except ValueError:
        raise _unknown() from None
    if not is_signed(tools.link_key, signature, _PURPOSE, stop_id, times):
        raise _unknown()
    return stop_id, int(times)


def _unknown() -> NotFound:
    return NotFound("tracking link is unknown")


def follow_tracking_link(tools: Tools, token: str) -> FollowedLink:
    """Return where a link leads; raise NotFound for one that is not ours, or was revoked."""
    stop_id, times = _read_token(tools, token)
    with tools.database.reading() as tx:
        known = find_tracked_stop(tx, stop_id)
        if known is None or known.times_revoked != times:
            raise _unknown()
        return _follow(tx, known, stop_id)


def _follow(tx: Transaction, known: TrackedStop, stop_id: str) -> FollowedLink:
    """Find a delivery where it is: taken off its route, or tried in vain, it may be elsewhere."""
    route_id = known.route_id
    if not route_id and known.origin_id:
        route_id, stop_id = _find_latest(tx, known.organization_id, known.origin_id)
    stored = find_route(tx, known.organization_id, route_id) if route_id else None
    if stored is None:
        return FollowedLink(known=known)
    stop = stored.route.find_stop(stop_id)
    for _ in range(_MOST_ATTEMPTS):
        route_id, stop_id = _find_next_attempt(tx, known.organization_id, stop)
        later = find_route(tx, known.organization_id, route_id) if route_id else None
        if later is None:
            break
        stored, stop = later, later.route.find_stop(stop_id)
    return FollowedLink(
        known=known, assigned=assign_stored(tx, known.organization_id, stored), stop=stop
    )


def _find_next_attempt(tx: Transaction, organization_id: str, stop: RouteStop) -> tuple[str, str]:
    """Return the route and the stop with which a failed delivery is tried once more, if any."""
    client_stop_id = stop.next_attempt_client_stop_id()
    if not client_stop_id:
        return "", ""
    imported = find_imported_stops(tx, organization_id, client_stop_ids=[client_stop_id])
    return _find_latest(tx, organization_id, imported[0].id) if imported else ("", "")


def _find_latest(tx: Transaction, organization_id: str, origin_id: str) -> tuple[str, str]:
    route_id, stop_id = find_latest_stop(tx, organization_id, origin_id)
    latest = find_tracked_stop(tx, stop_id) if stop_id else None
    if latest is not None and latest.times_revoked:
        raise _unknown()  # whoever revoked it meant the delivery, by whatever link
    return route_id, stop_id
