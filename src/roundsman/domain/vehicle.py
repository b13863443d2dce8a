"""What drives a route."""

from datetime import datetime
from enum import StrEnum

from roundsman.domain.noun import Noun


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


class Vehicle(Noun):
    """A vehicle of the organization's fleet."""

    id: str
    name: str = ""
    make: str = ""
    model: str = ""
    year: int = 0
    type: VehicleType = VehicleType.UNKNOWN
    vin: str = ""
    license: str = ""
    is_archived: bool = False
    created_timestamp: datetime
