"""Where things are: coordinates as given, or as the geocoder finds an address."""

from collections.abc import Iterable, Sequence

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.caller import Caller
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.geocoding.geocoder import Geocoder, Match, Miss
from roundsman.kit import metrics
from roundsman.kit.tracing import span
from roundsman.operations.work import Tools
from roundsman.wire.field_mask import Changes

_LOCATION = ("address", "coordinates", "planned_coordinates")
"""What updates of locations may set; a place has coordinates under one of two names."""

type Located = tuple[str, Address | UnsetType, Coordinates | UnsetType]
"""A path in front of `address` in error messages, and what was given there."""


def locate_all(geocoder: Geocoder, places: Sequence[Located]) -> list[Coordinates]:
    """Return the coordinates of every place; raise InvalidArgument naming each without any."""
    located, violations = try_locating(geocoder, places)
    if violations:
        raise refused(violations)
    return located


def try_locating(
    geocoder: Geocoder, places: Sequence[Located]
) -> tuple[list[Coordinates], list[FieldViolation]]:
    """Return the coordinates of the places that have any, and what is wrong with the others."""
    located: dict[int, Coordinates] = {}
    sought: dict[int, Address] = {}
    violations = []
    for place, (path, address, coordinates) in enumerate(places):
        if isinstance(coordinates, Coordinates):
            located[place] = coordinates
        elif isinstance(address, Address) and not address.is_blank():
            sought[place] = address
        else:
            violations.append(
                FieldViolation(
                    field=f"{path}address",
                    description="is required when coordinates are not given",
                )
            )
    found = look_up(geocoder, list(sought.values()))
    for place, answer in zip(sought, found, strict=True):
        if isinstance(answer, Match):
            located[place] = answer.coordinates
        else:
            description = f"could not be geocoded: {answer.reason}"
            field = f"{places[place][0]}address"
            violations.append(FieldViolation(field=field, description=description))
    return [located[place] for place in sorted(located)], violations


def readable_places(places: Iterable[tuple[str, object, object]]) -> list[Located]:
    """Return the places whose parts could all be read (`UnreadableBody`)."""
    return [
        (path, address, coordinates)
        for path, address, coordinates in places
        if isinstance(address, Address | UnsetType)
        and isinstance(coordinates, Coordinates | UnsetType)
    ]


def review_location(tools: Tools, _caller: Caller, changes: Changes) -> list[FieldViolation]:
    """Return what else is wrong with a new location of which some could not be read."""
    address, *coordinates = (changes.values.get(name, UNSET) for name in _LOCATION)
    given = next((point for point in coordinates if point is not UNSET), UNSET)
    places = readable_places([("location.", address, given)]) if changes.values else []
    return try_locating(tools.geocoder, places)[1]


def look_up(geocoder: Geocoder, addresses: Sequence[Address]) -> list[Match | Miss]:
    """Ask the geocoder for a batch, and count how well it went."""
    if not addresses:
        return []
    with metrics.GEOCODING_SECONDS.time(), span("geocoding", addresses=len(addresses)) as locating:
        found = geocoder.geocode(addresses)
        locating.tell(misses=sum(isinstance(answer, Miss) for answer in found))
    for answer in found:
        metrics.GEOCODED.labels(answer.match_type if isinstance(answer, Match) else "MISS").inc()
    return found


def refused(violations: Sequence[FieldViolation]) -> InvalidArgument:
    """Return the error that lists all violations; its message tells the first."""
    return InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)
