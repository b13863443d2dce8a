from typing import Any

import pytest
from tests.api.conftest import World


def sign_in(world: World) -> dict[str, str]:
    keys = {
        "clientId": world.credentials.client_id,
        "clientSecret": world.credentials.client_secret,
    }
    token = world.client.post("/authenticate", keys).json()["accessToken"]
    return {"Authorization": f"Bearer {token}"}


def sign_out(world: World, headers: dict[str, str], **body: Any) -> Any:
    return world.client.send("POST", "/sign-out", headers=headers, **body)


def test_signing_out_ends_the_token_at_once_and_no_other(world: World) -> None:
    other = sign_in(world)
    bodies: list[dict[str, Any]] = [{}, {"json": {}}]
    for body in bodies:
        mine = sign_in(world)
        answer = sign_out(world, mine, **body)
        assert (answer.status_code, answer.json()) == (200, {})
        for method, path in (("GET", "/vehicles"), ("POST", "/sign-out")):
            ended = world.client.send(method, path, headers=mine)
            assert (ended.status_code, ended.json()["code"]) == (401, 16)
    assert world.client.send("GET", "/vehicles", headers=other).status_code == 200
    assert world.stranger.get("/vehicles").status_code == 200


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_signing_out_tells_nobody_and_is_kept_under_its_key_as_every_change_is(
    world: World,
) -> None:
    mine, key = sign_in(world), {"Idempotency-Key": "leave"}
    first = sign_out(world, {**mine, **key})
    assert first.headers["Idempotency-Replayed"] == "false"
    assert sign_out(world, {**mine, **key}).status_code == 401
    other = sign_in(world)
    again = sign_out(world, {**other, **key})
    assert (again.json(), again.headers["Idempotency-Replayed"]) == ({}, "true")
    assert world.client.send("GET", "/vehicles", headers=other).status_code == 200
    assert world.topics() == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_it_is_not_for_is_refused_and_ends_nothing(world: World) -> None:
    mine = sign_in(world)
    assert sign_out(world, mine, json={"all": True}).status_code == 400
    assert sign_out(world, {"Authorization": "Bearer nonsense"}).status_code == 401
    assert world.client.send("GET", "/vehicles", headers=mine).status_code == 200
