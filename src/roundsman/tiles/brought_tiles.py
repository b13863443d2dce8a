"""Tiles that the operator brings in a finished file: MBTiles or PMTiles of the Protomaps schema."""

import gzip
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import Compression, TileType

from roundsman.tiles.archive import TileWriter, UnreadableTiles

_PMTILES = b"PMTiles"
_GZIP = b"\x1f\x8b"
_E7 = 10_000_000
_EDGES = ("min_lon", "min_lat", "max_lon", "max_lat")

type _Tile = tuple[int, int, int, bytes]


def copy_tiles(given: Path, file: Path, attribution: str) -> int:
    """Copy vector tiles into a file of the service's own; return how many there are.

    Raises UnreadableTiles for a file that is of another kind.
    """
    with given.open("rb") as opened:
        is_pmtiles = opened.read(len(_PMTILES)) == _PMTILES
    copy = _copy_pmtiles if is_pmtiles else _copy_mbtiles
    writer = TileWriter(file)
    metadata = copy(given, writer)
    writer.finish({"attribution": attribution, **metadata})
    if not writer.count:
        raise UnreadableTiles(f"{given.name} holds no tiles")
    return writer.count


def _copy_pmtiles(given: Path, writer: TileWriter) -> dict[str, str]:
    with given.open("rb") as opened:
        source = MmapSource(opened)
        reader = Reader(source)
        header: dict[str, Any] = reader.header()
        if header["tile_type"] != TileType.MVT:
            raise UnreadableTiles(f"{given.name} holds pictures, not vector tiles")
        if header["tile_compression"] not in (Compression.GZIP, Compression.NONE):
            raise UnreadableTiles(f"{given.name} is compressed otherwise than by gzip")
        tiles = ((z, x, y, _packed(data)) for (z, x, y), data in all_tiles(source))
        writer.add(tiles)
        edges = (
            header[f"{edge}_e7"] / _E7 for edge in ("min_lon", "min_lat", "max_lon", "max_lat")
        )
        said = reader.metadata()
        credit = said.get("attribution", "")
    found = {
        "bounds": ",".join(f"{edge:.6f}" for edge in edges),
        "minzoom": str(header["min_zoom"]),
        "maxzoom": str(header["max_zoom"]),
    }
    return {**found, **({"attribution": str(credit)} if credit else {})}


def _copy_mbtiles(given: Path, writer: TileWriter) -> dict[str, str]:
    uri = f"{given.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            said = dict(connection.execute("SELECT name, value FROM metadata").fetchall())
            if said.get("format", "pbf") != "pbf":
                kind = said["format"]
                raise UnreadableTiles(f"{given.name} holds {kind} pictures, not vector tiles")
            writer.add(_rows(connection))
            zooms = connection.execute("SELECT min(zoom_level), max(zoom_level) FROM tiles")
            ((lowest, highest),) = zooms.fetchall()
    except sqlite3.Error as error:
        raise UnreadableTiles(f"{given.name} is neither MBTiles nor PMTiles: {error}") from error
    bounds = said.get("bounds", "")
    if not _are_bounds(bounds):
        raise UnreadableTiles(f"{given.name} does not say its bounds (west,south,east,north)")
    found = {"bounds": bounds, "minzoom": str(lowest), "maxzoom": str(highest)}
    return {**found, **({"attribution": said["attribution"]} if "attribution" in said else {})}


def _rows(connection: sqlite3.Connection) -> Iterator[_Tile]:
    for zoom, x, row, data in connection.execute(
        "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"
    ):
        yield zoom, x, 2**zoom - 1 - row, _packed(data)


def _packed(data: bytes) -> bytes:
    return data if data[:2] == _GZIP else gzip.compress(data, mtime=0)


def _are_bounds(text: str) -> bool:
    try:
        edges = [float(one) for one in text.split(",")]
    except ValueError:
        return False
    return len(edges) == 4 and all(math.isfinite(edge) for edge in edges)
