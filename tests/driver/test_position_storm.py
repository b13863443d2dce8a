"""Many drivers under way beside planners who edit: positions are in nobody's way.

`ROUNDSMAN_STORM_DRIVERS` says how many drivers. `-s` shows the share of a core and the growth.
"""

import os
import time

import pytest
from tests.api.conftest import World
from tests.driver.device import dispatch, sign_up

from roundsman.endpoints.application import Application

pytestmark = [pytest.mark.full, pytest.mark.both_databases]

DRIVERS = int(os.environ.get("ROUNDSMAN_STORM_DRIVERS", "200"))
ROUNDS = 24
EVERY_SECONDS = 5


@pytest.mark.spec("decisions §14")
def test_positions_every_five_seconds_change_no_version_beside_planners(
    world: World, door: Application
) -> None:
    devices = []
    for _ in range(DRIVERS):
        world.clock.advance(seconds=10)
        device = sign_up(world, door)
        dispatch(world, device)
        device.done("ROUTE_STARTED")
        devices.append(device)
    edited = devices[0].route_id
    tag = world.client.get(f"/routes/{edited}").headers["etag"]
    before = int(tag.strip('"').partition(".")[0])
    used = time.process_time()
    for number in range(ROUNDS):
        world.clock.advance(seconds=EVERY_SECONDS)
        for east, device in enumerate(devices):
            place = {"latitude": 39.3 + number / 10_000, "longitude": -76.6 + east / 10_000}
            device.done("POSITION", position=place)
        change = {"route": {"note": str(number)}, "updateMask": "note"}
        named = {"If-Match": tag}
        changed = world.client.send("PATCH", f"/routes/{edited}", json=change, headers=named)
        assert changed.status_code == 200, "a position came between"
        tag = changed.headers["etag"]
    used = time.process_time() - used
    assert int(tag.strip('"').partition(".")[0]) == before + ROUNDS
    kept = world.count("driver_positions")
    assert kept == DRIVERS * ROUNDS * EVERY_SECONDS // 10
    share = used / (ROUNDS * EVERY_SECONDS)
    an_hour = kept * 3_600 // (ROUNDS * EVERY_SECONDS)
    print(f"{DRIVERS} drivers: {share:.0%} of a core, {an_hour} positions an hour")  # noqa: T201 -- the figure
