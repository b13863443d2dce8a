"""The streets of an installation: tiles of every map that is there, and of a file that was brought.

A map that is imported, replaced or removed while the service runs is noticed within seconds. The
caller supplies a function that lists what is there.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import structlog

from roundsman.tiles.archive import TileFile, UnreadableTiles

_LOOKED_EVERY_SECONDS = 2.0

_log = structlog.get_logger("roundsman.tiles")


class TileSource(NamedTuple):
    """A file of tiles; the version is another when the file is."""

    version: str
    file: Path
    bounds: tuple[float, float, float, float] | None
    """West, south, east, north; None where the file itself says so."""


class StreetMapView(NamedTuple):
    """What is there to look at."""

    version: str
    bounds: tuple[float, float, float, float]
    """West, south, east, north."""
    min_zoom: int
    max_zoom: int
    attribution: str


class FoundTile(NamedTuple):
    """A tile, gzipped, and the mark under which it stays as it is."""

    data: bytes
    mark: str


class _OpenTiles(NamedTuple):
    source: TileSource
    tiles: TileFile
    bounds: tuple[float, float, float, float]


class StreetMap:
    """Reads tiles; a source that comes first in the list is asked first."""

    def __init__(self, list_sources: Callable[[], Sequence[TileSource]]) -> None:
        self._list_sources = list_sources
        self._lock = Lock()
        self._open: tuple[_OpenTiles, ...] = ()
        self._looked_at = -_LOOKED_EVERY_SECONDS

    def read(self, zoom: int, x: int, y: int) -> FoundTile | None:
        """Return a tile, its row counted from the north; None where nothing is drawn."""
        for opened in self._current():
            data = opened.tiles.read(zoom, x, y)
            if data is not None:
                return FoundTile(data, f"{opened.source.version}.{zoom}.{x}.{y}")
        return None

    def describe(self) -> StreetMapView | None:
        """Return what is there; None without any map that has streets to look at."""
        current = self._current()
        if not current:
            return None
        corners = list(zip(*(opened.bounds for opened in current), strict=True))
        said = [opened.tiles.metadata for opened in current]
        credits_ = dict.fromkeys(one.get("attribution", "") for one in said)
        return StreetMapView(
            version="-".join(opened.source.version for opened in current),
            bounds=(min(corners[0]), min(corners[1]), max(corners[2]), max(corners[3])),
            min_zoom=min(int(one.get("minzoom", "0")) for one in said),
            max_zoom=max(int(one.get("maxzoom", "14")) for one in said),
            attribution=", ".join(one for one in credits_ if one),
        )

    def close(self) -> None:
        """Close the files that are open."""
        with self._lock:
            for opened in self._open:
                opened.tiles.close()
            self._open = ()

    def _current(self) -> tuple[_OpenTiles, ...]:
        now = time.monotonic()
        with self._lock:
            if now - self._looked_at >= _LOOKED_EVERY_SECONDS:
                self._looked_at = now
                self._look()
            return self._open

    def _look(self) -> None:
        """Open what is new; what is gone is closed with its last reader."""
        wanted = list(self._list_sources())
        if wanted == [opened.source for opened in self._open]:
            return
        known = {opened.source: opened for opened in self._open}
        found = [known.get(source) or _open(source) for source in wanted]
        self._open = tuple(opened for opened in found if opened is not None)


def _open(source: TileSource) -> _OpenTiles | None:
    try:
        tiles = TileFile(source.file)
        west, south, east, north = (float(one) for one in tiles.metadata["bounds"].split(","))
    except (UnreadableTiles, KeyError, ValueError) as error:
        _log.warning("tiles_unreadable", file=source.file.name, reason=str(error))
        return None
    return _OpenTiles(source, tiles, source.bounds or (west, south, east, north))
