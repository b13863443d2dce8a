"""Streets of a made-up town by the sea: drawn, kept, read again, brought from elsewhere."""

import gzip
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import osmium
import pytest
from osmium.osm.mutable import Node, Way
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import Writer
from tests.tiles.coasts import ISLAND, SOUTHERN_SEA, Line
from tests.tiles.tile_decoding import Layer, decode, paths

from roundsman.tiles.archive import TileFile, UnreadableTiles
from roundsman.tiles.brought_tiles import copy_tiles
from roundsman.tiles.builder import build_tiles
from roundsman.tiles.mercator import tile_of
from roundsman.tiles.street_map import StreetMap, TileSource

SQUARE: Line = [(10.02, 50.08), (10.021, 50.08), (10.021, 50.081), (10.02, 50.081), (10.02, 50.08)]
WAYS: list[tuple[Line, dict[str, str]]] = [
    (SOUTHERN_SEA, {"natural": "coastline"}),
    (ISLAND, {"natural": "coastline"}),
    (
        [(10.0, 50.0795), (10.1, 50.0795)],
        {"highway": "primary", "name": "High Street", "ref": "B 1"},
    ),
    ([(10.02, 50.07), (10.02, 50.09)], {"highway": "residential", "oneway": "yes"}),
    (SQUARE, {"building": "yes", "addr:housenumber": "7", "addr:street": "High Street"}),
    ([(10.03, 50.08), (10.04, 50.08), (10.04, 50.09), (10.03, 50.08)], {"leisure": "park"}),
]
MIDDLE = (10.02, 50.08)


def write_extract(path: Path, missing: int = 0) -> Path:
    """Write the town; `missing` nodes of the last way are not in the file."""
    with osmium.SimpleWriter(str(path)) as writer:
        nodes = [point for line, _ in WAYS for point in line]
        for number, point in enumerate(nodes[: len(nodes) - missing], start=1):
            writer.add_node(Node(id=number, location=point, version=1))
        town = Node(id=9_000, location=(10.03, 50.085), tags={"place": "town", "name": "Hafen"})
        writer.add_node(town)
        first = 1
        for number, (line, tags) in enumerate(WAYS, start=1):
            ids = list(range(first, first + len(line)))
            if line[0] == line[-1]:
                ids[-1] = ids[0]
            writer.add_way(Way(id=number, nodes=ids, tags=tags, version=1))
            first += len(line)
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiles")
    shares: list[float] = []
    file = folder / "streets.mbtiles"
    count = build_tiles(write_extract(folder / "town.osm.pbf"), file, "© those", shares.append)
    assert count == TileFile(file).count() > 20
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [one.name for one in folder.iterdir() if one.is_dir()] == []
    return file


def look(file: Path, zoom: int, longitude: float, latitude: float) -> dict[str, Layer]:
    data = TileFile(file).read(zoom, *tile_of(longitude, latitude, zoom))
    assert data is not None
    return decode(gzip.decompress(data))


def tags_of(layer: Layer) -> list[dict[str, Any]]:
    return [feature["tags"] for feature in layer.features]


def test_many_threads_each_read_the_tile_they_ask_for(built: Path) -> None:
    with closing(sqlite3.connect(built)) as connection:
        rows = connection.execute(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles LIMIT 40"
        ).fetchall()
    wanted = {(zoom, x, 2**zoom - 1 - row): data for zoom, x, row, data in rows}
    tiles = TileFile(built)

    def others(_thread: int) -> int:
        return sum(tiles.read(*at) != data for at, data in list(wanted.items()) * 100)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(others, range(4))) == [0, 0, 0, 0]


def test_a_tile_holds_what_the_style_draws(built: Path) -> None:
    tile = look(built, 14, *MIDDLE)
    high, side = sorted(tags_of(tile["roads"]), key=lambda tags: str(tags["kind"]))
    assert (high["name"], high["shield_text"]) == ("High Street", "B 1")
    assert (side["kind"], side["oneway"]) == ("minor_road", "yes")
    kinds = [tags["kind"] for tags in tags_of(tile["buildings"])]
    assert sorted(kinds) == ["address", "building"]
    assert {"kind": "address", "addr_housenumber": "7"} in tags_of(tile["buildings"])
    assert [tags["kind"] for tags in tags_of(tile["earth"])] == ["earth"]
    town = look(built, 10, *MIDDLE)
    assert tags_of(town["places"])[0]["name"] == "Hafen"
    assert "buildings" not in town


def test_the_sea_is_drawn_where_it_is(built: Path) -> None:
    at_sea = look(built, 14, 10.02, 50.02)
    assert [tags["kind"] for tags in tags_of(at_sea["water"])] == ["ocean"]
    inland = look(built, 14, 10.08, 50.09)
    assert "water" not in inland


def test_outer_rings_go_round_as_the_specification_asks(built: Path) -> None:
    (ring,) = [
        ring
        for feature in look(built, 14, *MIDDLE)["buildings"].features
        if feature["tags"]["kind"] == "building"
        for ring in paths(feature["commands"])
    ]
    twice_area = sum(
        x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True)
    )
    assert twice_area > 0


def test_a_way_that_leaves_the_extract_is_left_out(tmp_path: Path) -> None:
    extract = write_extract(tmp_path / "cut.osm.pbf", missing=2)
    file = tmp_path / "streets.mbtiles"
    build_tiles(extract, file, "© those", lambda _share: None)
    assert "landuse" not in look(file, 14, 10.035, 50.083)
    assert "roads" in look(file, 14, *MIDDLE)


def test_two_builds_of_one_extract_are_equal(built: Path, tmp_path: Path) -> None:
    extract = write_extract(tmp_path / "town.osm.pbf")
    again = tmp_path / "again.mbtiles"
    build_tiles(extract, again, "© those", lambda _share: None)
    assert again.read_bytes() == built.read_bytes()


def test_a_street_map_asks_its_sources_in_order(built: Path, tmp_path: Path) -> None:
    missing = TileSource("gone", tmp_path / "gone.mbtiles", None)
    streets = StreetMap(lambda: [missing, TileSource("v1", built, (10.0, 50.0, 10.1, 50.1))])
    view = streets.describe()
    assert view is not None
    assert (view.version, view.attribution) == ("v1", "© those")
    assert view.bounds == (10.0, 50.0, 10.1, 50.1)
    assert (view.min_zoom, view.max_zoom) == (0, 14)
    found = streets.read(14, *tile_of(*MIDDLE, 14))
    assert found is not None
    assert found.mark.startswith("v1.14.")
    assert streets.read(14, 0, 0) is None
    streets.close()
    assert StreetMap(lambda: ()).describe() is None


def test_an_mbtiles_file_is_brought(built: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.mbtiles"
    assert copy_tiles(built, kept, "© nobody") == TileFile(built).count()
    assert TileFile(kept).metadata["attribution"] == "© those"
    place = (14, *tile_of(*MIDDLE, 14))
    assert TileFile(kept).read(*place) == TileFile(built).read(*place)


def test_a_pmtiles_file_is_brought(tmp_path: Path) -> None:
    given, kept = tmp_path / "given.pmtiles", tmp_path / "kept.mbtiles"
    tile = gzip.compress(b"\x1a\x00", mtime=0)
    with given.open("wb") as file:
        writer = Writer(file)
        writer.write_tile(zxy_to_tileid(3, 4, 2), tile)
        header = {
            "tile_type": TileType.MVT,
            "tile_compression": Compression.GZIP,
            "min_lon_e7": 100_000_000,
            "min_lat_e7": 500_000_000,
            "max_lon_e7": 101_000_000,
            "max_lat_e7": 501_000_000,
        }
        writer.finalize(header, {"attribution": "© them"})
    assert copy_tiles(given, kept, "© nobody") == 1
    assert TileFile(kept).read(3, 4, 2) == tile
    assert TileFile(kept).metadata["bounds"] == "10.000000,50.000000,10.100000,50.100000"
    assert TileFile(kept).metadata["attribution"] == "© them"


def test_another_file_is_refused_in_words(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("streets")
    with pytest.raises(UnreadableTiles, match=r"notes\.txt is neither MBTiles nor PMTiles"):
        copy_tiles(text, tmp_path / "one.mbtiles", "")
    pictures = tmp_path / "pictures.mbtiles"
    with closing(sqlite3.connect(pictures)) as connection, connection:
        connection.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        connection.execute("INSERT INTO metadata VALUES ('format', 'png')")
    with pytest.raises(UnreadableTiles, match="holds png pictures"):
        copy_tiles(pictures, tmp_path / "two.mbtiles", "")
