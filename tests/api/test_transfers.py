"""Stops change their routes by hand: all of them or none."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import import_stops
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
def test_a_transfer_answers_the_next_tag_of_each_route_and_only_of_one_that_it_changes(
    world: World,
) -> None:
    one, other = add_route(world, "a", "b"), add_route(world, "x")
    known = [world.client.get(f"/routes/{route['id']}").headers["ETag"] for route in (one, other)]
    moves = [{"stopId": ids(one)[0], "toRouteId": other["id"]}]
    there = world.client.post("/routes/transfers", {"moves": moves}).json()["etags"]
    moves = [{"stopId": ids(one)[0], "toRouteId": one["id"], "index": 0}]
    back = world.client.post("/routes/transfers", {"moves": moves}).json()["etags"]
    moves = [{"stopId": ids(one)[0], "toRouteId": one["id"], "index": 0}]
    nothing = world.client.post("/routes/transfers", {"moves": moves}).json()["etags"]

    def versions(tags: list[str]) -> list[int]:
        return [int(tag.strip('"').partition(".")[0]) for tag in tags]

    assert versions(there) == [version + 1 for version in versions(known)]
    assert versions(back[::-1]) == [version + 2 for version in versions(known)]
    assert nothing == back[1:]
    for route, tag in zip((other, one), back, strict=True):
        path, headers = f"/routes/{route['id']}", {"If-Match": tag}
        assert world.client.send("DELETE", path, headers=headers).status_code == 200


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


@pytest.mark.both_databases
def test_a_stop_that_somebody_else_has_moved_stays_where_it_is(world: World) -> None:
    one, other, third = (add_route(world, name) for name in ("a", "x", "u"))
    (a,), (x,), _ = ids(one), ids(other), ids(third)
    transfer(world, {"stopId": a, "fromRouteId": one["id"], "toRouteId": other["id"]})
    late = {"stopId": a, "fromRouteId": one["id"], "toRouteId": third["id"]}
    beside = {"stopId": x, "fromRouteId": other["id"], "toRouteId": third["id"]}
    answer = world.client.post("/routes/transfers", {"moves": [beside, late]})
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    (found,) = answer.json()["details"][0]["violations"]
    assert (found["type"], found["subject"]) == ("STALE_STOP", a)
    assert found["description"] == f"is on route {other['id']} by now, not on {one['id']}"
    assert [ids(read(world, route)) for route in (one, other, third)] == [[], [x, a], ids(third)]
    # Without it the move counts from wherever the stop is.
    transfer(world, {"stopId": a, "toRouteId": third["id"]})
    assert ids(read(world, third))[-1] == a
    transfer(world, {"stopId": a})
    answer = world.client.post("/routes/transfers", {"moves": [late]})
    (found,) = answer.json()["details"][0]["violations"]
    assert found["description"] == f"is on no route by now, not on {one['id']}"
    assert refuse(world, {"stopId": a, "toRouteId": third["id"]}) == (404, 5)


@pytest.mark.both_databases
def test_imported_stops_come_to_a_route_beside_others_and_to_one_alone(world: World) -> None:
    one, other = add_route(world, "a", "b"), add_route(world, "x")
    (a, b), (x,) = ids(one), ids(other)
    first, second = import_stops(world, {"note": "Ring twice"}, {})
    listener = Listener(world)
    left, joined = transfer(
        world,
        {"stopId": a, "toRouteId": other["id"], "index": 0},
        {"importedStopId": first, "toRouteId": other["id"], "index": 1},
    )
    assert ids(left) == [b]
    added = joined["stops"][1]
    assert [ids(joined)[0], added["importedStopId"], ids(joined)[2]] == [a, first, x]
    assert added["note"] == "Ring twice"
    assert listener.topics() == sorted(("ROUTE_UPDATED", route["id"]) for route in (one, other))
    for route in (one, other):
        again = [
            {"importedStopId": second, "toRouteId": one["id"]},
            {"importedStopId": first, "toRouteId": route["id"]},
        ]
        answer = world.client.post("/routes/transfers", {"moves": again})
        assert (answer.status_code, answer.json()["code"]) == (400, 9)
        (found,) = answer.json()["details"][0]["violations"]
        assert (found["type"], found["subject"]) == ("ALREADY_ROUTED", first)
        assert found["description"] == f"is on route {other['id']}"
    assert [ids(read(world, route)) for route in (one, other)] == [[b], ids(joined)]


@pytest.mark.both_databases
def test_a_stop_of_no_route_is_known_by_the_clients_id_too(world: World) -> None:
    one, other = add_route(world, "a"), add_route(world, "x")
    (mine,) = import_stops(world, {"clientStopId": "mine"})
    twice = [
        {"importedStopId": mine, "toRouteId": one["id"]},
        {"importedStopId": "mine", "toRouteId": other["id"]},
    ]
    assert refuse(world, *twice) == (400, 3)
    transfer(world, {"importedStopId": "mine", "toRouteId": one["id"]})
    assert refuse(world, twice[1]) == (400, 9)
    assert [len(ids(read(world, route))) for route in (one, other)] == [2, 1]


@pytest.mark.both_databases
def test_an_order_of_a_shop_comes_to_one_route_and_leaves_it_again(world: World) -> None:
    one, other = add_route(world, "a"), add_route(world, "x")
    push(world, "1001", coordinates={"latitude": 39.29, "longitude": -76.6})
    (joined,) = transfer(world, {"storeOrderId": "1001", "toRouteId": one["id"], "index": 0})
    added = joined["stops"][0]
    assert (added["storeOrderId"], ids(joined)[1]) == ("1001", ids(one)[0])
    again = {"storeOrderId": "1001", "toRouteId": other["id"]}
    answer = world.client.post("/routes/transfers", {"moves": [again]})
    (found,) = answer.json()["details"][0]["violations"]
    assert (found["type"], found["subject"]) == ("ALREADY_ROUTED", "1001")
    transfer(world, {"stopId": added["id"], "fromRouteId": one["id"]})
    assert ids(transfer(world, again)[0]) == [*ids(other), ids(read(world, other))[-1]]
    twice = world.client.post("/routes/transfers", {"moves": [again, again]}).json()
    (violation,) = twice["details"][0]["fieldViolations"][:1]
    assert violation["field"] == "moves[0].storeOrderId"
    assert refuse(world, {"storeOrderId": "nobody", "toRouteId": one["id"]}) == (400, 9)


@on_sqlite
@pytest.mark.parametrize(
    ("move", "field", "words"),
    [
        (
            {"toRouteId": "R"},
            "stopId",
            "is required when neither importedStopId nor storeOrderId is given",
        ),
        (
            {"stopId": "S", "importedStopId": "I", "toRouteId": "R"},
            "stopId",
            "must not be given with importedStopId",
        ),
        (
            {"importedStopId": "I", "fromRouteId": "R", "toRouteId": "R"},
            "fromRouteId",
            "must not be given with importedStopId, which is on no route",
        ),
        ({"importedStopId": "I"}, "toRouteId", "is required when importedStopId is given"),
        ({"storeOrderId": "1"}, "toRouteId", "is required when storeOrderId is given"),
        (
            {"importedStopId": "I", "storeOrderId": "1", "toRouteId": "R"},
            "storeOrderId",
            "must not be given with importedStopId",
        ),
    ],
)
def test_a_move_says_what_moves_and_where(world: World, move: Json, field: str, words: str) -> None:
    route = add_route(world, "a")
    (imported,) = import_stops(world, {})
    names = {"R": route["id"], "S": ids(route)[0], "I": imported}
    body = {"moves": [{name: names.get(value, value) for name, value in move.items()}]}
    answer = world.client.post("/routes/transfers", body)
    assert (answer.status_code, answer.json()["code"]) == (400, 3)
    (found,) = answer.json()["details"][0]["fieldViolations"]
    assert (found["field"], found["description"]) == (f"moves[0].{field}", words)
    assert read(world, route) == route
