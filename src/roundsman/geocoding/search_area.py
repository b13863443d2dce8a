"""Where a street must be according to city and postal code, and how well one fits."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.domain.address import Address
from roundsman.geocoding.distances import METERS_PER_DEGREE, meters_between
from roundsman.geocoding.region import Region
from roundsman.geocoding.street_names import fold_code
from roundsman.geocoding.street_search import FoundStreet
from roundsman.geocoding.town_search import FoundTown, TownSearch

NOT_HERE = 99.0
"""The cost of a street that is outside the area."""

_NEARBY, _NEARBY_A_REACH = 0.25, 0.5
_FARTHEST_REACHES = 1.5
_LEAST_REACH = 2_000.0
_OTHER_CITY_RIGHT_CODE = 0.8
_CODE_NEAR, _CODE_UNKNOWN, _CODE_FAR = 0.15, 0.25, 0.8
_TOWNS_ABOUT = 6


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A postal code of some doors of the map."""

    code: str
    longitude: float
    latitude: float
    reach: float
    written: str
    town: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchArea:
    """The towns that may be meant, and the folded postal code, known to the map or not."""

    towns: tuple[FoundTown, ...]
    code: str
    area: FoundCode | None
    is_anywhere: bool

    def cost_of(self, street: FoundStreet, codes: frozenset[str]) -> float:
        """Return the cost of taking a street with these postal codes for the one that is meant."""
        by_town = min((_from_town(street, town) for town in self.towns), default=NOT_HERE)
        if self.is_anywhere:
            return 0.0
        if not self.code:
            return by_town
        if self.code in codes:
            return min(by_town, _OTHER_CITY_RIGHT_CODE) if self.towns else 0.0
        return by_town + self._from_code(street)

    def _from_code(self, street: FoundStreet) -> float:
        if self.area is None:
            return _CODE_UNKNOWN
        centre = (self.area.longitude, self.area.latitude)
        distance = meters_between(centre, (street.longitude, street.latitude))
        return _CODE_NEAR if distance <= self.area.reach + _LEAST_REACH else _CODE_FAR


def find_search_area(
    connection: sqlite3.Connection, towns: TownSearch, address: Address, region: Region
) -> SearchArea:
    """Return the area that the city and the postal code of an address describe."""
    code = fold_code(address.zip)
    city = address.city.strip()
    return SearchArea(
        towns=tuple(towns.find(city, region)) if city else (),
        code=code,
        area=find_code(connection, code),
        is_anywhere=not city and not code,
    )


def find_code(connection: sqlite3.Connection, code: str) -> FoundCode | None:
    """Return the area of a postal code; the first five digits count of nine (ZIP+4)."""
    for wanted in (code, code[:5]) if code.isdigit() and len(code) == len("212011234") else (code,):
        row = connection.execute(
            "SELECT code, longitude, latitude, reach, written, town FROM postcode WHERE code = ?",
            [wanted],
        ).fetchone()
        if row:
            return FoundCode(*row)
    return None


def codes_of(
    connection: sqlite3.Connection, streets: Sequence[FoundStreet]
) -> dict[int, frozenset[str]]:
    """Return the postal codes on each street."""
    placeholders = ", ".join("?" * len(streets))
    rows = connection.execute(
        f"SELECT street, code FROM street_postcode WHERE street IN ({placeholders})",  # noqa: S608 -- holes alone
        [street.id for street in streets],
    )
    found: dict[int, set[str]] = {street.id: set() for street in streets}
    for street, code in rows:
        found[street].add(code)
    return {street: frozenset(codes) for street, codes in found.items()}


def towns_about(connection: sqlite3.Connection, search_area: SearchArea) -> list[int]:
    """Return the towns whose streets are searched: those that may be meant and their neighbours.

    A quarter has no streets of its own: they are filed under its town.
    """
    found = [town.id for town in search_area.towns]
    if search_area.area:
        found.append(search_area.area.town)
    for town in search_area.towns[:2]:
        reach = max(town.reach, _LEAST_REACH) / METERS_PER_DEGREE
        rows = connection.execute(
            "SELECT id FROM town WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?"
            " ORDER BY doors DESC LIMIT ?",
            [
                town.latitude - reach,
                town.latitude + reach,
                town.longitude - 2 * reach,
                town.longitude + 2 * reach,
                _TOWNS_ABOUT,
            ],
        )
        found += [town for (town,) in rows]
    return list(dict.fromkeys(found))


def _from_town(street: FoundStreet, town: FoundTown) -> float:
    if street.town == town.id:
        return town.cost
    reach = max(town.reach, _LEAST_REACH)
    distance = meters_between((town.longitude, town.latitude), (street.longitude, street.latitude))
    if distance > _FARTHEST_REACHES * reach:
        return NOT_HERE
    return town.cost + _NEARBY + _NEARBY_A_REACH * distance / reach
