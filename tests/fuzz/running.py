"""Schemathesis against a served interface: all phases, all checks, a seed and a size."""

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application
from roundsman.endpoints.access import NOBODY
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.kit.leaky_bucket import Rate, Verdict
from roundsman.operations import api_clients, organizations
from roundsman.operations.request import Request
from roundsman.settings import Settings

CONFIG = Path(__file__).with_name("schemathesis.toml")


class BottomlessBuckets:
    """Never empty: a fuzzer asks more than ten times a second."""

    def look(self, key: str, now: int, rate: Rate) -> Verdict:
        return self.take(key, now, rate)

    def take(self, key: str, now: int, rate: Rate) -> Verdict:
        del key
        return Verdict(is_allowed=True, full_at=now, now=now, rate=rate)


@dataclass(frozen=True, slots=True)
class ServedClient:
    """An installation that is served, and its one client."""

    address: str
    client_id: str
    client_secret: str
    token: str


@contextmanager
def served(data: Path, database_url: str = "") -> Iterator[tuple[str, str]]:
    """Serve an empty installation on loopback; yield its address and an access token."""
    with served_client(data, database_url) as client:
        yield client.address, client.token


@contextmanager
def served_client(data: Path, database_url: str = "") -> Iterator[ServedClient]:
    """Serve an empty installation on loopback, and make a client."""
    settings = Settings(data=data, database_url=database_url)
    database = open_database(settings)
    tools = make_tools(settings, database)
    registrar = make_registrar(tools)
    organization = organizations.create_organization(registrar, "Fuzz", "UTC")
    made = api_clients.create_credentials(registrar, organization.id, "fuzz@example.com")
    token = api_clients.sign_in_client(
        tools, Request(principal=NOBODY), made.client_id, made.client_secret
    ).text
    interface = make_application(settings, replace(tools, buckets=BottomlessBuckets()))
    ready = threading.Event()
    server = _Server(uvicorn.Config(interface, port=0, log_config=None, lifespan="off"), ready)
    thread = threading.Thread(target=server.run)
    thread.start()
    ready.wait(60)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}{BASE_PATH}"
        yield ServedClient(address, made.client_id, made.client_secret, token)
    finally:
        server.should_exit = True
        thread.join()
        interface.close()
        database.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: object = None) -> None:
        del sockets
        await super().startup()
        self._ready.set()


def fuzz(address: str, token: str, *, examples: int, seed: int) -> tuple[bool, str, int]:
    """Return whether nothing was found, what schemathesis said, and how many cases it tried."""
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
        "--exclude-operation-id=followChanges",  # a stream goes on for ever
        "--exclude-operation-id=signOut",  # all that comes after it would be refused
        f"{address}/openapi.json",
        *("--header", f"Authorization: Bearer {token}", "--checks", "all"),
        *("--phases", "examples,coverage,fuzzing,stateful", "--seed", str(seed)),
        *("--max-examples", str(examples), "--no-color", "--suppress-health-check", "all"),
        *("--generation-database", "none", "--warnings", "off"),
    ]
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks",
        "PYTHONPATH": str(CONFIG.parents[2]),
    }
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603 -- our own command
            command, capture_output=True, text=True, cwd=folder, env=environment, check=False
        )
    said = done.stdout + done.stderr
    tried = re.findall(r"(\d[\d,]*) generated", said)
    cases = sum(int(count.replace(",", "")) for count in tried)
    return done.returncode == 0, said, cases
