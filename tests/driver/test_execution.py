"""Driving a route: what each action makes of it, and what is told."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import TASKS, Device, Listener, dispatch, sign_up

from roundsman.endpoints.application import Application

HERE = {"latitude": 39.3, "longitude": -76.6}
END = {"coordinates": {"latitude": 39.29, "longitude": -76.5}}
BREAK = 'UPDATE routes SET body = replace(body, \'"type":"TASK"\', \'"type":"BREAK"\')'


def started(world: World, door: Application, **fields: Any) -> tuple[Device, list[str], Listener]:
    device = sign_up(world, door)
    dispatch(world, device, **fields)
    device.done("ROUTE_STARTED")
    return device, [stop["id"] for stop in device.route()["stops"]], Listener(world)


def moved(stop: str) -> list[tuple[str, str]]:
    return [("STOP_STATUS_UPDATED", stop), ("STOP_UPDATED", stop)]


@pytest.mark.spec("decisions §9")
def test_a_route_is_driven_and_every_step_is_told(world: World, door: Application) -> None:
    device = sign_up(world, door)
    route = dispatch(world, device)
    first, second = (stop["id"] for stop in device.route()["stops"])
    listener = Listener(world)
    device.done("ROUTE_STARTED")
    out = [("STOP_STATUS_UPDATED", id_) for id_ in (first, second)]
    assert listener.topics() == sorted([("ROUTE_STARTED", route), *out])
    assert {stop["deliveryStatus"] for stop in device.route()["stops"]} == {"OUT_FOR_DELIVERY"}
    assert device.route()["start"]["status"] == "STARTED"
    device.done("STOP_DELIVERED", stopId=first, position=HERE)
    heard = listener.fresh()
    assert sorted((event["topic"], event["objectId"]) for event in heard) == moved(first)
    assert heard[0]["user"] == {
        "driverId": device.driver_id,
        "ipAddress": "203.0.113.9",
        "userAgent": "Roundsman/1 (test)",
    }
    assert heard[0]["payload"] == device.route()
    stop = device.route()["stops"][0]
    assert (stop["deliveryStatus"], stop["deliveredCoordinates"]) == ("DELIVERED", HERE)
    device.done("STOP_ATTEMPTED", stopId=second, reason="NO_ACCESS", note="gate shut")
    assert listener.topics() == [("ROUTE_COMPLETED", route), *moved(second)]
    stop = device.route()["stops"][1]
    assert (stop["attemptedReason"], stop["attemptedNote"]) == ("NO_ACCESS", "gate shut")
    assert world.client.get(f"/routes/{device.route_id}").json() == device.route()


@pytest.mark.spec("decisions §8")
def test_a_route_with_an_end_is_completed_there(world: World, door: Application) -> None:
    device, (first, second), listener = started(world, door, end=END)
    device.done("STOP_DELIVERED", stopId=first)
    device.done("STOP_DELIVERED", stopId=second)
    assert "ROUTE_COMPLETED" not in {topic for topic, _ in listener.topics()}
    device.done("END_COMPLETED")
    assert listener.topics() == [("ROUTE_COMPLETED", device.route_id)]
    assert device.route()["end"]["status"] == "COMPLETED"
    device.done("END_COMPLETED")
    assert listener.topics() == []


@pytest.mark.spec("decisions §8")
def test_a_driver_corrects_until_the_route_is_completed(world: World, door: Application) -> None:
    device, (first, second), listener = started(world, door)
    device.done("STOP_ATTEMPTED", stopId=first, reason="REFUSED", note="no")
    device.done("STOP_DELIVERED", stopId=first)
    stop = device.route()["stops"][0]
    assert (stop["deliveryStatus"], stop["attemptedReason"], stop["attemptedNote"]) == (
        "DELIVERED",
        "UNKNOWN",
        "",
    )
    device.done("STOP_ATTEMPTED", stopId=first, reason="DAMAGED")
    assert listener.topics() == sorted(moved(first) * 3)
    device.done("STOP_DELIVERED", stopId=second)
    listener.topics()
    world.clock.advance(minutes=1)
    late = device.act("STOP_DELIVERED", stopId=first)
    assert (late["outcome"], late["reason"]) == ("KEPT", "ROUTE_COMPLETED")
    assert listener.topics() == []
    assert device.route()["stops"][0]["deliveryStatus"] == "ATTEMPTED_DELIVERY"


@pytest.mark.spec("decisions §8")
def test_nothing_is_delivered_before_the_route_has_started(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    stop = device.route()["stops"][0]["id"]
    listener = Listener(world)
    for kind, fields in (
        ("STOP_DELIVERED", {"stopId": stop}),
        ("STOP_ATTEMPTED", {"stopId": stop, "reason": "OTHER"}),
    ):
        refused = device.act(kind, **fields)
        assert refused["outcome"] == "REFUSED"
        assert "start the route first" in refused["message"]
    assert listener.topics() == []
    assert device.route()["stops"][0]["deliveryStatus"] == "UNKNOWN"


@pytest.mark.spec("decisions §8")
def test_required_tasks_are_done_before_the_move(world: World, door: Application) -> None:
    device, (first, _), listener = started(world, door, stopTasks=TASKS)
    seal, checks = device.route()["stops"][0]["tasks"]
    refused = device.act("STOP_DELIVERED", stopId=first)
    assert refused["outcome"] == "REFUSED"
    assert 'task "Seal"' in refused["fieldViolations"][0]["description"]
    blank = {"taskId": seal["id"], "value": " "}
    device.done("TASK_COMPLETED", **blank)
    assert device.act("STOP_DELIVERED", stopId=first)["outcome"] == "REFUSED"
    listener.topics()
    device.done("TASK_COMPLETED", taskId=seal["id"], value="S-1", inputMethod="SCANNED")
    device.done("TASK_ITEM_COMPLETED", taskId=checks["id"], itemId=checks["items"][1]["id"])
    assert listener.topics() == [("STOP_UPDATED", first)] * 2
    device.done("STOP_DELIVERED", stopId=first)
    seal, checks = device.route()["stops"][0]["tasks"]
    assert (seal["input"]["value"], seal["input"]["inputMethod"]) == ("S-1", "SCANNED")
    assert [item["completed"] for item in checks["items"]] == [False, True]
    assert listener.topics() == moved(first)


@pytest.mark.spec("decisions §9")
def test_tasks_of_start_and_end_are_told_as_theirs(world: World, door: Application) -> None:
    tasks = [{"title": "Load", "type": "TEXT_INPUT"}]
    terminus = {"coordinates": END["coordinates"], "tasks": tasks}
    device, _, listener = started(world, door, start=terminus, end=terminus)
    route = device.route()
    device.done("TASK_COMPLETED", taskId=route["start"]["tasks"][0]["id"], value="a")
    assert listener.topics() == [("ROUTE_START_STOP_UPDATED", device.route_id)]
    device.done("TASK_COMPLETED", taskId=route["end"]["tasks"][0]["id"], value="b")
    assert listener.topics() == [("ROUTE_END_STOP_UPDATED", device.route_id)]
    assert device.route()["end"]["tasks"][0]["input"]["value"] == "b"


@pytest.mark.spec("decisions §9")
def test_proof_is_kept_and_told(world: World, door: Application) -> None:
    device, (first, _), listener = started(world, door)
    device.done("PROOF_NOTE", stopId=first, note="at the porch")
    device.done("BARCODE", stopId=first, value="4006381333931")
    device.done("BARCODE_ISSUE", stopId=first, reason="ITEM_MISSING", note="one short")
    assert listener.topics() == [("STOP_UPDATED", first)] * 3
    stop = device.route()["stops"][0]
    assert stop["proofOfDeliveryNote"] == "at the porch"
    assert [code["value"] for code in stop["proofOfDeliveryBarcodes"]] == ["4006381333931"]
    (issue,) = stop["proofOfDeliveryBarcodeIssues"]
    assert (issue["reason"], issue["note"]) == ("ITEM_MISSING", "one short")
    assert issue["createdAt"] == "2024-07-01T06:00:00Z"


@pytest.mark.spec("decisions §8")
def test_a_break_is_taken_and_not_delivered(world: World, door: Application) -> None:
    device = sign_up(world, door)
    dispatch(world, device)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(BREAK.replace("TASK", "UNKNOWN"))
    first, second = (stop["id"] for stop in device.route()["stops"])
    device.done("ROUTE_STARTED")
    listener = Listener(world)
    assert device.act("STOP_DELIVERED", stopId=first)["fieldViolations"] == [
        {"field": "stopId", "description": "is a break"}
    ]
    device.done("BREAK_COMPLETED", stopId=first)
    assert listener.topics() == moved(first)
    device.done("BREAK_COMPLETED", stopId=second)
    assert listener.topics() == [("ROUTE_COMPLETED", device.route_id), *moved(second)]
    assert {stop["breakStatus"] for stop in device.route()["stops"]} == {"COMPLETED"}


@pytest.mark.spec("decisions §8")
def test_a_stop_added_on_the_road_goes_out_with_it(world: World, door: Application) -> None:
    device, stops, listener = started(world, door)
    imported = world.client.post("/stops/imports", [{"coordinates": HERE}]).json()["stops"][0]
    listener.topics()
    added = world.client.post(
        f"/routes/{device.route_id}/stops", [{"importedStopId": imported["id"]}]
    ).json()["stops"][2]
    assert added["deliveryStatus"] == "OUT_FOR_DELIVERY"
    assert listener.topics() == [("ROUTE_UPDATED", device.route_id)]
    for stop in (*stops, added["id"]):
        device.done("STOP_DELIVERED", stopId=stop)
    assert ("ROUTE_COMPLETED", device.route_id) in listener.topics()


@pytest.mark.spec("decisions §8")
def test_a_route_is_completed_when_its_last_open_stop_is_removed(
    world: World, door: Application
) -> None:
    device, (first, second), listener = started(world, door)
    device.done("STOP_DELIVERED", stopId=first)
    listener.topics()
    world.clock.advance(minutes=1)
    path = f"/routes/{device.route_id}/stops"
    world.client.send("DELETE", f"{path}/{second}")
    told = sorted([("ROUTE_UPDATED", device.route_id), ("ROUTE_COMPLETED", device.route_id)])
    assert listener.topics() == told
    world.clock.advance(minutes=1)
    late = device.act("STOP_ATTEMPTED", stopId=first, reason="REFUSED")
    assert (late["outcome"], late["reason"]) == ("KEPT", "ROUTE_COMPLETED")
    world.client.send("DELETE", f"{path}/{first}")
    assert listener.topics() == [("ROUTE_UPDATED", device.route_id)], "completed once"


@pytest.mark.spec("decisions §8")
def test_removing_stops_completes_no_route_that_has_not_begun_has_an_end_or_is_left_empty(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    cases: tuple[dict[str, Any], ...] = ({}, {"end": END})
    for fields in cases:
        dispatch(world, device, **fields)
        first, second = (stop["id"] for stop in device.route()["stops"])
        if fields:
            device.done("ROUTE_STARTED")
            device.done("STOP_DELIVERED", stopId=first)
        world.client.send("DELETE", f"/routes/{device.route_id}/stops/{second}")
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    both = ",".join(stop["id"] for stop in device.route()["stops"])
    world.client.send("DELETE", f"/routes/{device.route_id}/stops/{both}")
    assert "ROUTE_COMPLETED" not in world.topics()


@pytest.mark.spec("decisions §9")
def test_what_changes_nothing_tells_nothing(world: World, door: Application) -> None:
    device, (first, _), listener = started(world, door)
    device.done("STOP_DELIVERED", stopId=first)
    listener.topics()
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=first)
    device.done("POSITION", position=HERE)
    assert listener.topics() == []
