"""Another organization's ids answer byte for byte as ids that nobody has."""

import re
from collections.abc import Callable, Mapping

import pytest
from tests.api.conftest import World

from roundsman.api.app import OPERATIONS
from roundsman.api.examples import EXAMPLES
from roundsman.endpoints.operation import Operation

HERE = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
SHOP = {**EXAMPLES["addStorefront"], "address": "http://127.0.0.1:1"}
"""Nobody answers there."""

NOBODYS = "00000000-0000-4000-8000-000000000000"

BY_DATE = {"getDay", "searchDay", "exportDay", "showDaySheet", "copyDay"}
"""A day is everybody's, each organization's with its own routes."""

OPEN = {"receiveStorefrontHook"}
"""Let in by a signature: tried in test_storefronts."""

UPSERTS = {"saveStoreOrder"}
"""Take an id that nobody needs to have: each organization has its own."""

TAKING_IDS = [
    operation
    for operation in OPERATIONS
    if operation.parameters and operation.id not in UPSERTS | BY_DATE | OPEN
]


def path(operation: Operation, ids: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: ids[match[1]], operation.path)


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("operation", TAKING_IDS, ids=lambda operation: operation.id)
def test_a_strangers_id_is_nobodys(
    world: World, operation: Operation, record_property: Callable[[str, object], None]
) -> None:
    name = {"clientStopId": "order-1001"}
    stop = world.client.post("/stops/imports", [{**HERE, **name}]).json()["stops"][0]
    route = world.client.post("/routes", {"start": HERE}).json()["id"]
    on_it = world.client.post(f"/routes/{route}/stops", [name]).json()["stops"][0]["id"]
    van = world.client.post("/vehicles", EXAMPLES["addVehicle"]).json()["id"]
    world.client.send("PUT", "/store-orders/1001", json=EXAMPLES["saveStoreOrder"])
    planned = {**EXAMPLES["createPlan"], "stopFilter": {}, "stops": None}
    plan = world.client.post("/plans", planned).json()["id"]
    shop = world.client.post("/storefronts", SHOP).json()["id"]
    nouns = {
        "/vehicles": (van, "veh-"),
        "/plans": (plan, "pln-"),
        "/store-orders": ("1001", "1002-"),
        "/storefronts": (shop, "sfc-"),
    }
    usual = (stop["id"], "ist-")
    id_, prefix = next(
        (known for noun, known in nouns.items() if operation.path.startswith(noun)), usual
    )
    ours = {
        "id": id_,
        "routeId": route,
        "stopId": on_it,
        "stopIds": on_it,
        "driverId": world.client.post("/drivers", EXAMPLES["addDriver"]).json()["driver"]["id"],
        "memberId": world.client.post("/members", EXAMPLES["addMember"]).json()["member"]["id"],
        "webhookId": world.client.post("/webhooks", EXAMPLES["addWebhook"]).json()["id"],
        "sessionId": f"ses-{NOBODYS}",
        "clientId": world.client.post("/credentials", {}).json()["clientId"],
        "orderId": "1001",
        "reportId": f"rpt-{NOBODYS}",
        "actionId": NOBODYS,
    }
    no_stop = f"rst-{NOBODYS}"
    nobodys = {
        "id": f"{prefix}{NOBODYS}",
        "routeId": f"rte-{NOBODYS}",
        "stopId": no_stop,
        "stopIds": no_stop,
        "driverId": f"drv-{NOBODYS}",
        "memberId": f"mem-{NOBODYS}",
        "webhookId": f"sub-{NOBODYS}",
        "sessionId": f"ses-{NOBODYS}",
        "clientId": "0" * 32,
        "orderId": "1002",
        "reportId": f"rpt-{NOBODYS}",
        "actionId": NOBODYS,
    }
    body = {} if operation.body is None else {"json": EXAMPLES[operation.id]}
    before = world.count("events")
    answers = [
        world.stranger.send(operation.method, path(operation, ids), **body)
        for ids in (ours, nobodys)
    ]
    record_property("cells", len(answers))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content
    assert world.count("events") == before
