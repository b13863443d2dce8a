"""An installation of real processes that may be killed at any time, and started again."""

import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.postgres import Server, find_binaries, postgres_server
from tests.support.commands import COMMAND, CommandProcess

from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.kit.ids import RandomIds
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.settings import Settings
from roundsman.storage.database import Database

_START_WITHIN_SECONDS = 120


@dataclass
class Process:
    """One of our processes, started as an operator starts it."""

    arguments: Sequence[str]
    environment: dict[str, str]
    log: IO[bytes]
    ready: str
    running: subprocess.Popen[bytes] | None = None
    line: str = ""

    def start(self) -> None:
        self.running = CommandProcess(
            [*COMMAND, *self.arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
        )
        assert self.running.stdout is not None
        deadline = time.monotonic() + _START_WITHIN_SECONDS
        while True:
            left = deadline - time.monotonic()
            assert select.select([self.running.stdout], [], [], max(0, left))[0], "did not start"
            self.line = self.running.stdout.readline().decode().strip()
            if self.line.startswith(self.ready):
                return
            assert self.line, "ended while it started"

    def cpu_seconds(self) -> float:
        """Return the processor time it has used, as Linux counts it."""
        assert self.running is not None
        stat = Path(f"/proc/{self.running.pid}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Run it for as long as the block, and hold that it ends well."""
        self.start()
        try:
            yield
        finally:
            status = self.end(signal.SIGTERM)
        assert status == 0, "did not end well"

    def end(self, number: signal.Signals) -> int:
        assert self.running is not None
        self.running.send_signal(number)
        assert self.running.stdout is not None
        status = self.running.wait(60)
        self.running.stdout.close()
        return status


@dataclass
class Installation:
    """A database with an organization, a server on a fixed port, and a worker."""

    data: Path
    url: str
    port: int
    postgres: Server | None
    client_ids: list[tuple[str, str]] = field(default_factory=list)
    organization_id: str = ""
    secret: str = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/2024-07"

    @contextmanager
    def database(self) -> Iterator[Database]:
        opened = Database(self.url)
        try:
            yield opened
        finally:
            opened.close()

    def count(self, query: str) -> int:
        with self.database() as database, database.reading() as tx:
            return int(tx.exec_driver_sql(query).scalar_one())

    def add_organization(self, name: str, *, clients: int) -> list[tuple[str, str]]:
        """Make one more organization; return the credentials of its clients."""
        settings = Settings(data=self.data, database_url=self.url)
        with self.database() as database:
            registrar = make_registrar(make_tools(settings, database, ids=RandomIds()))
            organization = create_organization(registrar, name, "UTC")
            made = [
                create_credentials(registrar, organization.id, "dev@example.com")
                for _ in range(clients)
            ]
        return [(one.client_id, one.client_secret) for one in made]

    def processes(self, log: IO[bytes], *, workers: int = 1) -> list[Process]:
        """Return the server and its workers, not yet started."""
        environment = {
            **os.environ,
            "ROUNDSMAN_DATABASE_URL": self.url,
            "ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8",
        }
        where = ("--data", str(self.data))
        server = ("serve", "--port", str(self.port), *where)
        return [
            Process(server, environment, log, "listening on"),
            *(Process(("worker", *where), environment, log, "working") for _ in range(workers)),
        ]


@contextmanager
def installed(kind: str, port: int, *, clients: int = 4) -> Iterator[Installation]:
    """Set up an installation on SQLite or on a PostgreSQL server of its own."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-torture-")))
        url, postgres = f"sqlite:///{data / 'roundsman.db'}", None
        if kind == "postgresql":
            binaries = find_binaries()
            assert binaries is not None, "PostgreSQL's binaries are not installed"
            postgres = stack.enter_context(postgres_server(binaries, fsync=True))
            url = f"{postgres.address}/postgres"
        made = Installation(data=data, url=url, port=port, postgres=postgres)
        settings = Settings(data=data, database_url=url)
        database = open_database(settings)
        registrar = make_registrar(make_tools(settings, database, ids=RandomIds()))
        organization = create_organization(registrar, "Torture", "UTC")
        made.organization_id, made.secret = organization.id, organization.webhook_secret
        for _ in range(clients):
            key = create_credentials(registrar, organization.id, "dev@example.com")
            made.client_ids.append((key.client_id, key.client_secret))
        database.close()
        yield made
