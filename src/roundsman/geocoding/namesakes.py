"""Which of several places of one name is meant: the one that is clearly the largest, or none."""

from collections.abc import Sequence
from math import cos, hypot, radians

from roundsman.domain.address import Coordinates
from roundsman.geocoding.geocoder import Miss
from roundsman.geocoding.localities import Locality
from roundsman.geocoding.normalization import fold
from roundsman.geocoding.provinces import Province, province_code

_CLEARLY_LARGEST = 3
"""How many times as many people as the next place of that name (measured, ADR 0004)."""

_OTHER_NAME_COUNTS = 0.1
"""What a place that merely also goes by a name counts against one that is called so."""

_SAME_PLACE_KM = 15
"""Below this, two places of one name are a town and its municipality."""

_LISTED = 4
_KM_PER_DEGREE = 111.2


def choose_namesake(name: str, places: Sequence[Locality]) -> Locality | Miss:
    """Return the place meant by `name`; `places` is not empty and all go by it."""
    called = fold(name)

    def weight(place: Locality) -> float:
        counts = 1 if fold(place.name) == called else _OTHER_NAME_COUNTS
        return counts * (place.population + 1)

    largest, *others = sorted(places, key=weight, reverse=True)
    rivals = [other for other in others if kilometers(largest, other) > _SAME_PLACE_KM]
    if rivals and weight(largest) < _CLEARLY_LARGEST * weight(rivals[0]):
        listed = "; ".join(map(describe, [largest, *rivals][:_LISTED]))
        return Miss(
            reason=f'several places are called "{name}": {listed}; add a province or zip',
            settled=True,
        )
    return largest


def describe(place: Locality) -> str:
    """Return the place's name with its province and country, as one would write them."""
    province = province_code(Province(place.country, place.admin1))
    return ", ".join(part for part in (place.name, province, place.country) if part)


def kilometers(one: Locality | Coordinates, other: Locality | Coordinates) -> float:
    """Return roughly how far apart two points are; good enough to tell near from far."""
    east = (one.longitude - other.longitude + 180) % 360 - 180
    east *= cos(radians((one.latitude + other.latitude) / 2))
    return _KM_PER_DEGREE * hypot(one.latitude - other.latitude, east)
