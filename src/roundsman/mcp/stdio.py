"""The assistants' door on standard input and output, as its own library speaks it.

Loaded by `roundsman mcp` alone. Each request is handed on to the door of a running service, under
an access token that is renewed before it ends.
"""

import logging
import sys
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListToolsResult,
)

from roundsman.kit.software import software_version

_TOKEN_PATH = "/api/2024-07/oauth/token"  # noqa: S105 -- a path
_PATIENCE = httpx2.Timeout(60.0, connect=10.0)
_UNAUTHORIZED = 401


class SignInRefused(Exception):
    """The service does not take the credentials, or is not there; the message says which."""


class _Token(httpx2.Auth):
    """Signs in with client credentials (RFC 6749, section 4.4), and again when a token ends."""

    requires_response_body = True

    def __init__(self, url: str, client_id: str, client_secret: str) -> None:
        self._url = url + _TOKEN_PATH
        self._basic = httpx2.BasicAuth(client_id, client_secret)
        self._token = ""

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with a token; with another one when that is refused."""
        if self._token:
            request.headers["authorization"] = f"Bearer {self._token}"
            response = yield request
            if response.status_code != _UNAUTHORIZED:
                return
        form = {"grant_type": "client_credentials"}
        asking = next(self._basic.auth_flow(httpx2.Request("POST", self._url, data=form)))
        answer = yield asking
        await answer.aread()
        self._token = _read_token(answer)
        request.headers["authorization"] = f"Bearer {self._token}"
        yield request


def _read_token(answer: httpx2.Response) -> str:
    if answer.is_success:
        return str(answer.json()["access_token"])
    if answer.status_code == _UNAUTHORIZED:
        raise SignInRefused(
            "the service refuses ROUNDSMAN_CLIENT_ID and ROUNDSMAN_CLIENT_SECRET: make new ones "
            "with `roundsman credentials create`"
        )
    raise SignInRefused(f"the service answers {answer.status_code} to the sign-in")


def serve_stdio(url: str, client_id: str, client_secret: str) -> None:
    """Answer on standard output what is read from standard input, until that ends."""
    logging.getLogger("mcp").setLevel(logging.ERROR)
    logging.getLogger("httpx2").setLevel(logging.ERROR)
    try:
        anyio.run(_serve, url, client_id, client_secret)
    except* SignInRefused as refused:
        raise _first(refused) from None
    except* httpx2.ConnectError:
        raise SignInRefused(f"no service answers at {url}: set ROUNDSMAN_URL") from None


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _serve(url: str, client_id: str, client_secret: str) -> None:
    token = _Token(url, client_id, client_secret)
    async with (
        httpx2.AsyncClient(auth=token, timeout=_PATIENCE) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as service,
        stdio_server() as (incoming, outgoing),
    ):
        server = _hand_on_to(service)
        print(f"roundsman mcp: connected to {url}", file=sys.stderr)  # noqa: T201 -- for people
        await server.run(incoming, outgoing, server.create_initialization_options())


def _hand_on_to(service: Client) -> Server[Any]:
    """Return a server that has nothing of its own."""

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return await service.list_tools()

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        return await service.call_tool(params.name, params.arguments)

    async def list_prompts(_context: Any, _params: Any) -> ListPromptsResult:
        return await service.list_prompts()

    async def get_prompt(_context: Any, params: GetPromptRequestParams) -> GetPromptResult:
        return await service.get_prompt(params.name, params.arguments)

    return Server(
        "roundsman",
        version=software_version(),
        title="Roundsman",
        instructions=service.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
