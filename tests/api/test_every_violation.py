"""Of a wrong body every violation is told in one answer, whatever rule it breaks."""

from typing import Any

import pytest
from tests.api.conftest import World

NOWHERE = {"city": "Xqzzyvk"}
HERE = {"latitude": 39.29, "longitude": -76.61}


def violations(response: Any) -> list[tuple[str, str]]:
    assert (response.status_code, response.json()["code"]) == (400, 3)
    told = response.json()["details"][0]["fieldViolations"]
    return sorted((one["field"], one["description"]) for one in told)


def fields(response: Any) -> list[str]:
    return [field for field, _ in violations(response)]


def new_route(world: World) -> str:
    made = world.client.post("/routes", {"start": {"coordinates": HERE}})
    return str(made.json()["id"])


@pytest.mark.spec("decisions §2")
def test_a_name_emptied_by_the_mask_is_told_beside_other_fields(world: World) -> None:
    driver = world.client.post("/drivers", {"firstName": "Dana"}).json()["driver"]
    body = {
        "driver": {"firstName": " ", "phone": "1", "nope": 1},
        "updateMask": "firstName,phone,status",
        "mask": 1,
    }
    refused = world.client.send("PATCH", f"/drivers/{driver['id']}", json=body)
    assert fields(refused) == [
        "driver.firstName",
        "driver.nope",
        "driver.phone",
        "mask",
        "updateMask",
    ]
    vehicle = world.client.post("/vehicles", {"name": "Van"}).json()
    body = {"vehicle": {"year": -1}, "updateMask": "name,year"}
    refused = world.client.send("PATCH", f"/vehicles/{vehicle['id']}", json=body)
    assert violations(refused) == [
        ("vehicle.name", "must not be empty"),
        ("vehicle.year", "must be between 0 and 9999"),
    ]
    assert world.client.get(f"/drivers/{driver['id']}").json() == driver
    assert world.client.get(f"/vehicles/{vehicle['id']}").json() == vehicle


@pytest.mark.spec("decisions §2")
def test_a_repeated_stop_is_told_beside_other_elements(world: World) -> None:
    stops = [{"clientStopId": name, "coordinates": HERE} for name in ("a", "b")]
    first, _ = world.client.post("/stops/imports", stops).json()["stops"]
    route_id = new_route(world)
    body = [
        {"clientStopId": "a"},
        {"clientStopId": "b"},
        {"importedStopId": first["id"]},
        {},
        {"importedStopId": 5},
        {"clientStopId": "unknown", "nope": 1},
        {"clientStopId": "unknown"},
    ]
    refused = world.client.post(f"/routes/{route_id}/stops", body)
    assert fields(refused) == [
        "[0].clientStopId",
        "[2].importedStopId",
        "[3].importedStopId",
        "[4].importedStopId",
        "[5].clientStopId",
        "[5].nope",
        "[6].clientStopId",
    ]
    assert world.client.get(f"/routes/{route_id}").json()["stops"] == []


@pytest.mark.spec("decisions §2")
def test_repeated_stops_and_orders_are_told_before_unknown_ones(world: World) -> None:
    route_id = new_route(world)
    body = [{"clientStopId": "x"}, {"clientStopId": "x"}]
    for path in (f"/routes/{route_id}/stops", "/routes/rte-unknown/stops"):
        refused = world.client.post(path, body)
        assert fields(refused) == ["[0].clientStopId", "[1].clientStopId"]


@pytest.mark.spec("decisions §2")
def test_a_repeated_order_is_told_beside_other_elements(world: World) -> None:
    route_id = new_route(world)
    body = [{"storeOrderId": "1"}, {"storeOrderId": "1", "itemSelection": "SOME"}, {}]
    refused = world.client.post(f"/routes/{route_id}/store-orders", body)
    assert fields(refused) == [
        "[0].storeOrderId",
        "[1].itemSelection",
        "[1].storeOrderId",
        "[2].storeOrderId",
    ]


RULES_BESIDE_MISSING_FIELDS: list[tuple[str, Any, list[str]]] = [
    (
        "/webhooks",
        {"topics": ["TEST", "TEST", "STOP_UPDATED", "STOP_STATUS_UPDATED"]},
        ["topics", "topics", "url"],
    ),
    ("/routes", {"end": {"address": NOWHERE}}, ["end.address", "start"]),
    (
        "/routes",
        {"end": {}, "start": {"address": {}, "no": 1}},
        ["end.address", "start.address", "start.no"],
    ),
    (
        "/stops/imports",
        [{"deliveryDate": {"month": 2, "day": 30}}],
        ["[0].address", "[0].deliveryDate.day", "[0].deliveryDate.year"],
    ),
    (
        "/stops/imports",
        [
            {
                "coordinates": {"latitude": 1},
                "type": "BREAK",
                "tasks": [{"items": [{}], "type": "TEXT_INPUT", "no": 1}],
            }
        ],
        ["[0].coordinates.longitude", "[0].tasks[0].items", "[0].tasks[0].no", "[0].type"],
    ),
]


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(("path", "body", "named"), RULES_BESIDE_MISSING_FIELDS)
def test_a_rule_is_told_beside_a_missing_field(
    world: World, path: str, body: Any, named: list[str]
) -> None:
    assert fields(world.client.post(path, body)) == named


@pytest.mark.spec("decisions §2")
def test_a_place_that_cannot_be_found_is_told_beside_other_fields(world: World) -> None:
    world.client.post("/stops/imports", [{"clientStopId": "a", "coordinates": HERE}])
    route_id = new_route(world)
    for path in ("/stops/imports/a/location", f"/routes/{route_id}/start/location"):

        def move(mask: str, path: str = path, **location: Any) -> list[str]:
            body = {"location": location, "updateMask": mask}
            return fields(world.client.send("PATCH", path, json=body))

        wrong = move("address,nope", address=NOWHERE, also=1)
        assert wrong == ["location.address", "location.also", "updateMask"]
        assert move("address,nope", address={}) == ["location.address", "updateMask"]
        # Where coordinates were meant nobody knows that the address is needed.
        assert move("address,coordinates", address={}) == ["location.coordinates"]
        assert move("nope", address={}) == ["updateMask"]
