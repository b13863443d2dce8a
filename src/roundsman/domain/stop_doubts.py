"""Doubts about where imported stops are: said in the answer, and imported all the same."""

from collections.abc import Iterator, Sequence
from math import asin, cos, hypot, radians, sin
from statistics import median

from roundsman.domain.address import Coordinates
from roundsman.domain.geocoding import Geocoding, MatchLevel
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.model import UNSET, Model, UnsetType

FAR_METERS = 300_000
"""Farther from the others than a day's round goes (decisions §15)."""

_EARTH_RADIUS_METERS = 6_371_000
_MOST_LATITUDE = 90

type _Vector = tuple[float, float, float]


class StopWarning(Model):
    """What is doubtful about a stop of an import."""

    index: int
    field: str
    message: str
    """What is doubtful, in English."""

    type: IssueType
    """What the message says, in a form that programs know."""

    values: IssueValues | UnsetType = UNSET
    """What the message names."""

    left_out: bool = False
    """Whether the cell that it is about is left out of the stop."""

    row: int | UnsetType = UNSET
    """Of a file: which row it stands in."""


def find_doubts(stops: Sequence[ImportedStop]) -> Iterator[StopWarning]:
    """Find swapped coordinates, coordinates of 0,0, and stops far from all others."""
    points = {
        index: stop.coordinates
        for index, stop in enumerate(stops)
        if isinstance(stop.coordinates, Coordinates)
    }
    somewhere = {index: at for index, at in points.items() if not at.is_nowhere()}
    vectors = {index: _vector(at.latitude, at.longitude) for index, at in somewhere.items()}
    middle = _middle(list(vectors.values()))
    for index, at in points.items():
        if index not in somewhere:
            yield StopWarning(
                index=index,
                field="coordinates",
                message="are 0,0",
                type=IssueType.COORDINATES_ZERO,
            )
            continue
        others = middle
        if len(vectors) == 2:
            (others,) = (vector for other, vector in vectors.items() if other != index)
        doubt = _doubt(stops[index], at, others)
        if doubt:
            message, kind, away = doubt
            is_given = _is_given(stops[index])
            yield StopWarning(
                index=index,
                field="coordinates" if is_given else "address",
                message=message,
                type=kind,
                values=IssueValues(distance_meters=round(away)),
            )


def _doubt(
    stop: ImportedStop, at: Coordinates, others: _Vector
) -> tuple[str, IssueType, float] | None:
    """Return what is doubtful, in words and as what, and how many metres it is about."""
    away = _meters(_vector(at.latitude, at.longitude), others)
    if away > FAR_METERS:
        distance = f"{away / 1000:,.0f} km from the middle of the other stops"
        if _is_given(stop) and abs(at.longitude) <= _MOST_LATITUDE:
            swapped = _meters(_vector(at.longitude, at.latitude), others)
            if swapped <= FAR_METERS:
                message = f"are {distance}; latitude and longitude seem to be swapped"
                return message, IssueType.COORDINATES_SWAPPED, away
        verb = "are" if _is_given(stop) else "is"
        return f"{verb} {distance}", IssueType.FAR_FROM_OTHERS, away
    from_address = _meters_from_address(stop)
    if from_address > FAR_METERS:
        message = f"are {from_address / 1000:,.0f} km from the address"
        return message, IssueType.FAR_FROM_ADDRESS, from_address
    return None


def _is_given(stop: ImportedStop) -> bool:
    geocoding = stop.geocoding
    return isinstance(geocoding, Geocoding) and geocoding.match_type is MatchLevel.GIVEN


def _meters_from_address(stop: ImportedStop) -> int:
    if isinstance(stop.geocoding, UnsetType):
        return 0
    return stop.geocoding.distance_meters or 0


def _middle(vectors: Sequence[_Vector]) -> _Vector:
    """Return the median of each component: no date line to cross, and outliers move it little."""
    if not vectors:
        return (0.0, 0.0, 0.0)
    x, y, z = (median(parts) for parts in zip(*vectors, strict=True))
    length = hypot(x, y, z) or 1.0
    return x / length, y / length, z / length


def _vector(latitude: float, longitude: float) -> _Vector:
    up, east = radians(latitude), radians(longitude)
    return cos(up) * cos(east), cos(up) * sin(east), sin(up)


def _meters(one: _Vector, other: _Vector) -> float:
    chord = hypot(*(a - b for a, b in zip(one, other, strict=True)))
    return 2 * _EARTH_RADIUS_METERS * asin(min(1.0, chord / 2))
