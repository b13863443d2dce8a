"""A customer's word on a delivery, through a link that only we can make."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.event import Happening
from roundsman.domain.execution_events import driver_acted
from roundsman.domain.principal import link_holder
from roundsman.domain.quota import RATINGS_TOLD_EVERY
from roundsman.domain.rating import CustomerRating, RatingDraft
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.secrets import seal, unseal
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route, load_route
from roundsman.operations.tools import Tools
from roundsman.storage.events import latest_timestamps
from roundsman.storage.organizations import find_organization

_PURPOSE = "rating"


class _Rated(msgspec.Struct, array_like=True):
    organization_id: str
    route_id: str
    stop_id: str


def make_rating_url(tools: Tools, organization_id: str, route_id: str, stop_id: str) -> str:
    """Return the address at which a stop's customer may rate it."""
    load_route(tools, organization_id, route_id).route.find_stop(stop_id)
    rated = msgspec.json.encode(_Rated(organization_id, route_id, stop_id)).decode()
    return f"{tools.address.url}/ratings/{seal(tools.link_key, _PURPOSE, rated)}"


def find_rated_stop(tools: Tools, token: str) -> tuple[RouteStop, str]:
    """Return the stop that a link rates, and the name of the organization that delivers."""
    rated = _open(token, tools)
    stop = load_route(tools, rated.organization_id, rated.route_id).route.find_stop(rated.stop_id)
    with tools.database.reading() as tx:
        organization = find_organization(tx, rated.organization_id)
    return stop, "" if organization is None else organization.name


def rate_stop(tools: Tools, token: str, draft: RatingDraft) -> CustomerRating:
    """Keep what a customer says of a stop that is done; said again, the last word counts.

    A second rating within a minute is stored without an event; the stop's next event shows it.
    """
    rated = _open(token, tools)
    now = tools.clock.now()
    given = CustomerRating(rating=draft.rating, comment=draft.comment, created_at=now)

    def rate(route: Route) -> Route:
        stop = route.find_stop(rated.stop_id)
        if not stop.is_done():
            raise FailedPrecondition("there is nothing to rate before the delivery")
        known = stop.customer_rating
        same = isinstance(known, CustomerRating) and (known.rating, known.comment) == (
            given.rating,
            given.comment,
        )
        if same:
            return route
        return route.with_stop_edited(replace(stop, customer_rating=given), now)

    who = Request(principal=link_holder(rated.organization_id))
    with tools.database.reading() as tx:
        latest = latest_timestamps(tx, [rated.stop_id]).get(rated.stop_id)
    is_repeated = latest is not None and now - latest < RATINGS_TOLD_EVERY

    def rated_stop(before: Route, after: AssignedRoute) -> Sequence[Happening]:
        was_rated = isinstance(before.find_stop(rated.stop_id).customer_rating, CustomerRating)
        return () if was_rated and is_repeated else driver_acted(before, after)

    change_route(tools, who, rated.route_id, rate, happened=rated_stop)
    return given


def _open(token: str, tools: Tools) -> _Rated:
    text = unseal(tools.link_key, _PURPOSE, token)
    if text is None:
        raise NotFound("rating link is unknown")
    return msgspec.json.decode(text, type=_Rated)
