"""Changing one stop of a route."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.api.busy_route import BusyRoute, busy_route
from tests.api.conftest import World
from tests.api.test_imported_stop_changes import UPDATES

from roundsman.storage.routes import find_route, save_route

HERE = {"latitude": 39.2, "longitude": -76.61}
TOWSON = {"city": "Towson", "provinceCode": "MD", "countryCode": "US"}
OUTDATING = {"timeWindows", "priority", "duration", "deliveryDate"}


@pytest.fixture
def busy(world: World) -> BusyRoute:
    return busy_route(world)


def update(busy: BusyRoute, mask: str, **fields: Any) -> Any:
    body = {"routeStop": fields, "updateMask": mask}
    return busy.patch(f"/stops/{busy.stops[0]}", body)


def read(busy: BusyRoute) -> Any:
    return busy.world.client.get(f"/routes/{busy.id}/stops/{busy.stops[0]}").json()


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("name", sorted(UPDATES.keys() - {"loads", "requiredSkills"}))
def test_every_updatable_field_is_set_cleared_and_outdates_the_order_or_not(
    busy: BusyRoute, name: str
) -> None:
    busy.reoptimized()
    before = read(busy)
    busy.world.clock.advance(minutes=1)
    after = update(busy, name, **{name: UPDATES[name]}).json()
    assert after[name] == UPDATES[name]
    assert after["updatedAt"] == "2024-07-01T06:01:00Z" > before["updatedAt"]
    assert read(busy) == after
    assert busy.read()["optimized"] is (name not in OUTDATING)
    cleared = update(busy, name).json()
    assert {**cleared, "updatedAt": before["updatedAt"]} == before
    assert busy.world.topics().count("ROUTE_UPDATED") == 4


@pytest.mark.spec("What the service does")
def test_an_edited_route_stop_leaves_the_imported_stop_and_the_other_stops(
    busy: BusyRoute,
) -> None:
    first, second = busy.read()["stops"]
    imported = f"/stops/imports/{first['importedStopId']}"
    before = busy.world.client.get(imported).json()
    busy.world.clock.advance(minutes=1)
    update(busy, "note", note="other")
    busy.put(f"/stops/{busy.stops[0]}/items", [])
    assert busy.world.client.get(imported).json() == before
    assert busy.read()["stops"][1] == second


@pytest.mark.spec("decisions §9")
def test_an_update_that_changes_nothing_keeps_the_order_and_tells_nothing(
    busy: BusyRoute,
) -> None:
    busy.reoptimized()
    before, route, events = read(busy), busy.read(), busy.world.count("events")
    busy.world.clock.advance(minutes=1)
    assert update(busy, "note,priority,timeWindows,duration", **before).json() == before
    assert busy.read() == route
    assert busy.world.count("events") == events


@pytest.mark.spec("decisions §7")
def test_a_longer_service_moves_the_arrivals_behind_it(busy: BusyRoute) -> None:
    before = busy.read()["stops"]
    update(busy, "duration", duration="600s")
    after = busy.read()["stops"]
    assert after[0]["plannedArrival"] == before[0]["plannedArrival"]
    assert after[1]["plannedArrival"] > before[1]["plannedArrival"]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"routeStop": {}, "updateMask": ""}, "updateMask"),
        ({"routeStop": {}, "updateMask": "items"}, "updateMask"),
        ({"routeStop": {}, "updateMask": "deliveryStatus"}, "updateMask"),
        ({"routeStop": {"coordinates": HERE}, "updateMask": "note"}, "routeStop.coordinates"),
        ({"routeStop": {"type": "BREAK"}, "updateMask": "type"}, "routeStop.type"),
        ({"routeStop": {"priority": -1}, "updateMask": "priority"}, "routeStop.priority"),
        (
            {"routeStop": {"orderReferenceUrl": "http://x.y"}, "updateMask": "orderReferenceUrl"},
            "routeStop.orderReferenceUrl",
        ),
        ({"importedStop": {}, "updateMask": "note"}, "importedStop"),
    ],
)
def test_a_wrong_update_is_named_and_changes_nothing(
    busy: BusyRoute, body: dict[str, Any], named: str
) -> None:
    before = busy.read()
    response = busy.patch(f"/stops/{busy.stops[0]}", body)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert busy.read() == before


@pytest.mark.spec("Route stops")
def test_a_stop_is_moved_by_address_or_by_coordinates(busy: BusyRoute) -> None:
    def move(mask: str, **location: Any) -> Any:
        body = {"location": location, "updateMask": mask}
        return busy.patch(f"/stops/{busy.stops[0]}/location", body)

    moved = move("address", address=TOWSON, plannedCoordinates=HERE).json()
    assert moved["address"]["city"] == "Towson"
    assert moved["plannedCoordinates"]["latitude"] == pytest.approx(39.4, abs=0.1)
    back = move("plannedCoordinates", plannedCoordinates=HERE).json()
    assert (back["plannedCoordinates"], back["address"]) == (HERE, moved["address"])
    assert read(busy) == back
    events = busy.world.count("events")
    for refused in (
        move("", address=TOWSON),
        move("coordinates", plannedCoordinates=HERE),
        move("address", plannedCoordinates=HERE),
        move("address", address={}),
        move("address", address={"city": "Xyzzyville", "countryCode": "US"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert busy.world.count("events") == events


@pytest.mark.spec("States and transitions")
def test_a_location_or_items_put_back_outdate_the_order_all_the_same(busy: BusyRoute) -> None:
    stop = f"/stops/{busy.reoptimized()['stops'][0]['id']}"
    before = read(busy)
    events = busy.world.count("events")
    busy.world.clock.advance(minutes=1)
    assert busy.put(f"{stop}/items", before["items"]).json() == before
    assert busy.read()["optimized"] is False
    there = {"plannedCoordinates": before["plannedCoordinates"]}
    body = {"location": there, "updateMask": "plannedCoordinates"}
    assert busy.patch(f"{stop}/location", body).json() == before
    assert busy.world.count("events") == events + 1


@pytest.mark.spec("Route stops")
def test_tasks_are_replaced_by_new_ones_that_nobody_has_begun(busy: BusyRoute) -> None:
    path = f"/stops/{busy.stops[0]}/tasks"
    done = {
        "title": "t",
        "type": "CHECKBOXES",
        "items": [{"id": "tsk-1", "title": "i", "completed": True}],
        "input": {"value": "v"},
    }
    (task,) = busy.put(path, [done]).json()["tasks"]
    assert task["items"][0]["completed"] is False
    assert "input" not in task
    assert task["items"][0]["id"] != "tsk-1"
    (again,) = busy.put(path, [task]).json()["tasks"]
    assert again["id"] != task["id"]
    assert read(busy)["tasks"] == [again]


@pytest.mark.spec("Known error bodies")
@pytest.mark.parametrize("source", [{"storeOrderId": "o"}, {"savedStopId": "sst-1"}, {}])
def test_a_stop_that_was_not_imported_is_not_edited(
    busy: BusyRoute, source: dict[str, str]
) -> None:
    _forget_import(busy, source)
    before = busy.read()
    path = f"/stops/{busy.stops[0]}"
    location = {"location": {"plannedCoordinates": HERE}, "updateMask": "plannedCoordinates"}
    for refused in (
        update(busy, "note", note="n"),
        busy.patch(f"{path}/location", location),
        busy.put(f"{path}/items", []),
        busy.put(f"{path}/tasks", []),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, 9)
        assert refused.json()["message"] == "route stop has no importedStopId"
    assert busy.read() == before
    assert busy.put(f"{path}/position", {"index": 1}).status_code == 200
    assert busy.delete(path).status_code == 200


def _forget_import(busy: BusyRoute, source: dict[str, str]) -> None:
    names = {"storeOrderId": "store_order_id", "savedStopId": "saved_stop_id"}
    fields = {"imported_stop_id": "", **{names[name]: value for name, value in source.items()}}
    organization = busy.world.credentials.organization_id
    with busy.world.tools.database.writing() as tx:
        stored = find_route(tx, organization, busy.id)
        assert stored is not None
        first, *others = stored.route.stops
        stops = (replace(first, **fields), *others)
        save_route(tx, organization, replace(stored.route, stops=stops), read=stored)
