"""An assistant talks to running processes, over HTTP and over standard input and output."""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.acceptance.test_main_job import roundsman, serving
from tests.support import commands
from tests.support.commands import COMMAND

from roundsman.kit.clock import SystemClock

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §19")]

TOMORROW = SystemClock().now().date() + timedelta(days=1)  # no hour of today is too late to plan
STOPS = [
    {
        "orderName": f"#{n}",
        "coordinates": {"latitude": 39.28 + 0.01 * n, "longitude": -76.61},
        "deliveryDate": {"year": TOMORROW.year, "month": TOMORROW.month, "day": TOMORROW.day},
    }
    for n in range(1, 5)
]

type Json = Any


def environment(address: str, credentials: Json) -> dict[str, str]:
    return {
        "ROUNDSMAN_URL": address,
        "ROUNDSMAN_CLIENT_ID": credentials["clientId"],
        "ROUNDSMAN_CLIENT_SECRET": credentials["clientSecret"],
    }


@asynccontextmanager
async def over_http(address: str, credentials: Json) -> AsyncGenerator[Client]:
    async with httpx2.AsyncClient() as plain:
        pair = (credentials["clientId"], credentials["clientSecret"])
        token = await plain.post(
            f"{address}/api/2024-07/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=pair,
        )
    headers = {"authorization": f"Bearer {token.json()['access_token']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        yield client


@asynccontextmanager
async def over_stdio(address: str, credentials: Json) -> AsyncGenerator[Client]:
    program = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp"],
        env={**os.environ, **environment(address, credentials)},
    )
    async with Client(program) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> Json:
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    assert content.type == "text"
    assert len(content.text.encode()) <= 4_096
    assert not answer.is_error, content.text
    return json.loads(content.text)


async def plan_a_day(client: Client) -> None:
    """From stops to a route, as a dispatcher and an assistant would."""
    imported = await ask(client, "import_stops", stops=STOPS)
    await ask(client, "apply", proposal=imported["proposal"])
    assert (await ask(client, "unrouted", date="tomorrow"))["count"] == 4
    asked = await ask(client, "propose_plan", date="tomorrow", effort="QUICK")
    shown = await ask(client, "show_proposal", proposal=asked["proposal"])
    while shown["status"] in {"QUEUED", "RUNNING"}:
        shown = await ask(client, "show_proposal", proposal=asked["proposal"])
    assert (shown["status"], shown["vehiclesUsed"]) == ("COMPLETED", 1)
    made = await ask(client, "apply", proposal=asked["proposal"])
    assert [route["stops"] for route in made["routes"]] == [4]
    day = await ask(client, "day_overview", date="tomorrow")
    assert (day["routes"], day["unrouted"]) == (1, 0)
    again = await client.call_tool("apply", {"proposal": asked["proposal"]})
    assert again.is_error
    prompts = await client.list_prompts()
    assert [one.name for one in prompts.prompts] == [
        "plan_tomorrow",
        "driver_is_sick",
        "morning_check",
    ]
    sick = await client.get_prompt("driver_is_sick", {"driver": "Dana"})
    assert "Dana is sick" in str(sick.messages[0].content)


@pytest.mark.parametrize("connect", [over_http, over_stdio])
def test_a_day_is_planned_by_an_assistant(tmp_path: Path, database_url: str, connect: Any) -> None:
    made = roundsman(tmp_path, database_url, "organization", "create", "Acme Foods")
    slug = made["organization"]
    name = ("--organization", slug, "--email", "a@example.com")
    credentials = roundsman(tmp_path, database_url, "credentials", "create", *name)
    van = ("--organization", slug, "--name", "Van 1")
    roundsman(tmp_path, database_url, "vehicle", "add", *van)

    async def talk(address: str) -> None:
        async with connect(address, credentials) as client:
            assert "<data>" in str(client.instructions)
            await plan_a_day(client)

    with serving(tmp_path, database_url) as address:
        asyncio.run(talk(address))


def test_a_reader_sees_no_tool_that_writes(tmp_path: Path, database_url: str) -> None:
    made = roundsman(tmp_path, database_url, "organization", "create", "Acme Foods")
    reader = ("--organization", made["organization"], "--email", "a@example.com")
    credentials = roundsman(
        tmp_path, database_url, "credentials", "create", *reader, "--scope", "READ"
    )

    async def list_tools(address: str) -> list[str]:
        async with over_stdio(address, credentials) as client:
            refused = await client.call_tool("day_overview", {"date": "never"})
            assert refused.is_error
            return [tool.name for tool in (await client.list_tools()).tools]

    with serving(tmp_path, database_url) as address:
        tools = asyncio.run(list_tools(address))
        wrong = refuse(environment(address, {**credentials, "clientSecret": "wrong"}))
        assert "refuses ROUNDSMAN_CLIENT_ID and ROUNDSMAN_CLIENT_SECRET" in wrong
    assert tools == ["day_overview", "find_stop", "explain_stop", "who_has", "unrouted"]
    assert "no service answers at" in refuse(environment(address, credentials))
    assert "ROUNDSMAN_CLIENT_ID and ROUNDSMAN_CLIENT_SECRET must be set" in refuse({})


def refuse(given: dict[str, str]) -> str:
    """Return the one line in which the command says why it cannot serve."""
    done = commands.run(
        [*COMMAND, "mcp"],
        capture_output=True,
        text=True,
        env={**os.environ, **given},
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    return str(done.stderr)
