"""Cuts features into tiles: each zoom is cut out of what the zoom before has left.

Cutting from a piece that was cut already touches each point once a zoom, instead of once a tile.
"""

import gzip
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from roundsman.tiles.extract_features import Piece
from roundsman.tiles.features import EARTH, LAYERS, PLACES, Drawn
from roundsman.tiles.vector_tile import EXTENT, Shape, encode_tile

MOST_ZOOM = 14
_MARGIN = 64 / EXTENT
"""Of a tile on each side: strokes and labels reach over its border."""

_SIMPLIFIED = 3.0
"""Units of a tile by which a line may be off before the last zoom: a fifth of a pixel."""

_SMALLEST_AREA = 40.0
"""Square units below which an area is left out before the last zoom."""

_FASTEST = 6  # of gzip: a tenth larger than the best, in a third of the time


class Tile(NamedTuple):
    """A tile's place, and its bytes, gzipped."""

    zoom: int
    x: int
    y: int
    data: bytes


class _TilePart(NamedTuple):
    geometries: NDArray[np.object_]
    drawn: NDArray[np.object_]


def cut_tiles(
    piece: Piece, zoom: int, x: int, y: int, last_zoom: int, land: shapely.Geometry | None
) -> Iterator[Tile]:
    """Yield a tile and every tile below it, down to a zoom.

    land is what is drawn as ground, in the unit square.
    """
    drawn = np.empty(len(piece.drawn), dtype=object)
    drawn[:] = piece.drawn
    yield from _cut(_TilePart(piece.geometries, drawn), zoom, x, y, last_zoom, land)


def _cut(
    part: _TilePart, zoom: int, x: int, y: int, last_zoom: int, land: shapely.Geometry | None
) -> Iterator[Tile]:
    part = _clip(part, zoom, x, y)
    ground = None if land is None else _within(land, zoom, x, y)
    if not len(part.geometries) and (ground is None or shapely.is_empty(ground)):
        return
    data = encode_tile(_layers(part, zoom, x, y, ground))
    if data:
        yield Tile(zoom, x, y, gzip.compress(data, _FASTEST, mtime=0))
    if zoom < last_zoom:
        for column in (2 * x, 2 * x + 1):
            for row in (2 * y, 2 * y + 1):
                yield from _cut(part, zoom + 1, column, row, last_zoom, ground)


def _box(zoom: int, x: int, y: int) -> tuple[float, float, float, float]:
    size = 1 / 2**zoom
    margin = _MARGIN * size
    return (
        x * size - margin,
        y * size - margin,
        (x + 1) * size + margin,
        (y + 1) * size + margin,
    )


def _within(geometry: shapely.Geometry, zoom: int, x: int, y: int) -> shapely.Geometry:
    return shapely.clip_by_rect(geometry, *_box(zoom, x, y))


def _clip(part: _TilePart, zoom: int, x: int, y: int) -> _TilePart:
    west, north, east, south = _box(zoom, x, y)
    bounds = shapely.bounds(part.geometries).reshape(-1, 4)
    near = (
        (bounds[:, 0] <= east)
        & (bounds[:, 2] >= west)
        & (bounds[:, 1] <= south)
        & (bounds[:, 3] >= north)
    )
    geometries, drawn, bounds = part.geometries[near], part.drawn[near], bounds[near]
    inside = (
        (bounds[:, 0] >= west)
        & (bounds[:, 2] <= east)
        & (bounds[:, 1] >= north)
        & (bounds[:, 3] <= south)
    )
    across = ~inside
    if across.any():
        geometries = geometries.copy()
        geometries[across] = shapely.clip_by_rect(geometries[across], west, north, east, south)
    left = ~shapely.is_empty(geometries)
    return _TilePart(geometries[left], drawn[left])


def _layers(
    part: _TilePart, zoom: int, x: int, y: int, ground: shapely.Geometry | None
) -> Iterator[tuple[str, list[Shape]]]:
    shown = np.array([one.min_zoom <= zoom for one in part.drawn], dtype=bool)
    drawn = part.drawn[shown]
    geometries = _in_units(part.geometries[shown], zoom, x, y)
    if zoom < MOST_ZOOM and len(geometries):
        geometries = _coarser(geometries)
        left = ~shapely.is_empty(geometries)
        geometries, drawn = geometries[left], drawn[left]
    by_layer: dict[str, list[tuple[int, Shape]]] = {name: [] for name in LAYERS}
    for geometry, one in zip(geometries.tolist(), drawn.tolist(), strict=True):
        by_layer[one.layer].append((_rank(one), Shape(geometry, one.attributes)))
    if ground is not None and not shapely.is_empty(ground):
        (shape,) = _in_units(np.array([ground], dtype=object), zoom, x, y)
        by_layer[EARTH].append((0, Shape(shape, {"kind": "earth"})))
    for name, shapes in by_layer.items():
        shapes.sort(key=lambda ranked: ranked[0])
        yield name, [shape for _, shape in shapes]


def _rank(drawn: Drawn) -> int:
    # Of names the greatest place comes first: who is first has the room.
    return -drawn.rank if drawn.layer == PLACES else drawn.rank


def _in_units(geometries: NDArray[np.object_], zoom: int, x: int, y: int) -> NDArray[np.object_]:
    scale = 2**zoom * EXTENT
    origin = np.array([x, y]) * EXTENT

    def to_units(points: NDArray[np.float64]) -> NDArray[np.float64]:
        moved: NDArray[np.float64] = points * scale - origin
        return moved

    if not len(geometries):
        return geometries
    # Outer rings go round as section 4.3.3.3 asks; with y growing southward that is this way.
    oriented: NDArray[np.object_] = shapely.orient_polygons(shapely.transform(geometries, to_units))
    return oriented


def _coarser(geometries: NDArray[np.object_]) -> NDArray[np.object_]:
    simpler = shapely.simplify(geometries, _SIMPLIFIED, preserve_topology=False)
    areas = shapely.get_dimensions(simpler) == 2
    tiny = areas & (shapely.area(simpler) < _SMALLEST_AREA)
    simpler[tiny] = shapely.Polygon()
    result: NDArray[np.object_] = simpler
    return result
