"""Whose token it is, and whether the holder's bucket has room."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.api.conftest import World, inhabitants, world

from roundsman.domain.errors import Unauthenticated
from roundsman.endpoints.access import CLIENT_RATE, NOBODY, Admitted, ApiClient, HttpRequest
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import (
    create_credentials,
    finish_rotation,
    rotate_secret,
    sign_in_client,
)
from roundsman.operations.request import Request
from roundsman.storage.rate_buckets import StoredBuckets

__all__ = ["inhabitants", "world"]

pytestmark = pytest.mark.both_databases


def sign_in(world: World) -> tuple[str, str]:
    """Return a new client and a token of it."""
    registrar = make_registrar(world.tools)
    made = create_credentials(registrar, world.credentials.organization_id, "dev@example.com")
    request = Request(principal=NOBODY)
    token = sign_in_client(world.tools, request, made.client_id, made.client_secret)
    return made.client_id, token.text


def admit(world: World, token: str) -> Admitted:
    tools = replace(world.tools, buckets=StoredBuckets(world.tools.database))
    http = HttpRequest(
        path="/", parameters={}, headers={"authorization": f"Bearer {token}"}, query="", address=""
    )
    return ApiClient().admit(tools, http)


@pytest.mark.spec("decisions §3")
def test_each_client_has_a_bucket_of_its_own(world: World) -> None:
    (one, token), (_, another) = sign_in(world), sign_in(world)
    verdicts = [admit(world, token).verdict for _ in range(CLIENT_RATE.capacity + 1)]
    assert [verdict and verdict.is_allowed for verdict in verdicts] == [
        *[True] * CLIENT_RATE.capacity,
        False,
    ]
    assert admit(world, token).idempotency_owner == one
    verdict = admit(world, another).verdict
    assert verdict is not None
    assert verdict.is_allowed


def test_a_token_that_is_unknown_revoked_or_too_old_lets_nobody_in(world: World) -> None:
    client, token = sign_in(world)
    _, lasting = sign_in(world)
    with pytest.raises(Unauthenticated):
        admit(world, "nobody's")
    rotate_secret(make_registrar(world.tools), client)
    admit(world, token)
    finish_rotation(make_registrar(world.tools), client)
    with pytest.raises(Unauthenticated):
        admit(world, token)
    admit(world, lasting)
    world.clock.advance(hours=1)
    with pytest.raises(Unauthenticated):
        admit(world, lasting)


def test_requests_at_the_same_moment_get_together_what_the_bucket_holds(world: World) -> None:
    _, token = sign_in(world)
    with ThreadPoolExecutor(4) as threads:
        admitted = list(threads.map(lambda _: admit(world, token), range(CLIENT_RATE.capacity + 9)))
    let_in = [one for one in admitted if one.verdict is not None and one.verdict.is_allowed]
    assert len(let_in) == CLIENT_RATE.capacity
