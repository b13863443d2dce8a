"""The maps of an installation on disk, and how a new build replaces an old one.

Each map has a folder of its name. In it `map.json` names the build that is in use; a build is a
folder with the road graph, `addresses.sqlite` and `streets.mbtiles`. A new build takes over when
`map.json` is replaced, so an import that ends at any other time changes nothing. Builds that no
`map.json` names are removed by the next import. A build never changes, so open files can be read on
after it was replaced.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from roundsman.domain.address import Coordinates
from roundsman.roads.network import OPENSTREETMAP

_MANIFEST = "map.json"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_BUILD = re.compile(r"build-(\d+)")
_METERS_PER_DEGREE = 111_195


class BadMapName(ValueError):
    """A name that no map can have; the message says what would be right."""


class MapsBusy(Exception):
    """Another import or removal is under way."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The box around all roads of a map, in degrees."""

    south: float
    west: float
    north: float
    east: float

    def holds(self, point: Coordinates, margin_meters: float) -> bool:
        """Return whether a point is in the box or near it; meridians converge toward the poles."""
        margin = margin_meters / _METERS_PER_DEGREE
        wide = 4 * margin
        return (
            self.south - margin <= point.latitude <= self.north + margin
            and self.west - wide <= point.longitude <= self.east + wide
        )


class MapManifest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is known of a build."""

    name: str
    build: str
    version: str
    """Unique to this build; road engines send it with every answer."""
    source: str
    source_sha256: str
    data_date: str = ""
    """The day of the data, where the extract has it."""
    imported_at: datetime
    bounds: Bounds
    roads: int
    """The number of points in the road graph."""
    addresses: int
    tiles: int = 0
    """Of the streets to look at; a map of an older version has none."""

    attribution: str = OPENSTREETMAP


@dataclass(frozen=True, kw_only=True, slots=True)
class InstalledMap:
    """A build that is in use."""

    manifest: MapManifest
    folder: Path

    @property
    def graph(self) -> Path:
        """Return the stem of the road graph's files."""
        return graph_of(self.folder)

    @property
    def addresses(self) -> Path:
        """Return the address index."""
        return addresses_of(self.folder)

    @property
    def tiles(self) -> Path:
        """Return the file of streets to look at; a map of an older version has none."""
        return tiles_of(self.folder)

    def size_bytes(self) -> int:
        """Return the size of the build on disk."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())


def graph_of(build: Path) -> Path:
    """Return the stem of the files of a build's road graph."""
    return build / "roads" / "roads.osrm"


def addresses_of(build: Path) -> Path:
    """Return the path of a build's address index."""
    return build / "addresses.sqlite"


def tiles_of(build: Path) -> Path:
    """Return the path of a build's tiles."""
    return build / "streets.mbtiles"


def map_name(given: str) -> str:
    """Return the name if a map can have it; raise BadMapName otherwise."""
    if not _NAME.fullmatch(given):
        raise BadMapName(
            f'"{given}" cannot name a map; use lower-case letters, digits, ".", "_" and "-"'
        )
    return given


def name_of_extract(extract: Path) -> str:
    """Return the name that a map gets from its extract's file name."""
    stem = extract.name.lower()
    for ending in (".pbf", ".osm", ".bz2", ".gz", ".latest", "-latest"):
        stem = stem.removesuffix(ending)
    return map_name(re.sub(r"[^a-z0-9._-]+", "-", stem).strip("-._") or "map")


def list_maps(maps: Path) -> list[InstalledMap]:
    """Return the maps in use, by name."""
    found = []
    for folder in _folders(maps):
        manifest = _read_manifest(folder)
        if manifest is not None:
            found.append(InstalledMap(manifest=manifest, folder=folder / manifest.build))
    return found


def find_map(maps: Path, name: str) -> InstalledMap | None:
    """Return the map of this name."""
    return next((one for one in list_maps(maps) if one.manifest.name == name), None)


@contextmanager
def changing_maps(maps: Path) -> Iterator[None]:
    """Lock the maps against other imports and removals; the lock ends with the process."""
    maps.mkdir(parents=True, exist_ok=True)
    lock = os.open(maps / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise MapsBusy("another import or removal of a map is under way") from error
        yield
    finally:
        os.close(lock)


def clear_leftovers(maps: Path) -> None:
    """Remove the remains of interrupted imports and of replaced builds."""
    for folder in _folders(maps):
        manifest = _read_manifest(folder)
        for build in folder.iterdir():
            if manifest is None or build.name not in {_MANIFEST, manifest.build}:
                _remove(build)
        if manifest is None:
            folder.rmdir()


def prepare_build(maps: Path, name: str) -> Path:
    """Return a new, empty folder for a build."""
    folder = maps / map_name(name)
    folder.mkdir(parents=True, exist_ok=True)
    matches = (_BUILD.fullmatch(build.name) for build in folder.iterdir())
    last = max((int(match[1]) for match in matches if match), default=0)
    build = folder / f"build-{last + 1}"
    (build / "roads").mkdir(parents=True)
    return build


def install_build(build: Path, manifest: MapManifest) -> None:
    """Put a build to use, and remove those before it."""
    folder = build.parent
    for file in build.rglob("*"):
        _sync(file)
    _sync(build)
    new_file = folder / f"{_MANIFEST}.new"
    new_file.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    _sync(new_file)
    new_file.replace(folder / _MANIFEST)
    _sync(folder)
    for other in folder.iterdir():
        if other.name not in {_MANIFEST, manifest.build}:
            _remove(other)


def remove_map(maps: Path, name: str) -> bool:
    """Remove a map; return whether there was one."""
    folder = maps / map_name(name)
    try:
        (folder / _MANIFEST).unlink()
    except FileNotFoundError:
        return False
    shutil.rmtree(folder)
    return True


def _folders(maps: Path) -> list[Path]:
    try:
        return sorted(folder for folder in maps.iterdir() if folder.is_dir())
    except FileNotFoundError:
        return []


def _read_manifest(folder: Path) -> MapManifest | None:
    try:
        manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=MapManifest)
    except (FileNotFoundError, msgspec.DecodeError):
        return None  # an import that has not ended, or a folder that is not ours
    return manifest if (folder / manifest.build).is_dir() else None


def _remove(entry: Path) -> None:
    if entry.is_dir():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        with suppress(FileNotFoundError):
            entry.unlink()


def _sync(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
