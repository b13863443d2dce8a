"""Streets around a route for a page that draws them by itself: SVG paths by tile, and names.

Made from the tiles of an installation, at the highest zoom of which the area takes few enough
bytes. Distances on the square that web maps are drawn on (`mercator`) are counted in units; the
paths of a tile begin in its northwestern corner.
"""

import gzip
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import mapbox_vector_tile
import numpy as np
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.model import Model
from roundsman.tiles.features import LANDUSE, PLACES, ROADS, WATER
from roundsman.tiles.mercator import to_square
from roundsman.tiles.street_map import StreetMap
from roundsman.tiles.vector_tile import EXTENT

UNITS_A_TILE = 1024
"""Two metres at the closest zoom: finer than a line is wide, and short to write."""

_CLOSEST_ZOOM = 14
_MOST_TILES = 64
_MOST_BYTES = 400_000
"""Of tiles as they are kept; as paths they are three to four times as long."""

USUAL_MARGIN = 0.2
"""Of the area's larger side, so that a route does not end at the edge of its map."""

_LEAST_AROUND = 0.002 / 360
"""Of the square: some 200 metres around a single place."""

_MOST_NAMES = 400
_NAMES_A_ROAD = 3
_LEAST_NAMED = 40
"""Units of a straight stretch that can carry a name."""

_STRAIGHT = math.radians(12)

_GREEN = frozenset(
    {
        "allotments", "cemetery", "forest", "golf_course", "grass", "grassland", "nature_reserve",
        "park", "playground", "scrub", "village_green", "wood",
    }
)  # fmt: skip
_LINES = frozenset({"highway", "major_road", "minor_road", "rail"})
_NAMED = ("highway", "major_road", "minor_road")

type _Point = Sequence[float]


class DrawnTile(Model):
    """A tile: where it begins, in units from the drawing's corner, and its paths by class."""

    x: int
    y: int
    paths: Mapping[str, str]


class DrawnName(Model):
    """A name and where its middle is; a road's is written along it, where so much is straight."""

    x: int
    y: int
    text: str
    rank: int
    """The least is the most important."""

    degrees: int = 0
    length: int = 0
    """Units; 0 for places, whose names are always written level."""


class StreetDrawing(Model):
    """The streets of an area: its northwestern corner and a unit, on the square."""

    x: float
    y: float
    unit: float
    tiles: Sequence[DrawnTile]
    names: Sequence[DrawnName]
    attribution: str


class _Area(NamedTuple):
    """Tiles of one zoom: the first column and row, and those after the last."""

    zoom: int
    left: int
    top: int
    right: int
    bottom: int

    def cells(self) -> Iterator[tuple[int, int]]:
        return product(range(self.left, self.right), range(self.top, self.bottom))


def draw_streets(
    street_map: StreetMap, places: Iterable[Coordinates], margin: float = USUAL_MARGIN
) -> StreetDrawing | None:
    """Return the streets around these places; None where nothing is known of them."""
    seen = street_map.describe()
    square = to_square(np.array([[one.longitude, one.latitude] for one in places]).reshape(-1, 2))
    if seen is None or not len(square):
        return None
    for zoom in range(min(_CLOSEST_ZOOM, seen.max_zoom), max(0, seen.min_zoom) - 1, -1):
        area = _area_of(square, zoom, margin)
        found = _read_tiles(street_map, area)
        if found:
            return _draw(area, found, seen.attribution)
        if found is not None:
            return None
    return None


def _area_of(square: np.ndarray[Any, Any], zoom: int, margin: float) -> _Area:
    low, high = square.min(axis=0), square.max(axis=0)
    around = max(_LEAST_AROUND, margin * float((high - low).max()))
    count = 2**zoom
    (left, top) = (int(max(0.0, side - around) * count) for side in low)
    (right, bottom) = (int(min(1.0, side + around) * count) + 1 for side in high)
    return _Area(zoom, left, top, min(right, count), min(bottom, count))


def _read_tiles(street_map: StreetMap, area: _Area) -> dict[tuple[int, int], bytes] | None:
    """Return the tiles of an area; None where they are too much for a page."""
    if (area.right - area.left) * (area.bottom - area.top) > _MOST_TILES:
        return None
    found: dict[tuple[int, int], bytes] = {}
    left = _MOST_BYTES
    for column, row in area.cells():
        tile = street_map.read(area.zoom, column, row)
        if tile is not None:
            found[column, row] = tile.data
            left -= len(tile.data)
        if left < 0:
            return None
    return found


def _draw(area: _Area, found: Mapping[tuple[int, int], bytes], attribution: str) -> StreetDrawing:
    tiles: list[DrawnTile] = []
    names: list[DrawnName] = []
    for (column, row), data in found.items():
        x, y = (column - area.left) * UNITS_A_TILE, (row - area.top) * UNITS_A_TILE
        paths, within = _draw_tile(data)
        tiles.append(DrawnTile(x=x, y=y, paths=paths))
        names += [replace(name, x=x + name.x, y=y + name.y) for name in within]
    count = 2**area.zoom
    return StreetDrawing(
        x=area.left / count,
        y=area.top / count,
        unit=1 / (count * UNITS_A_TILE),
        tiles=tiles,
        names=_choose_names(names),
        attribution=attribution,
    )


@lru_cache(maxsize=128)
def _draw_tile(data: bytes) -> tuple[Mapping[str, str], Sequence[DrawnName]]:
    """Return the paths and names of a tile; kept, because routes of a day share their town."""
    layers = mapbox_vector_tile.decode(
        gzip.decompress(data), default_options={"y_coord_down": True, "geojson": False}
    )
    return _paths_of(layers), tuple(_names_of(layers))


def _paths_of(layers: Mapping[str, Any]) -> dict[str, str]:
    """Return the paths of a tile by class: what is filled, then what is a line."""
    paths: dict[str, list[str]] = {}
    for layer, feature in _features(layers, LANDUSE, WATER, ROADS):
        kind = str(feature["properties"].get("kind", ""))
        lines, is_area = _lines_of(feature["geometry"])
        if layer == WATER:
            name = "water" if is_area else "stream"
        elif layer == LANDUSE:
            name = "green" if is_area and kind in _GREEN else ""
        else:
            name = kind if kind in _LINES and not is_area else ""
        if name:
            paths.setdefault(name, []).extend(_path(line, is_area=is_area) for line in lines)
    return {name: path for name, parts in paths.items() if (path := "".join(parts))}


def _features(layers: Mapping[str, Any], *wanted: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in wanted:
        for feature in layers.get(name, {}).get("features", ()):
            yield name, feature


def _lines_of(geometry: Mapping[str, Any]) -> tuple[list[Sequence[_Point]], bool]:
    """Return the lines or rings of a feature, and whether they enclose an area."""
    kind, parts = geometry["type"], geometry["coordinates"]
    if kind == "Polygon":
        return list(parts), True
    if kind == "MultiPolygon":
        return [ring for polygon in parts for ring in polygon], True
    if kind == "LineString":
        return [parts], False
    return (list(parts) if kind == "MultiLineString" else []), False


def _path(line: Sequence[_Point], *, is_area: bool) -> str:
    """Return a line as a path of relative steps; nothing where it is shorter than a unit."""
    points = _in_units(line)
    if len(points) < 2:
        return ""
    (x, y), steps = points[0], pairwise(points)
    moved = " ".join(f"{c - a},{d - b}" for (a, b), (c, d) in steps)
    return f"M{x},{y}l{moved}{'z' if is_area else ''}"


def _in_units(line: Sequence[_Point]) -> list[tuple[int, int]]:
    scale = UNITS_A_TILE / EXTENT
    points: list[tuple[int, int]] = []
    for x, y in line:
        point = round(x * scale), round(y * scale)
        if not points or point != points[-1]:
            points.append(point)
    return points


def _names_of(layers: Mapping[str, Any]) -> Iterator[DrawnName]:
    for layer, feature in _features(layers, PLACES, ROADS):
        told = feature["properties"]
        text = str(told.get("name", ""))
        if not text:
            continue
        if layer == PLACES:
            if feature["geometry"]["type"] == "Point":
                ((a, b),) = _in_units([feature["geometry"]["coordinates"]])
                if 0 <= a < UNITS_A_TILE and 0 <= b < UNITS_A_TILE:
                    yield DrawnName(x=a, y=b, text=text, rank=_rank_of_place(told))
            continue
        kind = str(told.get("kind", ""))
        lines, is_area = _lines_of(feature["geometry"])
        if kind in _NAMED and not is_area:
            rank = 100 + _NAMED.index(kind)
            yield from (_along(one, text, rank) for one in map(_longest, lines) if one)


def _rank_of_place(told: Mapping[str, Any]) -> int:
    """Return 0 for a locality, more for its parts."""
    return 0 if told.get("kind") == "locality" else 10


type _Segment = tuple[tuple[int, int], tuple[int, int]]


def _longest(line: Sequence[_Point]) -> _Segment | None:
    """Return the longest straight stretch, if it can carry a name."""
    longest: _Segment | None = None
    begin: tuple[int, int] | None = None
    for before, after in pairwise(_in_units(line)):
        if begin is None or _turn(begin, before, after) > _STRAIGHT:
            begin = before
        if longest is None or math.dist(begin, after) > math.dist(*longest):
            longest = begin, after
    return longest if longest and math.dist(*longest) >= _LEAST_NAMED else None


def _turn(begin: tuple[int, int], middle: tuple[int, int], end: tuple[int, int]) -> float:
    """Return by how much a line turns, in radians."""
    if begin == middle:
        return 0.0
    one = math.atan2(middle[1] - begin[1], middle[0] - begin[0])
    other = math.atan2(end[1] - middle[1], end[0] - middle[0])
    return abs(math.remainder(other - one, math.tau))


def _along(ends: _Segment, text: str, rank: int) -> DrawnName:
    (a, b), (c, d) = sorted(ends)  # from left to right, so that it is not upside down
    return DrawnName(
        x=(a + c) // 2,
        y=(b + d) // 2,
        text=text,
        rank=rank,
        degrees=round(math.degrees(math.atan2(d - b, c - a))),
        length=round(math.dist((a, b), (c, d))),
    )


def _choose_names(names: Sequence[DrawnName]) -> list[DrawnName]:
    """Return the most important, and of one road its longest stretches."""
    chosen: list[DrawnName] = []
    counts: dict[str, int] = {}
    for name in sorted(names, key=lambda one: (one.rank, -one.length, one.text)):
        counts[name.text] = counts.get(name.text, 0) + 1
        if counts[name.text] <= (_NAMES_A_ROAD if name.length else 1):
            chosen.append(name)
    return chosen[:_MOST_NAMES]
