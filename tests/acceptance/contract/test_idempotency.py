"""Idempotency keys: the specification's section and decisions §4."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.acceptance.contract.bodies import (
    BALTIMORE,
    HERE,
    TASK,
    at,
    new_driver,
    new_route,
    new_stops,
)
from tests.acceptance.contract.installation import (
    BASE,
    Client,
    Installation,
    refusal_of,
    without_organization,
)

START = {"start": {"coordinates": HERE}}
PLACE = {"location": {"coordinates": at(1)}, "updateMask": "coordinates"}
RPLACE = {"location": {"plannedCoordinates": at(1)}, "updateMask": "plannedCoordinates"}
MUTATIONS: list[tuple[str, str, Any]] = [
    ("POST", "/stops/imports", [{"coordinates": HERE}]),
    ("PATCH", "/stops/imports/{ist}", {"importedStop": {"note": "x"}, "updateMask": "note"}),
    ("PATCH", "/stops/imports/{ist}/location", PLACE),
    ("PUT", "/stops/imports/{ist}/items", [{"name": "a"}]),
    ("PUT", "/stops/imports/{ist}/tasks", [TASK]),
    ("POST", "/routes", START),
    ("PATCH", "/routes/{rte}", {"route": {"note": "x"}, "updateMask": "note"}),
    ("POST", "/routes/{rte}/stops", [{"importedStopId": "{ist}"}]),
    ("POST", "/routes/{rte}/store-orders", [{"storeOrderId": "1"}]),
    ("POST", "/routes/{rte}/resync-orders", {}),
    ("PUT", "/routes/{rte}/stops/{rst}/position", {"index": 1}),
    ("PATCH", "/routes/{rte}/stops/{rst}", {"routeStop": {"note": "x"}, "updateMask": "note"}),
    ("PATCH", "/routes/{rte}/stops/{rst}/location", RPLACE),
    ("PUT", "/routes/{rte}/stops/{rst}/items", [{"name": "a"}]),
    ("PUT", "/routes/{rte}/stops/{rst}/tasks", [TASK]),
    ("POST", "/routes/{rte}/reoptimize", {}),
    ("PATCH", "/routes/{rte}/start/location", PLACE),
    ("PATCH", "/routes/{rte}/end/location", PLACE),
    ("PUT", "/routes/{rte}/start/tasks", [TASK]),
    ("PUT", "/routes/{rte}/end/tasks", [TASK]),
    ("PUT", "/routes/{rte}/vehicle", {"vehicleId": "{veh}"}),
    ("DELETE", "/routes/{rte}/vehicle", None),
    ("PUT", "/routes/{rte}/driver", {"driverId": "{drv}"}),
    ("DELETE", "/routes/{rte}/driver", None),
    ("POST", "/routes/{rte}/ready", None),
    ("POST", "/routes/{rte}/dispatch", {}),
    ("DELETE", "/routes/{rte}/dispatch", None),
    ("POST", "/webhooks", {"url": "http://127.0.0.1:9/", "topics": ["TEST"]}),
    ("POST", "/webhooks/{sub}/test", None),
    ("DELETE", "/webhooks/{sub}", None),
    ("POST", "/vehicles", {"name": "Van"}),
    ("PATCH", "/vehicles/{veh}", {"vehicle": {"name": "x"}, "updateMask": "name"}),
    ("POST", "/vehicles/{veh}/archive", None),
    ("DELETE", "/vehicles/{veh}/archive", None),
    ("POST", "/drivers", {"firstName": "Ann"}),
    ("PATCH", "/drivers/{drv}", {"driver": {"firstName": "x"}, "updateMask": "firstName"}),
    ("POST", "/drivers/{drv}/deactivate", None),
    ("POST", "/drivers/{drv}/activate", None),
    ("POST", "/drivers/{pending}/invite", None),
    ("POST", "/drivers/{drv}/archive", None),
    ("PUT", "/store-orders/2", {"name": "#2"}),
    ("DELETE", "/stops/imports/{ist}", None),
    ("DELETE", "/routes/{rte}/stops/{rst}", None),
    ("POST", "/routes/{rte}/archive", None),
    ("DELETE", "/routes/{rte}/archive", None),
    ("DELETE", "/routes/{rte}", None),
]


def with_key(client: Client, method: str, path: str, body: Any, key: str) -> Any:
    request = {} if body is None else {"json": body}
    return client.send(method, path, headers={"Idempotency-Key": key}, **request)


def named(body: Any, names: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: named(value, names) for key, value in body.items()}
    if isinstance(body, list):
        return [named(value, names) for value in body]
    return names.get(body.strip("{}"), body) if isinstance(body, str) else body


@pytest.mark.spec("Idempotency")
@pytest.mark.spec("decisions §4")
def test_every_mutation_is_replayed_byte_for_byte_and_done_once(client: Client) -> None:
    stops = new_stops(client, 3)
    client.put("/store-orders/1", {"name": "#1", "address": BALTIMORE})
    route = new_route(client, *stops[:2])
    hook = client.post("/webhooks", {"url": "http://127.0.0.1:9/", "topics": ["TEST"]})
    names = {
        "ist": stops[2]["id"],
        "rte": route["id"],
        "rst": route["stops"][0]["id"],
        "veh": client.post("/vehicles", {"name": "Van"})["id"],
        "drv": new_driver(client)["id"],
        "pending": new_driver(client, active=False)["id"],
        "sub": hook["id"],
    }
    for number, (method, path, body) in enumerate(MUTATIONS):
        target, sent = path.format(**names), None if body is None else named(body, names)
        key = f"key {number} ~!"
        first = with_key(client, method, target, sent, key)
        assert first.status_code == 200, (method, path, first.text)
        assert first.headers["Idempotency-Key"] == key
        assert first.headers["Idempotency-Replayed"] == "false"
        again = with_key(client, method, target, sent, key)
        assert (again.status_code, again.content) == (200, first.content), (method, path)
        assert again.headers["Idempotency-Key"] == key
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers["Content-Type"] == first.headers["Content-Type"]


@pytest.mark.spec("decisions §4")
def test_a_replay_has_no_second_effect(client: Client) -> None:
    for _ in range(3):
        with_key(client, "POST", "/routes", START, "once")
    assert len(client.get("/routes")["routes"]) == 1
    assert len(client.get("/events")["events"]) == 1


@pytest.mark.spec("decisions §4")
def test_without_a_key_no_headers_are_answered(client: Client) -> None:
    answer = client.send("POST", "/routes", json=START)
    assert "Idempotency-Key" not in answer.headers
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.spec("decisions §4")
def test_the_same_body_written_differently_is_the_same_request(client: Client) -> None:
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    bodies = [
        b'{"start": {"coordinates": {"latitude": 1.5, "longitude": 2}}, "note": "a"}',
        b'{"note":"a","start":{"coordinates":{"longitude":2,"latitude":1.5}}}',
    ]
    first, second = (
        client.send("POST", "/routes", content=body, headers=headers) for body in bodies
    )
    assert first.content == second.content
    assert second.headers["Idempotency-Replayed"] == "true"


@pytest.mark.spec("decisions §4")
def test_the_same_key_for_another_request_is_refused_without_effect(client: Client) -> None:
    route = new_route(client)
    with_key(client, "POST", "/routes", START, "k")
    before = client.get("/routes")
    others: list[tuple[str, str, Any]] = [
        ("POST", "/routes", {**START, "note": "x"}),
        ("POST", "/stops/imports", [{"coordinates": HERE}]),
        ("DELETE", f"/routes/{route['id']}", None),
    ]
    for method, path, body in others:
        assert refusal_of(with_key(client, method, path, body, "k")).short == (400, 3)
    assert client.get("/routes") == before
    assert client.get("/stops/imports")["stops"] == []


@pytest.mark.spec("decisions §4")
def test_a_failed_request_leaves_no_record(client: Client) -> None:
    refused = with_key(client, "POST", "/routes", {}, "k")
    assert refusal_of(refused).short == (400, 3)
    assert "Idempotency-Replayed" not in refused.headers
    missing = with_key(client, "POST", "/routes/rte-x/ready", None, "k")
    assert refusal_of(missing).short == (404, 5)
    fine = with_key(client, "POST", "/routes", START, "k")
    assert (fine.status_code, fine.headers["Idempotency-Replayed"]) == (200, "false")


@pytest.mark.spec("Limits")
@pytest.mark.spec("decisions §4")
def test_a_key_is_1_to_255_printable_ascii_characters(client: Client) -> None:
    for key in ("x", "x" * 255, "!~ {}'\""):
        answer = with_key(client, "POST", "/routes", START, key)
        assert (answer.status_code, answer.headers["Idempotency-Key"]) == (200, key)
    made = len(client.get("/routes")["routes"])
    bad: list[bytes] = [b"", b"x" * 256, "é".encode(), "é".encode("latin-1"), b"a\tb"]
    for key_bytes in bad:
        headers = [(b"Idempotency-Key", key_bytes)]
        answer = client.send("POST", "/routes", json=START, headers=headers)
        assert refusal_of(answer).short == (400, 3), key_bytes
    assert len(client.get("/routes")["routes"]) == made


@pytest.mark.spec("decisions §4")
def test_a_key_belongs_to_its_client(installation: Installation, client: Client) -> None:
    colleague = installation.new_client(client.organization)
    mine = with_key(client, "POST", "/routes", START, "k")
    theirs = with_key(colleague, "POST", "/routes", START, "k")
    assert mine.json()["id"] != theirs.json()["id"]
    assert theirs.headers["Idempotency-Replayed"] == "false"


@pytest.mark.spec("decisions §4")
def test_callers_at_once_share_one_effect(client: Client) -> None:
    def create(_: int) -> tuple[int, bytes]:
        answer = with_key(client, "POST", "/routes", START, "storm")
        return answer.status_code, answer.content

    with ThreadPoolExecutor(10) as callers:
        answers = set(callers.map(create, range(30)))
    assert len(answers) == 1
    assert len(client.get("/routes")["routes"]) == 1


@pytest.mark.spec("decisions §4")
def test_reading_and_authenticating_take_no_key(client: Client) -> None:
    answer = client.send("GET", "/routes", headers={"Idempotency-Key": "k"})
    assert "Idempotency-Key" not in answer.headers
    body = without_organization(client.key)
    tokens = [
        client.http.post(f"{BASE}/authenticate", json=body, headers={"Idempotency-Key": "k"})
        for _ in range(2)
    ]
    assert tokens[0].json()["accessToken"] != tokens[1].json()["accessToken"]
