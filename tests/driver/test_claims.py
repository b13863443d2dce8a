"""Which routes a driver may open, and claiming one: the first who asks has it."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from tests.api.conftest import World
from tests.api.test_drivers import DANA
from tests.driver.device import Device, Listener, dispatch, sign_up

from roundsman.endpoints.application import Application
from roundsman.wire.v2024_07.route_headers import ESTIMATED

pytestmark = pytest.mark.both_databases

RACES = int(os.environ.get("ROUNDSMAN_CLAIM_RACES", "15"))


@pytest.mark.spec("decisions §7")
def test_a_driver_sees_what_is_dispatched_to_them_or_to_nobody(
    world: World, door: Application
) -> None:
    device, other = sign_up(world, door), sign_up(world, door)
    mine, free = dispatch(world, device), dispatch(world, None)
    theirs, back = dispatch(world, other), dispatch(world, device)
    world.client.send("DELETE", f"/routes/{back}/dispatch")
    listed = {route["id"]: route for route in device.get("/routes").json()["routes"]}
    assert set(listed) == {mine, free}
    assert (listed[mine]["claimable"], listed[free]["claimable"]) == (False, True)
    assert (listed[mine]["stopCount"], listed[mine]["started"]) == (2, False)
    for route in (mine, free):
        shown = device.get(f"/routes/{route}")
        assert shown.json() == world.client.get(f"/routes/{route}").json()
    for route in (theirs, back, "rte-unknown"):
        assert device.get(f"/routes/{route}").json() == {"code": 5, "message": "route not found"}
    world.clock.advance(days=2)
    assert device.get("/routes").json() == {"routes": []}
    assert device.get(f"/routes/{mine}").status_code == 404


@pytest.mark.spec("design, Roads")
def test_a_route_on_estimates_says_so_to_the_driver_too(world: World, door: Application) -> None:
    device = sign_up(world, door)
    free = dispatch(world, None)
    said = world.client.get(f"/routes/{free}").headers[ESTIMATED]
    assert said == "true"
    assert device.get(f"/routes/{free}").headers[ESTIMATED] == said
    assert device.post(f"/routes/{free}/claim").headers[ESTIMATED] == said
    assert ESTIMATED not in device.get("/routes").headers


def test_another_organizations_routes_are_unknown(world: World, door: Application) -> None:
    stranger = world.stranger.post("/drivers", DANA).json()["inviteUrl"].rpartition("/")[2]
    free = dispatch(world, None)
    device = sign_up(world, door)
    answer = device.http.post(f"/driver/api/invites/{stranger}").json()
    device.headers["Authorization"] = f"Bearer {answer['token']}"
    assert device.get("/routes").json() == {"routes": []}
    assert device.get(f"/routes/{free}").status_code == 404
    assert device.post(f"/routes/{free}/claim").status_code == 404
    device.route_id = free
    assert device.act("ROUTE_STARTED")["reason"] == "ROUTE_GONE"


@pytest.mark.spec("decisions §7")
def test_a_claimed_route_is_the_drivers_and_nobody_elses(world: World, door: Application) -> None:
    device, other = sign_up(world, door), sign_up(world, door)
    route = dispatch(world, None)
    listener = Listener(world)
    claimed = device.post(f"/routes/{route}/claim").json()
    assert claimed["driver"]["id"] == device.driver_id
    (event,) = listener.fresh()
    assert (event["topic"], event["user"]["driverId"]) == ("ROUTE_UPDATED", device.driver_id)
    assert device.post(f"/routes/{route}/claim").json() == claimed
    refused = other.post(f"/routes/{route}/claim")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert refused.json()["message"] == "route belongs to another driver"
    assert listener.topics() == []
    world.client.send("DELETE", f"/routes/{route}/dispatch")
    assert device.post(f"/routes/{route}/claim").status_code == 404


@pytest.mark.spec("decisions §7")
def test_of_two_who_claim_at_once_exactly_one_wins(world: World, door: Application) -> None:
    rivals = (sign_up(world, door), sign_up(world, door))
    for _ in range(RACES):
        route = dispatch(world, None, stops=1)
        ready = Barrier(2)

        def claim(rival: Device, route: str = route, ready: Barrier = ready) -> int:
            ready.wait()
            return int(rival.post(f"/routes/{route}/claim").status_code)

        with ThreadPoolExecutor(2) as drivers:
            statuses = list(drivers.map(claim, rivals))
        assert sorted(statuses) == [200, 400]
        winner = rivals[statuses.index(200)]
        assert world.client.get(f"/routes/{route}").json()["driver"]["id"] == winner.driver_id
        world.clock.advance(seconds=1)  # fills the clients' buckets
