"""What drivers do at doors beside delivering: arrive, take back a slip, put off, say to whom."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Device, Listener, dispatch, sign_up

from roundsman.endpoints.application import Application

pytestmark = pytest.mark.spec("doors 4.3")

type Json = Any


def on_the_road(world: World, door: Application, stops: int = 3) -> tuple[Device, list[str]]:
    device = sign_up(world, door)
    dispatch(world, device, stops=stops)
    world.clock.advance(minutes=30)
    device.done("ROUTE_STARTED")
    return device, [stop["id"] for stop in device.route()["stops"]]


def stop_of(device: Device, id_: str) -> Json:
    return next(stop for stop in device.route()["stops"] if stop["id"] == id_)


@pytest.mark.both_databases
def test_who_took_it_and_where_it_was_left_stand_at_the_stop(
    world: World, door: Application
) -> None:
    device, (first, *_) = on_the_road(world, door)
    device.done("STOP_DELIVERED", stopId=first, recipientName="Ann", leftWith="NEIGHBOUR")
    stop = stop_of(device, first)
    assert (stop["recipientName"], stop["leftWith"]) == ("Ann", "NEIGHBOUR")
    link = world.client.get(f"/routes/{device.route_id}/stops/{first}/tracking-link").json()
    shown = device.http.get(f"/t/{link['url'].rpartition('/')[2]}.json").json()["delivered"]
    assert (shown["recipientName"], shown["leftWith"]) == ("Ann", "NEIGHBOUR")
    device.done("STOP_DELIVERED", stopId=first)
    corrected = stop_of(device, first)
    assert {"recipientName", "leftWith"}.isdisjoint(corrected)


def test_an_arrival_moves_what_is_expected_and_ends_an_order_that_was_left(
    world: World, door: Application
) -> None:
    device, (first, second, _) = on_the_road(world, door)
    world.client.post(f"/routes/{device.route_id}/reoptimize", {})
    before = stop_of(device, second)["updatedArrival"]
    listener = Listener(world)
    world.clock.advance(minutes=20)
    device.done("STOP_ARRIVED", stopId=first)
    at_door = stop_of(device, first)
    assert at_door["arrivedAt"] == "2024-07-01T06:50:00Z"
    assert at_door["updatedArrival"] == at_door["arrivedAt"]
    assert stop_of(device, second)["updatedArrival"] > before
    assert ("STOP_UPDATED", first) in listener.topics()
    device.done("STOP_DELIVERED", stopId=first)
    device.done("STOP_ARRIVED", stopId=first)
    assert stop_of(device, first)["arrivedAt"] == "2024-07-01T06:50:00Z"


@pytest.mark.both_databases
def test_a_slip_is_taken_back(world: World, door: Application) -> None:
    device, (first, *_) = on_the_road(world, door)
    device.done("STOP_ATTEMPTED", stopId=first, reason="REFUSED", note="no")
    listener = Listener(world)
    device.done("STOP_REOPENED", stopId=first)
    stop = stop_of(device, first)
    assert stop["deliveryStatus"] == "OUT_FOR_DELIVERY"
    assert (stop["attemptedReason"], stop["attemptedNote"]) == ("UNKNOWN", "")
    assert set(listener.topics()) == {("STOP_STATUS_UPDATED", first), ("STOP_UPDATED", first)}
    device.done("STOP_DELIVERED", stopId=first)
    assert stop_of(device, first)["deliveryStatus"] == "DELIVERED"


def test_a_stop_is_done_later(world: World, door: Application) -> None:
    device, (first, second, third) = on_the_road(world, door)
    listener = Listener(world)
    device.done("STOPS_REORDERED", stopIds=[third, second, "rst-gone"])
    assert [stop["id"] for stop in device.route()["stops"]] == [third, second, first]
    assert listener.topics() == [("ROUTE_UPDATED", device.route_id)]
    assert device.route()["optimized"] is False
    device.done("STOP_DELIVERED", stopId=third)
    device.done("STOPS_REORDERED", stopIds=[first])
    assert [stop["id"] for stop in device.route()["stops"]] == [third, first, second]


def test_a_locked_stop_keeps_its_place(world: World, door: Application) -> None:
    device, (first, second, third) = on_the_road(world, door)
    locked = {"routeStop": {"locked": True}, "updateMask": "locked"}
    path = f"/routes/{device.route_id}/stops/{first}"
    assert world.client.send("PATCH", path, json=locked).status_code == 200
    device.done("STOPS_REORDERED", stopIds=[third, second, first])
    assert [stop["id"] for stop in device.route()["stops"]] == [first, third, second]


def submit(device: Device, actions: list[Json], **fields: Json) -> Json:
    answer = device.post("/actions", {"actions": actions, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def test_a_wrong_clock_costs_nothing(world: World, door: Application) -> None:
    device, (first, *_) = on_the_road(world, door)
    a_day_ahead = {"at": "2024-07-02T06:20:00Z", "sentAt": "2024-07-02T06:30:00Z"}
    action = device.action("STOP_DELIVERED", stopId=first) | {"at": a_day_ahead["at"]}
    (result,) = submit(device, [action], sentAt=a_day_ahead["sentAt"])
    assert result["outcome"] == "APPLIED"
    assert stop_of(device, first)["updatedArrival"] == "2024-07-01T06:20:00Z"
    (line,) = [
        one
        for one in world.client.get("/driver-actions").json()["actions"]
        if one["kind"] == "STOP_DELIVERED"
    ]
    assert line["at"] == "2024-07-01T06:20:00Z"
    assert line["action"]["submittedAt"] == a_day_ahead["at"]
    (again,) = submit(device, [action], sentAt="2024-07-02T06:31:00Z")
    assert again == result


def test_a_clock_that_no_calendar_has_costs_nothing_either(world: World, door: Application) -> None:
    device, (first, *_) = on_the_road(world, door)
    action = device.action("STOP_DELIVERED", stopId=first) | {"at": "9999-12-31T23:00:00Z"}
    (result,) = submit(device, [action], sentAt="0001-01-01T00:00:00Z")
    assert result["outcome"] == "APPLIED"
    assert stop_of(device, first)["updatedArrival"] == stamp_now(world)


def stamp_now(world: World) -> str:
    return world.tools.clock.now().isoformat().replace("+00:00", "Z")


def test_a_device_learns_what_has_arrived(world: World, door: Application) -> None:
    device, (first, second, _) = on_the_road(world, door)
    photo = device.action("PHOTO", stopId=first, uploadId="7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5b")
    device.action("PROOF_NOTE", stopId=first, note="lost on the way")
    note = device.action("PROOF_NOTE", stopId=second, note="there")
    submit(device, [photo, note])
    state = device.get("/journal").json()
    assert state["lastSequence"] == note["sequence"]
    assert state["gaps"] == [note["sequence"] - 1]
    waiting = {"id": photo["id"], "kind": "PHOTO", "sequence": photo["sequence"]}
    assert state["waiting"] == [waiting]
    unknown = "00000000-0000-4000-8000-000000000000"
    known = device.post("/journal/known", {"ids": [note["id"], unknown]}).json()
    assert known == {"known": [note["id"]], "superseded": []}
    assert device.post("/journal/known", {"ids": []}).status_code == 400
