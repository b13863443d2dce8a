"""Features on disk while tiles are made: the extract may be larger than memory.

What is drawn on a tile of zoom 10, or on one of those below it, is found by that tile; what is
drawn on smaller zooms is kept a second time, as coarse as zoom 9 shows it.
"""

import sqlite3
import weakref
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import shapely

from roundsman.tiles.extract_features import Piece
from roundsman.tiles.features import Drawn

CELL_ZOOM = 10
_TILES = 2**CELL_ZOOM
_MARGIN = 1 / 32
"""Of a cell on each side: what is drawn across a border belongs to both."""

_COARSE = 1 / (2**9 * 4096) * 2
_MOST_CELLS_WHOLE = 4
"""A feature on more cells than that is cut, instead of being kept whole with each."""

_write = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(Drawn).decode


class FeatureStore:
    """The features of one build, by cell."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        weakref.finalize(self, self._connection.close)
        self._connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;"
            "CREATE TABLE features (cell INTEGER, wkb BLOB, drawn BLOB);"
            "BEGIN;"
        )

    def add(self, piece: Piece) -> None:
        """Keep features with each cell that they touch, and the coarse ones once more."""
        if not len(piece.geometries):
            return
        rows: list[tuple[int, bytes, bytes]] = []
        bounds = shapely.bounds(piece.geometries)
        first = np.floor((bounds[:, :2] * _TILES) - _MARGIN).astype(np.int64)
        last = np.floor((bounds[:, 2:] * _TILES) + _MARGIN).astype(np.int64)
        wkb = shapely.to_wkb(piece.geometries)
        for index, drawn in enumerate(piece.drawn):
            told = _write(drawn)
            (x0, y0), (x1, y1) = first[index].tolist(), last[index].tolist()
            cells = [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
            is_cut = len(cells) > _MOST_CELLS_WHOLE
            for x, y in cells:
                if not (0 <= x < _TILES and 0 <= y < _TILES):
                    continue
                kept = _cut(piece.geometries[index], x, y) if is_cut else wkb[index]
                if kept is not None:
                    rows.append((x * _TILES + y, kept, told))
            if drawn.min_zoom < CELL_ZOOM:
                coarse = shapely.simplify(piece.geometries[index], _COARSE, preserve_topology=False)
                if not shapely.is_empty(coarse):
                    rows.append((-1, shapely.to_wkb(coarse), told))
        self._connection.executemany("INSERT INTO features VALUES (?, ?, ?)", rows)

    def close_input(self) -> None:
        """Make what was added quick to find."""
        self._connection.execute("COMMIT")
        self._connection.execute("CREATE INDEX by_cell ON features (cell)")

    def cells(self) -> list[tuple[int, int]]:
        """Return the columns and rows of all cells with features."""
        found = self._connection.execute(
            "SELECT DISTINCT cell FROM features WHERE cell >= 0 ORDER BY cell"
        )
        return [divmod(cell, _TILES) for (cell,) in found]

    def read_cell(self, x: int, y: int) -> Piece:
        """Return what is drawn on a cell."""
        return self._read(x * _TILES + y)

    def read_coarse(self) -> Piece:
        """Return what is drawn on zooms before that of the cells."""
        return self._read(-1)

    def _read(self, cell: int) -> Piece:
        rows: Iterator[tuple[bytes, bytes]] = self._connection.execute(
            "SELECT wkb, drawn FROM features WHERE cell = ? ORDER BY rowid", (cell,)
        )
        found = list(rows)
        geometries = shapely.from_wkb(np.array([wkb for wkb, _ in found], dtype=object))
        return Piece(geometries, [_read(drawn) for _, drawn in found])

    def close(self) -> None:
        """Close the file, which is of no more use."""
        self._connection.close()


def _cut(geometry: shapely.Geometry, x: int, y: int) -> bytes | None:
    box = np.array([x - _MARGIN, y - _MARGIN, x + 1 + _MARGIN, y + 1 + _MARGIN]) / _TILES
    cut = shapely.clip_by_rect(geometry, *box.tolist())
    if shapely.is_empty(cut):
        return None
    written: bytes = shapely.to_wkb(cut)
    return written
