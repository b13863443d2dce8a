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
    coordinates: Coordinates
    geocoding: Geocoding | UnsetType = UNSET
    tasks: tuple[Task, ...] = ()
    status: StartStatus = StartStatus.UNKNOWN
    updated_start: datetime | UnsetType = UNSET
    scheduled_start: datetime | UnsetType = UNSET
    photos: tuple[Attachment, ...] = ()


class RouteEnd(Model):
    """Where a route ends, when it does not end at its last stop."""

    address: Address | UnsetType = UNSET
    coordinates: Coordinates
    geocoding: Geocoding | UnsetType = UNSET
    tasks: tuple[Task, ...] = ()
    planned_arrival: datetime | UnsetType = UNSET
    distance_meters: int = 0
    updated_arrival: datetime | UnsetType = UNSET
    status: EndStatus = EndStatus.UNKNOWN
    photos: tuple[Attachment, ...] = ()
