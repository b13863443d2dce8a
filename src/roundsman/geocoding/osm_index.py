"""A geocoder on the address index of one OpenStreetMap extract, from address to point and back.

The file is opened at the first call and read by one thread at a time: a look-up is short, and most
of it holds Python's global lock anyway.
"""

import sqlite3
import weakref
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import IssueType
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.door_search import FoundDoor
from roundsman.geocoding.geocoder import Match, MatchType, Miss, issue_of, nothing_near
from roundsman.geocoding.index_file import ATTRIBUTION, WrongIndex, cells_around, open_index
from roundsman.geocoding.osm_label import at_point, label_door, label_town
from roundsman.geocoding.osm_search import AddressSearch
from roundsman.geocoding.region import Region, region_of
from roundsman.geocoding.street_search import FoundStreet
from roundsman.geocoding.town_search import FoundTown, TownSearch

_AT_THE_DOOR_METERS = 60.0
_ON_THE_STREET_METERS = 400.0
_STREET = "s.id, s.name, s.town, s.postcode, s.longitude, s.latitude, s.doors"
_CELL = "CAST(d.longitude / 0.005 AS INTEGER) * 100000 + CAST(d.latitude / 0.005 AS INTEGER)"
_HALF_A_DEGREE = 0.5


def describe_place(connection: sqlite3.Connection, index: Coordinates) -> Match | Miss:
    """Return the nearest door, else the nearest street, else the town around; a miss beyond."""
    point = (index.longitude, index.latitude)
    return (
        _nearest_door(connection, point)
        or _nearest_street(connection, point)
        or _town_around(connection, point)
        or nothing_near()
    )


def a_door_of(connection: sqlite3.Connection) -> Coordinates | None:
    """Return the coordinates of some door of the map; None when it has none."""
    row = connection.execute("SELECT latitude, longitude FROM door LIMIT 1").fetchone()
    return Coordinates(latitude=row[0], longitude=row[1]) if row else None


def _nearest_door(connection: sqlite3.Connection, point: tuple[float, float]) -> Match | None:
    placeholders = ", ".join("?" * 9)
    rows = connection.execute(
        f"SELECT {_STREET}, d.number || d.suffix, d.postcode, d.longitude, d.latitude"  # noqa: S608 -- columns and holes alone
        f" FROM door d JOIN street s ON s.id = d.street WHERE {_CELL} IN ({placeholders})",
        cells_around(*point),
    ).fetchall()
    near = [
        (meters_between((row[-2], row[-1]), point), index, row) for index, row in enumerate(rows)
    ]
    distance, _, row = min(near, default=(_AT_THE_DOOR_METERS, 0, None))
    if row is None or distance >= _AT_THE_DOOR_METERS:
        return None
    street = FoundStreet(*row[:7])
    door = FoundDoor(
        match_type=MatchType.EXACT,
        number=row[7],
        postcode=row[8],
        longitude=row[9],
        latitude=row[10],
        cost=0.0,
    )
    town = TownSearch(connection).by_id(street.town)
    return _match(MatchType.EXACT, (row[-2], row[-1]), 1.0, label_door(street, door, town))


def _nearest_street(connection: sqlite3.Connection, point: tuple[float, float]) -> Match | None:
    placeholders = ", ".join("?" * 9)
    rows = connection.execute(
        f"SELECT {_STREET}, d.longitude, d.latitude"  # noqa: S608 -- as above
        f" FROM passage d JOIN street s ON s.id = d.street WHERE d.cell IN ({placeholders})",
        cells_around(*point),
    ).fetchall()
    near = [
        (meters_between((row[-2], row[-1]), point), index, row) for index, row in enumerate(rows)
    ]
    distance, _, row = min(near, default=(_ON_THE_STREET_METERS, 0, None))
    if row is None or distance >= _ON_THE_STREET_METERS:
        return None
    street = FoundStreet(*row[:7])
    town = TownSearch(connection).by_id(street.town)
    return _match(MatchType.STREET, (row[-2], row[-1]), 0.65, label_door(street, None, town))


def _town_around(connection: sqlite3.Connection, point: tuple[float, float]) -> Match | None:
    rows = connection.execute(
        "SELECT id, name, kind, population, longitude, latitude, reach, state, country FROM town"
        " WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?",
        [
            point[1] - _HALF_A_DEGREE,
            point[1] + _HALF_A_DEGREE,
            point[0] - _HALF_A_DEGREE,
            point[0] + _HALF_A_DEGREE,
        ],
    )
    around = [
        (meters_between((town.longitude, town.latitude), point) / town.reach, town.id, town)
        for town in (FoundTown(*row) for row in rows)
    ]
    depth, _, town = min(around, default=(1.0, 0, None))
    if town is None or depth >= 1:
        return None
    return _match(MatchType.LOCALITY, (town.longitude, town.latitude), 0.5, label_town(town))


def _match(
    match_type: MatchType, point: tuple[float, float], confidence: float, label: str
) -> Match:
    return Match(
        coordinates=at_point(*point),
        match_type=match_type,
        confidence=confidence,
        label=label,
        attribution=ATTRIBUTION,
    )


class OsmIndex:
    """May be called by any thread; raises WrongIndex when the file is not an address index."""

    is_local = True

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        self._connection: sqlite3.Connection = open_index(path)
        # A replaced index is closed when its last call has returned.
        self._closing = weakref.finalize(self, self._connection.close)
        self._search = AddressSearch(self._connection)
        self._about = dict(self._connection.execute("SELECT key, value FROM about").fetchall())
        self._countries = frozenset(self._about["countries"].split())

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        found = []
        for address in addresses:
            with self._lock:
                found.append(self._locate(address))
        return found

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Return the address nearest to a point."""
        with self._lock:
            return describe_place(self._connection, place)

    def count(self, noun: str) -> int:
        """Return how many `addresses`, `streets` or `places` there are."""
        return int(self._about[noun])

    def try_one(self) -> None:
        """Look up one of the index's own addresses; raise WrongIndex when it is not found."""
        with self._lock:
            door = a_door_of(self._connection)
            found = describe_place(self._connection, door) if door else None
        if isinstance(found, Miss):
            raise WrongIndex("the index does not find its own addresses")

    def close(self) -> None:
        """Close the file; no call may follow."""
        with self._lock:
            self._closing()

    def _locate(self, address: Address) -> Match | Miss:
        region = region_of(address)
        if isinstance(region, Miss):
            return region
        if not self._may_hold(region):
            return Miss(
                reason=f"the map has no addresses in {region.label}",
                issue=issue_of(IssueType.NOT_ON_MAP, region.label),
            )
        return self._search.locate(address, region)

    def _may_hold(self, region: Region) -> bool:
        if region.is_everywhere() or not self._countries:
            return True
        countries = region.countries | {province.country for province in region.provinces}
        return not self._countries.isdisjoint(countries)
