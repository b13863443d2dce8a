"""Dispatching, and who may be assigned and dispatched to: decisions §7 and §12."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.acceptance.contract.bodies import HERE, new_driver, new_route, new_stops, topics
from tests.acceptance.contract.installation import Client


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.spec("decisions §7")
def test_a_dispatch_lasts_a_day_past_the_later_of_now_and_the_planned_end(
    client: Client,
) -> None:
    planned = new_route(client, *new_stops(client, 3), scheduledFor="2099-07-02T12:00:00Z")
    path = f"/routes/{planned['id']}/dispatch"
    until = moment(client.post(path, {})["dispatchedUntil"])
    assert until >= moment(planned["stops"][-1]["plannedArrival"]) + timedelta(hours=24)
    assert until <= moment(planned["stops"][-1]["plannedArrival"]) + timedelta(hours=25)
    past = new_route(client, *new_stops(client, 3), scheduledFor="2020-07-02T12:00:00Z")
    dispatched = client.post(f"/routes/{past['id']}/dispatch", {})
    left = moment(dispatched["dispatchedUntil"]) - moment(dispatched["updatedAt"])
    assert abs(left - timedelta(hours=24)) < timedelta(seconds=5)


@pytest.mark.spec("decisions §7")
def test_dispatching_again_moves_the_end_and_undispatching_takes_it_away(client: Client) -> None:
    route = new_route(client, *new_stops(client, 1), scheduledFor="2024-07-02T12:00:00Z")
    path = f"/routes/{route['id']}/dispatch"
    told = len(topics(client))
    first = {"dispatchedUntil": "2099-01-01T00:00:00+01:00"}
    assert client.post(path, first)["dispatchedUntil"] == "2098-12-31T23:00:00Z"
    second = {"dispatchedUntil": "2099-02-01T00:00:00Z"}
    assert client.post(path, second)["dispatchedUntil"] == "2099-02-01T00:00:00Z"
    assert "dispatchedUntil" not in client.delete(path)
    quiet = client.get(f"/routes/{route['id']}")
    assert client.delete(path) == quiet
    assert topics(client, told) == ["ROUTE_DISPATCHED", "ROUTE_DISPATCHED", "ROUTE_UPDATED"]


@pytest.mark.spec("decisions §7")
def test_a_dispatch_needs_a_stop(client: Client) -> None:
    empty = new_route(client)
    assert client.refused("POST", f"/routes/{empty['id']}/dispatch", {}).short == (400, 9)
    route = new_route(client, *new_stops(client, 1))
    path = f"/routes/{route['id']}/dispatch"
    for bad in ("2099-01-01T00:00:00", "tomorrow", 1):
        refusal = client.refused("POST", path, {"dispatchedUntil": bad})
        assert (refusal.short, refusal.fields) == ((400, 3), ["dispatchedUntil"])


@pytest.mark.spec("decisions §7")
def test_a_route_without_a_schedule_shows_arrivals_once_dispatched(client: Client) -> None:
    route = new_route(client, *new_stops(client, 2))
    assert not any("plannedArrival" in stop for stop in route["stops"])
    assert "scheduledStart" not in route["start"]
    dispatched = client.post(f"/routes/{route['id']}/dispatch", {})
    arrivals = [stop["plannedArrival"] for stop in dispatched["stops"]]
    assert arrivals == sorted(arrivals)
    assert moment(arrivals[0]) > moment(dispatched["updatedAt"])


def change_driver(client: Client, verb: str, driver: Any) -> None:
    client.post(f"/drivers/{driver['id']}/{verb}")


@pytest.mark.spec("decisions §7")
@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("status", "assigned", "dispatched"),
    [
        ("PENDING", True, False),
        ("ACTIVE", True, True),
        ("DEACTIVATED", True, False),
        ("ARCHIVED", False, False),
    ],
)
def test_who_may_be_assigned_and_dispatched_to(
    client: Client, status: str, *, assigned: bool, dispatched: bool
) -> None:
    driver = new_driver(client, active=status != "PENDING")
    verbs = {"DEACTIVATED": "deactivate", "ARCHIVED": "archive"}
    if status in verbs:
        change_driver(client, verbs[status], driver)
    assert client.get(f"/drivers/{driver['id']}")["status"] == status
    route = new_route(client, *new_stops(client, 1))
    path = f"/routes/{route['id']}"
    if not assigned:
        body = {"driverId": driver["id"]}
        assert client.refused("PUT", f"{path}/driver", body).short == (400, 9)
        created = {"start": {"coordinates": HERE}, "driverId": driver["id"]}
        assert client.refused("POST", "/routes", created).short == (400, 9)
        return
    given = client.put(f"{path}/driver", {"driverId": driver["id"]})
    assert given["driver"]["id"] == driver["id"]
    assert given["driver"]["status"] == status
    if dispatched:
        assert "dispatchedUntil" in client.post(f"{path}/dispatch", {})
    else:
        assert client.refused("POST", f"{path}/dispatch", {}).short == (400, 9)
        assert client.get(path) == given


@pytest.mark.spec("decisions §12")
def test_a_dispatch_goes_over_to_an_active_driver_or_is_open(client: Client) -> None:
    first, second, pending = (
        new_driver(client),
        new_driver(client),
        new_driver(client, active=False),
    )
    route = new_route(client, *new_stops(client, 1))
    path = f"/routes/{route['id']}"
    client.put(f"{path}/driver", {"driverId": first["id"]})
    until = client.post(f"{path}/dispatch", {})["dispatchedUntil"]
    refusal = client.refused("PUT", f"{path}/driver", {"driverId": pending["id"]})
    assert refusal.short == (400, 9)
    over = client.put(f"{path}/driver", {"driverId": second["id"]})
    assert (over["driver"]["id"], over["dispatchedUntil"]) == (second["id"], until)
    free = client.delete(f"{path}/driver")
    assert "driver" not in free
    assert free["dispatchedUntil"] == until
    assert client.delete(f"{path}/driver") == free


@pytest.mark.spec("Routes")
def test_a_vehicle_is_assigned_and_taken_away(client: Client) -> None:
    vehicle = client.post("/vehicles", {"name": "Van"})
    gone = client.post("/vehicles", {"name": "Old"})
    archived = client.post(f"/vehicles/{gone['id']}/archive")
    assert archived["isArchived"] is True
    path = f"/routes/{new_route(client)['id']}/vehicle"
    assert client.put(path, {"vehicleId": vehicle["id"]})["vehicle"] == vehicle
    assert client.refused("PUT", path, {"vehicleId": gone["id"]}).short == (400, 9)
    for bad in ({}, {"vehicleId": ""}, {"vehicleId": 1}):
        refusal = client.refused("PUT", path, bad)
        assert (refusal.short, refusal.fields) == ((400, 3), ["vehicleId"])
    free = client.delete(path)
    assert "vehicle" not in free
    assert client.delete(path) == free
    assert client.delete(f"/vehicles/{gone['id']}/archive")["isArchived"] is False
