"""Tiles hold what the specification says, whoever encodes them."""

import shapely
from tests.tiles.tile_decoding import decode, paths

from roundsman.tiles.vector_tile import EXTENT, Shape, encode_tile


def encoded(geometry: shapely.Geometry, **attributes: str | int | bool) -> dict[str, object]:
    layer = decode(encode_tile([("one", [Shape(geometry, attributes)])]))["one"]
    assert (layer.version, layer.extent) == (2, EXTENT)
    (feature,) = layer.features
    return dict(feature)


def test_the_examples_of_the_specification_come_out_as_it_says() -> None:
    assert encoded(shapely.Point(25, 17))["commands"] == [9, 50, 34]
    assert encoded(shapely.LineString([(2, 2), (2, 10), (10, 10)]))["commands"] == [
        *(9, 4, 4),
        *(18, 0, 16, 16, 0),
    ]
    triangle = shapely.Polygon([(3, 6), (8, 12), (20, 34)])
    assert encoded(triangle)["commands"] == [9, 6, 12, 18, 10, 12, 24, 44, 15]


def test_attributes_keep_their_kinds() -> None:
    feature = encoded(shapely.Point(1, 1), name="Ölstraße", level=4, is_bridge=True)
    assert feature["tags"] == {"name": "Ölstraße", "level": 4, "is_bridge": True}


def test_what_is_nothing_in_whole_units_is_left_out() -> None:
    tiny = shapely.LineString([(0.1, 0.1), (0.3, 0.2)])
    assert decode(encode_tile([("one", [Shape(tiny, {})])]))["one"].features == []
    line = encoded(shapely.LineString([(0, 0), (0.2, 0.1), (5, 5), (5.1, 5.2)]))
    assert paths(list(line["commands"])) == [[(0, 0), (5, 5)]]  # type: ignore[call-overload]
