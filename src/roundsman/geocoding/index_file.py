"""The file of an address index: one SQLite database, written once and then only read.

Nothing changes the file after it was written, so it is opened immutable, without locks and without
a journal. Names are found by their exact key, or when misspelt by shared trigrams (FTS5). Points
are columns of degrees.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

ATTRIBUTION = "© OpenStreetMap contributors"
"""The owner of the index's data (ODbL); shown wherever its addresses or coordinates are."""

FORMAT = "1"
"""Increased whenever indexes of an older format can no longer be read."""

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE town (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, population INTEGER NOT NULL,
  longitude REAL NOT NULL, latitude REAL NOT NULL, reach REAL NOT NULL,
  state TEXT NOT NULL, country TEXT NOT NULL, doors INTEGER NOT NULL);
CREATE TABLE town_name (
  name TEXT NOT NULL, town INTEGER NOT NULL, PRIMARY KEY (name, town)) WITHOUT ROWID;
CREATE TABLE street (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, town INTEGER NOT NULL, postcode TEXT NOT NULL,
  longitude REAL NOT NULL, latitude REAL NOT NULL, doors INTEGER NOT NULL);
CREATE TABLE spelling (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, compact TEXT NOT NULL,
  core TEXT NOT NULL);
CREATE TABLE street_spelling (
  spelling INTEGER NOT NULL, street INTEGER NOT NULL, PRIMARY KEY (spelling, street)) WITHOUT ROWID;
CREATE TABLE door (
  street INTEGER NOT NULL, number INTEGER NOT NULL, suffix TEXT NOT NULL, nth INTEGER NOT NULL,
  postcode TEXT NOT NULL, longitude REAL NOT NULL, latitude REAL NOT NULL, counted INTEGER NOT NULL,
  PRIMARY KEY (street, number, suffix, nth)) WITHOUT ROWID;
CREATE TABLE postcode (
  code TEXT PRIMARY KEY, longitude REAL NOT NULL, latitude REAL NOT NULL, reach REAL NOT NULL,
  written TEXT NOT NULL, town INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE street_postcode (
  street INTEGER NOT NULL, code TEXT NOT NULL, PRIMARY KEY (street, code)) WITHOUT ROWID;
CREATE TABLE passage (
  cell INTEGER NOT NULL, street INTEGER NOT NULL, longitude REAL NOT NULL, latitude REAL NOT NULL);
CREATE VIRTUAL TABLE spelling_search USING fts5(
  key, content='', detail='none', columnsize=0, tokenize='trigram');
CREATE VIRTUAL TABLE town_search USING fts5(
  key, content='', detail='none', columnsize=0, tokenize='trigram');
CREATE VIRTUAL TABLE spelling_trigram USING fts5vocab('spelling_search', 'row');
CREATE VIRTUAL TABLE town_trigram USING fts5vocab('town_search', 'row');
"""
_INDEXES = """
CREATE INDEX spelling_compact ON spelling (compact);
CREATE INDEX spelling_core ON spelling (core);
CREATE INDEX street_spelling_street ON street_spelling (street);
CREATE INDEX street_town ON street (town);
CREATE INDEX door_place ON door (CAST(longitude / 0.005 AS INTEGER) * 100000
  + CAST(latitude / 0.005 AS INTEGER));
CREATE INDEX passage_cell ON passage (cell);
ANALYZE;
"""
_CELL = 0.005


class WrongIndex(ValueError):
    """The file is not an address index of this format; the message is one line."""


def cell_of(longitude: float, latitude: float) -> int:
    """Return the square of about half a kilometre that holds a point, as in the indexes above."""
    return int(longitude / _CELL) * 100_000 + int(latitude / _CELL)


def cells_around(longitude: float, latitude: float) -> list[int]:
    """Return a point's own square and the eight around it."""
    middle = cell_of(longitude, latitude)
    return [middle + i * 100_000 + j for i in (-1, 0, 1) for j in (-1, 0, 1)]


class IndexWriter:
    """Fills a new file; `finish` completes it."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(_SCHEMA)
        self._connection.execute("BEGIN")

    def insert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Add rows to one of the tables above."""
        if rows:
            placeholders = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({placeholders})", rows)  # noqa: S608 -- the table is named in code

    def insert_searchable(self, table: str, rows: Sequence[tuple[int, str]]) -> None:
        """Add names to one of the full-text tables; spaces mark the two ends of a name."""
        statement = f"INSERT INTO {table} (rowid, key) VALUES (?, ?)"  # noqa: S608 -- as above
        self._connection.executemany(statement, [(row, f" {name} ") for row, name in rows])

    def finish(self) -> None:
        """Create the indexes, then close the file."""
        self._connection.execute("COMMIT")
        self._connection.executescript(_INDEXES)
        self._connection.close()

    def abandon(self) -> None:
        """Close a file that will not be used."""
        self._connection.close()


def open_index(path: Path) -> sqlite3.Connection:
    """Open a finished file for one thread; raise WrongIndex when it is no address index."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        _require_ours(connection, path)
    except (sqlite3.Error, WrongIndex) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, WrongIndex):
            raise
        raise WrongIndex(f"{path.name} is no address index: {error}") from error
    return connection


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("PRAGMA mmap_size = 268435456")
    row = connection.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
    if row is None or row[0] != FORMAT:
        raise WrongIndex(f"{path.name} is of another form; import its map again")
