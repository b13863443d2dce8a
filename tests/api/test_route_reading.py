"""A route that was read before is shown as it is now, whatever has changed since."""

from collections.abc import Callable

import pytest
from tests.api.conftest import World

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def a_route(world: World) -> str:
    stops = [{"clientStopId": "a", "coordinates": START["coordinates"]}]
    world.client.post("/stops/imports", stops)
    vehicle = world.client.post("/vehicles", {"name": "Van"}).json()["id"]
    driver = world.client.post("/drivers", {"firstName": "Dana"}).json()["driver"]["id"]
    body = {"start": START, "vehicleId": vehicle, "driverId": driver}
    route: str = world.client.post("/routes", body).json()["id"]
    return route


def change_name(world: World, route: str) -> None:
    body = {"route": {"name": "Monday"}, "updateMask": "name"}
    world.client.send("PATCH", f"/routes/{route}", json=body)


def change_vehicle(world: World, route: str) -> None:
    vehicle = world.client.get(f"/routes/{route}").json()["vehicle"]["id"]
    body = {"vehicle": {"make": "Ford"}, "updateMask": "make"}
    world.client.send("PATCH", f"/vehicles/{vehicle}", json=body)


def change_driver(world: World, route: str) -> None:
    driver = world.client.get(f"/routes/{route}").json()["driver"]["id"]
    world.client.post(f"/drivers/{driver}/activate", {})


def add_stop(world: World, route: str) -> None:
    world.client.post(f"/routes/{route}/stops", [{"clientStopId": "a"}])


def take_vehicle(world: World, route: str) -> None:
    world.client.send("DELETE", f"/routes/{route}/vehicle")


@pytest.mark.parametrize(
    "change", [change_name, change_vehicle, change_driver, add_stop, take_vehicle]
)
def test_a_change_is_seen_by_the_next_read(
    world: World, change: Callable[[World, str], None]
) -> None:
    route = a_route(world)
    before = world.client.get(f"/routes/{route}")
    assert world.client.get(f"/routes/{route}").content == before.content
    change(world, route)
    after = world.client.get(f"/routes/{route}")
    assert after.status_code == 200
    assert after.content != before.content


def test_a_deleted_route_is_gone_though_it_was_read_before(world: World) -> None:
    route = a_route(world)
    world.client.get(f"/routes/{route}")
    world.client.send("DELETE", f"/routes/{route}")
    assert world.client.get(f"/routes/{route}").status_code == 404


def test_a_route_read_by_its_owner_is_unknown_to_others(world: World) -> None:
    route = a_route(world)
    world.client.get(f"/routes/{route}")
    assert world.stranger.get(f"/routes/{route}").status_code == 404
