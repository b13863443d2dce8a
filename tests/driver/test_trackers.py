"""A tracker beside the app tells where a driver is: Traccar Client, OwnTracks, or our own batch."""

import base64
from datetime import timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, dispatch, sign_up, stamp

from roundsman.endpoints.application import Application

pytestmark = pytest.mark.spec("decisions §13")

type Json = Any
PLACE = {"latitude": 39.3, "longitude": -76.6}


def driving(world: World, door: Application) -> Device:
    device = sign_up(world, door)
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    return device


def connect(device: Device) -> str:
    answer = device.post("/tracker")
    assert answer.status_code == 200, answer.text
    assert answer.json()["url"].endswith("/driver/api/positions")
    return str(answer.json()["token"])


def tell(device: Device, body: Json = None, query: str = "", **headers: str) -> Any:
    return device.http.post(f"/driver/api/positions{query}", json=body, headers=headers)


def basic(token: str) -> str:
    return "Basic " + base64.b64encode(f"dana:{token}".encode()).decode()


def kept(world: World, device: Device) -> list[Json]:
    return list(world.client.get(f"/routes/{device.route_id}/track").json()["points"])


@pytest.mark.both_databases
def test_a_batch_is_kept_by_when_each_position_was(world: World, door: Application) -> None:
    device = driving(world, door)
    start = world.clock.now()
    world.clock.advance(minutes=10)
    told = [
        {
            "coordinates": {**PLACE, "latitude": round(39.3 + n / 100, 2)},
            "at": stamp(start + timedelta(minutes=n)),
        }
        for n in range(-1, 5)
    ]
    answer = device.post("/positions", {"positions": told})
    assert answer.json() == {"taken": 5, "ignored": 1}, "one is from before the route began"
    assert [point["coordinates"]["latitude"] for point in kept(world, device)] == [
        39.3, 39.31, 39.32, 39.33, 39.34,
    ]  # fmt: skip
    again = device.post("/positions", {"positions": told})
    assert again.status_code == 200
    assert len(kept(world, device)) == 5
    route = world.client.get(f"/routes/{device.route_id}").json()
    assert route["lastPosition"]["coordinates"]["latitude"] == 39.34
    shown = world.client.get("/drivers/positions").json()["positions"]
    assert [(one["driverId"], one["routeId"]) for one in shown] == [
        (device.driver_id, device.route_id)
    ]
    assert shown[0]["coordinates"]["latitude"] == 39.34


def test_the_longest_batch_is_kept(world: World, door: Application) -> None:
    device = driving(world, door)
    start = world.clock.now()
    world.clock.advance(minutes=50)
    told = [
        {"coordinates": PLACE, "at": stamp(start + timedelta(seconds=6 * n))} for n in range(500)
    ]
    assert device.post("/positions", {"positions": told}).json() == {"taken": 500, "ignored": 0}
    assert len(kept(world, device)) == 250, "one in ten seconds"
    refused = device.post("/positions", {"positions": [*told, told[0]]})
    assert refused.status_code == 400


def test_a_clock_that_is_wrong_is_set_right(world: World, door: Application) -> None:
    device = driving(world, door)
    world.clock.advance(minutes=10)
    now = world.clock.now()
    told = [{"coordinates": PLACE, "at": stamp(now + timedelta(minutes=59))}]
    device.post("/positions", {"positions": told, "sentAt": stamp(now + timedelta(hours=1))})
    assert [point["at"] for point in kept(world, device)] == [stamp(now - timedelta(minutes=1))]


def test_own_tracks_and_both_forms_of_traccar_are_understood(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    token = connect(device)
    second = int(world.clock.now().timestamp())
    world.clock.advance(minutes=5)
    own = {"_type": "location", "lat": 39.31, "lon": -76.6, "tst": second + 60, "acc": 8}
    assert tell(device, own, authorization=basic(token)).json() == []
    other = {"_type": "transition", "event": "enter"}
    assert tell(device, other, authorization=basic(token)).json() == []
    traccar = {
        "location": {
            "timestamp": stamp(world.clock.now() - timedelta(minutes=3)),
            "coords": {"latitude": 39.32, "longitude": -76.6, "accuracy": -1},
        },
        "device_id": token,
    }
    assert tell(device, traccar).json() == {"taken": 1, "ignored": 0}
    old = f"?id={token}&lat=39.33&lon=-76.6&timestamp={(second + 180) * 1000}&accuracy=5"
    assert tell(device, query=old).json() == {"taken": 1, "ignored": 0}
    assert [point["coordinates"]["latitude"] for point in kept(world, device)] == [
        39.31, 39.32, 39.33,
    ]  # fmt: skip


def test_a_tracker_may_do_nothing_else_and_is_replaced_and_signed_out(
    world: World, door: Application
) -> None:
    device = driving(world, door)
    first = connect(device)
    for path in ("/routes", "/session", "/sessions"):
        refused = device.http.get(
            f"/driver/api{path}", headers={"authorization": f"Bearer {first}"}
        )
        assert refused.status_code == 401, path
    token = connect(device)
    body = {"positions": [{"coordinates": PLACE, "at": stamp(world.clock.now())}]}
    assert tell(device, body, authorization=f"Bearer {first}").status_code == 401
    assert tell(device, body, authorization=f"Bearer {token}").status_code == 200
    tracker = next(
        one for one in device.get("/sessions").json()["sessions"] if one["device"] == "Tracker"
    )
    assert device.delete(f"/sessions/{tracker['id']}").status_code == 200
    assert tell(device, body, authorization=f"Bearer {token}").status_code == 401
    assert tell(device, body).status_code == 401


def test_nobody_is_followed_off_duty(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    told = {"positions": [{"coordinates": PLACE, "at": stamp(world.clock.now())}]}
    assert device.post("/positions", told).json() == {"taken": 0, "ignored": 1}
    assert kept(world, device) == []
    assert world.client.get("/drivers/positions").json() == {"positions": []}


AT = "2024-07-01T06:00:00Z"
NORTH = {"latitude": 91, "longitude": 0}
HERE = {"latitude": 1, "longitude": 1}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"positions": []}, "positions"),
        ({"positions": [{"coordinates": NORTH, "at": AT}]}, "positions[0].coordinates.latitude"),
        ({"_type": "location", "lat": "north", "lon": 0, "tst": 1}, "latitude"),
        ({"_type": "location", "lat": 1, "lon": 0}, "tst"),
        ({"location": {"timestamp": AT}}, "location.coords"),
        ({"location": {"timestamp": "noon", "coords": HERE}}, "location.timestamp"),
    ],
)
def test_what_cannot_be_read_is_named(
    world: World, door: Application, body: Json, field: str
) -> None:
    device = driving(world, door)
    refused = device.post("/positions", body)
    assert refused.status_code == 400
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == field
