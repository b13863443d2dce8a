"""The nodes for n8n in an n8n that runs, against a running service."""

import base64
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.sdk.running_n8n import (
    CREDENTIALS,
    HOW_TO_INSTALL,
    IS_INSTALLED,
    N8n,
    make_node,
    run_n8n,
)

from roundsman.webhooks.envelope import sign_message

pytestmark = [
    pytest.mark.full,
    pytest.mark.spec("decisions §19"),
    pytest.mark.skipif(not IS_INSTALLED, reason=HOW_TO_INSTALL),
]

type Json = Any

DEPOT = {"latitude": 39.24, "longitude": -76.61}
ROUTE = "={{ $('Create').first().json.id }}"
STOPS: list[Json] = [
    {"clientStopId": f"order-{number}", "coordinates": {**DEPOT, "latitude": 39.25 + number / 1000}}
    for number in (7, 3, 5, *range(10, 257))
]


@dataclass(frozen=True)
class World:
    """A service with an organization, and an n8n that has its credentials."""

    service: httpx2.Client
    webhook_secret: str
    n8n: N8n
    credentials: str

    def make_node(self, name: str, type_: str, /, **parameters: Json) -> Json:
        """Return a node of ours, with the credentials."""
        node = make_node(name, f"n8n-nodes-roundsman.{type_}", **parameters)
        return node | {"credentials": {CREDENTIALS: {"id": self.credentials, "name": "Roundsman"}}}

    def send(self, method: str, path: str, body: Json = None) -> Json:
        answer = self.service.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def list_webhooks(self) -> Json:
        return self.send("GET", "/webhooks")["webhooks"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data: Path = tmp_path_factory.mktemp("service")
    url = f"sqlite:///{data / 'roundsman.db'}"
    made = roundsman(data, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "n8n@example.com")
    key = roundsman(data, url, "credentials", "create", *owner)
    client = {name: key[name] for name in ("clientId", "clientSecret")}
    with (
        serving(data, url, ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as address,
        httpx2.Client(base_url=f"{address}/api/2024-07", timeout=60) as service,
        run_n8n(tmp_path_factory.mktemp("n8n")) as n8n,
    ):
        token = service.post("/authenticate", json=client).json()["accessToken"]
        service.headers["Authorization"] = f"Bearer {token}"
        secret = made["webhookSecret"]
        kept = n8n.keep_credentials({"url": address, "webhookSecret": secret, **client})
        yield World(service, secret, n8n, kept)


def receive_stops(path: str) -> list[Json]:
    """Return the nodes that begin a workflow with the stops of a request, one an item."""
    return [
        make_node(
            "Orders", "n8n-nodes-base.webhook", 2,
            httpMethod="POST", path=path, responseMode="lastNode", options={},
        ),
        make_node("Each", "n8n-nodes-base.splitOut", fieldToSplitOut="body.stops", options={}),
    ]  # fmt: skip


def test_a_workflow_does_the_main_job(world: World) -> None:
    ids = "={{ $('Import').all().map(({ json }) => json.id) }}"
    nodes = [
        *receive_stops("orders"),
        world.make_node("Import", "roundsman", operation="importStops"),
        world.make_node("Create", "roundsman", operation="createRoute", name="Van 1", **DEPOT)
        | {"executeOnce": True},
        world.make_node("Add", "roundsman", operation="addStops", routeId=ROUTE, stopIds=ids),
        world.make_node("Order", "roundsman", operation="reoptimize", routeId=ROUTE),
        world.make_node("Dispatch", "roundsman", operation="dispatch", routeId=ROUTE),
    ]
    names = [node["name"] for node in nodes]
    ways = {name: [after] for name, after in pairwise(names)}
    workflow = world.n8n.activate(nodes, ways)
    answer = world.n8n.http.post("/webhook/orders", json={"stops": STOPS})
    assert answer.is_success, answer.text
    world.n8n.deactivate(workflow)
    (listed,) = world.send("GET", "/routes")["routes"]
    route = world.send("GET", f"/routes/{listed['id']}")
    assert answer.json() == route
    assert route["dispatchedUntil"] > route["stops"][-1]["plannedArrival"]
    northwards = sorted(STOPS, key=lambda one: one["coordinates"]["latitude"])
    assert [one["clientStopId"] for one in route["stops"]] == [
        one["clientStopId"] for one in northwards
    ]


def test_refused_stops_go_the_way_of_errors_with_every_wrong_field(world: World) -> None:
    nodes = [
        *receive_stops("refused"),
        world.make_node("Import", "roundsman", operation="importStops")
        | {"onError": "continueErrorOutput"},
        make_node("Imported", "n8n-nodes-base.noOp"),
        make_node("Refused", "n8n-nodes-base.noOp"),
    ]
    ways = {"Orders": ["Each"], "Each": ["Import"], "Import": ["Imported", "Refused"]}
    workflow = world.n8n.activate(nodes, ways)
    stops = [{**STOPS[0], "duration": "soon"}, {**STOPS[1], "clientStopId": 7}]
    assert world.n8n.http.post("/webhook/refused", json={"stops": stops}).is_success
    run = world.n8n.wait_for_run(workflow)
    world.n8n.deactivate(workflow)
    assert "Imported" not in run
    (refused,) = run["Refused"]
    assert [one["clientStopId"] for one in refused] == ["order-7", 7]
    for one in refused:
        assert "[0].duration: must be" in one["error"]
        assert "[1].clientStopId: must be" in one["error"]


def test_an_event_starts_a_workflow_and_what_is_forged_does_not(world: World) -> None:
    trigger = world.make_node("Event", "roundsmanTrigger", topics=["ROUTE_CREATED"])
    workflow = world.n8n.activate(
        [trigger, make_node("End", "n8n-nodes-base.noOp")], {"Event": ["End"]}
    )
    (webhook,) = world.list_webhooks()
    now = int(time.time())  # noqa: TID251 -- n8n's clock
    body = json.dumps({"topic": "ROUTE_CREATED", "objectId": "forged"}).encode()
    others_secret = base64.b64encode(b"of somebody else").decode()
    for secret, timestamp in ((others_secret, now), (world.webhook_secret, now - 3600)):
        headers = {
            "Content-Type": "application/json",
            "webhook-id": "evt-1",
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign_message([secret], "evt-1", timestamp, body),
        }
        assert world.n8n.http.post(webhook["url"], content=body, headers=headers).status_code == 401
    route = world.send("POST", "/routes", {"start": {"coordinates": DEPOT}})
    ((event,),) = world.n8n.wait_for_run(workflow)["End"]
    assert (event["topic"], event["objectId"]) == ("ROUTE_CREATED", route["id"])
    world.n8n.deactivate(workflow)
    assert world.list_webhooks() == []
    assert world.n8n.http.post(webhook["url"], json={}).status_code == 404
