"""The table of events (decisions §9): each row is acted out, and compared with what is told.

What a row tells is compared as a whole, so that a row that tells more, twice or of something else
fails as well as one that tells nothing.
"""

import asyncio
import json
from collections import defaultdict
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from tests.api.conftest import World
from tests.driver.device import Listener, events
from tests.driver.event_rows import HERE, ROWS, Day, Row
from tests.webhooks.receiver import Receiver

from roundsman.domain.topics import Topic
from roundsman.endpoints.application import Application
from roundsman.webhooks.sender import Sender
from roundsman.workers.webhook_delivery import WebhookDelivery

type Json = Any


@pytest.fixture
def day(world: World, door: Application, visitors: Application) -> Day:
    return Day(world, door, visitors)


@pytest.mark.spec("Topics")
def test_every_topic_has_a_row() -> None:
    assert frozenset().union(*(row.topics for row in ROWS)) == {topic.value for topic in Topic}
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_happened_is_told_under_its_topics_by_whoever_did_it(day: Day, row: Row) -> None:
    act, expected = row.act(day)
    listener = Listener(day.world)
    payloads = day.world.count("event_payloads")
    act()
    heard = listener.fresh()
    assert sorted((event["topic"], event["objectId"]) for event in heard) == sorted(expected)
    assert {event["topic"] for event in heard} == row.topics
    for event in heard:
        assert event["user"] == user_of(row, day, event)
        shows_what_it_tells_of(day, event)
    shown = {json.dumps(event["payload"]) for event in heard if "payload" in event}
    assert day.world.count("event_payloads") - payloads == len(shown), "stored once a change"
    times_increase_for_each_object(day.world)


def user_of(row: Row, day: Day, event: Json) -> Json:
    if row.by == "new driver":
        return {
            "driverId": event["objectId"],
            "ipAddress": "203.0.113.9",
            "userAgent": "testclient",
        }
    return {
        "developer": {"email": "dev@example.com"},
        "customer": {},
        "driver": {
            "driverId": day.device.driver_id,
            "ipAddress": "203.0.113.9",
            "userAgent": "Roundsman/1 (test)",
        },
    }[row.by]


def shows_what_it_tells_of(day: Day, event: Json) -> None:
    """Compare a payload with the object as the interface shows it now."""
    topic = event["topic"]
    if topic == "TEST":
        assert "payload" not in event
        return
    payload = event["payload"]
    paths = {"DRIVER": "/drivers", "IMPORTED": "/stops/imports"}
    found = day.world.client.get(f"{paths.get(topic.partition('_')[0], '/routes')}/{payload['id']}")
    if topic.startswith("PLAN_"):
        shown = day.world.client.get(f"/plans/{payload['id']}").json()
        assert {**payload, "routes": shown["routes"], "unassigned": shown["unassigned"]} == shown
        assert event["objectId"] == payload["id"]
        return
    if topic.endswith("_DELETED"):
        assert found.status_code == 404
    else:
        assert payload == found.json()
    is_of_stop = topic in {"STOP_UPDATED", "STOP_STATUS_UPDATED"}
    told_of = {stop["id"] for stop in payload["stops"]} if is_of_stop else {payload["id"]}
    assert event["objectId"] in told_of


def times_increase_for_each_object(world: World) -> None:
    """Look at all events: the clock stands still, so that all of them happen at once."""
    times = defaultdict(list)
    for event in events(world):
        times[event["objectId"]].append(datetime.fromisoformat(event["eventTimestamp"]))
    for told in times.values():
        assert all(earlier < later for earlier, later in pairwise(told))


@pytest.mark.spec("decisions §9")
def test_what_waits_to_be_sent_shows_the_object_as_it_was(day: Day) -> None:
    world = day.world
    with Receiver().listening() as receiver:
        topics = ["ROUTE_STARTED", "ROUTE_UPDATED", "ROUTE_DELETED", "STOP_UPDATED"]
        day.call("POST", "/webhooks", {"url": receiver.url("/in"), "topics": topics})
        (first, _) = day.on_the_road()
        was = [day.call("GET", f"/routes/{day.device.route_id}")]
        for act in (
            lambda: day.device.done("STOP_DELIVERED", stopId=first, position=HERE),
            lambda: day.call(
                "PATCH", f"/routes/{was[0]['id']}", {"route": {"note": "n"}, "updateMask": "note"}
            ),
        ):
            act()
            was.append(day.call("GET", f"/routes/{was[0]['id']}"))
        day.call("DELETE", f"/routes/{was[0]['id']}")
        world.clock.advance(seconds=1)
        sender = Sender(world.tools.address_guard, None, world.clock)
        asyncio.run(WebhookDelivery(world.tools, sender).send_due())
        bodies = sorted(
            (json.loads(one.body) for one in receiver.received),
            key=lambda body: str(body["eventTimestamp"]),
        )
    got = {body["topic"]: body for body in bodies}
    sent = [got[topic]["payload"] for topic in ("ROUTE_STARTED", "STOP_UPDATED", "ROUTE_UPDATED")]
    assert sent == was
    assert len({json.dumps(route) for route in was}) == 3, "each differs from the others"
    assert got["ROUTE_DELETED"]["payload"] == was[-1]
