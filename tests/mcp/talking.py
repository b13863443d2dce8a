"""A conversation with the assistants' door by the protocol's own client, in this process."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from tests.api.conftest import World

MOST_BYTES = 4_096

type Json = Any


def converse[T](world: World, say: Callable[[Client], Awaitable[T]], **options: Any) -> T:
    """Connect as the world's client, or by another token, and return what `say` does."""
    headers = {"authorization": world.client.headers["Authorization"], **options}

    async def connect() -> T:
        transport = httpx2.ASGITransport(world.client.interface)
        async with (
            httpx2.AsyncClient(
                transport=transport, base_url="https://roundsman.test", headers=headers
            ) as http,
            Client(
                streamable_http_client("https://roundsman.test/mcp", http_client=http)
            ) as client,
        ):
            return await say(client)

    return asyncio.run(connect())


def tool_names(world: World, **options: Any) -> list[str]:
    async def list_them(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    return converse(world, list_them, **options)


def call(world: World, name: str, **arguments: Any) -> CallToolResult:
    """Call a tool; whatever it answers is short."""

    async def once(client: Client) -> CallToolResult:
        return await client.call_tool(name, arguments)

    answer = converse(world, once)
    assert len(text_of(answer).encode()) <= MOST_BYTES
    return answer


def text_of(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert content.type == "text"
    return content.text


def ask(world: World, name: str, **arguments: Any) -> Json:
    """Return what a tool answers, which refuses nothing."""
    answer = call(world, name, **arguments)
    assert not answer.is_error, text_of(answer)
    return json.loads(text_of(answer))


def refusal(world: World, name: str, **arguments: Any) -> str:
    """Return in which words a tool refuses."""
    answer = call(world, name, **arguments)
    assert answer.is_error, text_of(answer)
    return text_of(answer)
