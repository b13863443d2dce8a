from typing import Any

import pytest
from tests.api.conftest import World


def sign_in(world: World, secret: str, client_id: str = "") -> Any:
    return world.client.post(
        "/authenticate",
        {"clientId": client_id or world.credentials.client_id, "clientSecret": secret},
    )


@pytest.mark.spec("decisions §3")
def test_ten_failures_a_minute_stop_even_the_right_secret(world: World) -> None:
    for _ in range(10):
        assert sign_in(world, "wrong").status_code == 401
    limited = sign_in(world, world.credentials.client_secret)
    assert (limited.status_code, limited.json()) == (
        429,
        {"code": 8, "message": "rate limit exceeded"},
    )
    assert int(limited.headers["Retry-After"]) == 6
    world.clock.advance(seconds=6)
    assert sign_in(world, world.credentials.client_secret).status_code == 200


@pytest.mark.spec("decisions §3")
def test_sixty_failures_from_one_address_stop_it_for_every_client(world: World) -> None:
    for number in range(60):
        assert sign_in(world, "wrong", f"client-{number}").status_code == 401
    assert sign_in(world, "wrong", "another").status_code == 429
    assert sign_in(world, world.credentials.client_secret).status_code == 429


@pytest.mark.spec("decisions §3")
def test_success_costs_nothing(world: World) -> None:
    for _ in range(20):
        assert sign_in(world, world.credentials.client_secret).status_code == 200
