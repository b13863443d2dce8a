"""How sure it is that a place is where its address says."""

from enum import StrEnum

from roundsman.domain.model import UNSET, Model, UnsetType


class MatchLevel(StrEnum):
    """What of an address was found; GIVEN are coordinates that came with it."""

    ROOFTOP = "ROOFTOP"
    STREET = "STREET"
    LOCALITY = "LOCALITY"
    GIVEN = "GIVEN"


class MinimumMatch(StrEnum):
    """The least that may be found of an address."""

    ROOFTOP = "ROOFTOP"
    STREET = "STREET"
    LOCALITY = "LOCALITY"


_SURENESS = (MatchLevel.LOCALITY, MatchLevel.STREET, MatchLevel.ROOFTOP, MatchLevel.GIVEN)


class Geocoding(Model):
    """How a place was found, and how far given coordinates are from what its address means."""

    match_type: MatchLevel
    """What of the address was found."""

    matched_address: str = ""
    """The address that was found."""

    distance_meters: int | UnsetType = UNSET
    """From given coordinates to the address that was found; absent without one of the two."""

    def is_at_least(self, minimum: MinimumMatch) -> bool:
        """Say whether as much was found; given coordinates are good enough for anybody."""
        return _SURENESS.index(self.match_type) >= _SURENESS.index(MatchLevel(minimum.value))
