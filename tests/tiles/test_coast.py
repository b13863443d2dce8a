"""The sea is on the right side of every coastline."""

import pytest
import shapely
from tests.tiles.coasts import FRAME, ISLAND, LAGOON, SOUTHERN_SEA, Line

from roundsman.tiles.coast import close_sea

LAND, SEA = shapely.Point(10.02, 50.09), shapely.Point(10.02, 50.02)
ON_ISLAND, IN_LAGOON = shapely.Point(10.05, 50.015), shapely.Point(10.05, 50.08)
WHOLE = 0.01  # square degrees of the frame


def water_of(*lines: Line) -> shapely.Geometry:
    faces = close_sea([shapely.LineString(line) for line in lines], FRAME)
    return shapely.union_all(faces)


@pytest.mark.parametrize(
    ("lines", "wet", "dry"),
    [
        ([SOUTHERN_SEA], [SEA, ON_ISLAND], [LAND, IN_LAGOON]),
        ([SOUTHERN_SEA, ISLAND], [SEA], [LAND, ON_ISLAND]),
        ([SOUTHERN_SEA, ISLAND, LAGOON], [SEA, IN_LAGOON], [LAND, ON_ISLAND]),
        ([ISLAND], [SEA, LAND], [ON_ISLAND]),
        ([LAGOON], [IN_LAGOON], [SEA, LAND]),
        ([SOUTHERN_SEA[::-1]], [LAND], [SEA]),
        # In pieces, in no order, as an extract holds them.
        ([SOUTHERN_SEA[1:], ISLAND[2:], SOUTHERN_SEA[:2], ISLAND[:3]], [SEA], [LAND, ON_ISLAND]),
    ],
    ids=["cut by the frame", "island", "lagoon", "island alone", "lagoon alone", "north", "pieces"],
)
def test_water_is_on_the_right_of_the_coast(
    lines: list[Line], wet: list[shapely.Point], dry: list[shapely.Point]
) -> None:
    water = water_of(*lines)
    assert [water.contains(point) for point in wet] == [True] * len(wet)
    assert [water.contains(point) for point in dry] == [False] * len(dry)
    assert water.area < WHOLE


def test_a_coast_that_ends_in_the_middle_is_led_to_the_frame() -> None:
    water = water_of([(10.03, 50.05), (10.05, 50.05), (10.07, 50.05)])
    assert not water.contains(shapely.Point(10.05, 50.06))
    assert water.contains(shapely.Point(10.05, 50.04))


def test_without_a_coast_everything_is_land() -> None:
    assert close_sea([shapely.LineString([(11, 51), (12, 52)])], FRAME) == []
