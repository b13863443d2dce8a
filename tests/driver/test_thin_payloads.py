"""What receivers of thin payloads get, and what a filter by tags lets pass."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import create_route, import_line
from tests.driver.event_rows import HERE, ROWS, Day
from tests.webhooks.receiver import Received, Receiver
from tests.webhooks.verifying import is_signed

from roundsman.domain.topics import Topic
from roundsman.endpoints.application import Application
from roundsman.operations.signing_secrets import read_secrets
from roundsman.webhooks.sender import Sender
from roundsman.workers.webhook_delivery import WebhookDelivery

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

TOPICS = [topic.value for topic in Topic if topic is not Topic.STOP_STATUS_UPDATED]
type Json = Any


@pytest.fixture
def day(world: World, door: Application, visitors: Application) -> Day:
    return Day(world, door, visitors)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as listening:
        yield listening


def subscribe(world: World, receiver: Receiver, *topics: str, **fields: Any) -> str:
    body = {"url": receiver.url("/in"), "topics": list(topics), **fields}
    answer = world.client.post("/webhooks", body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def send(world: World, receiver: Receiver) -> list[Received]:
    """Send whatever is due; return what came, in the order in which it happened."""
    world.clock.advance(seconds=1)
    sender = Sender(world.tools.address_guard, None, world.clock)
    asyncio.run(WebhookDelivery(world.tools, sender).send_due())
    return sorted(receiver.received, key=lambda got: str(json.loads(got.body)["eventTimestamp"]))


@pytest.mark.spec("decisions §22")
def test_every_topic_has_a_thin_payload_of_two_kilobytes_at_most(
    day: Day, receiver: Receiver
) -> None:
    day.device.headers = {**day.device.headers, "User-Agent": "x" * 500}
    subscribe(day.world, receiver, *TOPICS, payload="THIN")
    subscribe(day.world, receiver, "STOP_STATUS_UPDATED", payload="THIN")
    seen: set[str] = set()
    for row in ROWS:
        if not row.topics <= seen:
            row.act(day)[0]()
            seen |= row.topics
    stops = {
        event["eventId"]: event["payload"]["id"]
        for event in day.world.client.get("/events?query.limit=200").json()["events"]
        if event["topic"].startswith("STOP_")
    }
    bodies = [got.body for got in send(day.world, receiver)]
    assert max(map(len, bodies)) <= 2_048
    events = [json.loads(body) for body in bodies]
    assert {event["topic"] for event in events} >= {topic.value for topic in Topic} - {"TEST"}
    for event in events:
        if event["topic"] == "TEST":
            assert "payload" not in event
            continue
        payload = event["payload"]
        is_of_stop = event["topic"].startswith("STOP_")
        expected = {"id", "version", "status", "topic"} | ({"routeId"} if is_of_stop else set())
        assert set(payload) == expected
        assert (payload["id"], payload["topic"]) == (event["objectId"], event["topic"])
        assert payload["version"] > 0
        if is_of_stop:
            assert payload["routeId"] == stops[event["eventId"]]


@pytest.mark.spec("decisions §22")
def test_a_thin_payload_says_version_and_status_as_of_the_change(
    day: Day, receiver: Receiver
) -> None:
    world = day.world
    subscribe(world, receiver, *TOPICS, payload="THIN")
    route = day.planned()
    day.call("POST", f"/routes/{route}/ready")
    day.call("PATCH", f"/routes/{route}", {"route": {"note": "n"}, "updateMask": "note"})
    day.call("DELETE", f"/routes/{route}")
    (first, _) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first, position=HERE)
    got = send(world, receiver)
    assert all(
        is_signed(one.body, one.headers["x-service-hmac-sha256"], secret_of(world)) for one in got
    )
    payloads = [json.loads(one.body)["payload"] for one in got]
    of_route = [
        (one["topic"], one["version"], one["status"]) for one in payloads if one["id"] == route
    ]
    assert of_route == [
        ("ROUTE_CREATED", 1, "UNSTARTED"),
        ("ROUTE_UPDATED", 2, "UNSTARTED"),
        ("ROUTE_UPDATED", 4, "READY"),  # what `ready` changes is told of its stops
        ("ROUTE_DELETED", 5, "READY"),
    ]
    driven = [one["status"] for one in payloads if one["id"] == day.device.route_id]
    assert driven == ["UNSTARTED", "UNSTARTED", "UNSTARTED", "STARTED"]
    (delivered,) = [one for one in payloads if one["id"] == first]
    assert delivered["status"] == "DELIVERED"
    of_stops = [one for one in payloads if one["topic"].startswith("IMPORTED_STOP")]
    assert {one["status"] for one in of_stops} == {"UNKNOWN"}


@pytest.mark.spec("decisions §22")
def test_what_the_version_before_wrote_of_events_and_webhooks_is_sent_thin_too(
    day: Day, receiver: Receiver
) -> None:
    world = day.world
    topics = ["STOP_UPDATED", "ROUTE_STARTED", "DRIVER_ACTIVATED"]
    webhook = subscribe(world, receiver, *topics, payload="THIN", filter={"tags": []})
    (first, _) = day.on_the_road()
    day.device.done("STOP_DELIVERED", stopId=first, position=HERE)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql("UPDATE events SET summary = NULL")
        tx.exec_driver_sql(
            "UPDATE subscriptions SET body = json_remove(body, '$.payload', '$.filter')"
        )
    (shown,) = world.client.get("/webhooks").json()["webhooks"]
    assert (shown["id"], shown["payload"], shown["filter"]) == (webhook, "THIN", {"tags": []})
    route = day.device.route_id
    assert [json.loads(got.body)["payload"] for got in send(world, receiver)] == [
        {"id": route, "version": 0, "status": "UNKNOWN", "topic": "ROUTE_STARTED"},
        {
            "id": first,
            "routeId": route,
            "version": 0,
            "status": "UNKNOWN",
            "topic": "STOP_UPDATED",
        },
    ]


@pytest.mark.spec("decisions §19")
def test_a_filter_lets_pass_what_carries_one_of_its_tags_and_no_drivers(
    world: World, receiver: Receiver
) -> None:
    every = subscribe(world, receiver, *TOPICS, filter={"tags": []})
    chosen = subscribe(world, receiver, *TOPICS, filter={"tags": ["cold", "late"]})
    by_stop = subscribe(world, receiver, "STOP_STATUS_UPDATED", filter={"tags": ["cold"]})
    (cold,) = import_line(world, 1, tags=["x", "cold"])
    (plain,) = import_line(world, 2, tags=["x"])
    late = create_route(world, tags=["late"])
    other = create_route(world)
    world.client.post(f"/routes/{other}/stops", [{"importedStopId": id_} for id_ in (cold, plain)])
    world.client.send("POST", f"/routes/{other}/ready")
    driver = world.client.post("/drivers", {"firstName": "Dana"}).json()["driver"]["id"]
    world.client.send("POST", f"/drivers/{driver}/activate")
    world.client.send("POST", f"/webhooks/{chosen}/test")
    stops = world.client.get(f"/routes/{other}").json()["stops"]
    (ready,) = [stop["id"] for stop in stops if stop["importedStopId"] == cold]
    assert addressed(world, chosen) == [
        ("IMPORTED_STOP_CREATED", cold),
        ("ROUTE_CREATED", late),
        ("TEST", chosen),
    ]
    assert addressed(world, by_stop) == [("STOP_STATUS_UPDATED", ready)]
    assert ("DRIVER_ACTIVATED", driver) in addressed(world, every)
    assert ("IMPORTED_STOP_CREATED", plain) in addressed(world, every)


def addressed(world: World, webhook: str) -> list[tuple[str, str]]:
    """Return topic and object of all that is to be sent to a webhook."""
    with world.tools.database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT events.topic, events.object_id FROM outbox JOIN events"
            " ON events.id = outbox.event_id WHERE subscription_id = ?"
            " ORDER BY events.timestamp, events.id",
            (webhook,),
        )
        return [(str(row[0]), str(row[1])) for row in rows]


def secret_of(world: World) -> str:
    with world.tools.database.reading() as tx:
        slug = tx.exec_driver_sql(
            "SELECT id FROM organizations WHERE name = 'Acme Foods'"
        ).scalar_one()
    return read_secrets(world.tools, slug).current
