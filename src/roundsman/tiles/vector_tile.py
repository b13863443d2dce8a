"""One vector tile (Mapbox Vector Tile specification 2.1), encoded by the library of that name."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mapbox_vector_tile
import shapely

EXTENT = 4096
_OPTIONS = {"y_coord_down": True, "extents": EXTENT}

type Value = str | int | bool


class Shape(NamedTuple):
    """A feature in tile units."""

    geometry: shapely.Geometry
    attributes: dict[str, Value]


def encode_tile(layers: Iterable[tuple[str, Sequence[Shape]]]) -> bytes:
    """Return a tile; what is nothing in whole units is left out."""
    shown = [
        {
            "name": name,
            "features": [
                {"geometry": shape.geometry, "properties": shape.attributes}
                for shape in shapes
                if not shape.geometry.is_empty
            ],
        }
        for name, shapes in layers
        if shapes
    ]
    tile: bytes = mapbox_vector_tile.encode(shown, default_options=_OPTIONS)
    return tile
