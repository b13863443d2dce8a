from typing import Any

import pytest
from tests.api.busy_route import busy_route, buy, hire
from tests.api.conftest import World


@pytest.mark.spec("Routes")
def test_a_vehicle_is_assigned_replaced_and_taken_away(world: World) -> None:
    busy = busy_route(world, vehicleId="")
    assert "vehicle" not in busy.read()
    assert busy.put("/vehicle", {"vehicleId": "veh-1"}).json()["vehicle"]["id"] == "veh-1"
    replaced = busy.put("/vehicle", {"vehicleId": "veh-2"}).json()
    assert replaced["vehicle"]["id"] == "veh-2"
    events = world.count("events")
    assert busy.put("/vehicle", {"vehicleId": "veh-2"}).json() == replaced
    assert world.count("events") == events
    assert "vehicle" not in busy.delete("/vehicle").json()
    assert busy.delete("/vehicle").status_code == 200
    assert world.count("events") == events + 1


@pytest.mark.spec("decisions §7")
def test_a_driver_is_assigned_and_taken_away(world: World) -> None:
    busy = busy_route(world)
    assigned = busy.put("/driver", {"driverId": "drv-2"}).json()["driver"]
    assert assigned == {
        "id": "drv-2",
        "firstName": "Dana",
        "lastName": "",
        "phone": "",
        "status": "ACTIVE",
    }
    events = world.count("events")
    assert "driver" not in busy.delete("/driver").json()
    assert "driver" not in busy.delete("/driver").json()
    assert world.count("events") == events + 1


STATUSES = [
    ("PENDING", 200, 400),
    ("ACTIVE", 200, 200),
    ("DEACTIVATED", 200, 400),
    ("ARCHIVED", 400, 400),
]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(("status", "at_rest", "dispatched"), STATUSES)
def test_who_may_be_assigned_and_who_may_take_over_a_dispatch(
    world: World, status: str, at_rest: int, dispatched: int
) -> None:
    busy = busy_route(world)
    hire(world, "drv-3", status)
    for expected in (at_rest, dispatched):
        answer = busy.put("/driver", {"driverId": "drv-3"})
        assert answer.status_code == expected
        if expected == 400:
            assert answer.json()["code"] == 9
            assert answer.json()["details"][0]["violations"][0]["subject"] == "drv-3"
        busy.put("/driver", {"driverId": "drv-1"})
        busy.post("/dispatch", {"dispatchedUntil": "2024-07-03T00:00:00Z"})
    world.clock.advance(days=3)
    world.client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    assert busy.put("/driver", {"driverId": "drv-3"}).status_code == at_rest


@pytest.mark.spec("decisions §12")
def test_a_dispatch_goes_over_to_the_new_driver_or_can_be_claimed(world: World) -> None:
    busy = busy_route(world)
    until = busy.post("/dispatch", {}).json()["dispatchedUntil"]
    over = busy.put("/driver", {"driverId": "drv-2"}).json()
    assert (over["driver"]["id"], over["dispatchedUntil"]) == ("drv-2", until)
    claimable: Any = busy.delete("/driver").json()
    assert "driver" not in claimable
    assert claimable["dispatchedUntil"] == until


@pytest.mark.spec("decisions §2")
def test_an_archived_vehicle_is_refused(world: World) -> None:
    busy = busy_route(world)
    buy(world, "veh-3", is_archived=True)
    refused = busy.put("/vehicle", {"vehicleId": "veh-3"})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert busy.read()["vehicle"]["id"] == "veh-1"


@pytest.mark.spec("decisions §7")
def test_another_organizations_crew_is_unknown(world: World) -> None:
    busy = busy_route(world)
    start = {"start": {"coordinates": {"latitude": 0, "longitude": 0}}}
    theirs = world.stranger.post("/routes", start).json()["id"]
    for noun, name in (("vehicle", "veh-1"), ("driver", "drv-1")):
        answer = world.stranger.send("PUT", f"/routes/{theirs}/{noun}", json={f"{noun}Id": name})
        assert answer.json() == {"code": 5, "message": f"{noun} not found"}
    assert busy.read()["driver"]["id"] == "drv-1"


@pytest.mark.spec("decisions §12")
def test_who_is_assigned_already_may_be_assigned_again(world: World) -> None:
    busy = busy_route(world)
    hire(world, "drv-1", "ARCHIVED")
    buy(world, "veh-1", is_archived=True)
    before, events = busy.read(), world.count("events")
    assert busy.put("/driver", {"driverId": "drv-1"}).json() == before
    assert busy.put("/vehicle", {"vehicleId": "veh-1"}).json() == before
    assert world.count("events") == events
