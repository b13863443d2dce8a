"""Compares what a geocoder over HTTP found with the address that was sent.

Such geocoders answer with the best they have, which may be another street or another town. A result
is graded by what it has in common with the address: door, street, postal code or town.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import ratio

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import IssueType
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.geocoder import (
    Match,
    MatchType,
    Miss,
    closeness,
    issue_of,
    nothing_found,
    nothing_near,
)
from roundsman.geocoding.house_numbers import parse_house_numbers
from roundsman.geocoding.street_names import fold_code, fold_words, street_name
from roundsman.geocoding.written_street import StreetReading, read_street

_ALIKE = 70.0
"""Percent of letters in common from which two names of a town may be one."""

_STREET_LETTERS_CHANGED = 0.34
_SAME_PLACE_METERS = 5_000.0
_AS_GOOD = 0.05
_WORTH = {
    MatchType.EXACT: 0.95,
    MatchType.NEAREST_NUMBER: 0.75,
    MatchType.STREET: 0.6,
    MatchType.POSTCODE: 0.55,
    MatchType.LOCALITY: 0.5,
}
_AREAS = frozenset({MatchType.POSTCODE, MatchType.LOCALITY})
_ASKED_FOR_NO_STREET = 0.2
_LISTED = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteResult:
    """One result; empty fields are unknown. `towns` are all names of its town."""

    longitude: float
    latitude: float
    label: str
    street: str = ""
    number: str = ""
    towns: tuple[str, ...] = ()
    postcode: str = ""
    country: str = ""
    is_postcode: bool = False


def choose(found: Sequence[RemoteResult], address: Address, attribution: str) -> Match | Miss:
    """Return the result that fits best, or why there is none."""
    readings = read_street(address.address1, address.address2)
    graded = [
        match
        for result in found
        if _is_there(result, address)
        for match in [_grade(result, readings, attribution)]
        if match.match_type not in _AREAS or _is_named(result, address)
    ]
    if not graded:
        return nothing_found(address)
    best, *others = sorted(graded, key=closeness)
    rivals = [other for other in others if _rivals(best, other)]
    if rivals and not address.zip.strip():
        labels = [*dict.fromkeys(match.label for match in [best, *rivals][:_LISTED])]
        line = address.one_line()
        return Miss(
            reason=f'"{line}" may be any of: {"; ".join(labels)}; add a province or zip',
            issue=issue_of(IssueType.ADDRESS_AMBIGUOUS, line, labels),
            settled=True,
        )
    return best


def describe_result(found: RemoteResult | None, attribution: str) -> Match | Miss:
    """Return the result of a search by coordinates as a match."""
    if found is None:
        return nothing_near()
    match_type = MatchType.EXACT if found.number else MatchType.STREET
    if not found.street:
        match_type = MatchType.LOCALITY
    return Match(
        coordinates=Coordinates(latitude=found.latitude, longitude=found.longitude),
        match_type=match_type,
        confidence=_WORTH[match_type],
        label=found.label,
        attribution=attribution,
    )


def _is_there(result: RemoteResult, address: Address) -> bool:
    """Return whether the result is in the country, and in the postal code or town."""
    wanted = country_code(address.country_code) if address.country_code.strip() else None
    if wanted and result.country and result.country.upper() != wanted:
        return False
    if result.postcode and fold_code(result.postcode) == fold_code(address.zip):
        return True
    city = fold_words(address.city)
    if not city:
        return not address.zip.strip() or result.postcode == ""
    names = [fold_words(town) for town in result.towns]
    return any(city in name or ratio(city, name) >= _ALIKE for name in names if name)


def _is_named(result: RemoteResult, address: Address) -> bool:
    """Return whether the address names this area: the centre of a country or state is no match."""
    if address.city.strip():
        return True  # `_is_there` has compared the city
    code = fold_code(address.zip)
    return bool(code) and fold_code(result.postcode) == code


def _grade(result: RemoteResult, readings: Sequence[StreetReading], attribution: str) -> Match:
    match_type = _match_type(result, readings)
    is_asked_for = match_type in _AREAS and not readings
    worth = _WORTH[match_type] + (_ASKED_FOR_NO_STREET if is_asked_for else 0)
    return Match(
        coordinates=Coordinates(latitude=result.latitude, longitude=result.longitude),
        match_type=match_type,
        confidence=round(worth, 2),
        label=result.label,
        attribution=attribution,
    )


def _match_type(result: RemoteResult, readings: Sequence[StreetReading]) -> MatchType:
    fitting = [reading for reading in readings if _is_street(result.street, reading.street)]
    if fitting:
        numbers = {door for reading in fitting for door in reading.doors}
        if numbers and numbers & set(parse_house_numbers(result.number)):
            return MatchType.EXACT
        return MatchType.NEAREST_NUMBER if result.number and numbers else MatchType.STREET
    return MatchType.POSTCODE if result.is_postcode else MatchType.LOCALITY


def _is_street(found: str, wanted: str) -> bool:
    if not found or not wanted:
        return False
    one, other = street_name(found), street_name(wanted)
    changed = min(OSA.distance(one.compact(), other.compact()), OSA.distance(one.core, other.core))
    return changed <= _STREET_LETTERS_CHANGED * len(one.core)


def _rivals(best: Match, other: Match) -> bool:
    if best.match_type is not other.match_type or best.confidence - other.confidence > _AS_GOOD:
        return False
    one, two = best.coordinates, other.coordinates
    apart = meters_between((one.longitude, one.latitude), (two.longitude, two.latitude))
    return apart > _SAME_PLACE_METERS
