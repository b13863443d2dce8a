"""Vehicles and drivers as decisions §12 adds them."""

from typing import Any

import pytest
from tests.acceptance.contract.bodies import new_driver, new_route, new_stops, topics
from tests.acceptance.contract.installation import Client

VEHICLE: list[tuple[str, Any, Any]] = [
    ("name", "Van 2", None),
    ("make", "Ford", ""),
    ("model", "Transit", ""),
    ("year", 2021, 0),
    ("type", "CARGO_VAN", "UNKNOWN"),
    ("vin", "1FT", ""),
    ("license", "MD 1", ""),
]
DRIVER: list[tuple[str, Any, Any]] = [
    ("firstName", "Bo", None),
    ("lastName", "Lee", ""),
    ("phone", "+4930123456", ""),
    ("email", "bo@example.com", ""),
]


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("kind", "field", "value", "cleared"),
    [
        *(("vehicle", field, value, cleared) for field, value, cleared in VEHICLE),
        *(("driver", field, value, cleared) for field, value, cleared in DRIVER),
    ],
)
def test_each_field_is_set_and_cleared_by_mask(
    client: Client, kind: str, field: str, value: Any, cleared: Any
) -> None:
    make = {
        "vehicle": lambda: client.post("/vehicles", {"name": "Van"}),
        "driver": lambda: new_driver(client),
    }
    before = make[kind]()
    path = f"/{kind}s/{before['id']}"
    changed = client.patch(path, {kind: {field: value}, "updateMask": field})
    assert changed == {**before, field: value}
    assert client.get(path) == changed
    if cleared is None:
        refusal = client.refused("PATCH", path, {kind: {}, "updateMask": field})
        assert (refusal.short, refusal.fields) == ((400, 3), [f"{kind}.{field}"])
    else:
        assert client.patch(path, {kind: {}, "updateMask": field})[field] == cleared
    for mask in ("", "id", "status", "nope"):
        refusal = client.refused("PATCH", path, {kind: {field: value}, "updateMask": mask})
        assert (refusal.short, refusal.fields) == ((400, 3), ["updateMask"])


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        ("/vehicles", {}, ["name"]),
        ("/vehicles", {"name": ""}, ["name"]),
        ("/vehicles", {"name": "V", "year": -1}, ["year"]),
        ("/vehicles", {"name": "V", "year": 2020.5}, ["year"]),
        ("/vehicles", {"name": "x" * 1501}, ["name"]),
        ("/drivers", {"firstName": "A", "phone": "123"}, ["phone"]),
        ("/drivers", {"firstName": "A", "email": "x"}, ["email"]),
        ("/drivers", {"firstName": "A", "phone": "1", "email": "x"}, ["email", "phone"]),
    ],
)
def test_a_bad_member_of_the_fleet_is_refused_by_field(
    client: Client, path: str, body: Any, fields: list[str]
) -> None:
    refusal = client.refused("POST", path, body)
    assert (refusal.short, sorted(refusal.fields)) == ((400, 3), fields)
    assert client.get(path)[path.removeprefix("/")] == []


@pytest.mark.spec("decisions §12")
def test_a_pending_driver_gets_another_link(client: Client) -> None:
    made = client.post("/drivers", {"firstName": "Ann"})
    again = client.post(f"/drivers/{made['driver']['id']}/invite")
    assert again["id"] == made["driver"]["id"]
    assert topics(client) == []


@pytest.mark.spec("Route")
def test_a_route_shows_its_vehicle_and_driver_as_they_are_now(client: Client) -> None:
    vehicle, driver = client.post("/vehicles", {"name": "Van"}), new_driver(client)
    route = new_route(client, *new_stops(client, 1), vehicleId=vehicle["id"], driverId=driver["id"])
    client.patch(f"/vehicles/{vehicle['id']}", {"vehicle": {"name": "New"}, "updateMask": "name"})
    client.post(f"/drivers/{driver['id']}/deactivate")
    shown = client.get(f"/routes/{route['id']}")
    assert (shown["vehicle"]["name"], shown["driver"]["status"]) == ("New", "DEACTIVATED")
    assert client.refused("POST", f"/routes/{route['id']}/dispatch", {}).short == (400, 9)


@pytest.mark.spec("decisions §7")
def test_a_dispatch_that_ends_in_the_past_is_taken_and_over(client: Client) -> None:
    route = new_route(client, *new_stops(client, 1))
    until = "2020-01-01T00:00:00Z"
    path = f"/routes/{route['id']}"
    shown = client.post(f"{path}/dispatch", {"dispatchedUntil": until})
    assert shown["dispatchedUntil"] == until
    # Nobody can open it any more, so a driver who may not drive yet can be assigned.
    pending = new_driver(client, active=False)
    client.put(f"{path}/driver", {"driverId": pending["id"]})
