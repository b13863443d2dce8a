"""What every source of coordinates can do, whatever is behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from roundsman.domain.address import Address, Coordinates


class MatchType(StrEnum):
    """How close to the door a match is, best first."""

    EXACT = "EXACT"
    INTERPOLATED = "INTERPOLATED"
    NEAREST_NUMBER = "NEAREST_NUMBER"
    STREET = "STREET"
    POSTCODE = "POSTCODE"
    LOCALITY = "LOCALITY"


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A located address; `confidence` runs from 0 to 1, `label` says what was found."""

    coordinates: Coordinates
    match_type: MatchType
    confidence: float
    label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Miss:
    """An address that could not be located, and why: lower case, no full stop."""

    reason: str


class Geocoder(Protocol):
    """Turns addresses into coordinates."""

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order; raise `Unavailable` when the source is away."""
        ...
