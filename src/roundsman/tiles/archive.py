"""A file of tiles: MBTiles 1.3, gzipped vector tiles in SQLite, rows counted from the south."""

import sqlite3
import weakref
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Lock

_TABLES = """
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE tiles (
  zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB,
  PRIMARY KEY (zoom_level, tile_column, tile_row)
) WITHOUT ROWID;
"""


class UnreadableTiles(Exception):
    """A file that holds no vector tiles; the message names it and the reason."""


class TileWriter:
    """Writes a new file; it is whole once `finish` has returned."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)
        weakref.finalize(self, self._connection.close)
        self._connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        self._connection.executescript(_TABLES)
        self._connection.execute("BEGIN")
        self.count = 0

    def add(self, tiles: Iterable[tuple[int, int, int, bytes]]) -> None:
        """Add gzipped tiles as zoom, column, row from the north, bytes."""
        rows = [(zoom, x, 2**zoom - 1 - y, data) for zoom, x, y, data in tiles]
        self._connection.executemany("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?)", rows)
        self.count += len(rows)

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what is said of the tiles, and close the file."""
        self._connection.executemany("INSERT INTO metadata VALUES (?, ?)", metadata.items())
        self._connection.execute("COMMIT")
        self._connection.close()


class TileFile:
    """An open file of tiles, read by any thread."""

    def __init__(self, file: Path) -> None:
        # A connection shared by threads hands one thread the row that another asked for; a read
        # takes a few microseconds, so the threads take turns.
        self._lock = Lock()
        try:
            uri = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            # A file that was replaced is let go of by its last reader, whichever that is.
            weakref.finalize(self, self._connection.close)
            self.metadata: dict[str, str] = dict(
                self._connection.execute("SELECT name, value FROM metadata").fetchall()
            )
            self._connection.execute("SELECT 1 FROM tiles LIMIT 1").fetchall()
        except sqlite3.Error as error:
            raise UnreadableTiles(f"{file.name} is no MBTiles file: {error}") from error

    def read(self, zoom: int, x: int, y: int) -> bytes | None:
        """Return a gzipped tile, its row counted from the north; None where there is none."""
        with self._lock, closing(self._connection.cursor()) as cursor:
            row = cursor.execute(
                "SELECT tile_data FROM tiles"
                " WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
                (zoom, x, 2**zoom - 1 - y),
            ).fetchone()
        return None if row is None else bytes(row[0])

    def count(self) -> int:
        """Return the number of tiles."""
        with self._lock:
            ((count,),) = self._connection.execute("SELECT count(*) FROM tiles").fetchall()
        return int(count)

    def close(self) -> None:
        """Let go of the file; nothing is read from here on."""
        self._connection.close()
