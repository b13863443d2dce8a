"""Plans of store orders, beside imported stops or alone."""

from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import QUICK, ask, import_stops, plan, van, violations

pytestmark = pytest.mark.spec("decisions §21")

type Json = Any


def push_order(world: World, order_id: str, **fields: Json) -> None:
    """Keep an order some hundred metres from the depot, unless it says where it goes."""
    where = {"coordinates": {"latitude": 39.295, "longitude": -76.612}}
    body = {"name": f"#{order_id}", **where, **fields}
    said = {name: value for name, value in body.items() if value is not None}
    answer = world.client.send("PUT", f"/store-orders/{order_id}", json=said)
    assert answer.status_code == 200, answer.text


def steps(of: Json) -> list[Json]:
    return [step for route in of["routes"] for step in route["steps"]]


@pytest.mark.both_databases
def test_orders_are_planned_beside_imported_stops_and_applied(world: World) -> None:
    ids = import_stops(world, {}, {})
    items = [{"name": "Veg box", "quantity": 3, "fulfilledQuantity": 1, "grams": 2000}]
    push_order(world, "1001", items=items, orderNote="Side door", tags=["veg"])
    push_order(world, "1002")
    stops: list[Json] = [{"importedStopId": id_} for id_ in ids]
    stops += [{"storeOrderId": "1001", "loads": {"boxes": 1}}, {"storeOrderId": "1002"}]
    done = plan(world, [], van(capacities={"boxes": 4}), stops=stops)
    assert done["unassigned"] == []
    assert {s.get("storeOrderId") or s["importedStopId"] for s in steps(done)} == {
        *ids,
        "1001",
        "1002",
    }
    assert done["routes"][0]["loads"] == {"boxes": 1, "items": 2, "kilograms": 4}
    applied = world.client.post(f"/plans/{done['id']}/apply")
    assert applied.status_code == 200, applied.text
    (route,) = applied.json()["routes"]
    made = {stop["storeOrderId"]: stop for stop in route["stops"] if stop.get("storeOrderId")}
    assert made.keys() == {"1001", "1002"}
    assert made["1001"]["items"] == [{"name": "Veg box", "quantity": 2, "grams": 2000, "sku": ""}]
    assert made["1001"]["note"] == "Side door"
    assert made["1001"]["tags"] == ["veg"]
    assert [stop.get("importedStopId") or stop["storeOrderId"] for stop in route["stops"]] == [
        step.get("importedStopId") or step["storeOrderId"] for step in steps(done)
    ]
    assert world.client.get("/store-orders?query.unrouted=true").json()["storeOrders"] == []
    refused = ask(world, [], stops=[{"storeOrderId": "1001"}])
    assert violations(refused) == [("ALREADY_ROUTED", "1001")]


@pytest.mark.both_databases
def test_a_filter_takes_open_orders_when_it_is_asked_to(world: World) -> None:
    day = {"year": 2024, "month": 7, "day": 1}
    (stop,) = import_stops(world, {"deliveryDate": day, "tags": ["veg"]})
    push_order(world, "open", deliveryDate=day, tags=["veg"])
    push_order(world, "untagged", deliveryDate=day)
    push_order(world, "another-day", deliveryDate={**day, "day": 2}, tags=["veg"])
    push_order(world, "held", deliveryDate=day, tags=["veg"], state="ON_HOLD")
    push_order(world, "nowhere", deliveryDate=day, tags=["veg"], coordinates=None)
    wanted = {"deliveryDate": "2024-07-01", "tags": ["veg"]}
    body = {"vehicles": [van()], "options": QUICK}
    without = plan(world, [], stops=None, stopFilter=wanted, **body)
    assert [step["importedStopId"] for step in steps(without)] == [stop]
    done = plan(world, [], stops=None, stopFilter={**wanted, "storeOrders": True}, **body)
    assert sorted(s.get("storeOrderId", "") for s in steps(done)) == ["", "open"]
    (skipped,) = done["skippedOrders"]
    assert (skipped["storeOrderId"], skipped["type"]) == ("nowhere", "address")


def test_a_named_order_on_hold_is_skipped_and_said_so(world: World) -> None:
    push_order(world, "held", state="ON_HOLD")
    push_order(world, "open")
    done = plan(world, [], stops=[{"storeOrderId": "held"}, {"storeOrderId": "open"}])
    assert [step["storeOrderId"] for step in steps(done)] == ["open"]
    (skipped,) = done["skippedOrders"]
    assert (skipped["storeOrderId"], skipped["type"]) == ("held", "onHold")
    assert "on hold" in skipped["description"]
    alone = plan(world, [], stops=[{"storeOrderId": "held"}])
    assert steps(alone) == []
    assert len(alone["skippedOrders"]) == 1


def test_an_order_that_was_held_when_it_was_on_a_route_is_planned_with_it(world: World) -> None:
    push_order(world, "held")
    done = plan(world, [], stops=[{"storeOrderId": "held"}])
    applied = world.client.post(f"/plans/{done['id']}/apply").json()
    route = applied["routes"][0]["id"]
    push_order(world, "held", state="ON_HOLD")
    again = plan(world, [], stops=[{"storeOrderId": "held"}], routes=[{"routeId": route}])
    assert [step["storeOrderId"] for step in steps(again)] == ["held"]
    assert again["skippedOrders"] == []


def test_a_fix_for_an_order_is_named_by_it_and_planned_from(world: World) -> None:
    window = [{"start": {"hours": 4}, "end": {"hours": 5}}]
    push_order(
        world, "early", deliveryDate={"year": 2024, "month": 7, "day": 1}, timeWindows=window
    )
    done = plan(world, [], stops=[{"storeOrderId": "early"}], options={})
    (out,) = done["unassigned"]
    assert out["storeOrderId"] == "early"
    fix = next(one for one in out["fixes"] if one["type"] == "CLOSE_LATER")
    assert fix["subject"] == "early"
    again = plan(
        world,
        [],
        stops=None,
        vehicles=None,
        options=None,
        basedOn=done["id"],
        fixes=[fix["index"]],
    )
    assert again["unassigned"] == []
    path = f"/plans/{done['id']}/compare"
    compared = world.client.post(path, {"with": [again["id"]]}).json()
    assert [one["stop"] for one in compared["differences"]] == ["early"]


def test_an_order_that_changed_since_makes_a_plan_stale(world: World) -> None:
    push_order(world, "1001")
    push_order(world, "1002")
    done = plan(world, [], stops=[{"storeOrderId": "1001"}, {"storeOrderId": "1002"}])
    world.clock.advance(minutes=1)
    push_order(world, "1001", state="CANCELLED")
    refused = world.client.post(f"/plans/{done['id']}/apply")
    assert violations(refused) == [("STALE_STOP", "1001")]
    assert world.count("routes") == 0


def test_orders_that_cannot_be_planned_are_refused_by_name(world: World) -> None:
    push_order(world, "cancelled", state="CANCELLED")
    push_order(world, "nowhere", coordinates=None)
    refused = ask(world, [], stops=[{"storeOrderId": "cancelled"}, {"storeOrderId": "nowhere"}])
    assert violations(refused) == [("cancelled", "cancelled"), ("address", "nowhere")]
    unknown = ask(world, [], stops=[{"storeOrderId": "none-such"}])
    assert (unknown.status_code, unknown.json()["code"]) == (404, 5)
    assert "none-such" in unknown.json()["message"]
    push_order(world, "twice")
    twice = ask(world, [], stops=[{"storeOrderId": "twice"}, {"storeOrderId": "twice"}])
    assert violations(twice) == [
        ("stops[0]", "is given more than once"),
        ("stops[1]", "is given more than once"),
    ]
    both = ask(world, [], stops=[{"storeOrderId": "twice", "clientStopId": "s0"}])
    assert violations(both)[0] == (
        "stops[0].importedStopId",
        "is required, or exactly one of clientStopId and storeOrderId in its place",
    )


def test_an_order_is_pinned_by_its_id(world: World) -> None:
    (stop,) = import_stops(world, {})
    push_order(world, "1001")
    done = plan(
        world,
        [],
        stops=[{"importedStopId": stop}, {"storeOrderId": "1001"}],
        pins=[{"stop": "1001", "position": "FIRST"}],
    )
    assert steps(done)[0]["storeOrderId"] == "1001"


def test_what_an_order_asks_of_its_stop_is_planned_and_applied(world: World) -> None:
    push_order(world, "frozen", priority=9, duration="900s", requiredSkills=["cold"], type="PICKUP")
    plain = plan(world, [], stops=[{"storeOrderId": "frozen"}], options={})
    (out,) = plain["unassigned"]
    assert [one["type"] for one in out["reasons"]] == ["requiredSkills"]
    done = plan(world, [], van(skills=["cold"]), stops=[{"storeOrderId": "frozen"}])
    (step,) = steps(done)
    assert step["storeOrderId"] == "frozen"
    applied = world.client.post(f"/plans/{done['id']}/apply")
    assert applied.status_code == 200, applied.text
    (stop,) = applied.json()["routes"][0]["stops"]
    assert (stop["type"], stop["priority"], stop["duration"]) == ("PICKUP", 9, "900s")


def test_an_order_is_no_break(world: World) -> None:
    answer = world.client.send("PUT", "/store-orders/1", json={"type": "BREAK", "priority": -1})
    assert answer.status_code == 400
    fields = [one["field"] for one in answer.json()["details"][0]["fieldViolations"]]
    assert fields == ["priority", "type"]
