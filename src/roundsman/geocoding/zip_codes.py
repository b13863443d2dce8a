"""Locates by zip code in the United States, and finds contradictions to the rest of an address."""

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.geocoding.bundled_data import ATTRIBUTION
from roundsman.geocoding.disambiguation import kilometers
from roundsman.geocoding.geocoder import Match, MatchType, Miss, unknown_zip
from roundsman.geocoding.localities import Localities, Locality, ZipArea
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.provinces import TERRITORIES, Province
from roundsman.geocoding.region import Region

_WRITTEN = re.compile(r"(\d{5})(?:-?\d{4})?", re.ASCII)
_WITHOUT_LEADING_ZEROS = re.compile(r"\d{3,4}", re.ASCII)
_CITY_AGREES = 0.8
_CITY_IS_ANOTHER = 0.6

SAME_NAME = 0.8
"""The similarity (difflib) from which one of two names may be the other misspelt."""

_FARTHEST_CITY_KM = 50
"""If a city is farther than this from the zip code given with it, one of the two is a mistake."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnknownCity(Miss):
    """No place of that name is known."""


def locate_by_zip(
    localities: Localities, address: Address, region: Region, city: Locality | Miss
) -> Match | Miss | None:
    """Return the centre of the zip code's area, a contradiction, or None for the city's."""
    code = _code(address.zip.strip(), region)
    if code is None:
        return None
    area = localities.zip_area(code)
    if area is None:
        return _unknown(code, address)
    agrees = fold(address.city) in {"", *map(fold, area.cities)}
    if region.is_everywhere() and not agrees:
        return None
    if not region.holds(_province(area)):
        return _elsewhere(area, region, city)
    if not (agrees or _is_misspelt(address.city, area)) and isinstance(city, UnknownCity):
        return replace(city, reason=f"{city.reason}; zip code {area.code} is {area.cities[0]}")
    if not agrees and isinstance(city, Locality) and _is_far(area, city):
        reason = f"zip code {area.code} is {area.cities[0]}, far from {city.name}"
        return Miss(reason=reason, issue=_in_place(area, area.cities[0]))
    return _middle(area, _CITY_AGREES if agrees else _CITY_IS_ANOTHER)


def is_city_of_zip(localities: Localities, address: Address, region: Region) -> bool:
    """Return whether the city is one that is written with the zip code, which is in `region`."""
    code = _code(address.zip.strip(), region)
    area = localities.zip_area(code) if code else None
    if area is None or not region.holds(_province(area)):
        return False
    return fold(address.city) in map(fold, area.cities)


def _code(written: str, region: Region) -> str | None:
    """Return five digits; spreadsheets take 01201 for a number and drop its zero."""
    if match := _WRITTEN.fullmatch(written):
        return match[1]
    if _WITHOUT_LEADING_ZEROS.fullmatch(written) and region.is_within("US"):
        return written.zfill(5)
    return None


def _unknown(code: str, address: Address) -> Miss | None:
    return None if address.city.strip() else unknown_zip(code)


def _elsewhere(area: ZipArea, region: Region, city: Locality | Miss) -> Miss | None:
    city_is_american = isinstance(city, Locality) and city.country == "US"
    if not city_is_american and not region.is_within("US"):
        return None
    reason = f"zip code {area.code} is in {area.state}, not in {region.label}"
    return Miss(reason=reason, issue=_in_place(area, area.state))


def _in_place(area: ZipArea, place: str) -> Issue:
    values = IssueValues(value=area.code, read_as=place)
    return Issue(type=IssueType.ZIP_IS_ELSEWHERE, values=values)


def _is_misspelt(name: str, area: ZipArea) -> bool:
    """Return whether a zip code confirms an unknown name: `Ft Lauderdale`, `Baltimroe`."""
    return bool(get_close_matches(fold(name), map(fold, area.cities), cutoff=SAME_NAME))


def _is_far(area: ZipArea, city: Locality) -> bool:
    return kilometers(_coordinates(area), city) > _FARTHEST_CITY_KM


def _middle(area: ZipArea, confidence: float) -> Match:
    return Match(
        coordinates=_coordinates(area),
        match_type=MatchType.POSTCODE,
        confidence=confidence,
        label=f"{area.cities[0]}, {area.state} {area.code}, US",
        attribution=ATTRIBUTION,
    )


def _coordinates(area: ZipArea) -> Coordinates:
    return Coordinates(latitude=area.latitude, longitude=area.longitude)


def _province(area: ZipArea) -> Province:
    in_territory = area.state in TERRITORIES
    return Province(area.state if in_territory else "US", area.state)
