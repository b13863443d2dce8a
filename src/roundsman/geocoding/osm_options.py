"""Every street and door of one map that an address may mean, with the cost of each.

The cost counts edits: of the street's name, of the city, for a postal code that does not fit, for a
door that is not mapped. `osm_search` chooses between the options.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roundsman.geocoding.door_search import DoorSearch, FoundDoor
from roundsman.geocoding.geocoder import MatchType
from roundsman.geocoding.house_numbers import HouseNumber
from roundsman.geocoding.osm_label import label_door
from roundsman.geocoding.search_area import (
    NOT_HERE,
    SearchArea,
    codes_of,
    towns_about,
)
from roundsman.geocoding.street_names import street_name
from roundsman.geocoding.street_search import FoundStreet, StreetSearch
from roundsman.geocoding.town_search import TownSearch
from roundsman.geocoding.written_street import StreetReading

_STREETS_TRIED = 8
_GOOD = 0.95
"""Below this cost misspellings are not searched: it is less than one edit in all."""

_LIKELY = 2.3
"""Below this cost, and with the door of the address, the line was read rightly."""

_NO_NUMBER_ASKED, _NO_DOOR = 0.2, 1.0
_MOST = 4.0
_MOST_WITHOUT_DOOR = 2.9
"""What a misspelt street costs less when it has the door of the address."""

_NAMESAKE = 1.2
"""What a street nearby costs more when the town that was named has one of that name: more than a
door that the map lacks, for the door of another town is a wrong one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One thing that an address may mean; `slips` is the cost without that of the door."""

    street: FoundStreet
    door: FoundDoor | None
    slips: float
    cost: float

    def point(self) -> tuple[float, float]:
        found = self.door or self.street
        return found.longitude, found.latitude

    def match_type(self) -> MatchType:
        """Return how close it is to a door."""
        return self.door.match_type if self.door else MatchType.STREET


class OptionSearch:
    """Collects the options in one index; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, towns: TownSearch) -> None:
        self._connection = connection
        self._towns = towns
        self._streets = StreetSearch(connection)
        self._doors = DoorSearch(connection)

    def find(self, readings: Sequence[StreetReading], search_area: SearchArea) -> list[Option]:
        """Return the options for a street line, the cheapest first."""
        options: list[Option] = []
        for reading in readings:
            name = street_name(reading.street)
            if not name.key:
                continue
            found = self._options(self._streets.find(name), reading, search_area)
            if min((option.cost for option in found), default=NOT_HERE) >= _GOOD:
                about = towns_about(self._connection, search_area)
                similar = self._streets.find_similar(name, about)
                found += self._options(similar, reading, search_area)
            options += found
            if any(option.cost < _GOOD or _is_the_door(option) for option in options):
                break
        return sorted(options, key=lambda option: (option.cost, option.street.id))

    def label(self, option: Option) -> str:
        """Return the option as an address."""
        return label_door(option.street, option.door, self._towns.by_id(option.street.town))

    def _options(
        self, streets: Sequence[FoundStreet], reading: StreetReading, search_area: SearchArea
    ) -> list[Option]:
        codes = codes_of(self._connection, streets)
        named = {town.id for town in search_area.towns}
        own = min((street.cost for street in streets if street.town in named), default=NOT_HERE)
        slips = []
        for street in streets:
            cost = street.cost + search_area.cost_of(street, codes[street.id])
            has_code = search_area.code in codes[street.id]
            if street.town not in named and street.cost >= own and not has_code:
                cost += _NAMESAKE
            slips.append((cost, street))
        likely = sorted(slips, key=lambda pair: (pair[0], pair[1].id))[:_STREETS_TRIED]
        return [
            option
            for cost, street in likely
            if cost <= _MOST
            for option in self._at(street, cost, reading.doors, search_area.code)
            if option.cost <= (_MOST if option.door else _MOST_WITHOUT_DOOR)
        ]

    def _at(
        self, street: FoundStreet, slips: float, doors: Sequence[HouseNumber], code: str
    ) -> Iterable[Option]:
        found = self._doors.find(street.id, doors) if doors else []
        for door in _of_code(found, code):
            yield Option(street=street, door=door, slips=slips, cost=slips + door.cost)
        if not found:
            missing = _NO_DOOR if doors else _NO_NUMBER_ASKED
            yield Option(street=street, door=None, slips=slips, cost=slips + missing)


def _is_the_door(option: Option) -> bool:
    """Say whether no other reading of the line is likely to be meant."""
    return option.match_type() is MatchType.EXACT and option.slips < _LIKELY


def _of_code(doors: Sequence[FoundDoor], code: str) -> Sequence[FoundDoor]:
    """Return the doors that have the postal code, when a number stands at several places."""
    return [door for door in doors if code and door.postcode == code] or doors
