"""Routes and their stops: the specification's tables, decisions §7 and §12."""

from typing import Any

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    FULL_STOP,
    HERE,
    NOWHERE,
    TASK,
    UNKNOWN_UUID,
    at,
    new_route,
    new_stops,
    topics,
)
from tests.acceptance.contract.installation import Client

ORDER: dict[str, Any] = {
    "name": "#1001",
    "address": BALTIMORE,
    "contact": {"firstName": "Ann"},
    "items": [
        {"name": "Box", "quantity": 3, "grams": 100, "fulfilledQuantity": 1},
        {"name": "Bag", "quantity": 2, "grams": 50, "fulfilledQuantity": 2},
    ],
    "orderNote": "careful",
    "customerNote": "ring",
    "tags": ["vip"],
}


@pytest.mark.spec("Routes")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "start"),
        ({"start": {}}, "start"),
        ({"start": {"address": {}}}, "start.address"),
        ({"start": {"address": NOWHERE}}, "start.address"),
        ({"start": {"coordinates": {"latitude": 1}}}, "start.coordinates.longitude"),
        ({"start": {"coordinates": HERE}, "end": {}}, "end"),
        ({"start": {"coordinates": HERE}, "end": {"address": NOWHERE}}, "end.address"),
        ({"start": {"coordinates": HERE}, "vehicleId": "x"}, "vehicleId"),
    ],
)
def test_a_route_needs_a_start_that_can_be_found(client: Client, body: Any, field: str) -> None:
    refusal = client.refused("POST", "/routes", body)
    if field == "vehicleId":
        assert refusal.short == (404, 5)
    else:
        assert refusal.short == (400, 3)
        assert all(named.startswith(field) for named in refusal.fields)
        assert refusal.fields
    assert client.get("/routes")["routes"] == []
    assert topics(client) == []


@pytest.mark.spec("Routes")
@pytest.mark.spec("decisions §7")
def test_stops_are_appended_by_either_id_in_the_order_given(client: Client) -> None:
    named = [{"coordinates": at(0.1 * n), "clientStopId": f"c{n}"} for n in (1, 2, 3)]
    first, second, third = client.post("/stops/imports", named)["stops"]
    path = f"/routes/{new_route(client)['id']}/stops"
    client.post(path, [{"importedStopId": third["id"]}])
    route = client.post(path, [{"clientStopId": "c1"}, {"importedStopId": "c2"}])
    shown = [stop["importedStopId"] for stop in route["stops"]]
    assert shown == [third["id"], first["id"], second["id"]]
    assert {stop["source"] for stop in route["stops"]} == {"IMPORTED_STOP"}


@pytest.mark.spec("decisions §7")
@pytest.mark.spec("decisions §12")
def test_one_stop_that_cannot_be_added_keeps_all_off(client: Client) -> None:
    one, two = new_stops(client, 2)
    route = new_route(client, one)
    path = f"/routes/{route['id']}/stops"
    fine = {"importedStopId": two["id"]}
    wrong: list[tuple[Any, tuple[int, int]]] = [
        ([fine, {"importedStopId": f"ist-{UNKNOWN_UUID}"}], (404, 5)),
        ([fine, {"clientStopId": "nobody"}], (404, 5)),
        ([fine, fine], (400, 3)),
        ([fine, {"importedStopId": one["id"]}], (400, 9)),
        ([fine, {}], (400, 3)),
        ([fine, {"importedStopId": ""}], (400, 3)),
        ([], (400, 3)),
        ({}, (400, 3)),
    ]
    for body, code in wrong:
        assert client.refused("POST", path, body).short == code, body
        assert client.get(f"/routes/{route['id']}") == route


@pytest.mark.spec("decisions §7")
def test_two_hundred_stops_are_added_at_once_and_not_one_more(client: Client) -> None:
    stops = client.post("/stops/imports", [{"coordinates": at(0.001 * n)} for n in range(200)])
    path = f"/routes/{new_route(client, maxStops=3)['id']}/stops"
    elements = [{"importedStopId": stop["id"]} for stop in stops["stops"]]
    refusal = client.refused("POST", path, [*elements, {"clientStopId": "one-more"}])
    assert refusal.short == (400, 3)
    assert len(client.post(path, elements)["stops"]) == 200


@pytest.mark.spec("decisions §7")
def test_stops_are_removed_all_or_none(client: Client) -> None:
    route = new_route(client, *new_stops(client, 4))
    path = f"/routes/{route['id']}/stops"
    a, b, c, d = [stop["id"] for stop in route["stops"]]
    assert client.refused("DELETE", f"{path}/{a},rst-{UNKNOWN_UUID}").short == (404, 5)
    assert client.get(f"/routes/{route['id']}") == route
    left = client.delete(f"{path}/{b},{c}")
    assert [stop["id"] for stop in left["stops"]] == [a, d]
    assert client.refused("GET", f"{path}/{b}").short == (404, 5)
    assert [stop["id"] for stop in client.delete(f"{path}/{d}")["stops"]] == [a]


@pytest.mark.spec("Route stops")
@pytest.mark.parametrize(("index", "order"), [(0, "dabc"), (1, "adbc"), (2, "abdc"), (3, "abcd")])
def test_a_position_is_the_index_in_the_end(client: Client, index: int, order: str) -> None:
    route = new_route(client, *new_stops(client, 4))
    ids = [stop["id"] for stop in route["stops"]]
    path = f"/routes/{route['id']}/stops/{ids[3]}/position"
    moved = client.put(path, {"index": index})
    assert [stop["id"] for stop in moved["stops"]] == [ids["abcd".index(name)] for name in order]
    assert client.get(f"/routes/{route['id']}") == moved


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("body", [{}, {"index": -1}, {"index": 2}, {"index": 0.0}, {"index": None}])
def test_a_position_must_be_on_the_route(client: Client, body: Any) -> None:
    route = new_route(client, *new_stops(client, 2))
    path = f"/routes/{route['id']}/stops/{route['stops'][0]['id']}/position"
    refusal = client.refused("PUT", path, body)
    assert (refusal.short, refusal.fields) == ((400, 3), ["index"])
    assert client.get(f"/routes/{route['id']}") == route


@pytest.mark.spec("Route stops")
@pytest.mark.spec("Limits")
def test_items_of_a_route_stop_are_replaced_within_250(client: Client) -> None:
    route = new_route(client, *new_stops(client, 1))
    path = f"/routes/{route['id']}/stops/{route['stops'][0]['id']}/items"
    item = {"name": "Box of rolls", "quantity": 100_000, "grams": 1_000_000_000, "sku": ""}
    assert client.put(path, [{**item, "name": "x" * 1500}])["items"][0]["name"] == "x" * 1500
    assert len(client.put(path, [item] * 250)["items"]) == 250
    total = client.get(f"/routes/{route['id']}")
    assert total["totalItemQuantity"] == 25_000_000
    assert total["totalItemGrams"] == str(250 * 100_000 * 1_000_000_000)
    refusal = client.refused("PUT", path, [item] * 251)
    assert refusal.short == (400, 3)
    for field, value in (("name", "x" * 1501), ("quantity", 100_001), ("grams", 1_000_000_001)):
        refusal = client.refused("PUT", path, [{**item, field: value}])
        assert (refusal.short, refusal.fields) == ((400, 3), [f"[0].{field}"])


@pytest.mark.spec("Route stops")
def test_tasks_of_a_route_stop_are_replaced_by_new_ones(client: Client) -> None:
    (imported,) = client.post("/stops/imports", [FULL_STOP])["stops"]
    route = new_route(client, imported)
    stop = route["stops"][0]
    path = f"/routes/{route['id']}/stops/{stop['id']}/tasks"
    again = client.put(path, stop["tasks"])["tasks"]
    old, new = stop["tasks"][0], again[0]
    assert new["id"] != old["id"]
    assert new["title"] == old["title"] == TASK["title"]
    assert [item["title"] for item in new["items"]] == [item["title"] for item in old["items"]]
    assert client.put(path, [])["tasks"] == []
    assert client.refused("PUT", path, [{"title": "x", "type": "NO"}]).short == (400, 3)


@pytest.mark.spec("Routes")
@pytest.mark.parametrize("place", ["start", "end"])
def test_tasks_of_a_start_or_an_end_are_replaced(client: Client, place: str) -> None:
    route = new_route(client, end={"coordinates": at(0.1)})
    path = f"/routes/{route['id']}/{place}/tasks"
    first = client.put(path, [TASK])[place]["tasks"]
    second = client.put(path, first)[place]["tasks"]
    assert first[0]["id"] != second[0]["id"]
    assert second[0]["title"] == TASK["title"]
    assert client.put(path, [])[place]["tasks"] == []
    assert client.refused("PUT", path, [{"title": "t"}] * 101).short == (400, 3)


@pytest.mark.spec("Known error bodies")
def test_tasks_of_an_end_need_an_end(client: Client) -> None:
    path = f"/routes/{new_route(client)['id']}/end/tasks"
    assert client.refused("PUT", path, [TASK]).short == (400, 9)


@pytest.mark.spec("Routes")
def test_orders_become_stops_with_what_the_order_says(client: Client) -> None:
    client.put("/store-orders/1001", ORDER)
    client.put("/store-orders/1002", ORDER)
    route = new_route(
        client, defaultStopDuration="60s", stopTasks=[{"title": "Wave"}], name="Orders"
    )
    path = f"/routes/{route['id']}"
    body = [
        {"storeOrderId": "1001", "itemSelection": "PREFER_UNFULFILLED"},
        {"storeOrderId": "1002", "itemSelection": "ALL"},
    ]
    some, everything = client.post(f"{path}/store-orders", body)["stops"]
    assert (some["source"], some["storeOrderId"]) == ("STORE_ORDER", "1001")
    assert some["importedStopId"] == ""
    assert some["storeOrder"] == {"orderNote": "careful", "customerNote": "ring"}
    assert [(item["name"], item["quantity"]) for item in some["items"]] == [("Box", 2)]
    assert [item["quantity"] for item in everything["items"]] == [3, 2]
    assert some["address"]["city"] == "Baltimore"
    assert (some["duration"], some["tasks"][0]["title"]) == ("60s", "Wave")
    told = client.get("/stops/store/1001/routes")
    assert [found["id"] for found in told["routes"]] == [route["id"]]
    for kind, request in (
        ("PATCH", {"routeStop": {"note": "x"}, "updateMask": "note"}),
        ("PUT items", []),
        ("PUT tasks", []),
        (
            "PATCH location",
            {"location": {"plannedCoordinates": HERE}, "updateMask": "plannedCoordinates"},
        ),
    ):
        method, _, tail = kind.partition(" ")
        target = f"{path}/stops/{some['id']}" + (f"/{tail}" if tail else "")
        assert client.refused(method, target, request).short == (400, 9)


@pytest.mark.spec("Routes")
@pytest.mark.spec("decisions §12")
def test_one_order_that_cannot_be_added_keeps_all_off_and_each_is_named(client: Client) -> None:
    client.put("/store-orders/good", ORDER)
    client.put("/store-orders/lost", {**ORDER, "address": NOWHERE})
    client.put("/store-orders/none", {"name": "#3"})
    route = new_route(client)
    path = f"/routes/{route['id']}/store-orders"
    names = ("good", "lost", "none", "unknown")
    refusal = client.refused("POST", path, [{"storeOrderId": name} for name in names])
    assert refusal.short == (400, 9)
    said = [violation["subject"] + violation["description"] for violation in refusal.preconditions]
    assert len(said) == 3
    for name in ("lost", "none", "unknown"):
        assert any(name in line for line in said)
    assert client.get(f"/routes/{route['id']}") == route
    assert client.get("/stops/store/good/routes") == {"routes": []}
    assert client.refused("POST", path, []).short == (400, 3)
    bad = [{"storeOrderId": "good", "itemSelection": "SOME"}]
    refusal = client.refused("POST", path, bad)
    assert (refusal.short, refusal.fields) == ((400, 3), ["[0].itemSelection"])
    many = [{"storeOrderId": f"o{n}"} for n in range(201)]
    assert client.refused("POST", path, many).short == (400, 3)


@pytest.mark.spec("Routes")
@pytest.mark.spec("decisions §12")
def test_resync_refreshes_orders_and_nothing_else(client: Client) -> None:
    stops = new_stops(client, 1)
    route = new_route(client, *stops)
    path = f"/routes/{route['id']}"
    told = topics(client)
    assert client.post(f"{path}/resync-orders") == route
    assert client.post(f"{path}/resync-orders", {}) == route
    assert topics(client) == told
    client.put("/store-orders/1001", ORDER)
    client.post(f"{path}/store-orders", [{"storeOrderId": "1001"}])
    done = [{**item, "fulfilledQuantity": 0} for item in ORDER["items"]]
    client.put("/store-orders/1001", {**ORDER, "items": done, "tags": ["x"], "orderNote": "new"})
    fresh = client.post(f"{path}/resync-orders", {})["stops"][1]
    assert [item["quantity"] for item in fresh["items"]] == [3, 2]
    assert (fresh["tags"], fresh["storeOrder"]["orderNote"]) == (["x"], "new")
