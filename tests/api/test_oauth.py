"""The token endpoint of OAuth 2.0 (decisions §13, RFC 6749 §4.4)."""

import base64
import threading
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from sqlalchemy import Engine, event
from tests.api.conftest import World
from tests.api.described import DescribedClient

from roundsman.domain.principal import Scope
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import create_credentials, finish_rotation, rotate_secret

pytestmark = pytest.mark.spec("decisions §13")

FORM = "application/x-www-form-urlencoded"
GRANT = {"grant_type": "client_credentials"}


def basic(client_id: str, secret: str) -> dict[str, str]:
    pair = f"{quote_plus(client_id)}:{quote_plus(secret)}"
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


def keys(world: World) -> dict[str, str]:
    return {
        "client_id": world.credentials.client_id,
        "client_secret": world.credentials.client_secret,
    }


def ask(world: World, form: dict[str, str] | str, **headers: str) -> Any:
    """Send a form as nobody in particular."""
    client = DescribedClient(world.client.interface)
    body = form if isinstance(form, str) else urlencode(form)
    return client.send(
        "POST", "/oauth/token", content=body, headers={"Content-Type": FORM, **headers}
    )


def client_of(world: World, answer: Any) -> DescribedClient:
    client = DescribedClient(world.client.interface)
    client.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
    return client


def test_a_secret_by_basic_or_in_the_form_earns_a_token_that_works(world: World) -> None:
    pair = keys(world)
    for answer in (
        ask(world, GRANT | pair),
        ask(world, GRANT, **basic(pair["client_id"], pair["client_secret"])),
        ask(
            world,
            GRANT | {"client_id": pair["client_id"]},
            **basic(pair["client_id"], pair["client_secret"]),
        ),
        ask(world, GRANT | pair | {"audience": "anything", "scope": "", "resource": "x"}),
    ):
        assert answer.status_code == 200
        assert answer.json() == {
            "access_token": answer.json()["access_token"],
            "token_type": "Bearer",
            "expires_in": 3600,
            "scope": "read write dispatch settings",
        }
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Pragma"] == "no-cache"
        assert client_of(world, answer).get("/routes").status_code == 200
    world.clock.advance(seconds=3600)
    assert client_of(world, answer).get("/routes").status_code == 401


def test_the_token_dies_with_the_secret_that_made_it(world: World) -> None:
    answer = ask(world, GRANT | keys(world))
    registrar = make_registrar(world.tools)
    rotate_secret(registrar, world.credentials.client_id)
    assert client_of(world, answer).get("/routes").status_code == 200
    finish_rotation(registrar, world.credentials.client_id)
    assert client_of(world, answer).get("/routes").status_code == 401


def test_a_token_has_the_scopes_that_are_asked_for_and_is_held_to_them(world: World) -> None:
    answer = ask(world, GRANT | keys(world) | {"scope": "settings read read"})
    assert answer.json()["scope"] == "read settings"
    client = client_of(world, answer)
    assert client.get("/routes").status_code == 200
    refused = client.post("/stops/imports", [{}])
    assert (refused.status_code, refused.json()["message"]) == (403, "scope WRITE is missing")
    assert client.post("/vehicles", {"name": "Van"}).status_code == 200
    whole = client_of(world, ask(world, GRANT | keys(world)))
    assert whole.post("/stops/imports", [{}]).status_code == 400


def test_a_token_that_was_narrowed_gives_no_role_that_its_credentials_could_give(
    world: World,
) -> None:
    narrow = client_of(world, ask(world, GRANT | keys(world) | {"scope": "settings"}))
    owner = {"email": "ann@example.com", "role": "OWNER"}
    refused = narrow.post("/members", owner)
    assert (refused.status_code, refused.json()["code"]) == (403, 7)
    whole = client_of(world, ask(world, GRANT | keys(world)))
    assert whole.post("/members", owner).status_code == 200


def test_scopes_beyond_the_credentials_are_refused_and_none_is_all_they_have(world: World) -> None:
    made = create_credentials(
        make_registrar(world.tools),
        world.credentials.organization_id,
        "dev@example.com",
        frozenset({Scope.READ, Scope.DISPATCH}),
    )
    few = GRANT | {"client_id": made.client_id, "client_secret": made.client_secret}
    assert ask(world, few).json()["scope"] == "read dispatch"
    tokens = world.count("access_tokens")
    for scope in ("write", "read write", "READ", "read  dispatch", " ", "read,dispatch", "openid"):
        refused = ask(world, few | {"scope": scope})
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_scope"), scope
        assert refused.headers["Cache-Control"] == "no-store"
    assert world.count("access_tokens") == tokens


def test_what_is_wrong_with_a_request_has_the_name_that_the_standard_gives_it(world: World) -> None:
    pair = keys(world)
    right = basic(pair["client_id"], pair["client_secret"])
    wrong = basic(pair["client_id"], "wrong")
    repeated = urlencode(GRANT | pair)
    cases: list[tuple[dict[str, str] | str, dict[str, str], str]] = [
        ("", {}, "invalid_request"),
        (pair, {}, "invalid_request"),
        (f"{repeated}&scope=read&scope=write", {}, "invalid_request"),
        (f"{repeated}&unknown=1&unknown=2", {}, "invalid_request"),
        (f"{repeated}&grant_type=client_credentials", {}, "invalid_request"),
        (f"{repeated}&scope=%ff", {}, "invalid_request"),
        (GRANT | pair, right, "invalid_request"),
        (GRANT | {"client_id": "another"}, right, "invalid_request"),
        (GRANT | {"client_id": "a\0", "client_secret": "b"}, {}, "invalid_request"),
        (pair | {"grant_type": "password"}, {}, "unsupported_grant_type"),
        (pair | {"grant_type": "Client_Credentials"}, {}, "unsupported_grant_type"),
        (GRANT, {}, "invalid_client"),
        (GRANT | {"client_id": pair["client_id"]}, {}, "invalid_client"),
        (GRANT | pair | {"client_secret": "wrong"}, {}, "invalid_client"),
        (GRANT | pair | {"client_id": "unknown"}, {}, "invalid_client"),
        (GRANT, wrong, "invalid_client"),
        (GRANT, basic("unknown", "wrong"), "invalid_client"),
        (GRANT, {"Authorization": "Basic %%%"}, "invalid_client"),
        (GRANT, {"Authorization": f"Bearer {pair['client_secret']}"}, "invalid_client"),
    ]
    for form, headers, error in cases:
        answer = ask(world, form, **headers)
        shown = answer.json()
        status = 401 if error == "invalid_client" else 400
        assert (answer.status_code, shown["error"]) == (status, error), (form, headers)
        assert shown.keys() == {"error", "error_description"}
        assert pair["client_secret"] not in shown["error_description"]
        challenge = answer.headers.get("WWW-Authenticate", "")
        assert challenge.startswith("Basic realm=") == (status == 401 and bool(headers))


def test_an_unknown_client_is_told_what_a_wrong_secret_is(world: World) -> None:
    unknown = ask(world, GRANT, **basic("unknown", "wrong"))
    wrong = ask(world, GRANT, **basic(world.credentials.client_id, "wrong"))
    assert unknown.content == wrong.content


def test_an_unknown_client_and_a_wrong_secret_ask_the_same_of_the_database(world: World) -> None:
    asked: dict[str, list[str]] = {}
    for name, client_id in (("unknown", "unknown"), ("known", world.credentials.client_id)):
        statements = asked.setdefault(name, [])

        def note(*told: Any, into: list[str] = statements) -> None:
            if threading.current_thread().name != "sign-in-failures":
                into.append(told[2])

        event.listen(Engine, "before_cursor_execute", note)
        try:
            assert ask(world, GRANT, **basic(client_id, "wrong")).status_code == 401
            world.tools.failures.wait()
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    assert asked["unknown"] == asked["known"]
    assert asked["known"]


def test_what_is_no_form_or_too_long_is_refused_as_everywhere(world: World) -> None:
    pair = urlencode(GRANT | keys(world))
    for answer, status in (
        (ask(world, pair, **{"Content-Type": "application/json"}), 415),
        (ask(world, pair + "&x=" + "x" * 16_384), 413),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, 3)
    assert ask(world, pair, **{"Content-Type": f"{FORM}; charset=UTF-8"}).status_code == 200
    assert world.client.send("GET", "/oauth/token").status_code == 405


@pytest.mark.spec("decisions §22")
def test_guesses_here_and_at_authenticate_are_counted_together(world: World) -> None:
    pair = keys(world)
    for number in range(10):
        if number % 2:
            body = {"clientId": pair["client_id"], "clientSecret": "wrong"}
            assert world.client.post("/authenticate", body).status_code == 401
        else:
            assert ask(world, GRANT | pair | {"client_secret": "wrong"}).status_code == 401
    limited = ask(world, GRANT | pair)
    assert limited.status_code == 429
    assert limited.json() == {
        "code": 8,
        "message": "rate limit exceeded",
        "error": "temporarily_unavailable",
        "error_description": "rate limit exceeded",
    }
    assert limited.headers["Retry-After"] == "6"
    assert limited.headers["Cache-Control"] == "no-store"
    body = {"clientId": pair["client_id"], "clientSecret": pair["client_secret"]}
    assert world.client.post("/authenticate", body).status_code == 429


def test_the_description_says_where_tokens_are_got_and_which_scope_an_operation_takes(
    world: World,
) -> None:
    described = world.client.description
    flow = described["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"]
    assert flow["tokenUrl"] == "http://127.0.0.1:8000/api/2024-07/oauth/token"
    assert list(flow["scopes"]) == ["read", "write", "dispatch", "settings"]
    dispatch = described["paths"]["/routes/{routeId}/dispatch"]["post"]["security"]
    assert dispatch == [{"bearer": []}, {"oauth2": ["dispatch"]}]
    assert described["paths"]["/oauth/token"]["post"]["security"] == []
