"""Looks up one address in one map.

The cheapest option is the answer. If an option somewhere else is nearly as cheap, the address is
ambiguous and is refused with both. Where no street fits, the answer is the postal code's area or
the town, and its match type says so.
"""

import sqlite3
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from roundsman.domain.address import Address
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.geocoder import Match, MatchType, Miss, issue_of, unknown_zip
from roundsman.geocoding.index_file import ATTRIBUTION
from roundsman.geocoding.one_line import in_parts
from roundsman.geocoding.osm_label import at_point, label_code, label_town
from roundsman.geocoding.osm_options import Option, OptionSearch
from roundsman.geocoding.region import Region
from roundsman.geocoding.search_area import SearchArea, find_code, find_search_area
from roundsman.geocoding.town_search import FoundTown, TownSearch
from roundsman.geocoding.written_street import read_street

_GAP, _GAP_ANYWHERE = 0.2, 1.2
"""How much more the next option must cost; without city and zip, doors of other towns compete too.
"""

_SAME_PLACE_METERS = 250.0
_LISTED = 4
_WORTH = {
    MatchType.EXACT: 1.0,
    MatchType.INTERPOLATED: 0.9,
    MatchType.NEAREST_NUMBER: 0.8,
    MatchType.STREET: 0.65,
}
_LOST_A_SLIP = 0.15
_LEAST = 0.05
_AREA_ASKED_FOR, _CODE_INSTEAD, _TOWN_INSTEAD = 0.7, 0.55, 0.5
_CLEARLY_LARGER = 3
_FAR_APART_METERS = 15_000.0
_CODE_TOO_FAR_METERS = 10_000.0
_LONGEST_TOWN = 4
"""The most words that a town's name has, where street and town share one line."""


class AddressSearch:
    """Looks addresses up in one index; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._towns = TownSearch(connection)
        self._options = OptionSearch(connection, self._towns)

    def locate(self, address: Address, region: Region) -> Match | Miss:
        """Return the door, the street or at least the area of an address."""
        address = in_parts(address)
        if not address.address1.strip() and not self._towns.find_exact(address.city, region):
            for apart in self._apart(address, region):
                found = self._locate(apart, region)
                if not isinstance(found, Match) or found.match_type in _WORTH:
                    return found
        return self._locate(address, region)

    def _locate(self, address: Address, region: Region) -> Match | Miss:
        search_area = find_search_area(self._connection, self._towns, address, region)
        if search_area.area is None and not search_area.towns and not search_area.is_anywhere:
            return _unknown(address)
        if far := _contradiction(search_area):
            return far
        readings = read_street(address.address1, address.address2)
        if options := self._options.find(readings, search_area):
            gap = _GAP_ANYWHERE if search_area.is_anywhere else _GAP
            return self._choose(options, address, gap)
        if search_area.is_anywhere:
            line = address.one_line()
            return Miss(
                reason=f'no street like "{line}" on the map; add a city',
                issue=issue_of(IssueType.ADDRESS_NOT_FOUND, line),
            )
        return self._area(search_area, has_street=bool(readings))

    def _apart(self, address: Address, region: Region) -> Iterator[Address]:
        """Split a line without commas that was given as a city: `Hagstrasse 1 9494 Schaan`."""
        words = address.city.split()
        for count in range(min(_LONGEST_TOWN, len(words) - 1), 0, -1):
            for town, rest in (
                (words[-count:], words[:-count]),
                (words[:count], words[count:]),
            ):
                if self._towns.find_exact(" ".join(town), region):
                    yield self._with_street(address, town, rest)
        if len(words) > 1 and _has_digit(address.city):
            if not _has_digit(words[-1]):
                yield self._with_street(address, words[-1:], words[:-1])
            yield replace(address, address1=address.city, city="")

    def _with_street(self, address: Address, town: list[str], rest: list[str]) -> Address:
        code = address.zip
        for place in (-1, 0):
            if len(rest) > 1 and not code and find_code(self._connection, rest[place]):
                code = rest.pop(place)
        return replace(address, address1=" ".join(rest), city=" ".join(town), zip=code)

    def _choose(self, options: Sequence[Option], address: Address, gap: float) -> Match | Miss:
        best = options[0]
        rivals = [
            other
            for other in options[1:]
            if other.cost - best.cost < gap and _meters(best, other) > _SAME_PLACE_METERS
        ]
        if rivals:
            return self._ambiguous([best, *rivals], address)
        longitude, latitude = best.point()
        match_type = best.match_type()
        worth = _WORTH[match_type] * (1 - _LOST_A_SLIP * best.slips)
        return Match(
            coordinates=at_point(longitude, latitude),
            match_type=match_type,
            confidence=round(max(worth, _LEAST), 2),
            label=self._options.label(best),
            attribution=ATTRIBUTION,
        )

    def _ambiguous(self, options: Sequence[Option], address: Address) -> Miss:
        labels = [*dict.fromkeys(map(self._options.label, options))]
        if len(labels) == 1:
            return Miss(
                reason=f"{labels[0]} is at several places on the map; give coordinates",
                issue=issue_of(IssueType.ADDRESS_AMBIGUOUS, labels[0]),
                settled=True,
            )
        listed = "; ".join(labels[:_LISTED])
        return Miss(
            reason=f'"{address.one_line()}" may be any of: {listed};'
            " check the street, add a city or zip",
            issue=issue_of(IssueType.ADDRESS_AMBIGUOUS, address.one_line(), labels[:_LISTED]),
            settled=True,
        )

    def _area(self, search_area: SearchArea, *, has_street: bool) -> Match | Miss:
        area = search_area.area
        if area is not None:
            town = self._towns.by_id(area.town)
            return Match(
                coordinates=at_point(area.longitude, area.latitude),
                match_type=MatchType.POSTCODE,
                confidence=_CODE_INSTEAD if has_street else _AREA_ASKED_FOR,
                label=label_code(area, town),
                attribution=ATTRIBUTION,
            )
        return _middle_of(search_area.towns, has_street=has_street)


def _middle_of(towns: Sequence[FoundTown], *, has_street: bool) -> Match | Miss:
    likeliest, *others = towns
    for other in others:
        is_as_likely = other.cost == likeliest.cost
        is_as_large = _CLEARLY_LARGER * (other.population + 1) > likeliest.population + 1
        if is_as_likely and is_as_large and _meters(likeliest, other) > _FAR_APART_METERS:
            reason = f'several places are called "{likeliest.name}"; add a zip'
            issue = issue_of(IssueType.ADDRESS_AMBIGUOUS, likeliest.name)
            return Miss(reason=reason, issue=issue, settled=True)
    worth = _TOWN_INSTEAD if has_street else _AREA_ASKED_FOR
    return Match(
        coordinates=at_point(likeliest.longitude, likeliest.latitude),
        match_type=MatchType.LOCALITY,
        confidence=round(max(worth * (1 - _LOST_A_SLIP * likeliest.cost), _LEAST), 2),
        label=label_town(likeliest),
        attribution=ATTRIBUTION,
    )


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _unknown(address: Address) -> Miss:
    if city := address.city.strip():
        issue = issue_of(IssueType.UNKNOWN_CITY, city)
        return Miss(reason=f'unknown city "{city}"', issue=issue)
    return unknown_zip(address.zip.strip())


def _contradiction(search_area: SearchArea) -> Miss | None:
    """Return a miss when the postal code is far from every town of that name."""
    area = search_area.area
    if area is None or not search_area.towns:
        return None
    centre = (area.longitude, area.latitude)
    for town in search_area.towns:
        apart = meters_between(centre, (town.longitude, town.latitude))
        if apart <= area.reach + town.reach + _CODE_TOO_FAR_METERS:
            return None
    name = search_area.towns[0].name
    return Miss(
        reason=f"zip code {area.written} is far from {name}",
        issue=Issue(
            type=IssueType.ZIP_IS_ELSEWHERE,
            values=IssueValues(value=area.written, read_as=name),
        ),
        settled=True,
    )


def _meters(one: Option | FoundTown, other: Option | FoundTown) -> float:
    return meters_between(_point(one), _point(other))


def _point(found: Option | FoundTown) -> tuple[float, float]:
    return found.point() if isinstance(found, Option) else (found.longitude, found.latitude)
