"""Streets at the door: public, tagged, compressed, and refused in words."""

import gzip
from pathlib import Path

import pytest
from tests.api.conftest import World
from tests.driver.device import browser
from tests.tiles.test_builder import MIDDLE, write_extract

from roundsman.app import make_application
from roundsman.endpoints.application import Application
from roundsman.settings import Settings
from roundsman.tiles.archive import TileFile
from roundsman.tiles.builder import build_tiles
from roundsman.tiles.mercator import tile_of
from roundsman.tiles.street_map import StreetMap, TileSource

TILE = "/map/tiles/14/{}/{}".format(*tile_of(*MIDDLE, 14))


@pytest.fixture
def built(tmp_path: Path) -> Path:
    file = tmp_path / "streets.mbtiles"
    build_tiles(write_extract(tmp_path / "town.osm.pbf"), file, "© those", lambda _share: None)
    return file


@pytest.fixture
def door(world: World, built: Path) -> Application:
    streets = StreetMap(lambda: [TileSource("v1", built, None)])
    tools = world.tools.__class__(
        **{
            name: getattr(world.tools, name)
            for name in world.tools.__dataclass_fields__
            if name != "street_map"
        },
        street_map=streets,
    )
    return make_application(Settings(data=built.parent), tools)


def test_what_there_is_to_look_at_is_said(door: Application) -> None:
    told = browser(door).get("/map").json()
    assert told == {
        "version": "v1",
        "bounds": [9.9, 50.01, 10.2, 50.09],
        "minZoom": 0,
        "maxZoom": 14,
        "attribution": "© those",
    }


def test_a_tile_is_compressed_and_tagged(door: Application, built: Path) -> None:
    http = browser(door)
    kept = TileFile(built).read(14, *tile_of(*MIDDLE, 14))
    assert kept is not None
    packed = http.get(TILE, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Type"] == "application/vnd.mapbox-vector-tile"
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Cache-Control"] == "public, max-age=3600"
    assert packed.content == gzip.decompress(kept)
    assert int(packed.headers["Content-Length"]) == len(kept)
    plain = http.get(TILE, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.content == packed.content
    again = http.get(TILE, headers={"If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_where_nothing_is_drawn_there_is_no_content(door: Application) -> None:
    empty = browser(door).get("/map/tiles/14/0/0")
    assert (empty.status_code, empty.content) == (204, b"")


@pytest.mark.parametrize(
    ("path", "field"),
    [("23/0/0", "z"), ("x/0/0", "z"), ("2/4/0", "x"), ("2/0/4", "y"), ("2/-1/0", "x")],
)
def test_a_tile_that_can_never_be_is_refused(door: Application, path: str, field: str) -> None:
    refused = browser(door).get(f"/map/tiles/{path}")
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == field


def test_without_a_map_pages_are_told_so_and_nothing_has_failed(world: World) -> None:
    nothing = browser(world.client.interface).get("/map")
    assert (nothing.status_code, nothing.content) == (204, b"")


def test_a_tile_without_a_map_says_what_to_do(world: World) -> None:
    missing = browser(world.client.interface).get(TILE)
    assert (missing.status_code, missing.json()["code"]) == (404, 5)
    assert "roundsman map import" in missing.json()["message"]


def test_the_script_of_the_map_comes_from_here(world: World) -> None:
    http = browser(world.client.interface)
    script = http.get("/map/street_map.js")
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    worker = http.get("/map/maplibre-gl-worker.mjs")
    assert worker.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert http.get("/map/noto-sans-latin-400-normal.woff2").headers["Content-Type"] == "font/woff2"
