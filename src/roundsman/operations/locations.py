"""Where things are: coordinates as given, or as the geocoder finds an address."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.geocoding import Geocoding, MatchLevel, MinimumMatch
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.principal import Principal
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.geocoder import Geocoder, Match, Miss, level_of
from roundsman.kit import metrics
from roundsman.kit.tracing import describe_span, span
from roundsman.operations.tools import Tools

_LOCATION = ("address", "coordinates", "planned_coordinates")
"""What updates of locations may set; a place has coordinates under one of two names."""

MOST_COMPARED = 20
"""How many given coordinates of one request are compared with their addresses: some ten
milliseconds, where an import of 200 stops takes forty."""

type Located = tuple[str, Address | UnsetType, Coordinates | UnsetType]
"""A path in front of `address` in error messages, and what was given there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResolvedLocation:
    """Where a place is, and how sure that is."""

    coordinates: Coordinates
    geocoding: Geocoding


def locate_all(geocoder: Geocoder, locations: Sequence[Located]) -> list[ResolvedLocation]:
    """Return where every place is; raise InvalidArgument naming each that is nowhere."""
    located, violations = try_locating(geocoder, locations)
    if violations:
        raise refused(violations)
    return located


def try_locating(
    geocoder: Geocoder, locations: Sequence[Located], minimum: MinimumMatch | None = None
) -> tuple[list[ResolvedLocation], list[FieldViolation]]:
    """Return where the places are that are anywhere, and what is wrong with the others."""
    located: dict[int, ResolvedLocation] = {}
    sought: dict[int, Address] = {}
    violations = []
    for index, (path, address, coordinates) in enumerate(locations):
        if isinstance(coordinates, Coordinates):
            given = Geocoding(match_type=MatchLevel.GIVEN)
            located[index] = ResolvedLocation(coordinates=coordinates, geocoding=given)
        elif isinstance(address, Address) and not address.is_blank():
            sought[index] = address
        else:
            violations.append(
                FieldViolation(
                    field=f"{path}address",
                    description="is required when coordinates are not given",
                    type=IssueType.LOCATION_REQUIRED,
                )
            )
    found = geocode(geocoder, list(sought.values()))
    for index, answer in zip(sought, found, strict=True):
        problem = _problem_with(answer, minimum)
        if isinstance(answer, Match) and problem is None:
            located[index] = located_at(answer)
        elif problem is not None:
            field = f"{locations[index][0]}address"
            description, issue = problem
            violations.append(
                FieldViolation(
                    field=field,
                    description=description,
                    type=issue.type,
                    values=issue.values,
                )
            )
    if not violations:
        _compare_with_addresses(geocoder, locations, located)
    return [located[index] for index in sorted(located)], violations


def located_at(match: Match) -> ResolvedLocation:
    """Return where a geocoder found an address."""
    found = Geocoding(match_type=level_of(match.match_type), matched_address=match.label)
    return ResolvedLocation(coordinates=match.coordinates, geocoding=found)


def _problem_with(answer: Match | Miss, minimum: MinimumMatch | None) -> tuple[str, Issue] | None:
    if isinstance(answer, Miss):
        return f"could not be geocoded: {answer.reason}", answer.issue
    level = level_of(answer.match_type)
    if minimum is None or Geocoding(match_type=level).is_at_least(minimum):
        return None
    return (
        f'is known as {level.value} alone ("{answer.label}"), and {minimum.value} is asked for',
        Issue(
            type=IssueType.MATCH_TOO_COARSE,
            values=IssueValues(value=answer.label, read_as=level, choices=(minimum,)),
        ),
    )


def _compare_with_addresses(
    geocoder: Geocoder, locations: Sequence[Located], located: dict[int, ResolvedLocation]
) -> None:
    """Note how far given coordinates are from what their addresses mean, where that is cheap."""
    if not geocoder.is_local:
        return
    both = {
        index: address
        for index, (_, address, coordinates) in enumerate(locations)
        if isinstance(coordinates, Coordinates)
        and isinstance(address, Address)
        and not address.is_blank()
    }
    compared = dict(islice(both.items(), MOST_COMPARED))
    if not compared:
        return
    for index, answer in zip(compared, geocoder.geocode(list(compared.values())), strict=True):
        if isinstance(answer, Match):
            given = located[index].coordinates
            geocoding = Geocoding(
                match_type=MatchLevel.GIVEN,
                matched_address=answer.label,
                distance_meters=round(_meters_between(given, answer.coordinates)),
            )
            located[index] = ResolvedLocation(coordinates=given, geocoding=geocoding)


def _meters_between(one: Coordinates, other: Coordinates) -> float:
    return meters_between((one.longitude, one.latitude), (other.longitude, other.latitude))


def readable_locations(locations: Iterable[tuple[str, object, object]]) -> list[Located]:
    """Return the places whose parts could all be read (`UnreadableBody`)."""
    return [
        (path, address, coordinates)
        for path, address, coordinates in locations
        if isinstance(address, Address | UnsetType)
        and isinstance(coordinates, Coordinates | UnsetType)
    ]


def review_location(
    tools: Tools, _caller: Principal, values: Mapping[str, Any]
) -> list[FieldViolation]:
    """Return what else is wrong with a new location of which some could not be read."""
    address, *coordinates = (values.get(name, UNSET) for name in _LOCATION)
    given = next((point for point in coordinates if point is not UNSET), UNSET)
    locations = readable_locations([("location.", address, given)]) if values else []
    return try_locating(tools.geocoder, locations)[1]


def geocode(geocoder: Geocoder, addresses: Sequence[Address]) -> list[Match | Miss]:
    """Ask the geocoder for a batch, and count how well it went."""
    if not addresses:
        return []
    with metrics.GEOCODING_SECONDS.time(), span("geocoding", addresses=len(addresses)):
        found = geocoder.geocode(addresses)
        describe_span(misses=sum(isinstance(answer, Miss) for answer in found))
    for answer in found:
        metrics.GEOCODED.labels(answer.match_type if isinstance(answer, Match) else "MISS").inc()
    return found


def refused(violations: Sequence[FieldViolation]) -> InvalidArgument:
    """Return the error that lists all violations; its message is about the first."""
    return InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)
