"""Streets of the made-up town, as a page draws them by itself."""

import math
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.tiles.test_builder import MIDDLE, built

from roundsman.domain.address import Coordinates
from roundsman.tiles.street_drawing import UNITS_A_TILE, StreetDrawing, draw_streets
from roundsman.tiles.street_map import StreetMap, TileSource

__all__ = ["built"]

TOWN = Coordinates(longitude=MIDDLE[0], latitude=MIDDLE[1])
SHORE = Coordinates(longitude=10.02, latitude=50.05)
FAR = Coordinates(longitude=12.0, latitude=51.0)


@pytest.fixture
def street_map(built: Path) -> Iterator[StreetMap]:
    with closing(StreetMap(lambda: [TileSource("1", built, None)])) as opened:
        yield opened


def latitude_of(drawing: StreetDrawing, units: float) -> float:
    square = drawing.y + units * drawing.unit
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * square))))


def test_streets_are_drawn_where_they_are(street_map: StreetMap) -> None:
    drawing = draw_streets(street_map, [TOWN, SHORE])
    assert drawing is not None
    assert drawing.attribution == "© those"
    assert drawing.unit == 1 / (2**14 * UNITS_A_TILE)
    kinds = {kind for tile in drawing.tiles for kind in tile.paths}
    assert {"green", "water", "minor_road", "major_road"} <= kinds
    for tile in drawing.tiles:
        for path in tile.paths.values():
            assert re.fullmatch(r"(M-?\d+,-?\d+l(-?\d+,-?\d+ ?)+z?)+", path)
    street = next(tile for tile in drawing.tiles if "major_road" in tile.paths)
    begin = re.match(r"M-?\d+,(-?\d+)l", street.paths["major_road"])
    assert begin is not None
    assert latitude_of(drawing, street.y + int(begin[1])) == pytest.approx(50.0795, abs=0.00003)


def test_names_are_where_there_is_room_for_them(street_map: StreetMap) -> None:
    drawing = draw_streets(street_map, [TOWN, Coordinates(longitude=10.03, latitude=50.085)])
    assert drawing is not None
    (town,) = (name for name in drawing.names if name.text == "Hafen")
    assert (town.rank, town.length, town.degrees) == (0, 0, 0)
    assert latitude_of(drawing, town.y) == pytest.approx(50.085, abs=0.00003)
    street = [name for name in drawing.names if name.text == "High Street"]
    assert 1 <= len(street) <= 3
    assert {name.degrees for name in street} == {0}
    assert all(name.length > 40 and name.rank > town.rank for name in street)


def test_a_large_area_is_drawn_from_further_away(street_map: StreetMap) -> None:
    close, far = draw_streets(street_map, [TOWN]), draw_streets(street_map, [TOWN, FAR])
    assert close is not None
    assert far is not None
    assert far.unit > close.unit
    assert len(far.tiles) <= 64


def test_where_nothing_is_known_there_are_no_streets(street_map: StreetMap) -> None:
    assert draw_streets(street_map, [Coordinates(longitude=-76.6, latitude=39.3)]) is None
    assert draw_streets(street_map, []) is None
    assert draw_streets(StreetMap(list), [TOWN]) is None
