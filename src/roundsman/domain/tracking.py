"""What a customer may know of one delivery: nothing of others, and nothing of anybody's address.

The driver's position is the one exception, rounded and late, where the organization allows it
(decisions §16).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import asin, cos, radians, sin, sqrt

from roundsman.domain.address import Coordinates
from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.proof import AttemptedReason, LeftWith
from roundsman.domain.rating import CustomerRating
from roundsman.domain.route import Route
from roundsman.domain.route_progress import FIX_LASTS
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.route_views import TrackPoint
from roundsman.domain.stop_type import StopType

POSITION_DELAY = timedelta(seconds=60)
POSITION_WITHIN_METERS = 2_000
_POSITION_STEP_DEGREES = 0.002
"""Positions are shown on a grid of some 220 m."""

_EARTH_RADIUS_METERS = 6_371_000


class TrackingStatus(StrEnum):
    """How far a delivery has come, as its customer sees it."""

    PLANNED = "PLANNED"
    ON_THE_WAY = "ON_THE_WAY"
    NEXT = "NEXT"
    DELIVERED = "DELIVERED"
    ATTEMPTED = "ATTEMPTED"
    CANCELLED = "CANCELLED"


_UNDER_WAY = frozenset({TrackingStatus.ON_THE_WAY, TrackingStatus.NEXT})
_NOT_DRIVEN_YET = frozenset({TrackingStatus.PLANNED, TrackingStatus.ON_THE_WAY})


class TrackedOrganization(Model):
    """Who delivers, and how to reach them."""

    name: str
    phone: str | UnsetType = UNSET
    logo_url: str | UnsetType = UNSET
    color: str | UnsetType = UNSET


class TrackedDriver(Model):
    """Who drives, by the first name alone."""

    first_name: str | UnsetType = UNSET


class TrackedDelivery(Model):
    """What became of a delivery at the door."""

    at: datetime
    note: str | UnsetType = UNSET
    recipient_name: str | UnsetType = UNSET
    left_with: LeftWith | UnsetType = UNSET
    photos: tuple[str, ...] | UnsetType = UNSET


class TrackedAttempt(Model):
    """When and why goods could not be handed over."""

    at: datetime
    reason: AttemptedReason
    reason_text: str | UnsetType = UNSET
    """The organization's own reason, as it is written in its settings."""


class Tracking(Model):
    """One delivery as its customer sees it (decisions §16, "Tracking link")."""

    organization: TrackedOrganization
    order_name: str
    status: TrackingStatus
    window: ArrivalWindow | UnsetType = UNSET
    stops_before: int | UnsetType = UNSET
    driver: TrackedDriver | UnsetType = UNSET
    position: TrackPoint | UnsetType = UNSET
    delivered: TrackedDelivery | UnsetType = UNSET
    attempted: TrackedAttempt | UnsetType = UNSET
    rating: CustomerRating | UnsetType = UNSET
    can_note: bool
    timezone: str


class ExpiredTracking(Model):
    """What a link still says a week after the route's end."""

    organization: TrackedOrganization
    status: TrackingStatus
    delivered_on: str | UnsetType = UNSET
    """The local day, as YYYY-MM-DD."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrackingContext:
    """What a view of a stop depends on, beside its route."""

    organization: TrackedOrganization
    timezone: str
    now: datetime
    position: TrackPoint | None = None
    """The driver's, where it may be shown at all."""

    photos: tuple[str, ...] = ()
    failure_reasons: tuple[str, ...] = ()
    """The organization's own."""


def derive_tracking_status(route: Route, stop: RouteStop) -> TrackingStatus:
    """Return how far a stop's delivery has come."""
    if stop.delivery_status is DeliveryStatus.DELIVERED:
        return TrackingStatus.DELIVERED
    if stop.delivery_status is DeliveryStatus.ATTEMPTED_DELIVERY:
        return TrackingStatus.ATTEMPTED
    if isinstance(route.archived_at, datetime):
        return TrackingStatus.CANCELLED
    if not route.is_started():
        return TrackingStatus.PLANNED
    return TrackingStatus.ON_THE_WAY if count_stops_before(route, stop) else TrackingStatus.NEXT


def derive_expired_status(route: Route, stop: RouteStop) -> TrackingStatus:
    """Return what became of a delivery whose link has expired: nobody comes with it any more."""
    status = derive_tracking_status(route, stop)
    return status if stop.is_done() else TrackingStatus.CANCELLED


def count_stops_before(route: Route, stop: RouteStop) -> int:
    """Return how many customers the driver visits first; breaks are nobody's."""
    ahead = [one.id for one in route.open_stops() if one.type is not StopType.BREAK]
    return ahead.index(stop.id) if stop.id in ahead else 0


def may_note(status: TrackingStatus) -> bool:
    """Say whether a note would still reach the driver in time."""
    return status in _NOT_DRIVEN_YET


def track_stop(assigned: AssignedRoute, stop: RouteStop, context: TrackingContext) -> Tracking:
    """Return what a stop's customer may know of it."""
    status = derive_tracking_status(assigned.route, stop)
    is_under_way = status in _UNDER_WAY
    return Tracking(
        organization=context.organization,
        order_name=stop.order_name,
        status=status,
        window=_window(stop, context.now) if may_note(status) or is_under_way else UNSET,
        stops_before=count_stops_before(assigned.route, stop) if is_under_way else UNSET,
        driver=_driver(assigned) if is_under_way or stop.is_done() else UNSET,
        position=_position(stop, context) if status is TrackingStatus.NEXT else UNSET,
        delivered=_delivery(stop, context) if status is TrackingStatus.DELIVERED else UNSET,
        attempted=_attempt(stop, context) if status is TrackingStatus.ATTEMPTED else UNSET,
        rating=stop.customer_rating,
        can_note=may_note(status),
        timezone=context.timezone,
    )


def _window(stop: RouteStop, now: datetime) -> ArrivalWindow | UnsetType:
    """Return the window; one that is over promises nothing any more."""
    window = stop.arrival_window
    return UNSET if isinstance(window, UnsetType) or window.end < now else window


def _driver(assigned: AssignedRoute) -> TrackedDriver | UnsetType:
    if assigned.driver is None or not assigned.driver.first_name:
        return UNSET
    return TrackedDriver(first_name=assigned.driver.first_name)


def _position(stop: RouteStop, context: TrackingContext) -> TrackPoint | UnsetType:
    known = context.position
    if known is None or context.now - known.at > FIX_LASTS:
        return UNSET
    if great_circle_meters(known.coordinates, stop.planned_coordinates) > POSITION_WITHIN_METERS:
        return UNSET
    rounded = Coordinates(
        latitude=_on_grid(known.coordinates.latitude),
        longitude=_on_grid(known.coordinates.longitude),
    )
    return TrackPoint(coordinates=rounded, at=known.at)


def _on_grid(degrees: float) -> float:
    return round(round(degrees / _POSITION_STEP_DEGREES) * _POSITION_STEP_DEGREES, 3)


def _delivery(stop: RouteStop, context: TrackingContext) -> TrackedDelivery | UnsetType:
    if isinstance(stop.updated_arrival, UnsetType):
        return UNSET
    return TrackedDelivery(
        at=stop.updated_arrival,
        note=stop.proof_of_delivery_note or UNSET,
        recipient_name=stop.recipient_name or UNSET,
        left_with=stop.left_with,
        photos=context.photos or UNSET,
    )


def _attempt(stop: RouteStop, context: TrackingContext) -> TrackedAttempt | UnsetType:
    if isinstance(stop.updated_arrival, UnsetType):
        return UNSET
    # An own reason is the note of OTHER. Any other note was not written for the customer.
    is_own = (
        stop.attempted_reason is AttemptedReason.OTHER
        and stop.attempted_note in context.failure_reasons
    )
    return TrackedAttempt(
        at=stop.updated_arrival,
        reason=stop.attempted_reason,
        reason_text=stop.attempted_note if is_own else UNSET,
    )


def great_circle_meters(one: Coordinates, other: Coordinates) -> float:
    """Return the length of the great circle between two points (haversine formula)."""
    from_latitude, to_latitude = radians(one.latitude), radians(other.latitude)
    across = sin((to_latitude - from_latitude) / 2) ** 2
    along = sin(radians(other.longitude - one.longitude) / 2) ** 2
    share = across + cos(from_latitude) * cos(to_latitude) * along
    return 2 * _EARTH_RADIUS_METERS * asin(sqrt(min(1.0, share)))
