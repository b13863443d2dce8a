"""Reads what is drawn from an extract, in pieces that fit in memory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import osmium
import shapely
from numpy.typing import NDArray

from roundsman.tiles.features import (
    KEYS,
    Drawn,
    of_address,
    of_area,
    of_line,
    of_node,
    of_place,
)
from roundsman.tiles.mercator import to_square

_PIECE = 20_000
_NO_AREAS = frozenset({"railway", "boundary", "addr:housenumber"})
_AREA_KEYS = tuple(key for key in KEYS if key not in _NO_AREAS)
_BYTES_AN_OBJECT = 25
"""Of an extract; for the progress alone."""
_TOLD_EVERY = 5_000


class Piece(NamedTuple):
    """Features read together; geometries are in the unit square of the map."""

    geometries: NDArray[np.object_]
    drawn: list[Drawn]


class Extract:
    """Reads one extract; the coast and the frame are known when everything is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wkb = osmium.geom.WKBFactory()
        self._waiting: list[tuple[str, Drawn]] = []
        self.coastlines: list[shapely.LineString] = []
        """In degrees, as they are drawn."""

        self.skipped = 0
        """Objects whose nodes are not all in the extract."""

        self._west, self._south, self._east, self._north = 180.0, 90.0, -180.0, -90.0

    def frame(self) -> shapely.Polygon | None:
        """Return the box around all that was read, in degrees."""
        if self._west >= self._east or self._south >= self._north:
            return None
        return shapely.box(self._west, self._south, self._east, self._north)

    def read(self, progress: Callable[[float], None]) -> Iterator[Piece]:
        """Yield what is drawn, piece by piece."""
        areas = osmium.filter.KeyFilter(*_AREA_KEYS)
        processor = osmium.FileProcessor(str(self._path)).with_locations().with_areas(areas)
        expected = self._path.stat().st_size / _BYTES_AN_OBJECT
        for count, thing in enumerate(processor.with_filter(osmium.filter.KeyFilter(*KEYS))):
            self._take(thing)
            if count % _TOLD_EVERY == 0:
                progress(count / (count + expected))
            if len(self._waiting) >= _PIECE:
                yield self._flush()
        yield self._flush()

    def _take(self, thing: object) -> None:
        try:
            if isinstance(thing, osmium.osm.Node):
                for drawn in of_node(dict(thing.tags)):
                    self._waiting.append((self._wkb.create_point(thing), drawn))
            elif isinstance(thing, osmium.osm.Way):
                self._take_way(thing)
            elif isinstance(thing, osmium.osm.Area):
                self._take_area(thing)
        except (RuntimeError, osmium.InvalidLocationError):
            self.skipped += 1  # a way that leaves the extract, or an area that does not close

    def _take_way(self, way: osmium.osm.Way) -> None:
        tags = dict(way.tags)
        if tags.get("natural") == "coastline":
            line = shapely.from_wkb(self._wkb.create_linestring(way))
            self.coastlines.append(line)
            self._widen(shapely.bounds(line))
        drawn = of_line(tags)
        if drawn is not None and not _is_square(way):
            self._waiting.append((self._wkb.create_linestring(way), drawn))

    def _take_area(self, area: osmium.osm.Area) -> None:
        tags = dict(area.tags)
        drawn = of_area(tags)
        place, address = of_place(tags), of_address(tags)
        if drawn is None and place is None and address is None:
            return
        wkb = self._wkb.create_multipolygon(area)
        if drawn is not None:
            self._waiting.append((wkb, drawn))
        for label in (place, address):
            if label is not None:
                self._waiting.append((_point_in(wkb), label))

    def _flush(self) -> Piece:
        waiting, self._waiting = self._waiting, []
        geometries = shapely.from_wkb(np.array([wkb for wkb, _ in waiting], dtype=object))
        if len(geometries):
            self._widen(shapely.total_bounds(geometries))
            geometries = shapely.transform(geometries, to_square)
        return Piece(geometries, [drawn for _, drawn in waiting])

    def _widen(self, bounds: NDArray[np.float64]) -> None:
        west, south, east, north = (float(edge) for edge in bounds)
        self._west, self._south = min(self._west, west), min(self._south, south)
        self._east, self._north = max(self._east, east), max(self._north, north)


def _is_square(way: osmium.osm.Way) -> bool:
    """Say whether a closed way is drawn as an area, and not as a line round it."""
    return way.is_closed() and way.tags.get("area") == "yes"


def _point_in(wkb: str) -> str:
    point: str = shapely.to_wkb(shapely.point_on_surface(shapely.from_wkb(wkb)), hex=True)
    return point
