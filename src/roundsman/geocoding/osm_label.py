"""Renders what was found on a map as an address."""

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.door_search import FoundDoor
from roundsman.geocoding.search_area import FoundCode
from roundsman.geocoding.street_search import FoundStreet
from roundsman.geocoding.town_search import FoundTown

_NUMBER_FIRST = frozenset({"AU", "CA", "FR", "GB", "IE", "NZ", "US"})


def label_door(street: FoundStreet, door: FoundDoor | None, town: FoundTown | None) -> str:
    """Return the address of a door, or of a street as a whole."""
    country = town.country if town else ""
    line = street.name
    if door is not None:
        is_first = country in _NUMBER_FIRST
        line = f"{door.number} {line}" if is_first else f"{line} {door.number}"
    code = (door.postcode if door else "").upper() or street.postcode
    return _one_line(line, town, code)


def label_town(town: FoundTown) -> str:
    """Return a town with its state and country."""
    return _one_line("", town, "")


def label_code(code: FoundCode, town: FoundTown | None) -> str:
    """Return a postal code with the town that most of its doors are in."""
    return _one_line("", town, code.written)


def at_point(longitude: float, latitude: float) -> Coordinates:
    """Return a point rounded to about a centimetre, the precision of the map."""
    return Coordinates(latitude=round(latitude, 7), longitude=round(longitude, 7))


def _one_line(line: str, town: FoundTown | None, code: str) -> str:
    return Address(
        address1=line,
        city=town.name if town else "",
        province_code=town.state if town else "",
        zip=code,
        country_code=town.country if town else "",
    ).one_line()
