import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.topics import Topic
from roundsman.storage.tables import metadata

UNKNOWN = "sub-00000000-0000-4000-8000-000000000000"
URL = "https://hooks.example.com/in"
STOP = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def add(world: World, *topics: str, **fields: Any) -> Any:
    body = {"url": URL, "topics": list(topics) or ["ROUTE_CREATED"], **fields}
    return world.client.post("/webhooks", body)


def outbox(world: World) -> list[tuple[str, str]]:
    """Return topic and subscription of everything that is to be sent."""
    with world.tools.database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT events.topic, outbox.subscription_id FROM outbox"
            " JOIN events ON events.id = outbox.event_id ORDER BY events.timestamp"
        )
        return [(str(row[0]), str(row[1])) for row in rows]


@pytest.mark.spec("Webhooks")
def test_a_webhook_is_registered_listed_and_removed(world: World) -> None:
    first = add(world, "ROUTE_CREATED", "TEST").json()
    assert first == {
        "id": first["id"],
        "url": URL,
        "topics": ["ROUTE_CREATED", "TEST"],
        "payload": "FULL",
        "active": True,
    }
    assert first["id"].startswith("sub-")
    world.clock.advance(seconds=1)
    chosen = {"payload": "THIN", "filter": {"tags": ["cold"]}}
    second = add(world, url="http://127.0.0.1:9000/in", **chosen).json()
    assert {name: second[name] for name in chosen} == chosen
    assert world.client.get("/webhooks").json() == {"webhooks": [first, second]}
    assert world.stranger.get("/webhooks").json() == {"webhooks": []}
    removed = world.client.send("DELETE", f"/webhooks/{first['id']}")
    assert (removed.status_code, removed.json()) == (200, {})
    assert world.client.get("/webhooks").json() == {"webhooks": [second]}
    assert world.client.send("DELETE", f"/webhooks/{first['id']}").status_code == 404


@pytest.mark.spec("decisions §9")
def test_every_topic_but_the_narrower_of_two_can_be_asked_for(world: World) -> None:
    topics = [topic.value for topic in Topic if topic is not Topic.STOP_STATUS_UPDATED]
    assert add(world, *topics).json()["topics"] == topics
    assert add(world, "STOP_STATUS_UPDATED").status_code == 200


BAD_WEBHOOKS: list[tuple[dict[str, Any], str]] = [
    ({"url": None}, "url"),
    ({"url": ""}, "url"),
    ({"url": 5}, "url"),
    ({"url": "https://hooks.example.com/" + "x" * 2_048}, "url"),
    ({"url": "http://hooks.example.com/"}, "url"),
    ({"url": "https://nowhere.example.com/"}, "url"),
    ({"url": "https://10.0.0.1/"}, "url"),
    ({"url": "https://intranet/"}, "url"),
    ({"url": "https://user:secret@hooks.example.com/"}, "url"),
    ({"topics": None}, "topics"),
    ({"topics": []}, "topics"),
    ({"topics": "TEST"}, "topics"),
    ({"topics": ["TEST", "ROUTE"]}, "topics[1]"),
    ({"topics": ["TEST", "TEST"]}, "topics"),
    ({"topics": ["STOP_UPDATED", "STOP_STATUS_UPDATED"]}, "topics"),
    ({"topic": ["TEST"]}, "topic"),
    ({"payload": "SMALL"}, "payload"),
    ({"payload": True}, "payload"),
    ({"filter": ["cold"]}, "filter"),
    ({"filter": {"tag": ["cold"]}}, "filter.tag"),
    ({"filter": {"tags": "cold"}}, "filter.tags"),
    ({"filter": {"tags": ["cold", 5]}}, "filter.tags[1]"),
    ({"filter": {"tags": ["x"] * 101}}, "filter.tags"),
]


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(("fields", "named"), BAD_WEBHOOKS, ids=lambda value: str(value)[:40])
def test_a_bad_webhook_is_refused_by_field_and_not_registered(
    world: World, fields: dict[str, Any], named: str
) -> None:
    response = add(world, **fields)
    assert (response.status_code, response.json()["code"]) == (400, 3)
    assert response.json()["details"][0]["fieldViolations"][0]["field"] == named
    assert world.count("subscriptions") == 0


@pytest.mark.both_databases
@pytest.mark.spec("Limits")
def test_a_sixth_webhook_is_refused_however_many_ask_at_once(world: World) -> None:
    with ThreadPoolExecutor(10) as callers:
        answers = list(callers.map(lambda _: add(world), range(10)))
    codes = sorted(answer.json().get("code", 0) for answer in answers)
    assert codes == [0] * 5 + [9] * 5
    assert world.count("subscriptions") == 5
    ids = [webhook["id"] for webhook in world.client.get("/webhooks").json()["webhooks"]]
    world.client.send("DELETE", f"/webhooks/{ids[0]}")
    assert add(world).status_code == 200


@pytest.mark.spec("decisions §9")
def test_a_test_event_goes_to_the_tested_webhook_alone(world: World) -> None:
    ids = [add(world, *topics).json()["id"] for topics in (["TEST"], ["ROUTE_CREATED"])]
    for id_ in (ids[1], ids[0], ids[1]):
        answer = world.client.send("POST", f"/webhooks/{id_}/test").json()
        assert answer["eventId"].startswith("evt-")
        world.clock.advance(seconds=1)
    assert outbox(world) == [("TEST", ids[1]), ("TEST", ids[0]), ("TEST", ids[1])]
    event = world.client.get("/events").json()["events"][-1]
    assert event["eventId"] == answer["eventId"]
    assert (event["topic"], event["objectId"]) == ("TEST", ids[1])
    assert "payload" not in event


@pytest.mark.spec("Events")
def test_an_event_is_to_be_sent_to_those_who_asked_for_its_topic(world: World) -> None:
    created, both = (
        add(world, *topics).json()["id"]
        for topics in (["ROUTE_CREATED"], ["ROUTE_CREATED", "IMPORTED_STOP_CREATED"])
    )
    world.client.post("/stops/imports", [STOP])
    world.clock.advance(seconds=1)
    world.client.post("/routes", {"start": STOP})
    assert sorted(outbox(world)) == sorted(
        [("IMPORTED_STOP_CREATED", both), ("ROUTE_CREATED", created), ("ROUTE_CREATED", both)]
    )
    world.client.send("DELETE", f"/webhooks/{both}")
    assert outbox(world) == [("ROUTE_CREATED", created)]


@pytest.mark.both_databases
@pytest.mark.spec("decisions §9")
def test_a_webhook_may_be_removed_while_events_are_recorded(world: World) -> None:
    def come_and_go(_: int) -> int:
        id_ = add(world, "IMPORTED_STOP_CREATED").json()["id"]
        return int(world.client.send("DELETE", f"/webhooks/{id_}").status_code)

    def import_one(_: int) -> int:
        return int(world.client.post("/stops/imports", [STOP]).status_code)

    # Four at once: an organization has five webhooks at most.
    with ThreadPoolExecutor(4) as one, ThreadPoolExecutor(4) as other:
        jobs = [one.submit(come_and_go, n) for n in range(30)]
        jobs += [other.submit(import_one, n) for n in range(30)]
    assert {job.result() for job in jobs} == {200}
    assert (world.count("events"), world.count("outbox")) == (30, 0)


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", ""),
        ("POST", "/test"),
        ("POST", "/secret/rotate"),
        ("POST", "/secret/finish"),
        ("POST", "/secret/cancel"),
    ],
)
def test_a_strangers_webhook_answers_as_an_unknown_one(
    world: World, method: str, path: str
) -> None:
    id_ = add(world).json()["id"]
    theirs = world.stranger.send(method, f"/webhooks/{id_}{path}")
    unknown = world.stranger.send(method, f"/webhooks/{UNKNOWN}{path}")
    assert (theirs.status_code, theirs.content) == (404, unknown.content)
    assert world.count("subscriptions") == 1


@pytest.mark.spec("Idempotency")
def test_every_change_of_a_webhook_is_replayed(world: World) -> None:
    id_ = add(world).json()["id"]
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/webhooks", {"json": {"url": URL, "topics": ["TEST"]}}),
        ("POST", f"/webhooks/{id_}/test", {}),
        ("DELETE", f"/webhooks/{id_}", {}),
    ]
    for number, (method, path, body) in enumerate(requests):
        key = {"Idempotency-Key": f"k{number}"}
        first, second = (world.client.send(method, path, headers=key, **body) for _ in range(2))
        assert first.content == second.content
        assert second.headers["Idempotency-Replayed"] == "true"
    assert (world.count("subscriptions"), world.topics()) == (1, ["TEST"])


@pytest.mark.both_databases
def test_a_webhook_s_own_secret_is_answered_once_and_stands_nowhere_readable(
    world: World,
) -> None:
    path = f"/webhooks/{add(world).json()['id']}/secret"
    refused = world.client.post(f"{path}/finish")
    assert (refused.status_code, refused.json()["message"]) == (400, "no rotation is under way")
    key = {"Idempotency-Key": "rotate-once"}
    begun = world.client.post(f"{path}/rotate", headers=key).json()
    assert begun["own"] is False
    assert len(base64.b64decode(begun["nextSecret"])) == 32
    again = world.client.post(f"{path}/rotate")
    assert (again.status_code, again.json()["code"]) == (400, 9)
    assert world.client.post(f"{path}/finish").json() == {"own": True}
    second = world.client.post(f"{path}/rotate").json()
    assert (second["own"], second["nextSecret"] != begun["nextSecret"]) == (True, True)
    assert world.client.post(f"{path}/cancel").json() == {"own": True}
    kinds = [one["kind"] for one in world.client.get("/security-events").json()["securityEvents"]]
    assert sorted(one for one in kinds if one.startswith("WEBHOOK_ROTATION")) == [
        "WEBHOOK_ROTATION_CANCELLED",
        "WEBHOOK_ROTATION_FINISHED",
        "WEBHOOK_ROTATION_STARTED",
        "WEBHOOK_ROTATION_STARTED",
    ]
    with world.tools.database.reading() as tx:
        stored = "\n".join(
            str(row) for table in metadata.sorted_tables for row in tx.execute(table.select())
        )
    for secret in (begun["nextSecret"], second["nextSecret"]):
        assert secret not in stored
