from typing import Any

import pytest
from tests.api.conftest import World
from tests.support.in_process import InProcessClient

from roundsman.api.app import BASE_PATH


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


def sign_in_from(address: str, world: World, secret: str, client_id: str = "") -> Any:
    http = InProcessClient(
        world.client.interface, base_url="https://roundsman.test", address=address
    )
    keys = {"clientId": client_id or world.credentials.client_id, "clientSecret": secret}
    return http.post(f"{BASE_PATH}/authenticate", json=keys)


def test_guesses_at_a_client_from_everywhere_stop_strangers_and_not_the_client(
    world: World,
) -> None:
    secret = world.credentials.client_secret
    assert sign_in_from("198.51.100.1", world, secret).status_code == 200
    for number in range(120):
        address = f"192.0.2.{number}"
        assert sign_in_from(address, world, "wrong").status_code == 401
    stranger = sign_in_from("192.0.2.200", world, "wrong")
    assert (stranger.status_code, stranger.json()["code"]) == (429, 8)
    assert int(stranger.headers["Retry-After"]) == 1
    assert sign_in_from("192.0.2.200", world, secret).status_code == 429
    assert sign_in_from("192.0.2.200", world, "wrong", "another").status_code == 401
    assert sign_in_from("198.51.100.1", world, secret).status_code == 200


def test_one_network_of_ipv6_is_one_guesser(world: World) -> None:
    for number in range(10):
        assert sign_in_from(f"2001:db8::{number}", world, "wrong").status_code == 401
    assert sign_in_from("2001:db8::ffff", world, "wrong").status_code == 429
    assert sign_in_from("2001:db8:0:1::1", world, "wrong").status_code == 401


def test_a_client_signs_in_so_often_and_no_more_from_wherever(world: World) -> None:
    secret = world.credentials.client_secret
    tokens = world.count("access_tokens")
    world.clock.advance(minutes=1)  # whether it has signed in before counts no more
    for number in range(120):
        assert sign_in_from(f"192.0.2.{number}", world, secret).status_code == 200
    limited = sign_in_from("198.51.100.1", world, secret)
    assert (limited.status_code, limited.json()["code"]) == (429, 8)
    assert int(limited.headers["Retry-After"]) == 1
    assert world.count("access_tokens") == tokens + 120
    world.clock.advance(milliseconds=500)
    assert sign_in_from("198.51.100.1", world, secret).status_code == 200
