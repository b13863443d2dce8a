"""Chooses one of several places of the same name: the one that is clearly the largest, or none."""

from collections.abc import Sequence
from math import cos, hypot, radians

from roundsman.domain.address import Coordinates
from roundsman.domain.issue import IssueType
from roundsman.geocoding.geocoder import Miss, issue_of
from roundsman.geocoding.localities import Locality
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.provinces import Province, province_code

_CLEARLY_LARGEST = 3
"""How many times as many people it needs as the next place of that name (measured, ADR 0004)."""

_OTHER_NAME_COUNTS = 0.1
"""The weight of a place that has the name as a further name, against one of that main name."""

_SAME_PLACE_KM = 15
"""Two places of one name that are nearer than this are a town and its municipality."""

_LISTED = 4
_KM_PER_DEGREE = 111.2


def disambiguate(name: str, places: Sequence[Locality]) -> Locality | Miss:
    """Return the place that `name` means; all of `places`, at least one, have this name."""
    called = fold(name)

    def weight(place: Locality) -> float:
        counts = 1 if fold(place.name) == called else _OTHER_NAME_COUNTS
        return counts * (place.population + 1)

    largest, *others = sorted(places, key=weight, reverse=True)
    rivals = [other for other in others if kilometers(largest, other) > _SAME_PLACE_KM]
    if rivals and weight(largest) < _CLEARLY_LARGEST * weight(rivals[0]):
        labels = [label_locality(place) for place in [largest, *rivals][:_LISTED]]
        listed = "; ".join(labels)
        return Miss(
            reason=f'several places are called "{name}": {listed}; add a province or zip',
            issue=issue_of(IssueType.ADDRESS_AMBIGUOUS, name, labels),
            settled=True,
        )
    return largest


def label_locality(place: Locality) -> str:
    """Return the place's name with its province and country, as one would write them."""
    province = province_code(Province(place.country, place.admin1))
    return ", ".join(part for part in (place.name, province, place.country) if part)


def kilometers(one: Locality | Coordinates, other: Locality | Coordinates) -> float:
    """Return the approximate distance of two points; exact enough to tell near from far."""
    east = (one.longitude - other.longitude + 180) % 360 - 180
    east *= cos(radians((one.latitude + other.latitude) / 2))
    return _KM_PER_DEGREE * hypot(one.latitude - other.latitude, east)
