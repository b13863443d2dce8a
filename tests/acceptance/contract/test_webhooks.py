"""Webhook subscriptions: the specification's table and decisions §9."""

from typing import Any

import pytest
from tests.acceptance.contract.bodies import topics
from tests.acceptance.contract.installation import Client, Installation

URL = "http://127.0.0.1:9/in"
TOPICS = [
    "TEST",
    "ROUTE_CREATED",
    "ROUTE_UPDATED",
    "ROUTE_DELETED",
    "ROUTE_DISPATCHED",
    "ROUTE_STARTED",
    "ROUTE_COMPLETED",
    "ROUTE_START_STOP_UPDATED",
    "ROUTE_END_STOP_UPDATED",
    "STOP_UPDATED",
    "STOP_STATUS_UPDATED",
    "DRIVER_ADDED",
    "DRIVER_UPDATED",
    "DRIVER_ACTIVATED",
    "DRIVER_DEACTIVATED",
    "DRIVER_ARCHIVED",
    "IMPORTED_STOP_CREATED",
    "IMPORTED_STOP_UPDATED",
    "IMPORTED_STOP_DELETED",
]


@pytest.mark.spec("Topics")
def test_every_topic_can_be_subscribed_to_but_not_both_of_stops(client: Client) -> None:
    for leave in ("STOP_UPDATED", "STOP_STATUS_UPDATED"):
        wanted = [topic for topic in TOPICS if topic != leave]
        hook = client.post("/webhooks", {"url": URL, "topics": wanted})
        assert sorted(hook["topics"]) == sorted(wanted)
    refusal = client.refused("POST", "/webhooks", {"url": URL, "topics": TOPICS})
    assert (refusal.short, refusal.fields) == ((400, 3), ["topics"])


@pytest.mark.spec("Limits")
def test_a_sixth_subscription_is_refused_until_one_is_removed(
    installation: Installation, client: Client
) -> None:
    hooks = [client.post("/webhooks", {"url": URL, "topics": ["TEST"]}) for _ in range(5)]
    body = {"url": URL, "topics": ["TEST"]}
    assert client.refused("POST", "/webhooks", body).short == (400, 9)
    colleague = installation.new_client(client.organization)
    assert colleague.refused("POST", "/webhooks", body).short == (400, 9)
    assert client.delete(f"/webhooks/{hooks[2]['id']}") == {}
    client.post("/webhooks", body)
    assert len(client.get("/webhooks")["webhooks"]) == 5


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    "url",
    [
        "https://10.0.0.1/in",
        "https://192.168.1.1/in",
        "https://169.254.169.254/latest",
        "https://[::1]/in",
        "https://[fd00::1]/in",
        "https://0.0.0.0/in",
        "https://172.16.0.1:8443/in",
        "https://100.64.0.1/in",
        "https://[::ffff:10.0.0.1]/in",
        "http://93.184.216.34/in",
        "https://user:secret@127.0.0.1/in",
        "https://user@127.0.0.1/in",
        "ftp://127.0.0.1/in",
        "127.0.0.1/in",
        "https://",
        "",
        "https://no-such-host.invalid/in",
        1,
    ],
)
def test_a_receiver_that_is_not_public_or_not_https_is_refused(client: Client, url: Any) -> None:
    refusal = client.refused("POST", "/webhooks", {"url": url, "topics": ["TEST"]})
    assert (refusal.short, refusal.fields) == ((400, 3), ["url"])
    assert "secret" not in refusal.text
    assert client.get("/webhooks") == {"webhooks": []}


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("wanted", [[], ["TEST", "TEST"], None, "TEST", ["test"], ["ROUTE"]])
def test_topics_are_known_and_named_once(client: Client, wanted: Any) -> None:
    refusal = client.refused("POST", "/webhooks", {"url": URL, "topics": wanted})
    assert refusal.short == (400, 3)
    assert all(field.startswith("topics") for field in refusal.fields)
    assert refusal.fields


@pytest.mark.spec("decisions §9")
@pytest.mark.spec("decisions §12")
def test_a_webhook_is_tested(client: Client) -> None:
    hook = client.post("/webhooks", {"url": URL, "topics": ["ROUTE_CREATED"]})
    answer = client.post(f"/webhooks/{hook['id']}/test")
    assert set(answer) == {"eventId"}
    (event,) = client.get("/events", topic="TEST")["events"]
    assert event["eventId"] == answer["eventId"]
    assert "payload" not in event
    assert topics(client) == ["TEST"]


@pytest.mark.spec("Webhooks")
def test_body_errors_are_all_listed(client: Client) -> None:
    refusal = client.refused("POST", "/webhooks", {"url": "http://x", "topics": []})
    assert refusal.short == (400, 3)
    assert set(refusal.fields) == {"url", "topics"}
    refusal = client.refused("POST", "/webhooks", {})
    assert set(refusal.fields) == {"url", "topics"}
