"""What customers say of a delivery through its link: a note before it, a rating afterwards.

Each word is kept. One that replaces an earlier word within a minute of the stop's last event has no
event of its own: whoever holds a link needs no login, and must not fill the log (decisions §22).
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.customer_note import CustomerNote, CustomerNoteDraft
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.event import Happening
from roundsman.domain.execution_events import driver_acted
from roundsman.domain.model import UNSET
from roundsman.domain.principal import link_holder
from roundsman.domain.quota import RATINGS_TOLD_EVERY
from roundsman.domain.rating import CustomerRating, RatingDraft
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.tracking import derive_tracking_status, may_note
from roundsman.domain.tracking_link import is_expired
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import follow_tracking_link
from roundsman.storage.events import latest_timestamps


def leave_note(tools: Tools, token: str, draft: CustomerNoteDraft) -> CustomerNote:
    """Keep what a customer asks of the driver, until the stop is next; the last note counts."""
    given = CustomerNote(note=draft.note.strip(), at=tools.clock.now())

    def put(route: Route, stop: RouteStop) -> RouteStop:
        if not may_note(derive_tracking_status(route, stop)):
            raise FailedPrecondition("it is too late for a note to the driver")
        known = stop.customer_note
        is_same = isinstance(known, CustomerNote) and known.note == given.note
        return stop if is_same else replace(stop, customer_note=given)

    return _change_stop(tools, token, put, lambda stop: stop.customer_note).customer_note or given


def rate_delivery(tools: Tools, token: str, draft: RatingDraft) -> CustomerRating:
    """Keep what a customer says of a stop that is done; said again, the last word counts."""
    given = CustomerRating(rating=draft.rating, comment=draft.comment, created_at=tools.clock.now())

    def put(_route: Route, stop: RouteStop) -> RouteStop:
        if not stop.is_done():
            raise FailedPrecondition("there is nothing to rate before the delivery")
        known = stop.customer_rating
        is_same = isinstance(known, CustomerRating) and (known.rating, known.comment) == (
            given.rating,
            given.comment,
        )
        return stop if is_same else replace(stop, customer_rating=given)

    return (
        _change_stop(tools, token, put, lambda stop: stop.customer_rating).customer_rating or given
    )


def _change_stop(
    tools: Tools,
    token: str,
    put: Callable[[Route, RouteStop], RouteStop],
    word_of: Callable[[RouteStop], object],
) -> RouteStop:
    """Change the stop that a link leads to, in the name of nobody in particular."""
    followed = follow_tracking_link(tools, token)
    now = tools.clock.now()
    if followed.assigned is None or followed.stop is None:
        raise FailedPrecondition("the delivery is on no route")
    route_id, stop_id = followed.assigned.route.id, followed.stop.id
    if is_expired(followed.assigned.route, now):
        raise FailedPrecondition("the tracking link has expired")
    with tools.database.reading() as tx:
        latest = latest_timestamps(tx, [stop_id]).get(stop_id)
    is_soon = latest is not None and now - latest < RATINGS_TOLD_EVERY

    def change(route: Route) -> Route:
        return route.with_stop_edited(put(route, route.find_stop(stop_id)), now)

    def happened(before: Route, after: AssignedRoute) -> Sequence[Happening]:
        was_said = word_of(before.find_stop(stop_id)) is not UNSET
        return () if was_said and is_soon else driver_acted(before, after)

    who = Request(principal=link_holder(followed.known.organization_id))
    changed: AssignedRoute = change_route(tools, who, route_id, change, happened=happened)
    return changed.route.find_stop(stop_id)
