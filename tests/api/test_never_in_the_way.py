"""Searches leave the event loop free, wait in turn, and end when nobody waits for them."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
import pytest
import uvicorn
from tests.api.conftest import World
from tests.api.test_routes import add, create_route, import_line

from roundsman.api.app import BASE_PATH
from roundsman.endpoints.application import Application
from roundsman.endpoints.search_queue import SearchQueue


def long_route(world: World, stops: int = 600) -> str:
    route = create_route(world)
    for first in range(0, stops, 200):
        line = [((number * 7919) % stops) / 50 for number in range(first, first + 200)]
        assert add(world, route, import_line(world, *line)).status_code == 200
    return route


@contextmanager
def listening(interface: Application) -> Iterator[tuple[str, int]]:
    """Serve on a real socket in a thread."""
    server = uvicorn.Server(
        uvicorn.Config(interface, port=0, log_config=None, access_log=False, lifespan="off")
    )
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            server.should_exit = True
            thread.join(60)


def send(
    address: tuple[str, int], world: World, route: str, length: str = "Content-Length: 0\r\n"
) -> socket.socket:
    """Ask for a search and leave the connection open."""
    connection = socket.create_connection(address)
    request = (
        f"POST {BASE_PATH}/routes/{route}/reoptimize HTTP/1.1\r\nHost: here\r\n"
        f"Authorization: {world.client.headers['Authorization']}\r\n{length}\r\n"
    )
    connection.sendall(request.encode())
    return connection


def until(world: World, done: Any) -> None:
    """Read from the service, which takes a moment each time, until something is so."""
    for _ in range(2_000):
        if done():
            return
        world.client.page("/openapi.json")
    raise AssertionError("it never came to be")


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("length", ["Content-Length: 0\r\n", ""])
def test_a_search_for_a_client_that_hangs_up_ends_and_changes_nothing(
    world: World, length: str
) -> None:
    route = long_route(world)
    before = world.client.get(f"/routes/{route}").json()
    searches = world.client.interface.searches
    with listening(world.client.interface) as address:
        connection = send(address, world, route, length)
        until(world, lambda: searches.running == 1)
        connection.close()
        until(world, lambda: searches.running == 0)
        assert world.client.get(f"/routes/{route}").json() == before


def test_a_client_that_hangs_up_while_it_waits_gives_its_place_away(world: World) -> None:
    world.client.interface.searches.close()
    searches = world.client.interface.searches = SearchQueue(at_once=1)
    routes = [long_route(world), long_route(world, 200)]
    with listening(world.client.interface) as address:
        first = send(address, world, routes[0])
        until(world, lambda: searches.running == 1)
        second = send(address, world, routes[1])
        until(world, lambda: searches.waiting == 1)
        second.close()
        until(world, lambda: searches.waiting == 0)
        assert searches.running == 1
        answer = first.recv(100)
        first.close()
    assert answer.startswith(b"HTTP/1.1 200 OK")
    states = [world.client.get(f"/routes/{route}").json()["optimized"] for route in routes]
    assert states == [True, False]


def test_others_are_answered_while_a_search_runs(world: World) -> None:
    route = long_route(world)
    headers = {"Authorization": world.client.headers["Authorization"]}

    async def ask() -> tuple[int, bool]:
        answered = 0
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=world.client.interface),
            base_url=f"https://here{BASE_PATH}",
            headers=headers,
            timeout=120,
        ) as http:
            search = asyncio.create_task(http.post(f"/routes/{route}/reoptimize"))
            while not search.done():
                # The bucket runs empty in between, which is an answer too.
                answered += (await http.get("/vehicles")).status_code in {200, 429}
            return answered, (await search).json()["optimized"]

    answered, optimized = asyncio.run(ask())
    assert optimized
    assert answered > 10


@pytest.mark.spec("decisions §2")
def test_a_queue_that_is_full_refuses_and_says_when_to_come_again(world: World) -> None:
    world.client.interface.searches.close()
    world.client.interface.searches = SearchQueue(at_once=1, most_waiting_each=0)
    route = create_route(world)
    refused = world.client.post(f"/routes/{route}/reoptimize")
    assert (refused.status_code, refused.json()["code"]) == (429, 8)
    assert refused.headers["Retry-After"] == "1"
    assert refused.headers["RateLimit-Limit"] == "120"
    world.client.interface.searches.close()
    world.client.interface.searches = SearchQueue(at_once=1, most_waiting=0)
    refused = world.client.post(f"/routes/{route}/reoptimize")
    assert (refused.status_code, refused.json()["code"]) == (503, 14)
    assert world.client.get(f"/routes/{route}").json()["optimized"] is False
