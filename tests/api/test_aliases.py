"""Fields and paths of the storefront under a word that the operator chose."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import create_route
from tests.api.test_store_orders import push
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH, OPERATIONS
from roundsman.app import make_application
from roundsman.settings import Settings, WrongSetting, load_settings
from roundsman.wire.field_alias import STORE_FIELDS

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

type Json = Any


@pytest.fixture
def aliased(world: World, tmp_path: Path) -> Iterator[InProcessClient]:
    """A client of the same data through an interface with the alias `example`."""
    interface = make_application(
        replace(Settings(data=tmp_path), store_field_alias="example"), world.tools
    )
    yield InProcessClient(
        interface, base_url=f"https://roundsman.test{BASE_PATH}", headers=world.client.headers
    )
    interface.close()


@pytest.mark.spec("decisions §19")
def test_an_order_is_known_by_both_names_in_requests_answers_and_paths(
    world: World, aliased: InProcessClient
) -> None:
    for order in ("1001", "1002", "1003"):
        push(world, order)
    route = create_route(world)
    both = {"storeOrderId": "1003", "exampleOrderId": "1003"}
    added = aliased.post(
        f"/routes/{route}/example-orders",
        json=[{"exampleOrderId": "1001"}, {"storeOrderId": "1002", "exampleOrderId": None}, both],
    )
    assert added.status_code == 200, added.text
    shown = [(stop["storeOrderId"], stop["exampleOrderId"]) for stop in added.json()["stops"]]
    assert shown == [(order, order) for order in ("1001", "1002", "1003")]
    for stop in added.json()["stops"]:
        assert stop["exampleOrder"] == stop["storeOrder"]
    for path in ("/stops/store/1001/routes", "/stops/example/1001/routes"):
        (found,) = aliased.get(path).json()["routes"]
        assert found["stops"][0]["exampleOrderId"] == "1001"
    told = aliased.get("/events?query.topic=ROUTE_UPDATED").json()["events"][0]["payload"]
    assert told["stops"][0]["exampleOrderId"] == "1001"
    plain = world.client.get(f"/routes/{route}").json()
    assert not [name for stop in plain["stops"] for name in stop if name.startswith("example")]
    assert world.client.get("/stops/example/1001/routes").status_code == 404


@pytest.mark.spec("decisions §22")
def test_two_names_that_disagree_are_refused_by_field(
    world: World, aliased: InProcessClient
) -> None:
    push(world, "1001")
    route = create_route(world)
    refused = aliased.post(
        f"/routes/{route}/store-orders",
        json=[
            {"storeOrderId": "1001", "exampleOrderId": "1001"},
            {"storeOrderId": "1001", "exampleOrderId": "1002"},
        ],
    )
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    (violation,) = refused.json()["details"][0]["fieldViolations"]
    assert violation == {
        "field": "[1].exampleOrderId",
        "description": "must be the same as storeOrderId, or absent",
    }
    unknown = aliased.post(f"/routes/{route}/store-orders", json=[{"exampleOrder_Id": "1001"}])
    assert unknown.json()["details"][0]["fieldViolations"][0]["field"] == "[0].exampleOrder_Id"
    assert world.client.get(f"/routes/{route}").json()["stops"] == []


def test_a_replay_answers_the_same_bytes_and_a_stop_that_was_read_can_be_sent_back(
    world: World, aliased: InProcessClient
) -> None:
    push(world, "1001")
    route = create_route(world)
    key = {"Idempotency-Key": "once"}
    first, second = (
        aliased.post(
            f"/routes/{route}/store-orders", json=[{"exampleOrderId": "1001"}], headers=key
        )
        for _ in range(2)
    )
    assert first.content == second.content
    assert second.headers["Idempotency-Replayed"] == "true"
    stop = first.json()["stops"][0]
    back = aliased.patch(
        f"/routes/{route}/stops/{stop['id']}", json={"routeStop": stop, "updateMask": "note"}
    )
    # It was read whole; that it was made from an order is what refuses it.
    assert back.json()["message"] == "route stop has no importedStopId"


def test_every_field_of_the_storefront_has_its_further_name(world: World) -> None:
    named: set[str] = set()

    def walk(part: Json) -> None:
        if isinstance(part, dict):
            named.update(part.get("properties", {}))
        for inner in part.values() if isinstance(part, dict) else part:
            if isinstance(inner, dict | list):
                walk(inner)

    walk(world.client.description)
    assert {name for name in named if re.match("store[A-Z]", name)} <= STORE_FIELDS


def test_no_alias_can_take_the_path_of_others(world: World) -> None:
    del world
    segments = {one.path.split("/")[2] for one in OPERATIONS if one.path.startswith("/stops/")}
    for segment in segments:
        with pytest.raises(WrongSetting, match="ROUNDSMAN_STORE_FIELD_ALIAS"):
            load_settings({"ROUNDSMAN_STORE_FIELD_ALIAS": segment})
