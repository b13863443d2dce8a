"""Arrivals on the road: what was planned stays, what is expected moves with the driver."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line
from tests.driver.device import Device, dispatch, sign_up

from roundsman.endpoints.application import Application

END = {"coordinates": {"latitude": 39.29, "longitude": -76.4}}


def planned(route: Any) -> list[str]:
    return [place["plannedArrival"] for place in (*route["stops"], route["end"])]


def expected(route: Any) -> list[datetime]:
    places = (*route["stops"], route["end"])
    return [datetime.fromisoformat(place["updatedArrival"]) for place in places]


def on_the_road(world: World, door: Application, stops: int = 3) -> tuple[Device, Any]:
    """Dispatch for 6:30 and leave at 6:40."""
    device = sign_up(world, door)
    dispatch(world, device, stops=stops, end=END)
    before = device.route()
    world.clock.advance(minutes=40)
    device.done("ROUTE_STARTED")
    return device, before


@pytest.mark.spec("decisions §7")
def test_a_late_start_moves_what_is_expected_and_not_what_was_planned(
    world: World, door: Application
) -> None:
    device, before = on_the_road(world, door)
    route = device.route()
    assert route["start"]["updatedStart"] == "2024-07-01T06:40:00Z"
    assert route["start"]["scheduledStart"] == "2024-07-01T06:30:00Z"
    assert planned(route) == planned(before)
    late = [after - was for was, after in zip(expected(before), expected(route), strict=True)]
    assert late == [timedelta(minutes=10)] * 4
    assert route["totalDistanceMeters"] == before["totalDistanceMeters"]


@pytest.mark.spec("decisions §7")
def test_each_stop_done_sets_the_arrivals_ahead(world: World, door: Application) -> None:
    device, before = on_the_road(world, door)
    on_time = expected(device.route())
    world.clock.advance(hours=1)
    device.done("STOP_DELIVERED", stopId=before["stops"][0]["id"])
    route = device.route()
    assert expected(route)[0] == datetime.fromisoformat("2024-07-01T07:40:00Z")
    assert planned(route) == planned(before)
    ahead = [after - was for was, after in zip(on_time, expected(route), strict=True)]
    assert ahead[1] == ahead[2] == ahead[3] == ahead[0] > timedelta(minutes=50)
    world.clock.advance(hours=1)
    device.done("STOP_ATTEMPTED", stopId=before["stops"][1]["id"], reason="OTHER")
    assert expected(device.route())[0] == expected(route)[0]
    assert expected(device.route())[2] > expected(route)[2] + timedelta(minutes=50)


@pytest.mark.spec("decisions §7")
def test_a_position_near_the_next_stop_brings_its_arrival_near(
    world: World, door: Application
) -> None:
    device, _ = on_the_road(world, door)
    first = device.route()["stops"][0]
    far = expected(device.route())[0]
    world.clock.advance(seconds=30)
    device.done("POSITION", position=first["plannedCoordinates"])
    near = expected(device.route())[0]
    now = datetime.fromisoformat("2024-07-01T06:40:30Z")
    assert now <= near < far
    world.clock.advance(seconds=-10)
    device.done("POSITION", position={"latitude": 39.0, "longitude": -76.0})
    assert expected(device.route())[0] == near


@pytest.mark.spec("decisions §7")
def test_a_planners_change_on_the_road_starts_from_the_driver(
    world: World, door: Application
) -> None:
    device, before = on_the_road(world, door)
    world.clock.advance(minutes=15)
    device.done("STOP_DELIVERED", stopId=before["stops"][0]["id"])
    route = device.route()
    moved = world.client.send(
        "PUT",
        f"/routes/{device.route_id}/stops/{before['stops'][2]['id']}/position",
        json={"index": 1},
    ).json()
    assert [stop["id"] for stop in moved["stops"]] == [
        before["stops"][number]["id"] for number in (0, 2, 1)
    ]
    assert moved["stops"][0]["updatedArrival"] == route["stops"][0]["updatedArrival"]
    assert moved["stops"][1]["plannedArrival"] == before["stops"][2]["plannedArrival"]
    now = datetime.fromisoformat("2024-07-01T06:55:00Z")
    assert now < expected(moved)[1] < expected(moved)[2] < expected(moved)[3]


@pytest.mark.spec("decisions §7")
def test_reoptimizing_on_the_road_keeps_what_is_done_and_plans_from_the_driver(
    world: World, door: Application
) -> None:
    device, before = on_the_road(world, door, stops=5)
    ids = [stop["id"] for stop in before["stops"]]
    world.clock.advance(minutes=5)
    device.done("STOP_DELIVERED", stopId=ids[0])
    world.clock.advance(minutes=10)
    device.done("POSITION", position=before["stops"][4]["plannedCoordinates"])
    path = f"/routes/{device.route_id}"
    world.client.send("PATCH", f"{path}/end/location", json=WEST)
    best = world.client.post(f"{path}/reoptimize", {"ignoreCompletedStops": True}).json()
    assert [stop["id"] for stop in best["stops"]] == [ids[0], ids[4], ids[3], ids[2], ids[1]]
    assert best["stops"][0]["plannedArrival"] == before["stops"][0]["plannedArrival"]
    now = datetime.fromisoformat("2024-07-01T06:55:00Z")
    assert now <= expected(best)[1] < expected(best)[2] < expected(best)[4]
    ahead = best["stops"][1:]
    assert [stop["plannedArrival"] for stop in ahead] == [stop["updatedArrival"] for stop in ahead]


WEST = {
    "location": {"coordinates": {"latitude": 39.29, "longitude": -76.61}},
    "updateMask": "coordinates",
}


@pytest.mark.spec("decisions §7")
def test_the_end_keeps_when_it_was_reached(world: World, door: Application) -> None:
    device, before = on_the_road(world, door)
    for stop in before["stops"]:
        world.clock.advance(minutes=10)
        device.done("STOP_DELIVERED", stopId=stop["id"])
    world.clock.advance(minutes=10)
    device.done("END_COMPLETED")
    route = device.route()
    assert route["end"]["updatedArrival"] == "2024-07-01T07:20:00Z"
    assert route["end"]["plannedArrival"] == before["end"]["plannedArrival"]
    world.clock.advance(minutes=10)
    device.done("POSITION", position=END["coordinates"])
    assert device.route()["end"]["updatedArrival"] == "2024-07-01T07:20:00Z"


def test_a_timetable_says_how_late_each_stop_was_or_is_expected_by_now(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)
    route = create_route(world, scheduledFor="2024-07-01T06:01:00Z", driverId=device.driver_id)
    window = {"duration": "300s", "timeWindows": [{"end": {"hours": 2, "minutes": 20}}]}
    add(world, route, import_line(world, 1, 2, 3, **window))
    world.client.post(f"/routes/{route}/dispatch", {})
    device.route_id = route

    def lateness() -> list[float]:
        places = world.client.get(f"/routes/{route}/timetable").json()["places"]
        return [float(place.get("lateness", "0s").removesuffix("s")) for place in places]

    assert lateness() == [0, 0, 0, 0]
    world.clock.advance(minutes=20)
    device.done("ROUTE_STARTED")
    world.clock.advance(minutes=4)
    first, second, _ = (stop["id"] for stop in device.route()["stops"])
    device.done("STOP_DELIVERED", stopId=first)  # at 2:24, of which five minutes were its service
    _, served, next_, last = lateness()
    assert served == 0
    assert 4 * 60 < next_ < last - 5 * 60
    assert not any("plannedLateness" in stop for stop in device.route()["stops"])
    world.clock.advance(minutes=26)
    device.done("STOP_DELIVERED", stopId=second)
    assert lateness()[2] == 25 * 60
