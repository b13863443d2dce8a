"""Where an order of a shop goes: corrected by a planner, and taken over from its shop."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_store_orders import TOWSON, add, create_route, push, resync
from tests.api.test_storefronts import Trade, erase, trade
from tests.driver.device import Device

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.model import UNSET

__all__ = ["trade"]

DULANEY = {"address1": "200 Dulaney Valley Rd", "city": "Towson", "provinceCode": "MD"}
DOOR = {"latitude": 39.41, "longitude": -76.59}
NEW = Address(address1="9 Oak St", city="Towson", province_code="MD")


def correct(world: World | Trade, order_id: str = "1", key: str = "", **location: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return relocate(world, order_id, location, ",".join(location), headers=headers)


def relocate(
    world: World | Trade, order_id: str, location: Any, mask: str, headers: Any = None
) -> Any:
    return world.client.send(
        "PATCH",
        f"/store-orders/{order_id}/location",
        json={"location": location, "updateMask": mask},
        headers=headers or {},
    )


def take_over(world: World | Trade, route: str, stop_id: str, body: Any = None) -> Any:
    path = f"/routes/{route}/stops/{stop_id}/resync-location"
    return world.client.send("POST", path, **({} if body is None else {"json": body}))


def read(world: World | Trade, route: str) -> Any:
    return world.client.get(f"/routes/{route}").json()


def stop_of(world: World | Trade, route: str) -> Any:
    return read(world, route)["stops"][0]


def under_way(trade: Trade, **changes: Any) -> Device:
    trade.connect()
    trade.shop.put(1, **changes)
    trade.visit()
    return trade.dispatch("1")


@pytest.mark.both_databases
@pytest.mark.parametrize("is_started", [False, True])
def test_a_corrected_address_moves_the_order_and_its_open_stops(
    trade: Trade, *, is_started: bool
) -> None:
    device = under_way(trade)
    route = device.route_id
    if is_started:
        device.done("ROUTE_STARTED")
    before, events = read(trade, route), trade.world.topics()
    answer = correct(trade, address=DULANEY, key="once")
    assert answer.status_code == 200, answer.text
    order = answer.json()
    assert order["address"]["address1"] == "200 Dulaney Valley Rd"
    assert "coordinates" not in order
    assert order["shopLocation"]["address"]["address1"] == "1 Main St"
    assert order["shopLocation"]["coordinates"] == {"latitude": 39.4001, "longitude": -76.6}
    after = read(trade, route)
    stop = after["stops"][0]
    assert stop["address"]["address1"] == "200 Dulaney Valley Rd"
    assert stop["plannedCoordinates"] != before["stops"][0]["plannedCoordinates"]
    assert stop["geocoding"]["matchedAddress"]
    assert "address" not in stop["storeOrder"]
    assert after["optimized"] is False
    assert stop["distanceMeters"] != before["stops"][0]["distanceMeters"]
    added = trade.world.topics()[len(events) :]
    assert added == ["ROUTE_UPDATED"]
    assert correct(trade, address=DULANEY, key="once").json() == order, "replayed"
    assert correct(trade, address=DULANEY).json() == order, "nothing is left to change"
    assert len(trade.world.topics()) == len(events) + 1


def test_coordinates_alone_leave_the_address(trade: Trade) -> None:
    route = under_way(trade).route_id
    order = correct(trade, coordinates=DOOR).json()
    assert (order["address"]["address1"], order["coordinates"]) == ("1 Main St", DOOR)
    stop = stop_of(trade, route)
    assert (stop["address"]["address1"], stop["plannedCoordinates"]) == ("1 Main St", DOOR)
    assert stop["geocoding"]["matchType"] == "GIVEN"


@pytest.mark.both_databases
def test_a_correction_survives_syncs_until_the_shop_s_own_address_changes(trade: Trade) -> None:
    route = under_way(trade).route_id
    correct(trade, address=DULANEY)
    trade.shop.put(1, tags=("vip",))
    trade.wait_and_visit()
    # What a shop finds out by itself of the same address is no news of where its customer is.
    trade.shop.put(1, tags=("vip",), coordinates=Coordinates(latitude=39.5, longitude=-76.7))
    trade.wait_and_visit()
    order = trade.client.get("/store-orders/1").json()
    assert (order["address"]["address1"], order["tags"]) == ("200 Dulaney Valley Rd", ["vip"])
    assert order["shopLocation"]["coordinates"] == {"latitude": 39.5, "longitude": -76.7}
    assert resync(trade.world, route).status_code == 200
    assert stop_of(trade, route)["address"]["address1"] == "200 Dulaney Valley Rd"
    assert "address" not in stop_of(trade, route)["storeOrder"]
    trade.shop.put(1, address=NEW)
    trade.wait_and_visit()
    order = trade.client.get("/store-orders/1").json()
    assert order["address"]["address1"] == "9 Oak St"
    assert "shopLocation" not in order
    assert "its shop has changed its address since it was corrected here" in order["remarks"]
    stop = stop_of(trade, route)
    assert stop["address"]["address1"] == "200 Dulaney Valley Rd"
    assert stop["storeOrder"]["address"]["address1"] == "9 Oak St"
    correct(trade, address=DULANEY)
    assert trade.client.get("/store-orders/1").json()["remarks"] == [], "that is settled again"


def test_the_progress_of_an_order_says_which_of_its_stops_are_elsewhere(trade: Trade) -> None:
    device = under_way(trade)

    def is_elsewhere() -> bool:
        progress = trade.client.get("/store-orders/1/progress").json()
        return bool(progress["stops"][0]["isElsewhere"])

    def move(address: Address) -> None:
        trade.shop.put(1, address=address)
        trade.wait_and_visit()

    assert not is_elsewhere()
    move(NEW)
    assert is_elsewhere()
    assert trade.client.get("/store-orders/1").json()["remarks"] == []
    (stop,) = trade.stops(device)
    assert take_over(trade, device.route_id, stop).status_code == 200
    assert not is_elsewhere()
    move(Address(address1="11 Elm St", city="Towson", province_code="MD"))
    assert is_elsewhere()
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    assert not is_elsewhere(), "one that is done goes nowhere any more"


def test_a_shop_that_comes_to_the_corrected_address_is_no_news(trade: Trade) -> None:
    route = under_way(trade).route_id
    correct(trade, address=DULANEY)
    trade.shop.put(
        1, address=Address(address1="200 Dulaney Valley Rd", city="Towson", province_code="MD")
    )
    trade.wait_and_visit()
    order = trade.client.get("/store-orders/1").json()
    assert ("shopLocation" in order, order["remarks"]) == (False, [])
    assert "address" not in stop_of(trade, route)["storeOrder"]


def test_a_corrected_order_that_is_pushed_again_stays_corrected(world: World) -> None:
    push(world, "1001")
    route = create_route(world)
    add(world, route, "1001")
    correct(world, "1001", address=DULANEY)
    pushed = push(world, "1001", tags=["new"]).json()
    assert (pushed["address"]["address1"], pushed["tags"]) == ("200 Dulaney Valley Rd", ["new"])
    assert push(world, "1001", address=pushed["address"]).json()["shopLocation"]
    oak = {**TOWSON, "address1": "9 Oak St"}
    assert "shopLocation" not in push(world, "1001", address=oak).json()
    resync(world, route)
    assert stop_of(world, route)["address"]["address1"] == "200 Dulaney Valley Rd"
    assert stop_of(world, route)["storeOrder"]["address"]["address1"] == "9 Oak St"


@pytest.mark.both_databases
def test_a_correction_is_taken_back(trade: Trade) -> None:
    route = under_way(trade).route_id
    before, order = stop_of(trade, route), trade.client.get("/store-orders/1").json()
    correct(trade, address=DULANEY)
    correct(trade, coordinates=DOOR)
    answer = relocate(trade, "1", {}, "address,coordinates")
    assert answer.json() == order
    after = stop_of(trade, route)
    for name in ("address", "plannedCoordinates", "storeOrder"):
        assert after[name] == before[name]


def test_an_order_without_an_address_gets_one_and_goes_back_to_none(world: World) -> None:
    order = world.client.send("PUT", "/store-orders/1", json={"name": "#1"}).json()
    assert correct(world, address=DULANEY).json()["shopLocation"] == {}
    assert relocate(world, "1", {}, "address,coordinates").json() == order


@pytest.mark.parametrize(
    ("location", "mask", "named"),
    [
        ({"address": {"address1": "1 Nowhere", "city": "Nowhere"}}, "address", "location.address"),
        ({}, "address", "location.address"),
        (
            {"coordinates": {"latitude": 91, "longitude": 0}},
            "coordinates",
            "location.coordinates.latitude",
        ),
        ({"coordinates": DOOR}, "plannedCoordinates", "updateMask"),
        ({}, "", "updateMask"),
    ],
)
def test_a_wrong_location_is_named_and_nothing_is_kept(
    world: World, location: Any, mask: str, named: str
) -> None:
    push(world, "1001")
    route = create_route(world)
    add(world, route, "1001")
    order, shown, events = (
        world.client.get("/store-orders/1001"),
        read(world, route),
        world.topics(),
    )
    answer = relocate(world, "1001", location, mask)
    assert (answer.status_code, answer.json()["code"]) == (400, 3)
    assert answer.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.client.get("/store-orders/1001").json() == order.json()
    assert (read(world, route), world.topics()) == (shown, events)


def test_what_is_done_or_archived_stays_where_it_was(trade: Trade) -> None:
    device = under_way(trade)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=trade.stops(device)[0])
    second = create_route(trade.world)
    add(trade.world, second, "1")
    shown = [read(trade, route) for route in (device.route_id, second)]
    trade.client.post(f"/routes/{second}/archive", {})
    assert correct(trade, address=DULANEY).status_code == 200
    for route, before in zip((device.route_id, second), shown, strict=True):
        assert read(trade, route)["stops"] == before["stops"]
    assert (
        take_over(trade, device.route_id, trade.stops(device)[0]).json()["details"][0][
            "violations"
        ][0]["type"]
        == "stopDone"
    )


@pytest.mark.both_databases
def test_if_match_refuses_an_order_that_has_changed(world: World) -> None:
    push(world, "1001")
    read_first = world.client.get("/store-orders/1001").headers["etag"].replace("-gzip", "")
    headers = {"If-Match": read_first}
    first = relocate(world, "1001", {"coordinates": DOOR}, "coordinates", headers)
    assert first.status_code == 200
    second = relocate(world, "1001", {"address": DULANEY}, "address", headers)
    assert (second.status_code, second.json()["code"]) == (412, 9)
    assert world.client.get("/store-orders/1001").json() == first.json()
    headers = {"If-Match": first.headers["etag"].replace("-gzip", "")}
    assert relocate(world, "1001", {"address": DULANEY}, "address", headers).status_code == 200


@pytest.mark.both_databases
def test_changes_at_the_same_moment_are_all_kept(world: World) -> None:
    push(world, "1001")
    route = create_route(world)
    add(world, route, "1001")
    changes: list[Callable[[], Any]] = [
        lambda: correct(world, "1001", address=DULANEY),
        lambda: world.client.send(
            "PATCH", f"/routes/{route}", json={"route": {"note": "n"}, "updateMask": "note"}
        ),
    ]
    with ThreadPoolExecutor(4) as several:
        answers = [one.result() for one in [several.submit(change) for change in changes * 2]]
    assert [answer.status_code for answer in answers] == [200] * 4
    after = read(world, route)
    assert after["note"] == "n"
    assert after["stops"][0]["address"]["address1"] == "200 Dulaney Valley Rd"


@pytest.mark.both_databases
@pytest.mark.parametrize("is_started", [False, True])
def test_a_stop_takes_over_where_its_order_goes_by_now(trade: Trade, *, is_started: bool) -> None:
    device = under_way(trade)
    route = device.route_id
    if is_started:
        device.done("ROUTE_STARTED")
    moved = Coordinates(latitude=39.42, longitude=-76.61)
    trade.shop.put(1, address=NEW, coordinates=moved)
    trade.wait_and_visit()
    before, events = stop_of(trade, route), trade.world.topics()
    answer = take_over(trade, route, before["id"])
    assert answer.status_code == 200, answer.text
    after = stop_of(trade, route)
    assert answer.json() == after
    assert after["address"]["address1"] == "9 Oak St"
    assert after["plannedCoordinates"] == {"latitude": 39.42, "longitude": -76.61}
    assert "address" not in after["storeOrder"]
    assert trade.world.topics()[len(events) :] == ["ROUTE_UPDATED"]
    take_over(trade, route, before["id"])
    assert len(trade.world.topics()) == len(events) + 1, "the same again is nothing"
    back = {"address": before["address"], "plannedCoordinates": before["plannedCoordinates"]}
    put_back = take_over(trade, route, before["id"], {"location": back}).json()
    for name in ("address", "plannedCoordinates", "storeOrder"):
        assert put_back[name] == before[name]
    assert trade.client.get("/store-orders/1").json()["address"]["address1"] == "9 Oak St"


def test_a_stop_that_cannot_go_where_its_order_does_says_why(trade: Trade) -> None:
    route = under_way(trade).route_id
    trade.shop.put(1, address=Address(address1="1 Nowhere", city="Nowhere"), coordinates=UNSET)
    trade.wait_and_visit()
    before = read(trade, route)
    answer = take_over(trade, route, before["stops"][0]["id"])
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    violation = answer.json()["details"][0]["violations"][0]
    assert (violation["type"], violation["subject"]) == ("address", "1")
    assert "could not be geocoded" in violation["description"]
    blank = take_over(trade, route, before["stops"][0]["id"], {"location": {}})
    assert (blank.status_code, blank.json()["code"]) == (400, 3)
    assert blank.json()["details"][0]["fieldViolations"][0]["field"] == "location.address"
    assert read(trade, route) == before


def test_a_stop_takes_nothing_over_on_another_version_or_an_archived_route(trade: Trade) -> None:
    route = under_way(trade).route_id
    trade.shop.put(1, address=NEW)
    trade.wait_and_visit()
    stop = stop_of(trade, route)
    path = f"/routes/{route}/stops/{stop['id']}/resync-location"
    answer = trade.client.send("POST", path, headers={"If-Match": '"1.0"'})
    assert (answer.status_code, answer.json()["code"]) == (412, 9)
    trade.client.post(f"/routes/{route}/archive", {})
    answer = take_over(trade, route, stop["id"])
    assert answer.json()["details"][0]["violations"][0]["type"] == "archived"
    assert stop_of(trade, route)["address"] == stop["address"]


def test_a_stop_of_the_pool_has_no_order_to_follow(world: World) -> None:
    route = create_route(world)
    stop = world.client.post("/stops/imports", [{"coordinates": DOOR}]).json()["stops"][0]
    on_it = world.client.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}]).json()
    answer = take_over(world, route, on_it["stops"][0]["id"])
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    assert answer.json()["details"][0]["violations"][0]["type"] == "storeOrderId"


def test_what_a_shop_said_of_an_erased_customer_s_address_is_gone(trade: Trade) -> None:
    ann = {"contact": Contact(first_name="Ann", email="ann@example.com")}
    trade.connect()
    trade.shop.put(1, **ann)
    trade.visit()
    assert correct(trade, address=DULANEY).status_code == 200
    erase(trade, "ann@example.com")
    with trade.world.tools.database.reading() as tx:
        kept = str(tx.exec_driver_sql("SELECT body, search_text FROM store_orders").fetchall())
    for words in ("1 Main St", "Dulaney", "39.4001"):
        assert words not in kept
    trade.shop.put(1, **ann, tags=("sent",))
    trade.wait_and_visit()
    order = trade.client.get("/store-orders/1").json()
    assert (order["tags"], order["address"]["address1"]) == (["sent"], "")
    assert "shopLocation" not in order
