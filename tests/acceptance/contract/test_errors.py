"""Decisions §2 and §3: codes, messages, headers, identity and the rate limit."""

import time
from typing import Any

import pytest
from tests.acceptance.contract.bodies import HERE, UNKNOWN_UUID, new_driver, new_route, new_stops
from tests.acceptance.contract.installation import (
    BASE,
    Client,
    Installation,
    refusal_of,
    without_organization,
)

U = UNKNOWN_UUID
PLACE = {"location": {"coordinates": HERE}, "updateMask": "coordinates"}
ROUTE_PLACE = {"location": {"plannedCoordinates": HERE}, "updateMask": "plannedCoordinates"}
UNKNOWN_IDS: list[tuple[str, str, Any]] = [
    ("GET", "/stops/imports/{ist}", None),
    ("PATCH", "/stops/imports/{ist}", {"importedStop": {"note": "x"}, "updateMask": "note"}),
    ("PATCH", "/stops/imports/{ist}/location", PLACE),
    ("PUT", "/stops/imports/{ist}/items", []),
    ("PUT", "/stops/imports/{ist}/tasks", []),
    ("DELETE", "/stops/imports/{ist}", None),
    ("GET", "/stops/imports/{ist}/routes", None),
    ("GET", "/stops/imports/no-such-client-id", None),
    ("GET", "/routes/{rte}", None),
    ("PATCH", "/routes/{rte}", {"route": {"note": "x"}, "updateMask": "note"}),
    ("DELETE", "/routes/{rte}", None),
    ("POST", "/routes/{rte}/stops", [{"importedStopId": "{own}"}]),
    ("POST", "/routes/{rte}/store-orders", [{"storeOrderId": "1"}]),
    ("POST", "/routes/{rte}/resync-orders", {}),
    ("POST", "/routes/{rte}/reoptimize", {}),
    ("PUT", "/routes/{rte}/vehicle", {"vehicleId": "{veh}"}),
    ("DELETE", "/routes/{rte}/vehicle", None),
    ("PUT", "/routes/{rte}/driver", {"driverId": "{drv}"}),
    ("DELETE", "/routes/{rte}/driver", None),
    ("POST", "/routes/{rte}/dispatch", {}),
    ("DELETE", "/routes/{rte}/dispatch", None),
    ("POST", "/routes/{rte}/ready", None),
    ("POST", "/routes/{rte}/archive", None),
    ("DELETE", "/routes/{rte}/archive", None),
    ("PUT", "/routes/{rte}/start/tasks", []),
    ("PUT", "/routes/{rte}/end/tasks", []),
    ("PATCH", "/routes/{rte}/start/location", PLACE),
    ("PATCH", "/routes/{rte}/end/location", PLACE),
    ("DELETE", "/routes/{rte}/stops/{rst}", None),
    ("GET", "/routes/{rte}/stops/{rst}", None),
    ("GET", "/routes/{mine}/stops/{rst}", None),
    ("DELETE", "/routes/{mine}/stops/{rst}", None),
    ("PATCH", "/routes/{mine}/stops/{rst}", {"routeStop": {"note": "x"}, "updateMask": "note"}),
    ("PATCH", "/routes/{mine}/stops/{rst}/location", ROUTE_PLACE),
    ("PUT", "/routes/{mine}/stops/{rst}/items", []),
    ("PUT", "/routes/{mine}/stops/{rst}/tasks", []),
    ("PUT", "/routes/{mine}/stops/{rst}/position", {"index": 0}),
    ("GET", "/stops/store/no-such-order/routes", None),
    ("GET", "/vehicles/{veh}", None),
    ("PATCH", "/vehicles/{veh}", {"vehicle": {"name": "x"}, "updateMask": "name"}),
    ("POST", "/vehicles/{veh}/archive", None),
    ("DELETE", "/vehicles/{veh}/archive", None),
    ("GET", "/drivers/{drv}", None),
    ("PATCH", "/drivers/{drv}", {"driver": {"firstName": "x"}, "updateMask": "firstName"}),
    ("POST", "/drivers/{drv}/invite", None),
    ("POST", "/drivers/{drv}/activate", None),
    ("POST", "/drivers/{drv}/deactivate", None),
    ("POST", "/drivers/{drv}/archive", None),
    ("DELETE", "/webhooks/{sub}", None),
    ("POST", "/webhooks/{sub}/test", None),
    ("GET", "/no/such/path", None),
]


@pytest.mark.spec("decisions §2")
def test_an_unknown_id_is_404_and_a_stranger_s_answers_the_same_bytes(
    installation: Installation, client: Client
) -> None:
    owner = installation.new_client()
    stops = new_stops(owner, 1)
    route = new_route(owner, *stops)
    owned = {
        "rte": route["id"],
        "rst": route["stops"][0]["id"],
        "ist": stops[0]["id"],
        "veh": owner.post("/vehicles", {"name": "Van"})["id"],
        "drv": new_driver(owner)["id"],
        "sub": owner.post("/webhooks", {"url": "http://127.0.0.1:9/", "topics": ["TEST"]})["id"],
    }
    unknown = {kind: f"{kind}-{U}" for kind in owned}
    mine = {"mine": new_route(client)["id"], "own": new_stops(client, 1)[0]["id"]}
    strangers = [client, installation.new_client(client.organization)]
    for method, path, body in UNKNOWN_IDS:
        answers = set()
        for stranger, ids in zip(strangers, (unknown, owned), strict=True):
            names = {**ids, **mine}
            request = {} if body is None else {"json": filled(body, names)}
            answer = stranger.send(method, path.format(**names), **request)
            said = refusal_of(answer)
            assert said.short == (404, 5), (method, path, answer.text)
            answers.add(answer.text.replace(ids["rte"], "").replace(ids["rst"], ""))
            for known in ids.values():
                answers = {text.replace(known, "") for text in answers}
        assert len(answers) == 1, (method, path, answers)


def filled(body: Any, names: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: filled(value, names) for key, value in body.items()}
    if isinstance(body, list):
        return [filled(value, names) for value in body]
    return names.get(body.strip("{}"), body) if isinstance(body, str) else body


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/routes", {"GET", "POST"}),
        ("DELETE", "/stops/imports", {"GET", "POST"}),
        ("GET", "/authenticate", {"POST"}),
        ("POST", f"/routes/rte-{U}", {"GET", "PATCH", "DELETE"}),
        ("GET", f"/routes/rte-{U}/stops", {"POST"}),
        ("GET", f"/routes/rte-{U}/reoptimize", {"POST"}),
        ("POST", f"/vehicles/veh-{U}", {"GET", "PATCH"}),
    ],
)
def test_a_wrong_method_is_405_with_allow(
    client: Client, method: str, path: str, allowed: set[str]
) -> None:
    response = client.http.request(method, BASE + path)
    assert refusal_of(response).short == (405, 12)
    named = {name.strip() for name in response.headers["Allow"].split(",")}
    assert named - {"HEAD", "OPTIONS"} == allowed


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer nonsense",
        "Basic abc",
        "Token x",
        "Bearer a b",
    ],
)
def test_without_a_valid_token_it_is_401_with_a_challenge(
    installation: Installation, header: str | None
) -> None:
    http = installation.open_http()
    headers = {} if header is None else {"Authorization": header}
    for method, path in (("GET", "/routes"), ("POST", "/stops/imports"), ("GET", "/no/such")):
        response = http.request(method, BASE + path, headers=headers)
        if path == "/no/such" and response.status_code == 404:
            continue
        assert refusal_of(response).short == (401, 16)
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
        assert response.headers["X-Request-Id"]
        assert not [name for name in response.headers if name.lower().startswith("ratelimit")]


@pytest.mark.spec("decisions §2")
def test_the_scheme_is_told_without_regard_to_case(client: Client) -> None:
    token = client.http.headers["Authorization"].partition(" ")[2]
    client.ask("GET", "/routes", headers={"Authorization": f"bearer {token}"})


@pytest.mark.spec("POST /authenticate")
def test_a_token_is_issued_as_specified(installation: Installation) -> None:
    slug = installation.new_organization()["organization"]
    key = installation.new_key(slug)
    response = installation.open_http().post(f"{BASE}/authenticate", json=without_organization(key))
    assert response.status_code == 200
    assert response.headers["X-Request-Id"]
    body = response.json()
    assert set(body) == {"accessToken", "expiresInSeconds", "organization"}
    assert body["expiresInSeconds"] == "3600"
    assert body["organization"] == slug
    assert "Idempotency-Replayed" not in response.headers


@pytest.mark.spec("Known error bodies")
@pytest.mark.spec("decisions §3")
@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ({}, 400, 3, "missing client_id"),
        ({"clientSecret": "x"}, 400, 3, "missing client_id"),
        ({"clientId": "", "clientSecret": "x"}, 400, 3, "missing client_id"),
        ({"clientId": None, "clientSecret": "x"}, 400, 3, "missing client_id"),
        ({"clientId": "unknown-1"}, 400, 3, "missing client_secret"),
        ({"clientId": "unknown-1", "clientSecret": ""}, 400, 3, "missing client_secret"),
        (
            {"clientId": "unknown-1", "clientSecret": "x"},
            401,
            7,
            "failed to authenticate client",
        ),
    ],
)
def test_authenticate_keeps_its_messages(
    installation: Installation, body: Any, status: int, code: int, message: str
) -> None:
    http = installation.open_http("127.0.1.1")
    refusal = refusal_of(http.post(f"{BASE}/authenticate", json=body))
    assert (refusal.status, refusal.code, refusal.message) == (status, code, message)


@pytest.mark.spec("decisions §2")
def test_an_unknown_client_and_a_wrong_secret_answer_the_same(installation: Installation) -> None:
    key = installation.new_key(installation.new_organization()["organization"])
    http = installation.open_http("127.0.1.2")
    wrong = http.post(
        f"{BASE}/authenticate", json={"clientId": key["clientId"], "clientSecret": "no"}
    )
    unknown = http.post(f"{BASE}/authenticate", json={"clientId": "no", "clientSecret": "no"})
    assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)


def guess_until_braked(http: Any, guesses: list[dict[str, str]], *, allowed: int) -> Any:
    """Send guesses until one is refused for its number; return that answer."""
    began = time.monotonic()
    for failures, guess in enumerate(guesses):
        answer = http.post(f"{BASE}/authenticate", json=guess)
        if answer.status_code == 429:
            # As many as are allowed in a minute come back in a minute, on a slow machine too.
            came_back = (time.monotonic() - began) * allowed / 60 + 1
            assert allowed <= failures <= allowed + came_back
            return answer
        assert refusal_of(answer).short == (401, 7)
    raise AssertionError("nobody was braked")


@pytest.mark.counts_requests
@pytest.mark.spec("decisions §3")
def test_ten_failures_a_minute_brake_one_client_from_one_address(
    installation: Installation,
) -> None:
    slug = installation.new_organization()["organization"]
    key, other = installation.new_key(slug), installation.new_key(slug)
    http = installation.open_http("127.0.1.3")
    wrong = {"clientId": key["clientId"], "clientSecret": "guess"}
    response = guess_until_braked(http, [wrong] * 30, allowed=10)
    refusal = refusal_of(response)
    assert (refusal.short, refusal.message) == ((429, 8), "rate limit exceeded")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    right = http.post(f"{BASE}/authenticate", json=without_organization(key))
    assert refusal_of(right).short == (429, 8)
    fine = http.post(f"{BASE}/authenticate", json=without_organization(other))
    assert fine.status_code == 200
    elsewhere = installation.open_http("127.0.1.4")
    assert elsewhere.post(f"{BASE}/authenticate", json=without_organization(key)).status_code == 200


@pytest.mark.counts_requests
@pytest.mark.spec("decisions §3")
def test_sixty_failures_a_minute_brake_an_address(installation: Installation) -> None:
    key = installation.new_key(installation.new_organization()["organization"])
    http = installation.open_http("127.0.1.5")
    guesses = [{"clientId": f"guess-{n}", "clientSecret": "guess"} for n in range(200)]
    guess_until_braked(http, guesses, allowed=60)
    right = http.post(f"{BASE}/authenticate", json=without_organization(key))
    assert refusal_of(right).short == (429, 8)
    elsewhere = installation.open_http("127.0.1.6")
    assert elsewhere.post(f"{BASE}/authenticate", json=without_organization(key)).status_code == 200


@pytest.mark.spec("Authentication")
@pytest.mark.spec("decisions §3")
@pytest.mark.spec("decisions §12")
def test_a_secret_is_rotated_from_the_command_line_while_the_server_runs(
    installation: Installation,
) -> None:
    key = installation.new_key(installation.new_organization()["organization"])
    named = ("--client-id", key["clientId"])
    http = installation.open_http("127.0.1.7")

    def sign_in(secret: str) -> Any:
        body = {"clientId": key["clientId"], "clientSecret": secret}
        return http.post(f"{BASE}/authenticate", json=body)

    def works(token: str) -> bool:
        headers = {"Authorization": f"Bearer {token}"}
        return bool(http.get(f"{BASE}/routes", headers=headers).status_code == 200)

    assert installation.try_run("credentials", "finish", *named).exit_code != 0
    old = key["clientSecret"]
    old_token = sign_in(old).json()["accessToken"]
    new = installation.run("credentials", "rotate", *named)["clientSecret"]
    assert installation.try_run("credentials", "rotate", *named).exit_code != 0
    new_token = sign_in(new).json()["accessToken"]
    assert sign_in(old).status_code == 200
    assert works(old_token)
    assert works(new_token)
    installation.run("credentials", "cancel", *named)
    assert (works(old_token), works(new_token)) == (True, False)
    assert refusal_of(sign_in(new)).short == (401, 7)
    newer = installation.run("credentials", "rotate", *named)["clientSecret"]
    newer_token = sign_in(newer).json()["accessToken"]
    installation.run("credentials", "finish", *named)
    assert (works(old_token), works(newer_token)) == (False, True)
    assert refusal_of(sign_in(old)).short == (401, 7)
    assert sign_in(newer).status_code == 200


@pytest.mark.spec("Limits")
@pytest.mark.counts_requests
@pytest.mark.spec("decisions §3")
def test_a_full_bucket_answers_119_to_0_then_429(client: Client) -> None:
    began = time.monotonic()
    first = client.send("GET", "/webhooks")
    assert first.headers["RateLimit-Remaining"] == "119"
    assert first.headers["RateLimit-Reset"] == "1"
    answers = [client.send("GET", "/no-such-path") for _ in range(150)]
    refused = [answer for answer in answers if answer.status_code == 429]
    # Ten a second come back while the test runs, so the 121st is refused only on a fast machine.
    came_back = int((time.monotonic() - began) * 10) + 1
    assert 151 - 120 - came_back <= len(refused) <= 31
    remaining = [int(answer.headers["RateLimit-Remaining"]) for answer in answers]
    assert remaining[:3] == [118, 117, 116] or came_back > 1
    for answer in refused:
        refusal = refusal_of(answer)
        assert (refusal.short, refusal.message) == ((429, 8), "rate limit exceeded")
        assert answer.headers["Retry-After"] == "1"
        assert answer.headers["RateLimit-Remaining"] == "0"
        assert answer.headers["RateLimit-Reset"] in {"11", "12"}


@pytest.mark.counts_requests
@pytest.mark.spec("decisions §3")
def test_the_bucket_belongs_to_the_client_not_to_the_token_or_the_organization(
    installation: Installation, client: Client
) -> None:
    client.send("GET", "/webhooks")
    body = without_organization(client.key)
    token = client.http.post(f"{BASE}/authenticate", json=body).json()["accessToken"]
    other = installation.open_http()
    headers = {"Authorization": f"Bearer {token}"}
    answer = other.get(f"{BASE}/webhooks", headers=headers)
    assert answer.headers["RateLimit-Remaining"] in {"118", "119"}
    colleague = installation.new_client(client.organization)
    answer = colleague.send("GET", "/webhooks")
    assert answer.headers["RateLimit-Remaining"] == "119"


@pytest.mark.spec("decisions §2")
def test_a_request_id_is_on_every_answer_and_differs(client: Client) -> None:
    ids = {client.send("GET", path).headers["X-Request-Id"] for path in ("/routes", "/no", "/x")}
    assert len(ids) == 3


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("path", "name", "suggestion"),
    [
        ("/routes", "query.limits", "query.limit"),
        ("/routes", "limit", "query.limit"),
        ("/routes", "query.sortkey", "query.sortKey"),
        ("/stops/imports", "query.unroutd", "query.unrouted"),
        ("/vehicles", "query.includeArchive", "query.includeArchived"),
        ("/drivers", "query.state", "query.status"),
    ],
)
def test_an_unknown_query_argument_is_named_with_a_suggestion(
    client: Client, path: str, name: str, suggestion: str
) -> None:
    refusal = client.refused("GET", path, params={name: "1"})
    assert refusal.short == (400, 3)
    assert name in refusal.text
    assert suggestion in refusal.text


@pytest.mark.spec("decisions §12")
def test_an_empty_query_value_counts_as_absent(client: Client) -> None:
    empty = dict.fromkeys(
        ("query.limit", "query.sortKey", "query.timestampStart", "query.includeArchived", "cursor"),
        "",
    )
    assert client.ask("GET", "/routes", params=empty) == {"routes": [], "nextCursor": ""}
