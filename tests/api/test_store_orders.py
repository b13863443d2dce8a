from typing import Any

import pytest
from tests.api.conftest import World

START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
TOWSON = {"address1": "1 Main St", "city": "Towson", "provinceCode": "MD", "countryCode": "US"}
UNKNOWN_ROUTE = "rte-00000000-0000-4000-8000-000000000000"
ORDER = {
    "name": "#1001",
    "address": TOWSON,
    "contact": {"firstName": "Ann", "phone": "+14105550123"},
    "items": [
        {"name": "Box", "quantity": 3, "grams": 200, "sku": "B", "fulfilledQuantity": 1},
        {"name": "Bag", "quantity": 1, "grams": 100, "sku": "G", "fulfilledQuantity": 1},
    ],
    "orderNote": "fragile",
    "customerNote": "ring twice",
    "tags": ["vip"],
}


def push(world: World, id_: str, **fields: Any) -> Any:
    return world.client.send("PUT", f"/store-orders/{id_}", json={**ORDER, **fields})


def create_route(world: World, **fields: Any) -> str:
    response = world.client.post("/routes", {"start": START, **fields})
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def add(world: World, route: str, *ids: str, **fields: Any) -> Any:
    body = [{"storeOrderId": id_, **fields} for id_ in ids]
    return world.client.post(f"/routes/{route}/store-orders", body)


def resync(world: World, route: str) -> Any:
    return world.client.send("POST", f"/routes/{route}/resync-orders")


def quantities(route: Any) -> list[list[tuple[str, int]]]:
    return [[(i["name"], i["quantity"]) for i in stop["items"]] for stop in route["stops"]]


@pytest.mark.spec("decisions §12")
def test_an_order_is_kept_as_pushed_and_replaced_when_pushed_again(world: World) -> None:
    first = push(world, "gid%3A%2F%2Fshop%2F1001")
    assert first.status_code == 200, first.text
    order = first.json()
    assert order["id"] == "gid://shop/1001"
    assert order["items"] == ORDER["items"]
    for name in ("name", "address", "orderNote", "customerNote", "tags"):
        kept = {k: v for k, v in order[name].items() if v} if name == "address" else order[name]
        assert kept == ORDER[name]
    second = world.client.send("PUT", "/store-orders/gid%3A%2F%2Fshop%2F1001", json=order)
    assert second.json() == order
    emptied = world.client.send("PUT", "/store-orders/gid%3A%2F%2Fshop%2F1001", json={}).json()
    assert (emptied["items"], emptied["tags"], emptied["name"]) == ([], [], "")
    assert "address" not in emptied
    assert (world.count("store_orders"), world.count("events")) == (1, 0)


BAD_ORDERS: list[tuple[dict[str, Any], str]] = [
    ({"name": "x" * 1_501}, "name"),
    ({"orderNote": "x" * 10_001}, "orderNote"),
    ({"customerNote": "x" * 10_001}, "customerNote"),
    ({"tags": ["t"] * 101}, "tags"),
    ({"items": [{}] * 500}, "items"),
    ({"items": [{"quantity": -1}]}, "items[0].quantity"),
    ({"items": [{"quantity": 100_001}]}, "items[0].quantity"),
    ({"items": [{"quantity": 1, "fulfilledQuantity": 2}]}, "items[0].fulfilledQuantity"),
    ({"contact": {"phone": "1"}}, "contact.phone"),
    ({"notes": "x"}, "notes"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("fields", "named"), BAD_ORDERS, ids=lambda value: str(value)[:40])
def test_a_bad_order_is_refused_by_field_and_not_kept(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = push(world, "1001", **fields)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.count("store_orders") == 0


@pytest.mark.spec("decisions §1")
def test_an_order_id_has_a_length_and_no_nul(world: World) -> None:
    assert push(world, "x" * 255).status_code == 200
    assert push(world, "x" * 256).json()["code"] == 3
    assert push(world, "a%00b").status_code == 404
    assert world.client.get("/vehicles/a%00b").status_code == 404


@pytest.mark.spec("Routes")
def test_added_orders_are_appended_with_what_the_order_says(world: World) -> None:
    options = {"defaultStopDuration": "90s", "stopTasks": [{"title": "photo"}]}
    route_id = create_route(world, scheduledFor="2024-07-02T08:00:00Z", **options)
    imported = world.client.post("/stops/imports", [START]).json()["stops"][0]["id"]
    world.client.post(f"/routes/{route_id}/stops", [{"importedStopId": imported}])
    assert world.client.post(f"/routes/{route_id}/reoptimize", {}).json()["optimized"] is True
    push(world, "1001")
    route = add(world, route_id, "1001", itemSelection="PREFER_UNFULFILLED").json()
    stop = route["stops"][1]
    assert (stop["source"], stop["storeOrderId"]) == ("STORE_ORDER", "1001")
    assert stop["storeOrder"] == {"orderNote": "fragile", "customerNote": "ring twice"}
    assert (stop["note"], stop["orderName"], stop["tags"]) == ("fragile", "#1001", ["vip"])
    assert stop["address"]["city"] == "Towson"
    assert stop["plannedCoordinates"]["latitude"] == pytest.approx(39.4, abs=0.1)
    assert stop["contact"]["firstName"] == "Ann"
    assert (stop["duration"], [task["title"] for task in stop["tasks"]]) == ("90s", ["photo"])
    assert stop["items"] == [{"name": "Box", "quantity": 2, "grams": 200, "sku": "B"}]
    assert (stop["importedStopId"], route["optimized"]) == ("", True)
    assert stop["plannedArrival"] > route["stops"][0]["plannedArrival"]
    assert world.client.get(f"/routes/{route_id}").json() == route
    assert world.topics().count("ROUTE_UPDATED") == 3


@pytest.mark.spec("decisions §8")
@pytest.mark.parametrize(
    ("selection", "fulfilled", "carried"),
    [
        (None, (1, 1), [("Box", 2)]),
        ("UNKNOWN", (0, 1), [("Box", 3)]),
        ("PREFER_UNFULFILLED", (0, 0), [("Box", 3), ("Bag", 1)]),
        ("PREFER_UNFULFILLED", (3, 1), [("Box", 3), ("Bag", 1)]),
        ("ALL", (1, 1), [("Box", 3), ("Bag", 1)]),
    ],
)
def test_the_selection_says_which_items_go(
    world: World,
    selection: str | None,
    fulfilled: tuple[int, int],
    carried: list[tuple[str, int]],
) -> None:
    lines = [("Box", 3, fulfilled[0]), ("Bag", 1, fulfilled[1])]
    items = [{"name": n, "quantity": q, "fulfilledQuantity": f} for n, q, f in lines]
    push(world, "1001", items=items)
    chosen = {} if selection is None else {"itemSelection": selection}
    route = add(world, create_route(world), "1001", **chosen).json()
    assert quantities(route) == [carried]
    assert route["totalItemQuantity"] == sum(quantity for _, quantity in carried)


@pytest.mark.spec("Routes")
def test_one_order_that_cannot_be_added_keeps_all_off_and_each_is_listed(world: World) -> None:
    route_id = create_route(world)
    push(world, "good")
    push(world, "present")
    push(world, "homeless", address=None)
    push(world, "blank", address={"city": " "})
    push(world, "lost", address={"city": "Xyzzyville", "countryCode": "US"})
    before = add(world, route_id, "present").json()
    answer = add(world, route_id, "good", "missing", "homeless", "present", "blank", "lost")
    error = answer.json()
    assert (answer.status_code, error["code"]) == (400, 9)
    listed = [(v["subject"], v["type"]) for v in error["details"][0]["violations"]]
    assert listed == [
        ("missing", "notFound"),
        ("homeless", "address"),
        ("present", "alreadyOnRoute"),
        ("blank", "address"),
        ("lost", "address"),
    ]
    assert world.client.get(f"/routes/{route_id}").json() == before


BAD_ADDITIONS: list[tuple[Any, str]] = [
    ([], ""),
    ([{"storeOrderId": "1001"}] * 201, ""),
    ([{}], "[0].storeOrderId"),
    ([{"storeOrderId": ""}], "[0].storeOrderId"),
    ([{"storeOrderId": 1001}], "[0].storeOrderId"),
    ([{"storeOrderId": "1001", "itemSelection": "SOME"}], "[0].itemSelection"),
    ([{"storeOrderId": "1001"}] * 2, "[0].storeOrderId"),
    ({"storeOrderId": "1001"}, ""),
]


@pytest.mark.spec("Limits")
@pytest.mark.parametrize(("body", "named"), BAD_ADDITIONS, ids=lambda value: str(value)[:40])
def test_a_bad_addition_is_refused_by_field(world: World, body: Any, named: str) -> None:
    route_id = create_route(world)
    push(world, "1001")
    response = world.client.post(f"/routes/{route_id}/store-orders", body)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.client.get(f"/routes/{route_id}").json()["stops"] == []


@pytest.mark.spec("Limits")
def test_two_hundred_orders_fit_in_one_request(world: World) -> None:
    route_id = create_route(world)
    ids = [f"order-{number}" for number in range(200)]
    for id_ in ids:
        world.clock.advance(milliseconds=100)
        push(world, id_)
    route = add(world, route_id, *ids).json()
    assert [stop["storeOrderId"] for stop in route["stops"]] == ids


@pytest.mark.spec("Routes")
def test_resync_refreshes_items_notes_and_tags_and_nothing_else(world: World) -> None:
    route_id = create_route(world)
    push(world, "1001")
    push(world, "1002")
    before = add(world, route_id, "1001").json()
    add(world, route_id, "1002", itemSelection="ALL")
    assert world.client.post(f"/routes/{route_id}/reoptimize", {}).json()["optimized"] is True
    items = [{"name": "Box", "quantity": 5, "fulfilledQuantity": 1}]
    changes: dict[str, Any] = {"items": items, "orderNote": "n", "customerNote": "", "tags": []}
    world.clock.advance(minutes=1)
    for id_ in ("1001", "1002"):
        push(world, id_, name="#9", address=None, contact=None, **changes)
    route = resync(world, route_id).json()
    by_order = {stop["storeOrderId"]: stop for stop in route["stops"]}
    first = by_order["1001"]
    assert [item["quantity"] for item in first["items"]] == [4]
    assert [item["quantity"] for item in by_order["1002"]["items"]] == [5]
    assert first["storeOrder"] == {"orderNote": "n", "customerNote": ""}
    assert (first["note"], first["tags"], first["orderName"]) == ("n", [], "#1001")
    for kept in ("id", "address", "contact", "plannedCoordinates"):
        assert first[kept] == before["stops"][0][kept]
    assert first["updatedAt"] == "2024-07-01T06:01:00Z"
    assert route["optimized"] is False
    assert world.topics()[-1] == "ROUTE_UPDATED"


@pytest.mark.spec("decisions §12")
def test_resync_without_a_difference_is_not_told(world: World) -> None:
    route_id = create_route(world)
    empty = resync(world, route_id)
    assert empty.json() == world.client.get(f"/routes/{route_id}").json()
    push(world, "1001")
    added = add(world, route_id, "1001").json()
    told = world.topics()
    world.clock.advance(minutes=1)
    assert resync(world, route_id).json() == added
    answer = world.client.post(f"/routes/{route_id}/resync-orders", {})
    assert answer.json() == added
    assert world.topics() == told
    unknown = world.client.post(f"/routes/{route_id}/resync-orders", {"force": True})
    assert unknown.json()["code"] == 3


@pytest.mark.spec("decisions §7")
def test_new_notes_alone_leave_the_order_of_stops_optimized(world: World) -> None:
    route_id = create_route(world)
    push(world, "1001")
    add(world, route_id, "1001")
    world.client.post(f"/routes/{route_id}/reoptimize", {})
    push(world, "1001", orderNote="other")
    route = resync(world, route_id).json()
    assert (route["stops"][0]["note"], route["optimized"]) == ("other", True)


@pytest.mark.spec("decisions §12")
def test_the_routes_of_an_order_are_listed_oldest_first(world: World) -> None:
    unknown = world.client.get("/stops/store/1001/routes")
    assert (unknown.status_code, unknown.json()["code"]) == (404, 5)
    push(world, "1001")
    assert world.client.get("/stops/store/1001/routes").json() == {"routes": []}
    routes = []
    for _ in range(2):
        world.clock.advance(minutes=1)
        routes.append(add(world, create_route(world), "1001").json())
    create_route(world)
    assert world.client.get("/stops/store/1001/routes").json() == {"routes": routes}
    theirs = world.stranger.get("/stops/store/1001/routes")
    assert (theirs.status_code, theirs.content) == (404, unknown.content)


@pytest.mark.spec("decisions §7")
def test_an_archived_route_takes_no_orders_and_is_still_listed(world: World) -> None:
    route_id = create_route(world)
    push(world, "1001")
    push(world, "1002")
    add(world, route_id, "1001")
    assert world.client.post(f"/routes/{route_id}/archive").status_code == 200
    refused = add(world, route_id, "1002")
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert resync(world, route_id).status_code == 200
    push(world, "1001", orderNote="other")
    refused = resync(world, route_id)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    listed = world.client.get("/stops/store/1001/routes").json()["routes"]
    assert [route["id"] for route in listed] == [route_id]


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("path", ["store-orders", "resync-orders"])
def test_a_strangers_route_answers_as_an_unknown_one(world: World, path: str) -> None:
    route_id = create_route(world)
    body = [{"storeOrderId": "1001"}] if path == "store-orders" else {}
    theirs = world.stranger.post(f"/routes/{route_id}/{path}", body)
    unknown = world.stranger.post(f"/routes/{UNKNOWN_ROUTE}/{path}", body)
    assert (theirs.status_code, theirs.content) == (404, unknown.content)


@pytest.mark.spec("decisions §2")
def test_a_strangers_order_is_no_order(world: World) -> None:
    push(world, "1001")
    route = world.stranger.post("/routes", {"start": START}).json()["id"]
    answer = world.stranger.post(f"/routes/{route}/store-orders", [{"storeOrderId": "1001"}])
    assert answer.json()["details"][0]["violations"][0]["type"] == "notFound"
    world.stranger.send("PUT", "/store-orders/1001", json={"name": "theirs"})
    assert world.count("store_orders") == 2
    assert add(world, create_route(world), "1001").json()["stops"][0]["orderName"] == "#1001"


@pytest.mark.spec("Idempotency")
def test_every_change_by_orders_is_replayed(world: World) -> None:
    route_id = create_route(world)
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("PUT", "/store-orders/1001", {"json": ORDER}),
        ("POST", f"/routes/{route_id}/store-orders", {"json": [{"storeOrderId": "1001"}]}),
        ("POST", f"/routes/{route_id}/resync-orders", {}),
    ]
    for number, (method, path, body) in enumerate(requests):
        key = {"Idempotency-Key": f"k{number}"}
        first, second = (world.client.send(method, path, headers=key, **body) for _ in range(2))
        assert first.status_code == 200, first.text
        assert first.content == second.content
        assert second.headers["Idempotency-Replayed"] == "true"
    assert world.count("route_stop_origins") == 1


@pytest.mark.spec("decisions §20")
def test_a_stop_carries_what_its_order_says_of_day_windows_and_attributes(world: World) -> None:
    said = {
        "deliveryDate": {"year": 2024, "month": 7, "day": 2},
        "timeWindows": [
            {
                "start": {"hours": 9, "minutes": 0, "seconds": 0},
                "end": {"hours": 12, "minutes": 30, "seconds": 0},
            }
        ],
        "attributes": [{"key": "Gate", "value": "1234"}],
        "orderReferenceUrl": "https://shop.example.com/orders/1001",
    }
    place = {"latitude": 39.3, "longitude": -76.6}
    order = push(world, "1001", **said, coordinates=place, location="Depot").json()
    assert (order["state"], order["connectionId"], order["location"]) == ("OPEN", "", "Depot")
    assert order["coordinates"] == place
    assert {name: order[name] for name in said} == said
    assert world.client.get("/store-orders/1001").json() == order
    stop = add(world, create_route(world), "1001").json()["stops"][0]
    assert {name: stop[name] for name in said} == said
    assert stop["plannedCoordinates"] == place
    assert stop["geocoding"]["matchType"] == "GIVEN"


@pytest.mark.spec("decisions §20")
def test_orders_are_listed_by_state_day_tag_location_text_and_whether_on_a_route(
    world: World,
) -> None:
    def ids(**query: Any) -> list[str]:
        text = "&".join(f"query.{name}={value}" for name, value in query.items())
        answer = world.client.get(f"/store-orders?{text}")
        assert answer.status_code == 200, answer.text
        assert answer.json()["nextCursor"] == ""
        return [order["id"] for order in answer.json()["storeOrders"]]

    place = {"latitude": 39.3, "longitude": -76.6}
    push(world, "1", deliveryDate={"year": 2024, "month": 7, "day": 2}, coordinates=place)
    push(world, "2", state="CANCELLED", tags=["later"], location="Depot")
    push(world, "3", contact={"lastName": "Zoë Ames"}, name="#3")
    add(world, create_route(world), "1")
    assert sorted(ids()) == ["1", "2", "3"]
    assert ids(state="CANCELLED") == ids(tag="later") == ids(location="Depot") == ["2"]
    assert ids(deliveryDate="2024-07-02") == ["1"]
    assert sorted(ids(unrouted="true")) == ["2", "3"]
    assert ids(routed="true") == ["1"]
    both = world.client.get("/store-orders?query.routed=true&query.unrouted=true").json()
    assert (both["code"], both["details"][0]["fieldViolations"][0]["field"]) == (3, "query.routed")
    assert ids(text="zo%C3%8B") == ["3"]
    assert world.client.get("/store-orders?query.deliveryDate=2024-02-30").json()["code"] == 3
    assert world.client.get("/store-orders?query.state=SOLD").json()["code"] == 3
    assert world.stranger.get("/store-orders").json()["storeOrders"] == []


@pytest.mark.spec("decisions §20")
def test_a_cancelled_order_is_put_on_no_route(world: World) -> None:
    place = {"latitude": 39.3, "longitude": -76.6}
    push(world, "1", state="CANCELLED")
    push(world, "2", coordinates=place)
    refused = add(world, create_route(world), "1", "2").json()
    assert refused["code"] == 9
    violations = refused["details"][0]["violations"]
    assert [(one["type"], one["subject"]) for one in violations] == [("cancelled", "1")]


@pytest.mark.spec("decisions §20")
def test_an_order_on_hold_is_put_on_no_route(world: World) -> None:
    place = {"latitude": 39.3, "longitude": -76.6}
    push(world, "1", coordinates=place, state="ON_HOLD")
    push(world, "2", coordinates=place)
    route = create_route(world)
    refused = add(world, route, "1", "2").json()
    assert refused["code"] == 9
    violations = refused["details"][0]["violations"]
    assert [(one["type"], one["subject"]) for one in violations] == [("onHold", "1")]
    assert world.client.get(f"/routes/{route}").json()["stops"] == []
    push(world, "1", coordinates=place)
    assert add(world, route, "1", "2").status_code == 200


@pytest.mark.spec("decisions §22")
def test_orders_with_a_day_are_unrouted_on_that_day(world: World) -> None:
    that_day = {"year": 2031, "month": 7, "day": 2}
    push(world, "1", deliveryDate=that_day)
    push(world, "2", deliveryDate=that_day, state="ON_HOLD")
    day = world.client.get("/days/2031-07-02")
    unrouted = day.json()["unrouted"]["stops"]
    assert [(stop["storeOrderId"], stop["undated"]) for stop in unrouted] == [("1", False)]
    push(world, "3", deliveryDate=that_day)
    assert world.client.get("/days/2031-07-02").headers["etag"] != day.headers["etag"]
