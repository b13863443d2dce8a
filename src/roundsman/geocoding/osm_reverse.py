"""Finds the address nearest to a point."""

import sqlite3

from roundsman.domain.address import Coordinates
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.door_search import FoundDoor
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.index_file import ATTRIBUTION, cells_around
from roundsman.geocoding.osm_label import at_point, label_door, label_town
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
        or Miss(reason="nothing on the map is near these coordinates")
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
