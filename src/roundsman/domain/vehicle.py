"""What drives a route."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta

from roundsman.domain.model import Line, Model, Name


class VehicleType(StrEnum):
    """Kinds of vehicles (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    BIKE = "BIKE"
    CARGO_BIKE = "CARGO_BIKE"
    SCOOTER = "SCOOTER"
    CAR = "CAR"
    CARGO_VAN = "CARGO_VAN"
    PICKUP_TRUCK = "PICKUP_TRUCK"
    BOX_TRUCK = "BOX_TRUCK"
    REFRIGERATED_TRUCK = "REFRIGERATED_TRUCK"
    OTHER = "OTHER"


class VehicleDetails(Model):
    """What a planner may say of a vehicle."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "isArchived", "createdTimestamp"})

    name: Line = ""
    make: Line = ""
    model: Line = ""
    year: Annotated[int, Meta(ge=0, le=9_999)] = 0
    type: VehicleType = VehicleType.UNKNOWN
    vin: Line = ""
    license: Line = ""


class VehicleDraft(VehicleDetails):
    """A new vehicle; it needs a name."""

    name: Name


class Vehicle(VehicleDetails):
    """A vehicle of the organization's fleet."""

    id: str
    is_archived: bool = False
    created_timestamp: datetime
