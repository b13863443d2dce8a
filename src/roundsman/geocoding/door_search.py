"""Where a house number is on a street: its door, between two doors, or beside the nearest.

One side of a street has the even numbers and the other the odd ones, so a missing number is looked
for between its neighbours of the same parity.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.geocoder import MatchType
from roundsman.geocoding.house_numbers import HouseNumber

_OTHER_SUFFIX = 0.08
_COUNTED = 0.1
_BETWEEN = 0.3
_NEAREST = 0.5
_NO_DOOR = 1.0
_WIDEST_GAP = 60
_LONGEST_GAP_METERS = 500.0
_FARTHEST_NUMBER = 30
_SAME_DOOR_METERS = 150.0


@dataclass(frozen=True, slots=True)
class FoundDoor:
    """A point on a street, with the cost of taking it for the door."""

    match_type: MatchType
    number: str
    postcode: str
    longitude: float
    latitude: float
    cost: float


@dataclass(frozen=True, slots=True)
class _Door:
    number: int
    suffix: str
    postcode: str
    longitude: float
    latitude: float
    counted: int


_COLUMNS = "number, suffix, postcode, longitude, latitude, counted"


class DoorSearch:
    """Finds doors in one index; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def find(self, street: int, doors: Sequence[HouseNumber]) -> list[FoundDoor]:
        """Return the first of `doors` that is found; several if its number exists twice."""
        for door in doors:
            if found := self._numbered(street, door):
                return found
        for door in doors[:1]:
            if found := self._between(street, door) or self._nearest(street, door):
                return found
        return []

    def _numbered(self, street: int, wanted: HouseNumber) -> list[FoundDoor]:
        rows = self._doors("street = ? AND number = ?", [street, wanted.number], "suffix, nth", 40)
        best = min((_rank(door, wanted) for door in rows), default=0)
        chosen = [door for door in rows if _rank(door, wanted) == best]
        if best > 1:
            # Without its suffix a number stands for the whole house: its first door will do.
            chosen = chosen[:1]
        return [_found(door, best) for door in chosen]

    def _between(self, street: int, wanted: HouseNumber) -> list[FoundDoor]:
        below = self._neighbour(street, wanted.number, "<", same_side=True)
        above = self._neighbour(street, wanted.number, ">", same_side=True)
        if below is None or above is None or above.number - below.number > _WIDEST_GAP:
            return []
        one, other = (below.longitude, below.latitude), (above.longitude, above.latitude)
        if meters_between(one, other) > _LONGEST_GAP_METERS:
            return []
        share = (wanted.number - below.number) / (above.number - below.number)
        return [
            FoundDoor(
                match_type=MatchType.INTERPOLATED,
                number=str(wanted),
                postcode=below.postcode or above.postcode,
                longitude=one[0] + share * (other[0] - one[0]),
                latitude=one[1] + share * (other[1] - one[1]),
                cost=_BETWEEN,
            )
        ]

    def _nearest(self, street: int, wanted: HouseNumber) -> list[FoundDoor]:
        for same_side in (True, False):
            near = [
                door
                for compare in ("<", ">")
                if (door := self._neighbour(street, wanted.number, compare, same_side=same_side))
                and abs(door.number - wanted.number) <= _FARTHEST_NUMBER
            ]
            if near:
                door = min(near, key=lambda door: abs(door.number - wanted.number))
                return [
                    FoundDoor(
                        match_type=MatchType.NEAREST_NUMBER,
                        number=f"{door.number}{door.suffix}",
                        postcode=door.postcode,
                        longitude=door.longitude,
                        latitude=door.latitude,
                        cost=_NEAREST,
                    )
                ]
        return []

    def _neighbour(
        self, street: int, number: int, compare: str, *, same_side: bool
    ) -> _Door | None:
        side = " AND number % 2 = ?" if same_side else ""
        order = "number DESC" if compare == "<" else "number"
        rows = self._doors(
            f"street = ? AND number {compare} ?{side}",
            [street, number, *([number % 2] if same_side else [])],
            order,
            1,
        )
        return rows[0] if rows else None

    def _doors(self, where: str, values: Sequence[object], order: str, count: int) -> list[_Door]:
        statement = f"SELECT {_COLUMNS} FROM door WHERE {where} ORDER BY {order} LIMIT {count}"  # noqa: S608 -- every part is written in this module
        return [_Door(*row) for row in self._connection.execute(statement, values)]


def _rank(door: _Door, wanted: HouseNumber) -> int:
    """Return 0 for the very door, 1 for the house without its suffix, 2 for a door beside it."""
    if door.suffix == wanted.suffix:
        return 0
    return 1 if not door.suffix else 2


def _found(door: _Door, rank: int) -> FoundDoor:
    return FoundDoor(
        match_type=MatchType.INTERPOLATED if door.counted else MatchType.EXACT,
        number=f"{door.number}{door.suffix}",
        postcode=door.postcode,
        longitude=door.longitude,
        latitude=door.latitude,
        cost=rank * _OTHER_SUFFIX + door.counted * _COUNTED,
    )
