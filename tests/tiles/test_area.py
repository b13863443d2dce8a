"""Which tiles of an area are kept."""

from roundsman.tiles.area import TileName, tiles_of_area
from roundsman.tiles.mercator import tile_of

HARBOUR = (10.02, 50.08)
MILL = (10.62, 50.08)
ZOOMS = range(8, 15)


def test_a_place_has_its_tile_and_the_eight_around_it_at_each_zoom_the_coarse_ones_first() -> None:
    found = tiles_of_area([HARBOUR], [], ZOOMS, 200)
    assert len(found) == len(set(found)) == 9 * len(ZOOMS)
    assert [tile.zoom for tile in found] == sorted(tile.zoom for tile in found)
    column, row = tile_of(*HARBOUR, 14)
    here = {TileName(14, column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)}
    assert here == {tile for tile in found if tile.zoom == 14}


def test_the_way_between_places_is_kept_without_a_gap_though_its_line_has_two_points() -> None:
    found = tiles_of_area([HARBOUR, MILL], [[HARBOUR, MILL]], ZOOMS, 500)
    (first, row), (last, _) = tile_of(*HARBOUR, 14), tile_of(*MILL, 14)
    assert last - first > 20
    assert {TileName(14, column, row) for column in range(first, last + 1)} <= set(found)


def test_places_come_before_ways_where_not_all_fit_and_coarse_tiles_before_fine_ones() -> None:
    around = tiles_of_area([HARBOUR, MILL], [], ZOOMS, 500)
    assert tiles_of_area([HARBOUR, MILL], [[HARBOUR, MILL]], ZOOMS, len(around)) == around
    few = tiles_of_area([HARBOUR, MILL], [[HARBOUR, MILL]], ZOOMS, 30)
    assert few == around[:30]


def test_tiles_across_the_date_line_are_those_of_its_other_side_and_none_is_beyond_a_pole() -> None:
    found = tiles_of_area([(179.999, 0.0), (0.0, 89.0)], [], range(8, 9), 200)
    assert {tile.column for tile in found if tile.row == 128} == {254, 255, 0}
    assert min(tile.row for tile in found) == 0


def test_an_area_without_places_has_no_tiles() -> None:
    assert tiles_of_area([], [], ZOOMS, 200) == []
