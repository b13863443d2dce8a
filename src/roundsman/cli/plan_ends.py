"""Where a route starts and ends, as the command line is told: `ADDRESS` or `LAT,LON`."""

import re
from dataclasses import dataclass

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.model import UNSET, UnsetType
from roundsman.geocoding.geocoder import Geocoder, Match, Miss
from roundsman.geocoding.one_line import parse_one_line

_LATITUDE_LONGITUDE = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Located:
    """A place; without an address and a match it was given by its coordinates."""

    address: Address | UnsetType
    coordinates: Coordinates
    match: Match | None = None


def locate_route_end(text: str, geocoder: Geocoder) -> Located:
    """Return the place written as `text`; raise InvalidArgument when there is none."""
    if _LATITUDE_LONGITUDE.fullmatch(text):
        return Located(address=UNSET, coordinates=parse_coordinates(text))
    address = parse_one_line(text)
    (answer,) = geocoder.geocode([address])
    if isinstance(answer, Miss):
        raise InvalidArgument(answer.reason)
    return Located(address=address, coordinates=answer.coordinates, match=answer)


def parse_coordinates(text: str) -> Coordinates:
    """Return the place written as `LAT,LON`; raise InvalidArgument when it is none."""
    pair = _LATITUDE_LONGITUDE.fullmatch(text)
    if pair is None:
        raise InvalidArgument(f'"{text}" is no place of the form LAT,LON, such as 39.29,-76.61')
    return _coordinates(float(pair[1]), float(pair[2]))


def _coordinates(latitude: float, longitude: float) -> Coordinates:
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise InvalidArgument("latitude comes first and is within ±90, then longitude within ±180")
    return Coordinates(latitude=latitude, longitude=longitude)
