from typing import Any

import pytest
from tests.api.conftest import World

HERE = {"latitude": 39.29, "longitude": -76.61}


def imported(world: World, **fields: Any) -> Any:
    body = [{"coordinates": HERE, "clientStopId": "a", **fields}]
    return world.client.post("/stops/imports", body).json()["stops"][0]


def patch(world: World, mask: str, **fields: Any) -> Any:
    body = {"importedStop": fields, "updateMask": mask}
    return world.client.send("PATCH", "/stops/imports/a", json=body)


@pytest.mark.spec("Imported stops")
def test_only_masked_fields_apply_and_absent_ones_are_cleared(world: World) -> None:
    before = imported(world, note="n", priority=2, tags=["t"], duration="60s")
    after = patch(world, "priority , tags,duration", priority=5, note="ignored").json()
    assert after == {
        **{name: value for name, value in before.items() if name != "duration"},
        "priority": 5,
        "tags": [],
    }
    assert world.client.get("/stops/imports/a").json() == after
    assert world.topics() == ["IMPORTED_STOP_CREATED", "IMPORTED_STOP_UPDATED"]


@pytest.mark.spec("decisions §9")
def test_an_update_that_changes_nothing_tells_nothing(world: World) -> None:
    before = imported(world, note="n")
    assert patch(world, "note", note="n").json() == before
    assert world.count("events") == 1


@pytest.mark.spec("decisions §1")
def test_an_unmasked_field_still_has_a_form(world: World) -> None:
    imported(world)
    response = patch(world, "note", note="n", priority="high")
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == "importedStop.priority"


UPDATES: dict[str, Any] = {
    "timeWindows": [{"start": {"hours": 9, "minutes": 0, "seconds": 0}}],
    "attributes": [{"key": "k", "value": "v"}],
    "priority": 3,
    "duration": "90s",
    "orderName": "#1",
    "deliveryDate": {"year": 2024, "month": 7, "day": 1},
    "type": "PICKUP",
    "customSignatureDisclosure": "d",
    "orderReferenceUrl": "https://example.com/1",
    "note": "n",
    "contact": {"firstName": "A", "lastName": "", "company": "", "phone": "", "email": ""},
    "tags": ["t"],
    "loads": {"kilograms": 2.5},
    "requiredSkills": ["fridge"],
}


@pytest.mark.spec("decisions §6")
@pytest.mark.parametrize("name", UPDATES)
def test_every_updatable_field_is_set_and_cleared(world: World, name: str) -> None:
    before = imported(world)
    assert patch(world, name, **{name: UPDATES[name]}).json()[name] == UPDATES[name]
    assert patch(world, name).json() == before


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"importedStop": {}, "updateMask": ""}, "updateMask"),
        ({"importedStop": {}}, "updateMask"),
        ({"importedStop": {"note": "n"}, "updateMask": "note,nope"}, "updateMask"),
        ({"importedStop": {}, "updateMask": "items"}, "updateMask"),
        ({"importedStop": {"note": 5}, "updateMask": "note"}, "importedStop.note"),
        ({"importedStop": {"type": "BREAK"}, "updateMask": "type"}, "importedStop.type"),
        ({"importedStop": [], "updateMask": "note"}, "importedStop"),
        ({"stop": {}, "updateMask": "note"}, "stop"),
    ],
)
def test_a_wrong_update_is_named_and_changes_nothing(
    world: World, body: dict[str, Any], named: str
) -> None:
    before = imported(world)
    response = world.client.send("PATCH", "/stops/imports/a", json=body)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.client.get("/stops/imports/a").json() == before
    assert world.count("events") == 1


@pytest.mark.spec("Imported stops")
def test_a_location_is_moved_by_address_or_by_coordinates(world: World) -> None:
    imported(world)
    towson = {"city": "Towson", "provinceCode": "MD", "countryCode": "US"}

    def move(mask: str, **location: Any) -> Any:
        body = {"location": location, "updateMask": mask}
        return world.client.send("PATCH", "/stops/imports/a/location", json=body)

    moved = move("address", address=towson, coordinates=HERE).json()
    assert moved["address"]["city"] == "Towson"
    assert moved["coordinates"]["latitude"] == pytest.approx(39.4, abs=0.1)
    back = move("coordinates", coordinates=HERE).json()
    assert (back["coordinates"], back["address"]) == (HERE, moved["address"])
    for refused in (move(""), move("note"), move("address"), move("address", address={})):
        assert (refused.status_code, refused.json()["code"]) == (400, 3)


@pytest.mark.spec("Limits")
def test_items_and_tasks_are_replaced_within_their_limits(world: World) -> None:
    imported(world, items=[{"name": "old"}])
    put = world.client.send
    item = {"name": "x" * 1500, "quantity": 100_000, "grams": 1_000_000_000, "sku": ""}
    assert put("PUT", "/stops/imports/a/items", json=[item]).json()["items"] == [item]
    items = [{**item, "name": "Box of rolls"}] * 499
    assert put("PUT", "/stops/imports/a/items", json=items).json()["items"] == items
    assert put("PUT", "/stops/imports/a/items", json=[*items, {}]).json()["code"] == 3
    assert put("PUT", "/stops/imports/a/items", json=[{"name": "x" * 1501}]).json()["code"] == 3
    tasks = put("PUT", "/stops/imports/a/tasks", json=[{"id": "tsk-1", "title": "t"}]).json()
    assert [task["title"] for task in tasks["tasks"]] == ["t"]
    assert "id" not in tasks["tasks"][0]
    assert put("PUT", "/stops/imports/a/tasks", json=[{}] * 101).json()["code"] == 3


@pytest.mark.spec("decisions §6")
def test_a_deleted_stop_is_gone_and_its_route_stops_stay(world: World) -> None:
    stop = imported(world)
    route = world.client.post("/routes", {"start": {"coordinates": HERE}}).json()["id"]
    world.client.post(f"/routes/{route}/stops", [{"clientStopId": "a"}])
    listed = world.client.get("/stops/imports/a/routes").json()
    assert [one["id"] for one in listed["routes"]] == [route]
    deleted = world.client.send("DELETE", "/stops/imports/a")
    assert (deleted.status_code, deleted.json()) == (200, {})
    assert world.client.get("/stops/imports/a").status_code == 404
    kept = world.client.get(f"/routes/{route}").json()["stops"]
    assert [one["importedStopId"] for one in kept] == [stop["id"]]
    assert "IMPORTED_STOP_DELETED" in world.topics()
    assert world.client.send("DELETE", "/stops/imports/a").status_code == 404


@pytest.mark.spec("decisions §5")
def test_imports_are_listed_newest_first_by_import_oldest_first_by_update(world: World) -> None:
    for name in ("a", "b", "c"):
        imported(world, clientStopId=name)
        world.clock.advance(minutes=1)
    patch(world, "note", note="n")

    def walk(query: str) -> list[str]:
        seen: list[str] = []
        answer = world.client.get(f"/stops/imports?{query}").json()
        while True:
            seen += [stop["clientStopId"] for stop in answer["stops"]]
            if not answer["nextCursor"]:
                return seen
            answer = world.client.get(f"/stops/imports?cursor={answer['nextCursor']}").json()

    assert walk("query.limit=2") == ["c", "b", "a"]
    assert walk("query.limit=1&query.sortKey=UPDATED_AT") == ["b", "c", "a"]
    assert walk("query.timestampStart=2024-07-01T06:01:00Z") == ["c", "b"]
    route = world.client.post("/routes", {"start": {"coordinates": HERE}}).json()["id"]
    world.client.post(f"/routes/{route}/stops", [{"clientStopId": "b"}])
    assert walk("query.unrouted=true") == ["c", "a"]
    for wrong in ("query.limit=0", "query.sortKey=SCHEDULED_AT"):
        assert world.client.get(f"/stops/imports?{wrong}").json()["code"] == 3
