"""The resources field by field: what an answer always shows, and what only when it is set."""

import re
from typing import Any

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    FULL_STOP,
    HERE,
    IN_JULY,
    TASK,
    at,
    new_driver,
    new_route,
    new_stops,
)
from tests.acceptance.contract.installation import Client

EMPTY_IMPORT = {
    "clientStopId": "",
    "coordinates": HERE,
    "items": [],
    "note": "",
    "priority": 0,
    "orderName": "",
    "requiredSkills": [],
    "timeWindows": [],
    "attributes": [],
    "tags": [],
    "tasks": [],
    "type": "UNKNOWN",
    "customSignatureDisclosure": "",
    "orderReferenceUrl": "",
}
EMPTY_ROUTE = {
    "name": "#1",
    "stops": [],
    "totalDistanceMeters": 0,
    "totalItemQuantity": 0,
    "totalItemGrams": "0",
    "optimized": False,
    "note": "",
    "tags": [],
    "maxStops": 0,
    "maxItemCount": 0,
    "maxKilograms": 0,
    "avoidTolls": False,
    "avoidUTurns": False,
    "speedFactor": 1,
}
UNSET_ON_A_ROUTE = {
    "driver",
    "vehicle",
    "end",
    "archivedAt",
    "scheduledFor",
    "dispatchedUntil",
    "defaultStopDuration",
    "maxDuration",
}
EMPTY_ROUTE_STOP = {
    "type": "UNKNOWN",
    "deliveryStatus": "UNKNOWN",
    "breakStatus": "UNKNOWN",
    "note": "",
    "plannedCoordinates": at(0.01),
    "items": [],
    "source": "IMPORTED_STOP",
    "storeOrderId": "",
    "savedStopId": "",
    "clientStopId": "",
    "proofOfDeliveryNote": "",
    "proofOfDeliveryPhotos": [],
    "proofOfDeliverySignatures": [],
    "proofOfDeliveryBarcodes": [],
    "proofOfDeliveryBarcodeIssues": [],
    "tasks": [],
    "priority": 0,
    "orderName": "",
    "orderReferenceUrl": "",
    "timeWindows": [],
    "attributes": [],
    "tags": [],
    "attemptedReason": "UNKNOWN",
    "attemptedNote": "",
    "customSignatureDisclosure": "",
}
UNSET_ON_A_ROUTE_STOP = {
    "address",
    "contact",
    "duration",
    "deliveryDate",
    "plannedArrival",
    "updatedArrival",
    "deliveredCoordinates",
    "customerRating",
    "storeOrder",
}
GIVEN = {"matchType": "GIVEN", "matchedAddress": ""}
SERVER_SET = {"id", "importedAt", "geocoding"}
IDS = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def has_id(value: str, prefix: str) -> bool:
    return re.fullmatch(f"{prefix}-{IDS}", value) is not None


@pytest.mark.spec("ImportedStop")
@pytest.mark.spec("decisions §1")
def test_a_bare_imported_stop_shows_every_unset_scalar(client: Client) -> None:
    answer = client.post("/stops/imports", [{"coordinates": HERE}])
    assert set(answer) == {"stops", "warnings"}
    assert answer["warnings"] == []
    (stop,) = answer["stops"]
    assert stop.pop("geocoding") == GIVEN
    assert has_id(stop.pop("id"), "ist")
    assert stop.pop("importedAt").endswith("Z")
    assert stop == EMPTY_IMPORT


@pytest.mark.spec("ImportedStop")
def test_a_full_imported_stop_comes_back_as_it_was_given(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    assert has_id(stop["id"], "ist")
    shown = {name: value for name, value in stop.items() if name not in SERVER_SET}
    assert shown == FULL_STOP
    assert client.get(f"/stops/imports/{stop['id']}") == stop


@pytest.mark.spec("Shared shapes")
@pytest.mark.spec("decisions §1")
def test_parts_of_shared_shapes_are_filled_in(client: Client) -> None:
    sparse = {
        "address": BALTIMORE,
        "coordinates": HERE,
        "contact": {"firstName": "Ann"},
        "items": [{"name": "Box"}],
        "timeWindows": [{"end": {"hours": 9}}, {"start": {"minutes": 5}}, {}],
        "tasks": [{"title": "Wave"}],
        "attributes": [{"key": "k"}],
        "deliveryDate": {"year": 2024, "month": 7, "day": 2},
    }
    (stop,) = client.post("/stops/imports", [sparse])["stops"]
    assert stop["address"] == {"address1": "", "address2": "", "zip": "", **BALTIMORE}
    rest = {"lastName": "", "company": "", "phone": "", "email": ""}
    assert stop["contact"] == {"firstName": "Ann", **rest}
    assert stop["items"] == [{"name": "Box", "quantity": 0, "grams": 0, "sku": ""}]
    assert stop["timeWindows"] == [
        {"end": {"hours": 9, "minutes": 0, "seconds": 0}},
        {"start": {"hours": 0, "minutes": 5, "seconds": 0}},
        {},
    ]
    assert stop["tasks"] == [
        {
            "title": "Wave",
            "type": "UNKNOWN",
            "items": [],
            "requiredToMarkStopAsDelivered": False,
            "requiredToMarkStopAsAttempted": False,
        }
    ]
    assert stop["attributes"] == [{"key": "k", "value": ""}]


@pytest.mark.spec("Route")
@pytest.mark.spec("decisions §1")
def test_a_bare_route_shows_every_unset_scalar_and_no_unset_object(client: Client) -> None:
    route = client.post("/routes", {"start": {"coordinates": HERE}})
    assert has_id(route["id"], "rte")
    assert {name: route[name] for name in EMPTY_ROUTE} == EMPTY_ROUTE
    assert not UNSET_ON_A_ROUTE & set(route)
    assert route["createdAt"].endswith("Z")
    assert route["updatedAt"].endswith("Z")
    unset = {"tasks": [], "status": "UNKNOWN", "photos": []}
    assert route["start"] == {"coordinates": HERE, "geocoding": GIVEN, **unset}
    named = {*EMPTY_ROUTE, "id", "createdAt", "updatedAt", "start"}
    assert set(route) - named == {"stopTasks", "status"}
    assert route["status"] == "UNSTARTED"
    assert type(route["maxStops"]) is int
    assert client.get(f"/routes/{route['id']}") == route


@pytest.mark.spec("Route")
@pytest.mark.spec("decisions §7")
def test_a_route_is_created_with_every_option(client: Client) -> None:
    vehicle = client.post("/vehicles", {"name": "Van 1", "type": "CARGO_VAN", "year": 2020})
    driver = new_driver(client)
    options = {
        "name": "Tuesday",
        "scheduledFor": IN_JULY,
        "note": "careful",
        "tags": ["a", "b"],
        "defaultStopDuration": "90s",
        "maxDuration": "3600s",
        "maxStops": 9,
        "maxItemCount": 99,
        "maxKilograms": 10.5,
        "avoidTolls": True,
        "avoidUTurns": True,
        "speedFactor": 1.5,
    }
    body = {
        **options,
        "start": {"address": BALTIMORE, "tasks": [TASK]},
        "end": {"coordinates": at(0.2), "tasks": [{"title": "Park"}]},
        "stopTasks": [{"title": "Wave"}],
        "vehicleId": vehicle["id"],
        "driverId": driver["id"],
    }
    route = client.post("/routes", body)
    assert {name: route[name] for name in options} == options
    assert route["vehicle"] == vehicle
    four = {name: driver[name] for name in ("id", "firstName", "lastName", "phone", "status")}
    assert {name: route["driver"][name] for name in four} == four
    assert route["start"]["scheduledStart"] == IN_JULY
    assert route["start"]["address"]["city"] == "Baltimore"
    assert 39 < route["start"]["coordinates"]["latitude"] < 40
    (task,) = route["start"]["tasks"]
    assert has_id(task["id"], "tsk")
    assert {name: task[name] for name in TASK if name != "items"} == {
        name: value for name, value in TASK.items() if name != "items"
    }
    assert [item["title"] for item in task["items"]] == ["Seal is whole", "Seal is ours"]
    assert "input" not in task
    assert route["end"]["status"] == "UNKNOWN"
    assert route["end"]["photos"] == []
    assert route["end"]["plannedArrival"] == route["end"]["updatedArrival"]
    assert route["end"]["distanceMeters"] == route["totalDistanceMeters"] > 0


@pytest.mark.spec("Route")
def test_unnamed_routes_are_counted_per_organization(client: Client) -> None:
    names = [new_route(client)["name"] for _ in range(3)]
    assert names == ["#1", "#2", "#3"]


@pytest.mark.spec("RouteStop")
@pytest.mark.spec("decisions §1")
def test_a_bare_route_stop_shows_every_unset_scalar_and_no_unset_object(client: Client) -> None:
    (imported,) = new_stops(client, 1)
    (stop,) = new_route(client, imported)["stops"]
    assert has_id(stop["id"], "rst")
    assert stop["importedStopId"] == imported["id"]
    assert {name: stop[name] for name in EMPTY_ROUTE_STOP} == EMPTY_ROUTE_STOP
    assert not UNSET_ON_A_ROUTE_STOP & set(stop)
    assert stop["distanceMeters"] > 0
    named = {*EMPTY_ROUTE_STOP, "id", "importedStopId", "distanceMeters", "updatedAt"}
    assert set(stop) == {*named, "geocoding", "locked"}
    assert stop["locked"] is False


@pytest.mark.spec("RouteStop")
def test_a_route_stop_inherits_what_the_imported_stop_says(client: Client) -> None:
    (imported,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client, imported, scheduledFor="2024-07-02T13:30:00Z")
    (stop,) = route["stops"]
    same = set(FULL_STOP) - {"coordinates", "tasks", "loads", "requiredSkills"}
    assert {name: stop[name] for name in same} == {name: FULL_STOP[name] for name in same}
    assert stop["plannedCoordinates"] == HERE
    assert stop["plannedArrival"] == stop["updatedArrival"]
    assert client.get(f"/routes/{route['id']}/stops/{stop['id']}") == stop


@pytest.mark.spec("States and transitions")
def test_a_missing_duration_takes_the_routes_default(client: Client) -> None:
    bare, slow = new_stops(client, 1)[0], new_stops(client, 1, duration="30s")[0]
    route = new_route(client)
    path = f"/routes/{route['id']}"
    mask = {"route": {"defaultStopDuration": "77s"}, "updateMask": "defaultStopDuration"}
    client.patch(path, mask)
    added = client.post(f"{path}/stops", [{"importedStopId": s["id"]} for s in (bare, slow)])
    assert [stop["duration"] for stop in added["stops"]] == ["77s", "30s"]


@pytest.mark.spec("Vehicles")
@pytest.mark.spec("Shared shapes")
def test_a_vehicle_has_its_fields(client: Client) -> None:
    bare = client.post("/vehicles", {"name": "Van"})
    assert has_id(bare["id"], "veh")
    assert bare.pop("createdTimestamp").endswith("Z")
    assert bare == {
        "id": bare["id"],
        "name": "Van",
        "make": "",
        "model": "",
        "year": 0,
        "type": "UNKNOWN",
        "vin": "",
        "license": "",
        "skills": [],
        "breaks": [],
        "maxStops": 0,
        "maxDistanceMeters": 0,
        "isArchived": False,
    }
    full = {
        "name": "Van",
        "make": "Ford",
        "model": "Transit",
        "year": 2021,
        "type": "CARGO_VAN",
        "vin": "1FT",
        "license": "MD 1",
    }
    made = client.post("/vehicles", full)
    assert {name: made[name] for name in full} == full
    assert client.get(f"/vehicles/{made['id']}") == made


@pytest.mark.spec("decisions §12")
def test_a_driver_has_its_fields(client: Client) -> None:
    body = {
        "firstName": "Dana",
        "lastName": "Diaz",
        "phone": "+14105550123",
        "email": "d@example.com",
    }
    made = client.post("/drivers", body)
    assert set(made) == {"driver", "inviteUrl"}
    driver = made["driver"]
    assert has_id(driver["id"], "drv")
    assert {name: driver[name] for name in body} == body
    assert driver["status"] == "PENDING"
    assert client.get(f"/drivers/{driver['id']}") == driver


@pytest.mark.spec("Webhooks")
def test_a_subscription_has_its_fields(client: Client) -> None:
    body = {"url": "http://127.0.0.1:9/in", "topics": ["ROUTE_CREATED", "TEST"]}
    hook = client.post("/webhooks", body)
    assert has_id(hook["id"], "sub")
    assert hook == {"id": hook["id"], **body, "payload": "FULL", "active": True}
    assert client.get("/webhooks") == {"webhooks": [hook]}


@pytest.mark.spec("Events, Body")
def test_an_event_has_its_fields(client: Client) -> None:
    route = new_route(client)
    page = client.get("/events")
    assert set(page) == {"events", "nextCursor"}
    (event,) = page["events"]
    assert has_id(event["eventId"], "evt")
    assert event["apiVersion"] == "V2024_07"
    assert event["organization"] == client.organization
    assert event["objectId"] == route["id"]
    assert event["payload"] == route
    assert event["user"]["email"] == "d@example.com"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", event["eventTimestamp"])


def typed(value: Any) -> Any:
    """Return the value's shape, types in place of values."""
    if isinstance(value, dict):
        return {name: typed(part) for name, part in value.items()}
    return [typed(part) for part in value] if isinstance(value, list) else type(value).__name__


@pytest.mark.spec("Shared shapes")
def test_numbers_keep_their_kind(client: Client) -> None:
    (stop,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    assert typed(stop["coordinates"]) == {"latitude": "float", "longitude": "float"}
    assert typed(stop["deliveryDate"]) == {"year": "int", "month": "int", "day": "int"}
    assert typed(stop["items"]) == [
        {"name": "str", "quantity": "int", "grams": "int", "sku": "str"}
    ]
