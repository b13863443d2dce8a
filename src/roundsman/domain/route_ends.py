"""The start and the end of a route, which are no stops: where they are, and what is done there."""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.attachment import Attachment
from roundsman.domain.geocoding import Geocoding
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.task import Task


class StartStatus(StrEnum):
    """Whether the driver has left."""

    UNKNOWN = "UNKNOWN"
    STARTED = "STARTED"


class EndStatus(StrEnum):
    """Whether the driver has completed the end."""

    UNKNOWN = "UNKNOWN"
    COMPLETED = "COMPLETED"


class RouteStart(Model):
    """Where and when a route begins."""

    address: Address | UnsetType = UNSET
    """Where it begins, in words."""

    coordinates: Coordinates
    """Where it begins."""

    geocoding: Geocoding | UnsetType = UNSET
    """How sure the place is."""

    tasks: tuple[Task, ...] = ()
    """What the driver has to do before leaving."""

    status: StartStatus = StartStatus.UNKNOWN
    """Whether the driver has left."""

    updated_start: datetime | UnsetType = UNSET
    """When the driver left; before that, when it is to leave."""

    scheduled_start: datetime | UnsetType = UNSET
    """When it is to leave: the route's `scheduledFor`, or when it was dispatched without one."""

    photos: tuple[Attachment, ...] = ()
    """What the driver took pictures of here."""


class RouteEnd(Model):
    """Where a route ends, when it does not end at its last stop."""

    address: Address | UnsetType = UNSET
    """Where it ends, in words."""

    coordinates: Coordinates
    """Where it ends."""

    geocoding: Geocoding | UnsetType = UNSET
    """How sure the place is."""

    tasks: tuple[Task, ...] = ()
    """What the driver has to do at the end."""

    planned_arrival: datetime | UnsetType = UNSET
    """When the driver comes here, as it was planned."""

    distance_meters: int = 0
    """From the last stop to here."""

    updated_arrival: datetime | UnsetType = UNSET
    """When the driver comes here, as it is known now."""

    status: EndStatus = EndStatus.UNKNOWN
    """Whether the driver has finished the route."""

    photos: tuple[Attachment, ...] = ()
    """What the driver took pictures of here."""
