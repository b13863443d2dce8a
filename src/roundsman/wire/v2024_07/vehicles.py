"""Pages of vehicles."""

import msgspec

from roundsman.domain.model import Model
from roundsman.domain.vehicle import Vehicle


class VehiclesAnswer(Model):
    """A page of vehicles."""

    vehicles: tuple[Vehicle, ...] = ()
    next_cursor: str = ""


def encode_vehicles(vehicles: tuple[Vehicle, ...], next_cursor: str) -> bytes:
    """Return a page of vehicles as JSON."""
    return msgspec.json.encode(VehiclesAnswer(vehicles=vehicles, next_cursor=next_cursor))
