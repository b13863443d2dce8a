"""A small town as an OpenStreetMap extract, written by the tests.

A grid of streets, 100 m apart, on both sides of a river that runs north to south. Two bridges: a
short one in the middle, which takes toll, and a free one at the northern end. West of the town
lies a farm whose only way is a toll road, and on an island in the east a road that joins no other.
"""

from pathlib import Path

import osmium
from osmium.osm.mutable import Node, Way

from roundsman.domain.address import Coordinates

SOUTH, WEST = 47.0, 8.0
STEP = 0.0009
"""Degrees of latitude, a hundred metres."""
ROWS, COLUMNS = 12, 12
RIVER_AFTER = 5
"""The column west of the river."""
TOLL_ROW = 5


def place(row: float, column: float) -> Coordinates:
    """Return where a row crosses a column; the river is four columns wide."""
    east = column + (4 if column > RIVER_AFTER else 0)
    return Coordinates(latitude=SOUTH + row * STEP, longitude=WEST + 1.46 * east * STEP)


WEST_BANK = place(TOLL_ROW, RIVER_AFTER)
EAST_BANK = place(TOLL_ROW, RIVER_AFTER + 1)
FARM = place(6, -9)
ISLAND = place(3, 24)
OUT_AT_SEA = Coordinates(latitude=0.0, longitude=0.0)


def write_town(extract: Path, south: float = SOUTH) -> Path:
    """Write the town; another `south` moves it as a whole."""
    shift = south - SOUTH
    ids: dict[Coordinates, int] = {}

    def node(point: Coordinates) -> int:
        return ids.setdefault(point, len(ids) + 1)

    ways = _ways()
    lines = [[node(point) for point in points] for points, _ in ways]
    with osmium.SimpleWriter(str(extract)) as writer:
        for point, number in ids.items():
            writer.add_node(
                Node(id=number, location=(point.longitude, point.latitude + shift), version=1)
            )
        for number, (line, (_, tags)) in enumerate(zip(lines, ways, strict=True), start=1):
            writer.add_way(Way(id=number, nodes=line, tags=tags, version=1))
    return extract


def _ways() -> list[tuple[list[Coordinates], dict[str, str]]]:
    street = {"highway": "residential"}
    ways = []
    for row in range(ROWS):
        banks = (range(RIVER_AFTER + 1), range(RIVER_AFTER + 1, COLUMNS))
        for number, bank in enumerate(banks):
            points = [place(row, column) for column in bank]
            ways.append(
                (points, street | {"name": f"Row {row} {'West' if number == 0 else 'East'}"})
            )
    for column in range(COLUMNS):
        points = [place(row, column) for row in range(ROWS)]
        ways.append((points, street | {"name": f"Column {column}"}))
    last = ROWS - 1
    free = [place(last, RIVER_AFTER), place(last, RIVER_AFTER + 1)]
    ways.append((free, {"highway": "primary", "name": "Free Bridge", "bridge": "yes"}))
    ways.append(
        ([WEST_BANK, EAST_BANK], {"highway": "primary", "name": "Toll Bridge", "toll": "yes"})
    )
    ways.append(([place(6, 0), FARM], {"highway": "tertiary", "name": "Farm Road", "toll": "yes"}))
    ways.append(([FARM, place(7, -9)], street | {"name": "Farm Lane"}))
    ways.append(([place(column, 24) for column in (2, 3, 4)], street | {"name": "Island Road"}))
    return ways
