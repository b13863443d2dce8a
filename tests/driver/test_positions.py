"""Where a driver was: kept every ten seconds beside the route, however often it is submitted."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_changes import followed
from tests.driver.device import Device, dispatch, sign_up, stamp
from tests.support.streaming import Client

from roundsman.app import make_application
from roundsman.domain.address import Coordinates
from roundsman.endpoints.application import Application
from roundsman.operations.changes import PositionReader
from roundsman.operations.housekeeping import remove_outdated
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import OPENSTREETMAP, Leg, TravelProfile
from roundsman.settings import Settings

pytestmark = pytest.mark.spec("decisions §22")


def at(second: float) -> dict[str, float]:
    return {"latitude": 39.3 + second / 10_000, "longitude": -76.6}


def driving(world: World, door: Application) -> Device:
    device = sign_up(world, door)
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    return device


def version_of(world: World) -> int:
    with world.tools.database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT max(version) FROM routes").scalar_one())


def kept(world: World, device: Device) -> list[Any]:
    track = world.client.get(f"/routes/{device.route_id}/track").json()
    return [point["at"] for point in track["points"]]


def test_of_positions_of_one_driver_one_in_ten_seconds_is_kept_and_the_route_stays_as_it_is(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    other = sign_up(world, door)
    version = version_of(world)
    for second in range(25):
        device.done("POSITION", position=at(second))
        world.clock.advance(seconds=1)
    assert kept(world, device) == [f"2024-07-01T06:00:{second}Z" for second in ("00", "10", "20")]
    assert version_of(world) == version
    other.route_id = device.route_id
    assert other.act("POSITION", position=at(0))["reason"] == "ROUTE_NOT_YOURS"
    assert len(kept(world, device)) == 3, "who does not drive the route is not on its track"


def test_positions_told_late_and_out_of_order_are_kept_by_when_they_were(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    begun = world.clock.now()
    world.clock.advance(minutes=5)
    told = [
        device.action("POSITION", position=at(n), at=stamp(begun + timedelta(seconds=5 * n)))
        for n in range(12)
    ]
    results = [device.results(told[n])[0] for n in (11, 3, 7, 5, 9, 1, 0, 2, 4, 6, 8, 10)]
    assert {result["outcome"] for result in results} == {"APPLIED"}
    assert kept(world, device) == [
        stamp(begun + timedelta(seconds=second)) for second in range(5, 60, 10)
    ]


def test_a_clock_that_is_wrong_keeps_no_more(world: World, door: Application) -> None:
    device = driving(world, door)
    now = world.clock.now()
    for minutes in (10, 20, 30, -10, -20, -30):
        moment = stamp(now + timedelta(minutes=minutes))
        device.done("POSITION", position=at(1), at=moment)
    assert len(kept(world, device)) == 1


@pytest.mark.both_databases
def test_five_hundred_at_once_are_one_and_what_follows_waits_for_nothing(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    told = [device.action("POSITION", position=at(n)) for n in range(500)]
    assert {one["outcome"] for one in device.results(*told)} == {"APPLIED"}
    assert len(kept(world, device)) == 1
    stop = device.route()["stops"][0]["id"]
    wrong = device.act("TASK_COMPLETED", taskId="tsk-unknown", value="x")
    assert wrong["outcome"] == "KEPT"
    missing = device.act("PHOTO", stopId=stop, uploadId="0b7ac1b0-5a55-4a37-9d7a-6a2b8a5a9a01")
    assert missing["reason"] == "WAITING", "the upload may still come"
    second = sign_up(world, door)
    dispatch(world, second)
    told = [second.action("POSITION", position=at(n)) for n in range(10)]
    second.results(*told[:5])
    second.results(*told[5:])
    early = second.act("STOP_DELIVERED", stopId=second.route()["stops"][0]["id"])
    assert early["outcome"] == "REFUSED", "all before it has been told: the start is not coming"


@pytest.mark.both_databases
def test_a_position_moves_what_is_expected_and_leaves_version_and_update_time(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    path = f"/routes/{device.route_id}"
    before = world.client.get(path)
    assert "lastPosition" not in before.json()
    world.clock.advance(seconds=30)
    device.done("POSITION", position={**at(2_000), "accuracyMeters": 12.5})
    after = world.client.get(path)
    assert after.json()["lastPosition"] == {
        "coordinates": at(2_000),
        "accuracyMeters": 12.5,
        "at": stamp(world.clock.now()),
    }
    was, shown = before.json(), after.json()
    assert shown["updatedAt"] == was["updatedAt"]
    for earlier, later in zip(was["stops"], shown["stops"], strict=True):
        assert later["updatedArrival"] > earlier["updatedArrival"]
        assert later["plannedArrival"] == earlier["plannedArrival"]
        assert later["updatedAt"] == earlier["updatedAt"]
    tags = [one.headers["etag"].strip('"').split(".") for one in (before, after)]
    assert tags[0][0] == tags[1][0]
    assert tags[0][1] != tags[1][1]
    assert world.client.get("/routes").json()["routes"][0] == shown
    # What the planner changes meanwhile keeps what is known, and is not in the way.
    patched = world.client.send(
        "PATCH", path, json={"route": {"note": "ring"}, "updateMask": "note"}
    )
    arrivals = [stop["updatedArrival"] for stop in shown["stops"]]
    assert [stop["updatedArrival"] for stop in patched.json()["stops"]] == arrivals
    assert world.client.get(path).json() == patched.json()


class _AskedRoads(EstimatedRoads):
    """Says that it has a map, as an engine does, and counts how often it is asked for legs."""

    def __init__(self) -> None:
        self.asked = 0

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        self.asked += 1
        return super().legs(waypoints, profile)

    def attribution(self) -> str:
        return OPENSTREETMAP


@pytest.mark.spec("decisions §14")
def test_a_road_engine_is_asked_once_a_minute_and_route(world: World) -> None:
    roads = _AskedRoads()
    door = make_application(Settings(), replace(world.tools, roads=roads))
    vans = [driving(world, door) for _ in range(2)]
    roads.asked = 0
    for second in range(0, 300, 5):
        for device in vans:
            device.done("POSITION", position=at(second))
        world.clock.advance(seconds=5)
    a_minute = 2 * 2  # both routes: from the driver to the next stop, and from there on
    assert roads.asked == 5 * a_minute
    assert {len(kept(world, device)) for device in vans} == {30}


def test_a_position_shows_while_the_route_is_under_way_alone(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    device.done("POSITION", position=at(1))
    path = f"/routes/{device.route_id}"
    assert "lastPosition" in world.client.get(path).json()
    for stop in device.route()["stops"]:
        device.done("STOP_DELIVERED", stopId=stop["id"])
    assert "lastPosition" not in world.client.get(path).json()
    assert len(kept(world, device)) == 1
    assert world.stranger.get(f"{path}/track").status_code == 404
    world.client.send("DELETE", path)
    assert world.count("driver_positions") == world.count("live_routes") == 0


def test_positions_are_forgotten_after_thirty_days(world: World, door: Application) -> None:
    device = driving(world, door)
    device.done("POSITION", position=at(1))
    world.clock.advance(minutes=60 * 24 * 30)
    remove_outdated(world.tools)
    assert world.count("driver_positions") == 1
    world.clock.advance(minutes=1)
    remove_outdated(world.tools)
    assert world.count("driver_positions") == 0


def test_a_device_that_has_the_route_is_told_so_until_a_position_moves_it(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    path = f"/driver/api/routes/{device.route_id}"
    tag = device.get(f"/routes/{device.route_id}").headers["etag"]
    headers = {**device.headers, "If-None-Match": tag}
    assert device.http.get(path, headers=headers).status_code == 304
    device.done("POSITION", position=at(1))
    moved = device.http.get(path, headers=headers)
    assert moved.status_code == 200
    assert moved.headers["etag"] != tag


@pytest.mark.spec("decisions §14")
def test_who_follows_an_organization_sees_its_drivers_move(world: World, door: Application) -> None:
    device = driving(world, door)
    device.done("POSITION", position=at(0))
    world.clock.advance(seconds=10)
    with followed(world) as server, server.follow() as client, server.follow() as another:
        device.done("POSITION", position=at(1))
        expected = {
            "driverId": device.driver_id,
            "routeId": device.route_id,
            "coordinates": at(1),
            "at": stamp(world.clock.now()),
        }
        assert position_told(client) == position_told(another) == expected


def test_a_position_that_comes_too_soon_is_told_later_and_the_last_one_is_not_lost(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    begun = world.clock.now()
    world.clock.advance(minutes=1)
    reader = PositionReader(world.tools, world.credentials.organization_id)

    def found() -> list[float]:
        return [position.coordinates.latitude for _, position in reader.read(0)]

    for second in (10, 20, 30):
        moment = stamp(begun + timedelta(seconds=second))
        device.done("POSITION", position=at(second), at=moment)
        assert found() == ([at(10)["latitude"]] if second == 10 else [])
    world.clock.advance(seconds=5)
    assert found() == [at(30)["latitude"]]
    world.clock.advance(seconds=5)
    assert found() == []


def position_told(client: Client) -> Any:
    """Return the next position of a stream, passing over changes."""
    while not (event := client.event().decode()).startswith("event: position\n"):
        assert event.startswith("event: change\n")
    assert "\nid:" not in event
    return json.loads(event.partition("data: ")[2])
