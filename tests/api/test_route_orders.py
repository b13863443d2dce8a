"""All open stops of a route are put into an order at once (doors 4.7, `PUT /routes/{id}/order`)."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_route_previews import LEAVES, add_route, ids
from tests.driver.device import Listener, dispatch, sign_up

pytestmark = pytest.mark.spec("doors 4.7")

type Json = Any


def put(world: World, route_id: str, *stop_ids: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"stopIds": stop_ids}
    return world.client.send("PUT", f"/routes/{route_id}/order", json=body, headers=named)


def refusal(world: World, route_id: str, *stop_ids: str) -> tuple[int, int, Json]:
    answer = put(world, route_id, *stop_ids)
    assert answer.status_code == 400
    (detail,) = answer.json()["details"]
    found = detail.get("fieldViolations") or detail["violations"]
    said = [(one.get("field") or one["subject"], one["description"]) for one in found]
    return answer.status_code, answer.json()["code"], said


@pytest.mark.both_databases
def test_several_stops_change_their_places_at_once(world: World) -> None:
    route = add_route(world, "a", "b", "c", scheduledFor=LEAVES)
    a, b, c = ids(route)
    world.client.post(f"/routes/{route['id']}/reoptimize", {})
    listener = Listener(world)
    answer = put(world, route["id"], c, b, a, Idempotency_Key="once")
    assert answer.status_code == 200, answer.text
    ordered = answer.json()
    assert ids(ordered) == [c, b, a]
    assert not ordered["optimized"]
    arrivals = [stop["plannedArrival"] for stop in ordered["stops"]]
    assert arrivals == sorted(arrivals)
    assert world.client.get(f"/routes/{route['id']}").json() == ordered
    assert put(world, route["id"], c, b, a, Idempotency_Key="once").json() == ordered
    again = put(world, route["id"], c, b, a)
    assert again.json() == ordered
    assert again.headers["etag"] == answer.headers["etag"]
    assert listener.topics() == [("ROUTE_UPDATED", route["id"])]


def test_an_order_names_each_open_stop_once(world: World) -> None:
    route = add_route(world, "a", "b", "c")
    a, b, c = ids(route)
    status, code, said = refusal(world, route["id"], a, a, "rst-none")
    assert (status, code) == (400, 3)
    assert said == [
        ("stopIds[1]", "is given more than once"),
        ("stopIds[2]", "is not among the stops of the route"),
        ("stopIds", f"lacks {b}"),
    ]
    assert ids(world.client.get(f"/routes/{route['id']}").json()) == [a, b, c]


def test_done_stops_stay_in_front_and_are_not_named(world: World) -> None:
    device = sign_up(world, world.client.interface)
    id_ = dispatch(world, device, stops=3)
    first, second, third = ids(world.client.get(f"/routes/{id_}").json())
    device.done("ROUTE_STARTED")
    world.clock.advance(minutes=40)
    device.done("STOP_DELIVERED", stopId=first)
    status, code, said = refusal(world, id_, first, third, second)
    assert (status, code) == (400, 3)
    assert said == [("stopIds[0]", "is a stop that is done, which stays where it was done")]
    assert ids(put(world, id_, third, second).json()) == [first, third, second]


def test_a_locked_stop_keeps_the_place_that_an_order_gives_it(world: World) -> None:
    route = add_route(world, "a", "b", "c")
    a, b, c = ids(route)
    body = {"routeStop": {"locked": True}, "updateMask": "locked"}
    world.client.send("PATCH", f"/routes/{route['id']}/stops/{b}", json=body)
    assert ids(put(world, route["id"], b, c, a).json()) == [b, c, a]
    answer = world.client.post(f"/routes/{route['id']}/reoptimize", {})
    assert answer.status_code == 200, answer.text
    assert ids(answer.json())[0] == b


def test_the_order_that_the_open_stops_have_changes_nothing_beside_one_done_early(
    world: World,
) -> None:
    device = sign_up(world, world.client.interface)
    id_ = dispatch(world, device, stops=3)
    first, second, third = ids(world.client.get(f"/routes/{id_}").json())
    device.done("ROUTE_STARTED")
    world.clock.advance(minutes=40)
    device.done("STOP_DELIVERED", stopId=second)
    before = world.client.get(f"/routes/{id_}").json()
    listener = Listener(world)
    assert put(world, id_, first, third).json() == before
    assert listener.topics() == []
    assert ids(put(world, id_, third, first).json()) == [second, third, first]
