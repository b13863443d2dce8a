"""What became of a webhook's events, and sending them again."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.test_routes import import_line
from tests.webhooks.receiver import Receiver

from roundsman.webhooks.sender import Sender
from roundsman.workers.webhook_delivery import WebhookDelivery

UNKNOWN = "sub-00000000-0000-4000-8000-000000000000"
NO_EVENT = "evt-00000000-0000-4000-8000-000000000000"
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

type Json = Any


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as listening:
        yield listening


def subscribe(world: World, url: str, **fields: Any) -> str:
    body = {"url": url, "topics": ["IMPORTED_STOP_CREATED"], **fields}
    return str(world.client.post("/webhooks", body).json()["id"])


def send(world: World) -> None:
    sender = Sender(world.tools.address_guard, None, world.clock)
    asyncio.run(WebhookDelivery(world.tools, sender).send_due())


def deliveries(world: World, webhook: str, query: str = "") -> Json:
    return world.client.get(f"/webhooks/{webhook}/deliveries{query}").json()


def replay(world: World, webhook: str, body: Json, **headers: str) -> Any:
    return world.client.post(f"/webhooks/{webhook}/replays", body, headers=headers)


@pytest.mark.spec("decisions §22")
def test_deliveries_say_what_became_of_each_event_page_by_page_newest_first(
    world: World, receiver: Receiver
) -> None:
    good = subscribe(world, receiver.url("/in"))
    refusing = subscribe(world, receiver.url("/status/503"))
    gone = subscribe(world, "http://127.0.0.1:9/in")
    for step in range(5):
        import_line(world, step)
        world.clock.advance(seconds=1)
    send(world)
    told = [event["eventId"] for event in world.client.get("/events").json()["events"]][::-1]
    import_line(world, 5, 6)  # of one moment, and not sent yet
    pages: list[Json] = []
    cursor = ""
    while not pages or cursor:
        page = deliveries(world, good, f"?cursor={cursor}" if cursor else "?query.limit=2")
        pages.append(page["deliveries"])
        cursor = page["nextCursor"]
    assert [len(page) for page in pages] == [2, 2, 2, 1]
    seen = [one for page in pages for one in page]
    assert [one["eventId"] for one in seen[2:]] == told
    assert len({one["eventId"] for one in seen}) == 7
    assert [one["status"] for one in seen] == ["PENDING"] * 2 + ["DELIVERED"] * 5
    assert [len(one["attempts"]) for one in seen] == [0] * 2 + [1] * 5
    (attempt,) = seen[2]["attempts"]
    assert attempt == {"at": attempt["at"], "status": 200}
    assert {one["topic"] for one in seen} == {"IMPORTED_STOP_CREATED"}

    (refused, *_) = deliveries(world, refusing, "?query.status=PENDING")["deliveries"][2:]
    assert [one["status"] for one in refused["attempts"]] == [503]
    assert [one.get("nextAttemptAt", "") > attempt["at"] for one in (refused, seen[2])] == [
        True,
        False,
    ]
    failed = deliveries(world, gone)["deliveries"][2]
    assert [(set(one), one["type"]) for one in failed["attempts"]] == [
        ({"at", "error", "type"}, "CONNECTION_REFUSED")
    ]
    assert deliveries(world, good, "?query.status=DROPPED")["deliveries"] == []
    assert len(deliveries(world, good, "?query.status=DELIVERED")["deliveries"]) == 5


def test_what_waits_for_a_webhook_that_is_switched_off_is_tried_at_no_known_time(
    world: World, receiver: Receiver
) -> None:
    webhook = subscribe(world, receiver.url("/status/503"))
    import_line(world, 1, 2)
    send(world)
    for state, is_told in (("FALSE", False), ("TRUE", True)):
        with world.tools.database.writing() as tx:
            tx.exec_driver_sql(f"UPDATE subscriptions SET active = {state}")  # noqa: S608 -- one of two
        kept = deliveries(world, webhook)["deliveries"]
        assert [one["status"] for one in kept] == ["PENDING"] * 2
        assert ["nextAttemptAt" in one for one in kept] == [is_told] * 2


@SQLITE
@pytest.mark.spec("decisions §5")
def test_a_bad_question_for_deliveries_is_refused(world: World) -> None:
    one, other = (subscribe(world, "http://127.0.0.1:9/in") for _ in range(2))
    import_line(world, 1, 2)
    foreign = deliveries(world, one, "?query.limit=1")["nextCursor"]
    for wrong in (
        "query.status=LOST",
        "query.limit=201",
        "query.topic=TEST",
        f"cursor={foreign}",
        "cursor=x",
    ):
        answer = world.client.get(f"/webhooks/{other}/deliveries?{wrong}")
        assert (answer.status_code, answer.json()["code"]) == (400, 3), wrong
        violation = answer.json()["details"][0]["fieldViolations"][0]
        assert violation["field"] == wrong.partition("=")[0]


@pytest.mark.spec("decisions §19")
def test_events_are_sent_again_by_id_and_since_a_moment_those_missed_too(
    world: World, receiver: Receiver
) -> None:
    (missed,) = import_line(world, 1)
    world.clock.advance(seconds=10)
    webhook = subscribe(world, receiver.url("/in"))
    import_line(world, 2)
    send(world)
    before, after = [event["eventId"] for event in world.client.get("/events").json()["events"]]
    again = replay(world, webhook, {"eventIds": [after, before, after]})
    assert (again.status_code, again.json()) == (200, {"replayed": 2})
    assert replay(world, webhook, {"eventIds": [after]}).json() == {"replayed": 0}, "it waits"
    send(world)
    assert len(receiver.received) == 3
    assert missed in receiver.received[1].body.decode() + receiver.received[2].body.decode()
    assert [len(one["attempts"]) for one in deliveries(world, webhook)["deliveries"]] == [2, 1]
    since = {"since": "2024-07-01T06:00:05Z"}
    assert replay(world, webhook, since).json() == {"replayed": 1}
    send(world)
    assert replay(world, webhook, {"since": "2024-01-01T00:00:00Z"}).json() == {"replayed": 2}
    assert replay(world, webhook, {"since": "2025-01-01T00:00:00Z"}).json() == {"replayed": 0}


@SQLITE
def test_what_a_filter_keeps_back_is_replayed_only_by_id(world: World, receiver: Receiver) -> None:
    webhook = subscribe(world, receiver.url("/in"), filter={"tags": ["cold"]})
    import_line(world, 1, tags=["cold"])
    import_line(world, 2)
    send(world)
    assert len(receiver.received) == 1
    assert replay(world, webhook, {"since": "2024-07-01T00:00:00Z"}).json() == {"replayed": 1}
    events = [event["eventId"] for event in world.client.get("/events").json()["events"]]
    assert replay(world, webhook, {"eventIds": events}).json() == {"replayed": 1}
    send(world)
    assert len(receiver.received) == 3


@SQLITE
def test_a_replay_takes_so_many_events_a_call_and_says_where_to_go_on(world: World) -> None:
    import_line(world, 1)
    world.clock.advance(minutes=5)
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(
            "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 10005)"
            " INSERT INTO events (id, organization_id, topic, object_id, timestamp, actor)"
            " SELECT 'evt-' || n, organization_id, topic, object_id, timestamp + n, '{}'"
            " FROM events, many"
        )
    webhook = subscribe(world, "http://127.0.0.1:9/in")
    since, calls = "2024-07-01T00:00:00Z", []
    while since:
        answer = replay(world, webhook, {"since": since}).json()
        calls.append(answer["replayed"])
        since = answer.get("nextSince", "")
    assert calls == [10_000, 6]
    assert world.count("outbox") == 10_006


@SQLITE
@pytest.mark.spec("decisions §22")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "since"),
        ({"eventIds": []}, "since"),
        ({"since": None, "eventIds": None}, "since"),
        ({"since": "2024-07-01T00:00:00Z", "eventIds": [NO_EVENT]}, "since"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2024-07-01T00:00:00"}, "since"),
        ({"eventIds": [NO_EVENT] * 201}, "eventIds"),
        ({"eventIds": [NO_EVENT, ""]}, "eventIds[1]"),
        ({"eventId": NO_EVENT}, "eventId"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_replay_is_refused_by_field(world: World, body: Json, named: str) -> None:
    answer = replay(world, subscribe(world, "http://127.0.0.1:9/in"), body)
    assert (answer.status_code, answer.json()["code"]) == (400, 3)
    assert answer.json()["details"][0]["fieldViolations"][0]["field"] == named


@SQLITE
@pytest.mark.spec("decisions §22")
def test_an_unknown_event_or_one_of_others_refuses_the_whole(world: World) -> None:
    webhook = subscribe(world, "http://127.0.0.1:9/in")
    import_line(world, 1)
    ours = world.client.get("/events").json()["events"][0]["eventId"]
    world.stranger.post("/stops/imports", [{"coordinates": {"latitude": 1, "longitude": 1}}])
    theirs = world.stranger.get("/events").json()["events"][0]["eventId"]
    for event in (NO_EVENT, theirs):
        refused = replay(world, webhook, {"eventIds": [ours, event]})
        assert (refused.status_code, refused.json()["code"]) == (404, 5)
        assert refused.json()["message"] == f'event not found: "{event}"'
    assert deliveries(world, webhook)["deliveries"][0]["status"] == "PENDING"
    assert world.count("outbox") == 1


def test_a_replay_is_repeated_under_its_key(world: World, receiver: Receiver) -> None:
    webhook = subscribe(world, receiver.url("/in"))
    import_line(world, 1)
    send(world)
    body = {"since": "2024-07-01T00:00:00Z"}
    first = replay(world, webhook, body, **{"Idempotency-Key": "once"})
    send(world)
    second = replay(world, webhook, body, **{"Idempotency-Key": "once"})
    assert first.content == second.content == b'{"replayed":1}'
    assert second.headers["Idempotency-Replayed"] == "true"
    send(world)
    assert len(receiver.received) == 2


@SQLITE
def test_a_webhook_that_is_not_active_or_not_theirs_is_not_replayed(
    world: World, receiver: Receiver
) -> None:
    webhook = subscribe(world, "http://127.0.0.1:9/in")
    body = {"since": "2024-07-01T00:00:00Z"}
    for id_ in (webhook, UNKNOWN):
        strangers = world.stranger.post(f"/webhooks/{id_}/replays", body)
        read = world.stranger.get(f"/webhooks/{id_}/deliveries")
        assert (strangers.status_code, read.status_code) == (404, 404)
        assert strangers.json() == read.json() == {"code": 5, "message": "webhook not found"}
    gone = subscribe(world, receiver.url("/status/410"))
    import_line(world, 1)
    send(world)
    refused = replay(world, gone, body)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
