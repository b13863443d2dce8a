"""Where a driver is told to be: kept every ten seconds, however often it is told."""

from datetime import timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, dispatch, sign_up, stamp

from roundsman.endpoints.application import Application

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


def kept(world: World) -> list[Any]:
    told = world.client.get("/driver-actions?query.limit=200").json()["actions"]
    return [one["at"] for one in told if one["kind"] == "POSITION"]


def test_of_positions_of_one_driver_one_in_ten_seconds_is_kept_and_rewrites_the_route(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    other = sign_up(world, door)
    version = version_of(world)
    for second in range(25):
        device.done("POSITION", position=at(second))
        world.clock.advance(seconds=1)
    assert kept(world) == [f"2024-07-01T06:00:{second}Z" for second in ("00", "10", "20")]
    assert version_of(world) == version + 3
    other.route_id = device.route_id
    assert other.act("POSITION", position=at(0))["reason"] == "ROUTE_NOT_YOURS"
    assert len(kept(world)) == 4, "another driver has ten seconds of their own"


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
    assert sorted(kept(world)) == [
        stamp(begun + timedelta(seconds=second)) for second in range(5, 60, 10)
    ]


def test_a_clock_that_is_wrong_keeps_no_more(world: World, door: Application) -> None:
    device = driving(world, door)
    now = world.clock.now()
    for minutes in (10, 20, 30, -10, -20, -30):
        moment = stamp(now + timedelta(minutes=minutes))
        device.done("POSITION", position=at(1), at=moment)
    assert len(kept(world)) == 1


@pytest.mark.both_databases
def test_five_hundred_at_once_are_one_and_what_follows_waits_for_nothing(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    told = [device.action("POSITION", position=at(n)) for n in range(500)]
    assert {one["outcome"] for one in device.results(*told)} == {"APPLIED"}
    assert len(kept(world)) == 1
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
