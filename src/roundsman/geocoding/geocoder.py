"""What every geocoder does, and the answers it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.geocoding import MatchLevel
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.model import UNSET


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
    """A located address; `confidence` runs from 0 to 1, `label` says what was found.

    `attribution` names whose data it is, to be shown wherever the coordinates are.
    """

    coordinates: Coordinates
    match_type: MatchType
    confidence: float
    label: str
    attribution: str = ""


_NOWHERE = Issue(type=IssueType.ADDRESS_NOT_FOUND)


@dataclass(frozen=True, kw_only=True, slots=True)
class Miss:
    """An address that could not be located, and why: lower case, no full stop.

    A `settled` miss is final: two places fit, or two parts of the address contradict each other.
    Another geocoder could only guess.
    """

    reason: str
    issue: Issue = _NOWHERE
    settled: bool = False


def nothing_found(address: Address) -> Miss:
    """Return the miss of an address that is nowhere."""
    line = address.one_line()
    return Miss(
        reason=f'nothing was found for "{line}"',
        issue=issue_of(IssueType.ADDRESS_NOT_FOUND, line),
    )


def unknown_zip(code: str) -> Miss:
    """Return the miss of a postal code that nobody knows."""
    issue = issue_of(IssueType.UNKNOWN_ZIP, code)
    return Miss(reason=f"unknown zip code {code}", issue=issue)


def nothing_near() -> Miss:
    """Return the miss of coordinates around which there is nothing."""
    reason = "nothing on the map is near these coordinates"
    return Miss(reason=reason, issue=Issue(type=IssueType.NOT_ON_MAP))


def issue_of(kind: IssueType, value: str, choices: Sequence[str] = ()) -> Issue:
    """Return what is wrong about a part of an address, and what it may be."""
    values = IssueValues(value=value, choices=tuple(choices) or UNSET)
    return Issue(type=kind, values=values)


_CLOSENESS = {match_type: index for index, match_type in enumerate(MatchType)}


_LEVELS = {
    MatchType.EXACT: MatchLevel.ROOFTOP,
    MatchType.INTERPOLATED: MatchLevel.ROOFTOP,
    MatchType.NEAREST_NUMBER: MatchLevel.STREET,
    MatchType.STREET: MatchLevel.STREET,
    MatchType.POSTCODE: MatchLevel.LOCALITY,
    MatchType.LOCALITY: MatchLevel.LOCALITY,
}


def level_of(match_type: MatchType) -> MatchLevel:
    """Return how sure the interface calls a match (decisions §22, `geocoding`)."""
    return _LEVELS[match_type]


def closeness(answer: Match | Miss) -> tuple[int, float]:
    """Return a sort key for answers, the closest to a door first."""
    if isinstance(answer, Miss):
        return len(_CLOSENESS) + (not answer.settled), 0.0
    return _CLOSENESS[answer.match_type], -answer.confidence


class ReverseGeocoder(Protocol):
    """Turns coordinates into the address nearest to them."""

    def reverse(self, index: Coordinates) -> Match | Miss:
        """Return the address at a location; raise `Unavailable` when the source does not answer."""
        ...

    def close(self) -> None:
        """Release connections and files; no call may follow."""
        ...


class Geocoder(Protocol):
    """Turns addresses into coordinates."""

    @property
    def is_local(self) -> bool:
        """Return whether calls stay on this machine and so cost nobody anything."""
        ...

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order; raise `Unavailable` when the source does not answer."""
        ...

    def close(self) -> None:
        """Release connections and files; no call may follow."""
        ...
