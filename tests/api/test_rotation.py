from typing import Any

import pytest
from tests.api.conftest import World

from roundsman.domain.errors import FailedPrecondition
from roundsman.installation import make_registrar
from roundsman.operations import api_clients

SOMETHING = "/stops/imports"


def token(world: World, secret: str) -> dict[str, str] | None:
    body = {"clientId": world.credentials.client_id, "clientSecret": secret}
    answer: Any = world.client.post("/authenticate", body).json()
    return {"Authorization": f"Bearer {answer['accessToken']}"} if "accessToken" in answer else None


@pytest.mark.spec("Authentication")
@pytest.mark.parametrize("ending", ["finish", "cancel"])
def test_both_secrets_work_until_one_dies_with_its_tokens(world: World, ending: str) -> None:
    registrar = make_registrar(world.tools)
    client = world.credentials.client_id
    old = world.credentials.client_secret
    world.clock.advance(seconds=1)
    new = api_clients.rotate_secret(registrar, client).client_secret
    tokens = {secret: token(world, secret) for secret in (old, new)}
    for headers in tokens.values():
        assert world.client.send("GET", SOMETHING, headers=headers).status_code == 200
    if ending == "finish":
        api_clients.finish_rotation(registrar, client)
    else:
        api_clients.cancel_rotation(registrar, client)
    dead, alive = (old, new) if ending == "finish" else (new, old)
    assert world.client.send("GET", SOMETHING, headers=tokens[dead]).status_code == 401
    assert world.client.send("GET", SOMETHING, headers=tokens[alive]).status_code == 200
    assert token(world, dead) is None
    assert token(world, alive) is not None


@pytest.mark.spec("decisions §12")
def test_a_second_rotation_waits_for_the_first(world: World) -> None:
    registrar = make_registrar(world.tools)
    client = world.credentials.client_id
    for end in (api_clients.finish_rotation, api_clients.cancel_rotation):
        with pytest.raises(FailedPrecondition):
            end(registrar, client)
    api_clients.rotate_secret(registrar, client)
    with pytest.raises(FailedPrecondition):
        api_clients.rotate_secret(registrar, client)


def test_no_secret_and_no_token_is_stored_as_it_is(world: World) -> None:
    with world.tools.database.reading() as tx:
        hashes = [
            bytes(row[0])
            for table, column in (
                ("client_secrets", "secret_hash"),
                ("access_tokens", "token_hash"),
            )
            for row in tx.exec_driver_sql(f"SELECT {column} FROM {table}")  # noqa: S608 -- names of ours
        ]
    assert hashes
    assert all(len(kept) == 32 for kept in hashes)
