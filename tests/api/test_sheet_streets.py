"""Sheets to print where the streets are known: the way of each route, on the operator's tiles."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.test_routes import create_route
from tests.tiles.test_builder import built

from roundsman.app import make_application
from roundsman.settings import Settings
from roundsman.tiles.street_map import StreetMap, TileSource

__all__ = ["built"]

pytestmark = pytest.mark.spec("decisions §18")

HOSTILE = "</svg><script>alert(1)</script>"


@pytest.fixture
def in_town(world: World, built: Path) -> Iterator[World]:
    """The same installation, with streets."""
    with closing(StreetMap(lambda: [TileSource("v1", built, None)])) as streets:
        tools = replace(world.tools, street_map=streets)
        client = DescribedClient(make_application(Settings(data=built.parent), tools))
        client.headers.update(world.client.headers)
        yield replace(world, client=client)


def add_route(world: World, latitude: float, longitude: float, **options: object) -> str:
    """Return a route of five stops, eastwards from a place."""
    start = {"coordinates": {"latitude": latitude, "longitude": longitude}}
    id_ = create_route(world, start=start, scheduledFor="2024-07-01T12:00:00Z", **options)
    stops = [
        {"coordinates": {"latitude": latitude, "longitude": longitude + number / 400}}
        for number in range(1, 6)
    ]
    ids = [one["id"] for one in world.client.post("/stops/imports", stops).json()["stops"]]
    world.client.post(f"/routes/{id_}/stops", [{"importedStopId": one} for one in ids])
    return id_


def test_a_route_is_shown_on_its_streets(in_town: World) -> None:
    route = add_route(in_town, 50.078, 10.015, name=HOSTILE)
    answer = in_town.client.get(f"/routes/{route}/sheet")
    page = answer.text
    assert page.count("<figure>") == 1
    assert HOSTILE not in page
    assert ">High Street</text>" in page
    assert "© those" in page
    assert [int(one) for one in re.findall(r'class="stop".*?<text>(\d+)</text>', page)] == [
        1, 2, 3, 4, 5,
    ]  # fmt: skip
    assert page.count('class="way guess"') == page.count('class="casing"') > 0
    # What stands still needs no script, and nothing from elsewhere.
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "style=" not in page


def test_routes_of_a_day_share_the_streets_of_their_town(in_town: World) -> None:
    for name in ("Van 1", "Van 2"):
        add_route(in_town, 50.078, 10.015, name=name)
    page = in_town.client.get("/days/2024-07-01/sheet").text
    assert page.count("<figure>") == 2
    ids = re.findall(r'<path id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    used = re.findall(r'<use href="#([^"]+)"', page)
    assert set(used) == set(ids)
    assert used.count(ids[0]) >= 2


def test_where_no_streets_are_known_a_sheet_stays_as_it_was(world: World, in_town: World) -> None:
    route = add_route(in_town, 50.078, 10.015)
    assert "<figure>" not in world.client.get(f"/routes/{route}/sheet").text
    far = add_route(in_town, 39.29, -76.61)
    assert "<figure>" not in in_town.client.get(f"/routes/{far}/sheet").text
    empty = create_route(in_town)
    assert "<figure>" not in in_town.client.get(f"/routes/{empty}/sheet").text


def test_a_stop_at_0_0_does_not_widen_the_picture_and_the_others_keep_their_numbers(
    in_town: World,
) -> None:
    route = add_route(in_town, 50.078, 10.015)
    nowhere = [{"coordinates": {"latitude": 0, "longitude": 0}}]
    (stop,) = in_town.client.post("/stops/imports", nowhere).json()["stops"]
    body = {"importedStopId": stop["id"]}
    assert in_town.client.post(f"/routes/{route}/stops", [body]).status_code == 200
    stops = in_town.client.get(f"/routes/{route}").json()["stops"]
    order = [stops[-1]["id"], *(one["id"] for one in stops[:-1])]
    answer = in_town.client.send("PUT", f"/routes/{route}/order", json={"stopIds": order})
    assert answer.status_code == 200, answer.text
    page = in_town.client.get(f"/routes/{route}/sheet").text
    assert ">High Street</text>" in page
    assert [int(one) for one in re.findall(r'class="stop".*?<text>(\d+)</text>', page)] == [
        2, 3, 4, 5, 6,
    ]  # fmt: skip
