"""Which streets a device keeps around a route."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add
from tests.driver.device import Device, dispatch, sign_up
from tests.tiles.test_builder import built

from roundsman.app import make_application
from roundsman.endpoints.application import Application
from roundsman.settings import Settings
from roundsman.tiles.mercator import tile_of
from roundsman.tiles.street_map import StreetMap, TileSource

__all__ = ["built"]

pytestmark = pytest.mark.spec("doors 4.7")


@pytest.fixture
def in_town(world: World, built: Path) -> Iterator[Application]:
    """The same installation, with streets."""
    with closing(StreetMap(lambda: [TileSource("v 1", built, None)])) as streets:
        tools = replace(world.tools, street_map=streets)
        yield make_application(Settings(data=built.parent), tools)


def tiles_of(device: Device, route_id: str) -> list[str]:
    answer = device.get(f"/routes/{route_id}/area")
    assert answer.status_code == 200, answer.text
    return list(answer.json()["tiles"])


def tile_at(place: Any, zoom: int) -> str:
    column, row = tile_of(place["longitude"], place["latitude"], zoom)
    return f"/map/tiles/{zoom}/{column}/{row}?v=v%201"


def test_the_streets_around_all_places_of_a_route_are_listed_by_their_addresses(
    world: World, in_town: Application
) -> None:
    device = sign_up(world, in_town)
    tiles = tiles_of(device, dispatch(world, device))
    route = device.route()
    places = [stop["plannedCoordinates"] for stop in route["stops"]]
    for place in [route["start"]["coordinates"], *places]:
        assert {tile_at(place, zoom) for zoom in range(8, 15)} <= set(tiles)
    assert len(tiles) <= 160
    assert [device.http.get(one).status_code for one in tiles[:3]] == [204] * 3  # found, and empty


def test_a_route_is_its_drivers_alone_or_whoever_may_claim_it(
    world: World, in_town: Application
) -> None:
    device, other = sign_up(world, in_town), sign_up(world, in_town)
    mine, free = dispatch(world, device), dispatch(world, None)
    assert tiles_of(other, free)
    refused = other.get(f"/routes/{mine}/area")
    assert refused.json() == {"code": 5, "message": "route not found"}
    assert device.http.get(f"/driver/api/routes/{mine}/area").status_code == 401


def test_there_is_nothing_to_keep_where_a_server_has_no_streets(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    assert tiles_of(device, dispatch(world, device)) == []


def test_a_stop_at_0_0_asks_for_no_sea(world: World, in_town: Application) -> None:
    device = sign_up(world, in_town)
    dispatch(world, device, stops=2)
    known = tiles_of(device, device.route_id)
    nowhere = [{"coordinates": {"latitude": 0, "longitude": 0}}]
    stop = world.client.post("/stops/imports", nowhere).json()["stops"][0]
    add(world, device.route_id, [stop["id"]])
    assert tiles_of(device, device.route_id) == known
