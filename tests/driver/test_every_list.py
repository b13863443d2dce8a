"""Clients that keep their arguments beside the cursor, or write booleans as Python does."""

from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from tests.api.conftest import World
from tests.api.test_store_orders import push
from tests.driver.device import dispatch, sign_up

from roundsman.api.app import OPERATIONS
from roundsman.api.examples import EXAMPLES
from roundsman.domain.message import Channel, Message, MessageStatus, Trigger
from roundsman.domain.storefront import ReportedStep, StorefrontReport
from roundsman.endpoints.application import Application
from roundsman.endpoints.operation import Operation
from roundsman.storage.messages import add_message
from roundsman.storage.storefront_reports import DueReport, add_report
from roundsman.wire.query import is_list

LISTS = [one for one in OPERATIONS if one.query is not None and is_list(one.query)]
START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
COUNT = 3
SHOP = {**EXAMPLES["addStorefront"], "address": "http://127.0.0.1:1"}
"""Nobody answers there."""

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def fill(world: World, door: Application) -> None:
    """Have three of everything that is listed."""
    device = sign_up(world, door)
    hook = {"url": "https://hooks.example.com/", "topics": ["IMPORTED_STOP_CREATED"]}
    assert world.client.post("/webhooks", hook).status_code == 200
    shop = world.client.post("/storefronts", SHOP).json()["id"]
    dispatch(world, device)
    device.done("ROUTE_STARTED")
    stop = device.route()["stops"][0]
    for number in range(COUNT):
        world.clock.advance(minutes=1)
        device.done("PROOF_NOTE", stopId=stop["id"], note=f"note {number}")
        world.client.post("/routes", {"start": START})
        world.client.post("/vehicles", {"name": f"Van {number}"})
        world.client.post("/drivers", {"firstName": f"Dana {number}"})
        world.client.post("/members", {"email": f"ann{number}@example.com"})
        world.client.post("/stops/imports", [{"clientStopId": f"extra-{number}", **START}])
        extra = [{"clientStopId": f"extra-{number}"}]
        world.client.post("/plans", {"stops": extra, "vehicles": [{"id": "van"}]})
        world.client.post("/privacy/erasures", {"phone": f"+1410555010{number}"})
        push(world, f"order-{number}")
        tell_customer(world, f"{stop['id']}-{number}")
        report_to(world, shop, f"{stop['id']}-{number}")


def tell_customer(world: World, stop_id: str) -> None:
    now = world.clock.now()
    message = Message(
        id=f"msg-{stop_id}",
        stop_id=stop_id,
        route_id="rte-any",
        moment=Trigger.NEXT,
        channel=Channel.EMAIL,
        status=MessageStatus.SENT,
        created_at=now,
    )
    with world.tools.database.writing() as tx:
        assert add_message(tx, world.credentials.organization_id, message, epoch=1, due_at=now)


def report_to(world: World, shop: str, stop_id: str) -> None:
    now = world.clock.now()
    report = StorefrontReport(
        id=f"rpt-{stop_id}",
        store_order_id="1001",
        stop_id=stop_id,
        step=ReportedStep.DELIVERED,
        happened_at=now,
    )
    due = DueReport(
        report=report,
        organization_id=world.credentials.organization_id,
        storefront_id=shop,
        external_id="1001",
        items=(),
        created_at=now,
    )
    with world.tools.database.writing() as tx:
        add_report(tx, due)


def path_of(world: World, operation: Operation) -> str:
    webhooks = world.client.get("/webhooks").json()["webhooks"]
    shops = world.client.get("/storefronts").json()["storefronts"]
    routes = world.client.get("/routes?query.limit=200").json()["routes"]
    path = operation.path.replace("{webhookId}", webhooks[0]["id"])
    path = path.replace("{routeId}", max(routes, key=lambda one: len(one["stops"]))["id"])
    return path.replace("{id}", shops[0]["id"]) if path.startswith("/storefronts") else path


def page_of(world: World, path: str, **arguments: str) -> tuple[list[Any], str]:
    world.clock.advance(seconds=1)  # nobody asks faster than the rate limit allows
    named = {name.replace("_", "."): value for name, value in arguments.items()}
    answer = world.client.get(f"{path}?{urlencode(named)}")
    assert answer.status_code == 200, answer.json()
    # What is said beside the rows on request is no row.
    beside = {"nextCursor", "progress"}
    (rows,) = (value for name, value in answer.json().items() if name not in beside)
    return rows, answer.json()["nextCursor"]


@pytest.mark.spec("decisions §5")
def test_arguments_may_stay_beside_the_cursor_that_remembers_them(
    world: World, door: Application
) -> None:
    fill(world, door)
    assert len(LISTS) >= 6
    for operation in LISTS:
        path = path_of(world, operation)
        every, _ = page_of(world, path, query_limit="200")
        assert len(every) >= COUNT, path
        walked, cursor = page_of(world, path, query_limit="1")
        while cursor:
            rows, cursor = page_of(world, path, query_limit="1", cursor=cursor)
            walked += rows
        assert walked == every, path


@pytest.mark.spec("decisions §5")
def test_an_argument_that_contradicts_the_cursor_is_named(world: World, door: Application) -> None:
    fill(world, door)
    for operation in LISTS:
        path = path_of(world, operation)
        _, cursor = page_of(world, path, query_limit="1")
        refused = world.client.get(f"{path}?cursor={cursor}&query.limit=2")
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
        (violation,) = refused.json()["details"][0]["fieldViolations"]
        assert violation["field"] == "query.limit"
        assert refused.json()["message"].startswith("query.limit must be as in the request")
        unknown = world.client.get(f"{path}?cursor={cursor}&limit=1")
        assert unknown.json()["message"].startswith('unknown query argument "limit"')
        foreign = world.stranger.get(f"{path}?cursor={cursor}&query.limit=1")
        if path.startswith("/routes/"):  # of a route that is nobody else's
            assert foreign.status_code == 404
            continue
        assert foreign.json()["details"][0]["fieldViolations"][0]["field"] == "cursor"


@pytest.mark.spec("decisions §5")
def test_what_means_the_same_is_no_contradiction(world: World) -> None:
    for _ in range(21):
        world.client.post("/routes", {"start": START})
    _, cursor = page_of(world, "/routes")
    for same in (
        {"query_limit": "20"},
        {"query_limit": "0"},
        {"query_sortKey": "CREATED_AT"},
        {"query_includeArchived": "False"},
    ):
        rows, end = page_of(world, "/routes", cursor=cursor, **same)
        assert (len(rows), end) == (1, "")
    bound = "2024-07-01T00:00:00Z"
    _, cursor = page_of(world, "/routes", query_timestampStart=bound)
    elsewhere = "2024-07-01T02:00:00+02:00"
    assert page_of(world, "/routes", cursor=cursor, query_timestampStart=elsewhere)[0]
    refused = world.client.get(f"/routes?cursor={cursor}&query.sortKey=UPDATED_AT")
    assert refused.json()["message"].startswith("query.sortKey")


@pytest.mark.spec("decisions §19")
def test_booleans_may_be_written_as_python_and_forms_do(world: World, door: Application) -> None:
    fill(world, door)
    found = 0
    for operation in LISTS:
        assert operation.query is not None
        for field in msgspec.structs.fields(operation.query):
            if field.type is not bool:
                continue
            found += 1
            name = f"query_{field.encode_name}"
            for value, others in (("true", ("True", "1")), ("false", ("False", "0"))):
                plain = page_of(world, operation.path, **{name: value, "query_limit": "1"})
                rows, cursor = plain
                for other in others:
                    given = {name: other, "query_limit": "1"}
                    assert page_of(world, operation.path, **given) == plain
                    if cursor:
                        beside = page_of(world, operation.path, cursor=cursor, **given)
                        assert beside[0] != rows
            for wrong in ("yes", "TRUE", "2"):
                refused = world.client.get(f"{operation.path}?query.{field.encode_name}={wrong}")
                assert (refused.status_code, refused.json()["code"]) == (400, 3)
    assert found >= 3
