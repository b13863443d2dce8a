"""What a customer may see of one delivery through its link: how far it is, and the proof of it."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.brand_color import readable_color
from roundsman.domain.errors import NotFound
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.organization import Organization, PositionSharing
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.route_views import TrackPoint
from roundsman.domain.tracking import (
    POSITION_DELAY,
    ExpiredTracking,
    TrackedOrganization,
    Tracking,
    TrackingContext,
    TrackingStatus,
    derive_expired_status,
    track_stop,
)
from roundsman.domain.tracking_link import LINK_LASTS, is_expired
from roundsman.kit.time_zones import zone_at
from roundsman.operations.organizations import get_organization, make_logo_url
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import (
    TRACKING_PATH,
    FollowedLink,
    follow_tracking_link,
)
from roundsman.storage.attachments import Picture, read_picture
from roundsman.storage.driver_positions import find_latest_position
from roundsman.storage.imported_stops import find_imported_stops
from roundsman.storage.store_orders import find_store_orders

LIGHT_BACKGROUND = "#f3f4f6"
"""The darkest that a light page has; on white a colour can be read better still."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrackingView:
    """What a link shows, and what the page about it needs beside that."""

    shown: Tracking | ExpiredTracking
    organization: Organization
    stop: RouteStop | None = None
    now: datetime


def view_delivery(tools: Tools, token: str) -> TrackingView:
    """Return what a link shows now; raise NotFound for an unknown link."""
    followed = follow_tracking_link(tools, token)
    now = tools.clock.now()
    organization = get_organization(tools.database, followed.known.organization_id)
    if followed.assigned is None or followed.stop is None:
        return TrackingView(
            shown=_show_removed(tools, followed, organization), organization=organization, now=now
        )
    route, stop = followed.assigned.route, followed.stop
    if is_expired(route, now):
        return TrackingView(
            shown=_show_expired(route, stop, organization), organization=organization, now=now
        )
    context = TrackingContext(
        organization=_show_organization(tools, organization),
        timezone=str(_zone_of(stop)),
        now=now,
        position=_find_position(tools, organization, followed.assigned, now),
        photos=tuple(
            f"{tools.address.url}{TRACKING_PATH}/{token}/photos/{number}"
            for number, _ in enumerate(stop.proof_of_delivery_photos, start=1)
        ),
        failure_reasons=organization.failure_reasons,
    )
    tracking = track_stop(followed.assigned, stop, context)
    return TrackingView(shown=tracking, organization=organization, stop=stop, now=now)


def _show_removed(
    tools: Tools, followed: FollowedLink, organization: Organization
) -> Tracking | ExpiredTracking:
    """Return what a link to a stop says that is on no route: it waits for one, or comes no more."""
    known = followed.known
    order_name = _find_order_name(tools, organization.id, known.origin_id)
    status = TrackingStatus.CANCELLED if order_name is None else TrackingStatus.PLANNED
    removed_at = known.removed_at
    is_old = removed_at is not None and tools.clock.now() >= removed_at + LINK_LASTS
    if status is TrackingStatus.CANCELLED and is_old:
        return ExpiredTracking(
            organization=TrackedOrganization(name=organization.name), status=status
        )
    return Tracking(
        organization=_show_organization(tools, organization),
        order_name=order_name or "",
        status=status,
        can_note=False,
        timezone=organization.timezone,
    )


def _find_order_name(tools: Tools, organization_id: str, origin_id: str) -> str | None:
    """Return what the order of a removed stop is called; None where it was deleted, too."""
    if not origin_id:
        return None
    with tools.database.reading() as tx:
        for imported in find_imported_stops(tx, organization_id, ids=[origin_id]):
            return imported.order_name
        order = find_store_orders(tx, organization_id, [origin_id]).get(origin_id)
    return None if order is None else order.name


def _show_expired(route: Route, stop: RouteStop, organization: Organization) -> ExpiredTracking:
    status = derive_expired_status(route, stop)
    is_delivered = status is TrackingStatus.DELIVERED
    arrived = stop.updated_arrival if is_delivered else UNSET
    return ExpiredTracking(
        organization=TrackedOrganization(name=organization.name),
        status=status,
        delivered_on=UNSET
        if isinstance(arrived, UnsetType)
        else arrived.astimezone(_zone_of(stop)).date().isoformat(),
    )


def _show_organization(tools: Tools, organization: Organization) -> TrackedOrganization:
    color = organization.color
    return TrackedOrganization(
        name=organization.name,
        phone=organization.phone or UNSET,
        logo_url=make_logo_url(tools, organization) or UNSET,
        color=readable_color(color, LIGHT_BACKGROUND) if color else UNSET,
    )


def _zone_of(stop: RouteStop) -> tzinfo:
    place = stop.planned_coordinates
    return zone_at(latitude=place.latitude, longitude=place.longitude)


def _find_position(
    tools: Tools, organization: Organization, assigned: AssignedRoute, now: datetime
) -> TrackPoint | None:
    """Return where the driver was a minute ago, where the organization shows it to customers."""
    if organization.share_driver_position is not PositionSharing.NEXT_STOP:
        return None
    with tools.database.reading() as tx:
        return find_latest_position(tx, organization.id, assigned.route.id, now - POSITION_DELAY)


def read_proof_photo(tools: Tools, token: str, number: str) -> Picture:
    """Return a photo that the driver took at this stop; any other is not found."""
    followed = follow_tracking_link(tools, token)
    stop, assigned = followed.stop, followed.assigned
    if stop is None or assigned is None or is_expired(assigned.route, tools.clock.now()):
        raise NotFound("photo not found")
    photos = stop.proof_of_delivery_photos
    is_number = number.isascii() and number.isdigit() and len(number) <= 6
    if not is_number or not 1 <= int(number) <= len(photos):
        raise NotFound("photo not found")
    with tools.database.reading() as tx:
        picture = read_picture(tx, photos[int(number) - 1].id)
    if picture is None:
        raise NotFound("photo not found")
    return picture
