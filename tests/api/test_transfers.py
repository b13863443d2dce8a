"""Stops change their routes by hand: all of them or none."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_route_previews import LEAVES, START, add_route, ids
from tests.api.test_store_orders import push
from tests.driver.device import Listener, dispatch, sign_up

pytestmark = pytest.mark.spec("decisions §15")
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

type Json = Any


def transfer(world: World, *moves: Json) -> list[Json]:
    answer = world.client.post("/routes/transfers", {"moves": moves})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["routes"])


def refuse(world: World, *moves: Json) -> tuple[int, int]:
    answer = world.client.post("/routes/transfers", {"moves": moves})
    return answer.status_code, answer.json()["code"]


def read(world: World, route: Json) -> Json:
    return world.client.get(f"/routes/{route['id']}").json()


@pytest.mark.both_databases
def test_stops_move_between_routes_within_one_and_off_in_sequence(world: World) -> None:
    one = add_route(world, "a", "b", "c", scheduledFor=LEAVES)
    other = add_route(world, "x", "y", scheduledFor=LEAVES)
    (a, b, c), (x, y) = ids(one), ids(other)
    listener = Listener(world)
    left, joined = transfer(
        world,
        {"stopId": a, "toRouteId": other["id"], "index": 1},
        {"stopId": y, "toRouteId": one["id"]},
        {"stopId": x},
        {"stopId": c, "index": 0},
    )
    assert (ids(left), ids(joined)) == ([c, b, y], [a])
    assert [read(world, route) for route in (one, other)] == [left, joined]
    assert not left["optimized"]
    assert left["stops"][0]["plannedArrival"] < left["stops"][1]["plannedArrival"]
    assert listener.topics() == sorted(("ROUTE_UPDATED", route["id"]) for route in (one, other))
    back = transfer(
        world, {"stopId": y, "toRouteId": other["id"]}, {"stopId": a, "toRouteId": one["id"]}
    )
    assert [ids(route) for route in back] == [[c, b, a], [y]]


@on_sqlite
def test_a_transfer_that_cannot_be_made_moves_nothing(world: World) -> None:
    one, other = add_route(world, "a", "b"), add_route(world, "x")
    (a, b), (x,) = ids(one), ids(other)
    twin = world.client.post(f"/routes/{other['id']}/stops", [{"clientStopId": "b"}]).json()
    before, events = [read(world, route) for route in (one, twin)], world.count("events")
    away = {"stopId": a, "toRouteId": other["id"]}
    assert refuse(world, away, away) == (400, 3)
    assert refuse(world) == (400, 3)
    assert refuse(world, away, {"stopId": x, "index": 3}) == (400, 3)
    assert refuse(world, away, {"stopId": b, "toRouteId": other["id"]}) == (400, 9)
    assert refuse(world, away, {"stopId": "nobody"}) == (404, 5)
    assert refuse(world, away, {"stopId": b, "toRouteId": "nobody"}) == (404, 5)
    assert world.stranger.post("/routes/transfers", {"moves": [away]}).status_code == 404
    put_away = add_route(world, "z")
    world.client.post(f"/routes/{put_away['id']}/archive")
    assert refuse(world, away, {"stopId": b, "toRouteId": put_away["id"]}) == (400, 9)
    assert [read(world, route) for route in (one, twin)] == before
    assert world.count("events") - events == len(("created", "added", "archived", "imported"))


@on_sqlite
def test_a_stop_takes_up_what_its_new_route_does(world: World) -> None:
    device = sign_up(world, world.client.interface)
    started = read(world, {"id": dispatch(world, device, stops=3)})
    first, second, third = ids(started)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=first)
    waiting = add_route(world, "a")
    (a,) = ids(waiting)
    assert refuse(world, {"stopId": first}) == (400, 9)
    assert refuse(world, {"stopId": a, "toRouteId": started["id"], "index": 0}) == (400, 9)
    out, ready = transfer(
        world,
        {"stopId": second, "toRouteId": waiting["id"]},
        {"stopId": a, "toRouteId": started["id"], "index": 1},
    )
    statuses = {stop["id"]: stop["deliveryStatus"] for stop in out["stops"] + ready["stops"]}
    assert statuses == {
        first: "DELIVERED",
        a: "OUT_FOR_DELIVERY",
        third: "OUT_FOR_DELIVERY",
        second: "READY_FOR_DELIVERY",
    }
    assert ids(out) == [first, a, third]


@on_sqlite
def test_a_retried_transfer_answers_the_same_and_moves_once(world: World) -> None:
    one, other = add_route(world, "a", "b"), add_route(world, "x")
    body = {"moves": [{"stopId": ids(one)[0], "toRouteId": other["id"], "index": 0}]}
    key = {"Idempotency-Key": "move-1"}
    first, again = (world.client.post("/routes/transfers", body, headers=key) for _ in range(2))
    assert first.content == again.content
    assert read(world, other)["updatedAt"] == first.json()["routes"][1]["updatedAt"]


@on_sqlite
def test_an_order_added_whole_is_refreshed_whole_on_its_new_route(world: World) -> None:
    push(world, "1001")
    source = world.client.post("/routes", {"start": START}).json()
    target = add_route(world, "a")
    order = {"storeOrderId": "1001", "itemSelection": "ALL"}
    added = world.client.post(f"/routes/{source['id']}/store-orders", [order]).json()
    (stop,) = added["stops"]
    transfer(world, {"stopId": stop["id"], "toRouteId": target["id"]})
    refreshed = world.client.post(f"/routes/{target['id']}/resync-orders").json()
    assert refreshed["stops"][-1]["items"] == stop["items"]


@on_sqlite
def test_a_started_route_without_an_open_stop_left_is_completed(world: World) -> None:
    device = sign_up(world, world.client.interface)
    started = read(world, {"id": dispatch(world, device, stops=2)})
    first, second = ids(started)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=first)
    listener, waiting = Listener(world), add_route(world, "a")
    listener.fresh()
    transfer(world, {"stopId": second, "toRouteId": waiting["id"]})
    topics = {topic for topic, id_ in listener.topics() if id_ == started["id"]}
    assert topics == {"ROUTE_UPDATED", "ROUTE_COMPLETED"}
