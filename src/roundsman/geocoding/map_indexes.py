"""A geocoder on the address indexes of all installed maps.

A map that is imported, replaced or removed while the service runs is noticed at the next address.
The caller supplies a function that lists the indexes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import structlog

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import Issue, IssueType
from roundsman.geocoding.geocoder import Match, Miss, closeness
from roundsman.geocoding.index_file import WrongIndex
from roundsman.geocoding.osm_index import OsmIndex

_NO_MAP = Miss(
    reason="no map is installed; import one with roundsman map import",
    issue=Issue(type=IssueType.NO_MAP),
)

_log = structlog.get_logger("roundsman.geocoding")


@dataclass(frozen=True, slots=True)
class _OpenIndex:
    stamp: tuple[int, int, int]
    index: OsmIndex | None


class MapIndexes:
    """Queries the index of every installed map; the answer closest to a door counts."""

    is_local = True

    def __init__(self, find: Callable[[], Sequence[Path]]) -> None:
        self._find = find
        self._lock = Lock()
        self._open: dict[Path, _OpenIndex] = {}

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order."""
        indexes = self._current() if addresses else []
        if not indexes:
            return [_NO_MAP] * len(addresses)
        answers = [index.geocode(addresses) for index in indexes]
        return [min(given, key=closeness) for given in zip(*answers, strict=True)]

    def reverse(self, place: Coordinates) -> Match | Miss:
        """Return the address nearest to a point."""
        found = [index.reverse(place) for index in self._current()]
        return min(found, key=closeness, default=_NO_MAP)

    def close(self) -> None:
        """Close the indexes that are open."""
        with self._lock:
            for opened in self._open.values():
                if opened.index:
                    opened.index.close()
            self._open = {}

    def _current(self) -> list[OsmIndex]:
        with self._lock:
            self._open = {path: self._opened(path) for path in self._find() if path.is_file()}
            return [opened.index for opened in self._open.values() if opened.index]

    def _opened(self, path: Path) -> _OpenIndex:
        """Return the current index; log once that one cannot be used, and leave it out."""
        status = path.stat()
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        known = self._open.get(path)
        if known is not None and known.stamp == stamp:
            return known
        try:
            return _OpenIndex(stamp, OsmIndex(path))
        except WrongIndex as error:
            _log.warning("address_index_unusable", index=str(path), reason=str(error))
            return _OpenIndex(stamp, None)
