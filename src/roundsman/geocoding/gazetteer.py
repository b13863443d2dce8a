"""A geocoder on bundled data: cities of the world, and zip codes of the United States.

It knows no streets. An address in a known city gets the city's centre, a zip code of the United
States the middle of its area; the match type says which of the two it is (decisions §12). A name of
several places means the one that is clearly the largest. Where none is, the address is refused,
because a parcel sent to the wrong Springfield is worse than a question. An unknown city is refused
too, whatever its zip code.
"""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from threading import Lock

from msgspec.structs import replace

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import Issue, IssueType
from roundsman.geocoding.bundled_data import ATTRIBUTION, cache_file, index_bundled_data
from roundsman.geocoding.disambiguation import disambiguate, label_locality
from roundsman.geocoding.geocoder import Match, MatchType, Miss, issue_of
from roundsman.geocoding.local_provinces import countries_of_letters
from roundsman.geocoding.localities import Localities, Locality
from roundsman.geocoding.localities_file import load_or_build
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.one_line import in_parts
from roundsman.geocoding.postal_regions import near_postal_code, places_of_code
from roundsman.geocoding.provinces import Province
from roundsman.geocoding.region import Region, region_of
from roundsman.geocoding.zip_codes import SAME_NAME, UnknownCity, is_city_of_zip, locate_by_zip

_NAMES_LOOKED_AT = 300
_STREET = re.compile(r"^\d+\S*\s+\S|\S\s+\d+\s?[a-zA-Z]?$")
"""A house number before or after the name; removed only when no city has the whole name."""

_IN_BRACKETS = re.compile(r"(.+?) ?\(.+\)")
_SHORTEST_CORRECTED = 4
_CENTRE_ASKED_FOR = 0.7
_CENTRE_INSTEAD_OF_STREET = 0.5


class Gazetteer:
    """Loads its data at the first call and does not change afterwards; threads may share it."""

    is_local = True

    def __init__(self, load: Callable[[], Localities]) -> None:
        self._load = load
        self._loading = Lock()
        self._localities: Localities | None = None

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        if not addresses:
            return []
        localities = self._loaded()
        wanted = [_without_door(in_parts(address)) for address in addresses]
        answers = {address: _locate(localities, address) for address in dict.fromkeys(wanted)}
        return [answers[address] for address in wanted]

    def close(self) -> None:
        """Do nothing: only memory is held."""

    def _loaded(self) -> Localities:
        with self._loading:
            if self._localities is None:
                self._localities = self._load()
            return self._localities


def builtin_gazetteer(cache_folder: Path | None) -> Gazetteer:
    """Return the gazetteer of the bundled data; its index is cached in `cache_folder`, if given."""

    def load() -> Localities:
        path = cache_file(cache_folder) if cache_folder else None
        return Localities(load_or_build(path, index_bundled_data))

    return Gazetteer(load)


def _without_door(address: Address) -> Address:
    """Return the address as it is cached here: whether it has a street matters, not which one."""
    has_street = bool(address.address1.strip())
    return replace(address, address1="-" if has_street else "", address2="")


def _locate(localities: Localities, address: Address) -> Match | Miss:
    if not address.city.strip() and not address.zip.strip():
        reason = "an address needs a city, or a zip code of the United States"
        return Miss(reason=reason, issue=Issue(type=IssueType.CITY_REQUIRED))
    address = _without_province_of_that_name(localities, address)
    address = _in_country_of_letters(localities, address)
    region = region_of(address)
    if isinstance(region, Miss):
        return region
    city = _find_city(localities, address, region)
    by_zip = locate_by_zip(localities, address, region, city)
    if by_zip is not None:
        return by_zip
    return _centre(address, city) if isinstance(city, Locality) else city


def _without_province_of_that_name(localities: Localities, address: Address) -> Address:
    """Read `Delaware, Delaware 43015` as the city alone, which is in Ohio by its postal code.

    So a line is read that names one of the two: `5 Main St, Delaware 43015`.
    """
    name = fold(address.city)
    if not name or fold(address.province_code) != name:
        return address
    alone = replace(address, province_code="")
    region = region_of(alone)
    if isinstance(region, Miss):
        return address
    places = _places_named(localities, name, region)
    is_confirmed = is_city_of_zip(localities, alone, region) or (
        bool(places) and bool(places_of_code(localities, places, address.zip))
    )
    return alone if is_confirmed else address


def _in_country_of_letters(localities: Localities, address: Address) -> Address:
    """Read `20121 Milano MI` as in Italy, where its postal code is, and not as in Michigan."""
    if address.country_code.strip():
        return address
    region = region_of(address)
    if isinstance(region, Region) and is_city_of_zip(localities, address, region):
        return address
    countries = countries_of_letters(address.province_code, address.zip)
    for country in countries:
        places = [place for place in localities.named(address.city) if place.country == country]
        letters = address.province_code.strip().upper()
        is_there = any(place.admin1 == letters for place in places)
        if is_there or places_of_code(localities, places, address.zip):
            return replace(address, country_code=country)
    # Letters that mean nothing elsewhere: then it is the city that is wrong.
    is_meant = isinstance(region, Miss) and len(countries) == 1
    return replace(address, country_code=countries[0]) if is_meant else address


def _find_city(localities: Localities, address: Address, region: Region) -> Locality | Miss:
    name = address.city.strip()
    if not name:
        reason = f'cannot locate "{address.zip.strip()}" without a city'
        return Miss(reason=reason, issue=Issue(type=IssueType.CITY_REQUIRED))
    places = _places_named(localities, name, region)
    if not places and not region.is_everywhere() and (match := _IN_BRACKETS.fullmatch(name)):
        places = _places_named(localities, match[1], region)  # `Bilbao (Vizcaya)`
    if not places and not address.address1.strip() and _STREET.search(name):
        reason = f'city is missing: "{name}" looks like a street'
        issue = issue_of(IssueType.CITY_LOOKS_LIKE_STREET, name)
        return UnknownCity(reason=reason, issue=issue)
    if not places:
        return _unknown_city(localities, name, region)
    places = near_postal_code(localities, places, address.zip)
    hinted = [place for place in places if region.hint and place.admin1 == region.hint]
    return disambiguate(name, hinted or places)


def _places_named(localities: Localities, name: str, region: Region) -> list[Locality]:
    return [place for place in localities.named(name) if region.holds(_province(place))]


def _unknown_city(localities: Localities, name: str, region: Region) -> UnknownCity:
    where = f" in {region.label}" if region.label else ""
    near = [] if len(name) < _SHORTEST_CORRECTED else localities.names_near(name, _NAMES_LOOKED_AT)
    for similar in get_close_matches(fold(name), near, cutoff=SAME_NAME):
        for place in localities.named(similar):
            if region.holds(_province(place)):
                meant = label_locality(place)
                return UnknownCity(
                    reason=f'unknown city "{name}"{where}, did you mean {meant}?',
                    issue=issue_of(IssueType.UNKNOWN_CITY, name, (meant,)),
                )
    issue = issue_of(IssueType.UNKNOWN_CITY, name)
    return UnknownCity(reason=f'unknown city "{name}"{where}', issue=issue)


def _centre(address: Address, city: Locality) -> Match:
    has_street = bool(address.address1.strip())
    return Match(
        coordinates=Coordinates(latitude=city.latitude, longitude=city.longitude),
        match_type=MatchType.LOCALITY,
        confidence=_CENTRE_INSTEAD_OF_STREET if has_street else _CENTRE_ASKED_FOR,
        label=label_locality(city),
        attribution=ATTRIBUTION,
    )


def _province(place: Locality) -> Province:
    return Province(place.country, place.admin1)
