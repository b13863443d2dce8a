"""The address indexes of all maps of an installation, as they are at the moment of asking.

A map that is imported, replaced or removed while the service runs is noticed at the next address:
each folder of the maps' folder with an index in it is a map; hidden folders are work in progress.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import structlog

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.geocoder import Match, Miss, closeness
from roundsman.geocoding.index_file import WrongIndex
from roundsman.geocoding.osm_index import OsmIndex

INDEX = "addresses.sqlite"
"""The name of the index in a map's folder."""

_NO_MAP = Miss(reason="no map is installed; import one with roundsman map import")

_log = structlog.get_logger("roundsman.geocoding")


@dataclass(frozen=True, slots=True)
class _Open:
    stamp: tuple[int, int, int]
    index: OsmIndex | None


class InstalledMaps:
    """A geocoder on every installed map; the closest answer of all counts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._open: dict[Path, _Open] = {}

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        indexes = self._current() if addresses else []
        if not indexes:
            return [_NO_MAP] * len(addresses)
        answers = [index.geocode(addresses) for index in indexes]
        return [min(given, key=closeness) for given in zip(*answers, strict=True)]

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Say which address is nearest to a point."""
        found = [index.reverse(place) for index in self._current()]
        return min(found, key=closeness, default=_NO_MAP)

    def _current(self) -> list[OsmIndex]:
        with self._lock:
            self._open = {path: self._opened(path) for path in self._paths()}
            return [opened.index for opened in self._open.values() if opened.index]

    def _paths(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        return sorted(
            path
            for path in self._folder.glob(f"*/{INDEX}")
            if not path.parent.name.startswith(".") and path.is_file()
        )

    def _opened(self, path: Path) -> _Open:
        """Return the index as it is now; one that cannot be used is told of once and left out."""
        status = path.stat()
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        known = self._open.get(path)
        if known is not None and known.stamp == stamp:
            return known
        try:
            return _Open(stamp, OsmIndex(path))
        except WrongIndex as error:
            _log.warning("address_index_unusable", map=path.parent.name, reason=str(error))
            return _Open(stamp, None)
