"""What holds for every request, whatever the operation."""

import json
import re

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH, OPERATIONS
from roundsman.endpoints.operation import EVENTS

VEHICLE = "/stops/imports/ist-00000000-0000-4000-8000-000000000000"


@pytest.mark.spec("Authentication")
def test_a_token_lives_an_hour(world: World) -> None:
    answer = world.client.post(
        "/authenticate",
        {
            "clientId": world.credentials.client_id,
            "clientSecret": world.credentials.client_secret,
        },
    ).json()
    assert answer["expiresInSeconds"] == "3600"
    assert answer["organization"] == world.credentials.organization_id
    world.clock.advance(seconds=3599)
    assert world.client.get(VEHICLE).status_code == 404
    world.clock.advance(seconds=1)
    response = world.client.get(VEHICLE)
    assert (response.status_code, response.json()["code"]) == (401, 16)
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.spec("Known error bodies")
@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({}, 400, {"code": 3, "message": "missing client_id"}),
        ({"clientId": "x"}, 400, {"code": 3, "message": "missing client_secret"}),
        (
            {"clientId": "x", "clientSecret": "y"},
            401,
            {"code": 7, "message": "failed to authenticate client"},
        ),
    ],
)
def test_wrong_credentials_answer_as_specified(
    world: World, body: dict[str, str], status: int, error: dict[str, object]
) -> None:
    response = world.client.post("/authenticate", body)
    assert (response.status_code, response.json()) == (status, error)


@pytest.mark.spec("decisions §3")
def test_a_wrong_secret_and_an_unknown_client_answer_the_same(world: World) -> None:
    tokens = world.count("access_tokens")
    known = world.client.post(
        "/authenticate", {"clientId": world.credentials.client_id, "clientSecret": "no"}
    )
    unknown = world.client.post("/authenticate", {"clientId": "no", "clientSecret": "no"})
    assert known.content == unknown.content
    assert world.count("access_tokens") == tokens


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer nonsense", "Basic eDp5"])
def test_without_a_good_token_nothing_is_answered(world: World, header: str | None) -> None:
    world.client.headers.pop("Authorization")
    headers = {} if header is None else {"Authorization": header}
    response = world.client.send("GET", VEHICLE, headers=headers)
    assert (response.status_code, response.json()["code"]) == (401, 16)
    assert "RateLimit-Limit" not in response.headers


@pytest.mark.spec("decisions §3")
def test_the_bucket_empties_and_fills_again(world: World) -> None:
    first = world.client.get(VEHICLE)
    assert (first.headers["RateLimit-Limit"], first.headers["RateLimit-Remaining"]) == (
        "120",
        "119",
    )
    assert first.headers["RateLimit-Reset"] == "1"
    for _ in range(118):
        world.client.get(VEHICLE)
    last = world.client.get(VEHICLE)
    assert last.headers["RateLimit-Remaining"] == "0"
    assert last.headers["RateLimit-Reset"] == "12"
    refused = world.client.get(VEHICLE)
    assert (refused.status_code, refused.json()) == (
        429,
        {"code": 8, "message": "rate limit exceeded"},
    )
    assert refused.headers["Retry-After"] == "1"
    world.clock.advance(milliseconds=100)
    assert world.client.get(VEHICLE).status_code == 404
    assert world.stranger.get(VEHICLE).status_code == 404


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"start": NaN}',
        b'{"name": "a", "name": "b"}',
        b"\xff",
        b'{"note": "\\ud800"}',
        b"[" * 100_000,
        b'{"stops": ' + b"[" * 64 + b"]" * 64 + b"}",
        b'{"start": {"coordinates": {"latitude": 1, "longitude": 2}}, "id": '
        + (b"[" * 64 + b"]" * 64 + b"}"),
        b'{"maxKilograms": 1e999}',
        b'{"maxStops": ' + b"1" * 5_000 + b"}",
        b"",
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_a_body_that_is_not_careful_json_is_refused(world: World, body: bytes) -> None:
    response = world.client.send(
        "POST", "/routes", content=body, headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, response.json()["code"]) == (400, 3)


@pytest.mark.spec("decisions §1")
def test_what_is_wrong_with_body_and_query_is_told_together(world: World) -> None:
    refused = world.client.post("/routes?colour=red", {"maxStops": -1})
    told = refused.json()["details"][0]["fieldViolations"]
    assert {one["field"] for one in told} == {"maxStops", "start", "colour"}
    assert world.count("routes") == 0


@pytest.mark.spec("decisions §1")
def test_sixty_four_levels_are_not_too_deep(world: World) -> None:
    start = b'"start": {"coordinates": {"latitude": 1, "longitude": 2}}'
    response = world.client.send(
        "POST",
        "/routes",
        content=b"{" + start + b', "id": ' + b"[" * 63 + b"]" * 63 + b"}",
        headers={"Content-Type": "application/json"},
    )
    assert response.status_code == 200


@pytest.mark.spec("decisions §1")
def test_a_body_of_another_type_or_size_is_refused(world: World) -> None:
    typed = world.client.send("POST", "/routes", content=b"{}", headers={"Content-Type": "a/b"})
    assert (typed.status_code, typed.json()["code"]) == (415, 3)
    large = world.client.send("POST", "/routes", content=b" " * (8 * 1024 * 1024 + 1))
    assert (large.status_code, large.json()["code"]) == (413, 3)


@pytest.mark.spec("decisions §2")
def test_an_unknown_path_and_a_wrong_method_are_told_apart(world: World) -> None:
    unknown = world.client.get("/nothing/here")
    assert (unknown.status_code, unknown.json()["code"]) == (404, 5)
    wrong = world.client.send("DELETE", "/stops/imports")
    assert (wrong.status_code, wrong.json()["code"], wrong.headers["Allow"]) == (
        405,
        12,
        "GET, HEAD, POST",
    )


@pytest.mark.parametrize("reference", ["%00", "a%00b", "%ff", "%ed%a0%80", "%2e%2e", "%20"])
def test_whatever_a_path_holds_is_just_not_found(world: World, reference: str) -> None:
    response = world.client.get(f"/stops/imports/{reference}")
    assert (response.status_code, response.json()["code"]) == (404, 5)


@pytest.mark.parametrize("client_id", ["\ud800", "a\x00", "x" * 15_000])
def test_whatever_a_client_is_called_is_refused_not_broken(world: World, client_id: str) -> None:
    body = json.dumps({"clientId": client_id, "clientSecret": "s"})
    response = world.client.send(
        "POST", "/authenticate", content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in {400, 401}


@pytest.mark.spec("decisions §3")
@pytest.mark.parametrize(("address", "status"), [("127.0.0.1", 401), ("203.0.113.7", 400)])
def test_plain_http_is_for_this_machine_only(world: World, address: str, status: int) -> None:
    plain = InProcessClient(
        world.client.interface, base_url="http://roundsman.test", address=address
    )
    response = plain.get(f"{BASE_PATH}{VEHICLE}")
    assert response.status_code == status


@pytest.mark.spec("decisions §1")
def test_the_description_and_the_docs_need_no_token_and_no_network(world: World) -> None:
    world.client.headers.clear()
    page = world.client.page("/docs")
    assert "swagger-ui-bundle.js" in page.text
    assert "://" not in page.text
    assert world.client.page("/docs/swagger-ui-bundle.js").status_code == 200
    assert world.client.description["openapi"] == "3.1.0"


@pytest.mark.spec("Limits")
def test_a_call_that_reaches_no_operation_costs_its_client_all_the_same(world: World) -> None:
    remaining = [
        world.client.send(method, path).headers["RateLimit-Remaining"]
        for method, path in (("GET", "/nowhere"), ("PUT", "/routes"))
    ]
    assert remaining == ["119", "118"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_read_can_be_asked_for_its_headers_alone(world: World) -> None:
    reads = [operation for operation in OPERATIONS if operation.method == "GET"]
    assert len(reads) > 10
    http = InProcessClient(world.client.interface, base_url="https://roundsman.test")
    for operation in reads:
        path = BASE_PATH + re.sub(r"\{\w+\}", "unknown", operation.path)
        whole = http.get(path, headers=world.client.headers)
        head = http.head(path, headers=world.client.headers)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        for changing in ("x-request-id", "ratelimit-remaining", "ratelimit-reset"):
            del whole.headers[changing]
            del head.headers[changing]
        assert head.headers == whole.headers
        if operation.answer is not EVENTS:  # nobody knows how long a stream will be
            assert int(head.headers["Content-Length"]) == len(whole.content)
