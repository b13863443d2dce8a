"""Makes the tiles of an extract: read, close the sea, cut, write."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import shapely

from roundsman.tiles.archive import TileFile, TileWriter, UnreadableTiles
from roundsman.tiles.coast import close_sea
from roundsman.tiles.cutter import MOST_ZOOM, cut_tiles
from roundsman.tiles.extract_features import Extract, Piece
from roundsman.tiles.feature_store import CELL_ZOOM, FeatureStore
from roundsman.tiles.features import LAYERS, WATER, Drawn
from roundsman.tiles.mercator import tile_of, to_square

type Progress = Callable[[float], None]

_READ = 0.4
"""The share of the work that is done when the extract is read."""


def build_tiles(extract: Path, file: Path, attribution: str, progress: Progress) -> int:
    """Make the tiles of an extract in a new file; return how many there are.

    Objects that leave the extract are left out. Raises UnreadableTiles when the file that was made
    does not hold the tile in its middle.
    """
    with tempfile.TemporaryDirectory(dir=file.parent, prefix="tiles-") as folder:
        store = FeatureStore(Path(folder) / "features.sqlite")
        source = Extract(extract)
        for piece in source.read(lambda share: progress(share * _READ)):
            store.add(piece)
        frame = source.frame()
        if frame is None:
            frame = shapely.box(0, 0, 0.001, 0.001)  # an extract of nothing that is drawn
        store.add(_sea(source, frame))
        store.close_input()
        writer = TileWriter(file)
        _write(store, writer, frame, progress)
        store.close()
        writer.finish(_metadata(frame, attribution))
    _try(file, frame)
    return writer.count


def _sea(source: Extract, frame: shapely.Polygon) -> Piece:
    faces = close_sea(source.coastlines, frame) if source.coastlines else []
    geometries = np.array([None] * len(faces), dtype=object)
    geometries[:] = faces
    drawn = [Drawn(WATER, 0, {"kind": "ocean"}, -1) for _ in faces]
    return Piece(shapely.transform(geometries, to_square) if faces else geometries, drawn)


def _write(
    store: FeatureStore, writer: TileWriter, frame: shapely.Polygon, progress: Progress
) -> None:
    land = shapely.transform(frame, to_square)
    cells = store.cells()
    last = CELL_ZOOM - 1
    coarse = (t for t in cut_tiles(store.read_coarse(), 0, 0, 0, last, land))
    writer.add(coarse)
    for index, (x, y) in enumerate(cells):
        piece = store.read_cell(x, y)
        writer.add(cut_tiles(piece, CELL_ZOOM, x, y, MOST_ZOOM, land))
        progress(_READ + (1 - _READ) * (index + 1) / len(cells))


def _metadata(frame: shapely.Polygon, attribution: str) -> dict[str, str]:
    west, south, east, north = shapely.bounds(frame).tolist()
    layers: Sequence[dict[str, object]] = [{"id": name, "fields": {}} for name in LAYERS]
    return {
        "name": "Roundsman",
        "format": "pbf",
        "bounds": f"{west:.6f},{south:.6f},{east:.6f},{north:.6f}",
        "minzoom": "0",
        "maxzoom": str(MOST_ZOOM),
        "attribution": attribution,
        "json": msgspec.json.encode({"vector_layers": layers}).decode(),
    }


def _try(file: Path, frame: shapely.Polygon) -> None:
    """Read the tile in the middle, on every zoom that a street is seen on, as a browser will."""
    middle = frame.centroid
    tiles = TileFile(file)
    try:
        for zoom in range(CELL_ZOOM, MOST_ZOOM + 1):
            if tiles.read(zoom, *tile_of(middle.x, middle.y, zoom)) is None:
                raise UnreadableTiles(f"the tile in the middle is missing at zoom {zoom}")
    finally:
        tiles.close()
