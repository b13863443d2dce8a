"""Worlds to test in: both databases, a standing clock, an organization with an API client."""

import os
import signal
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from tests.postgres import find_binaries, postgres_server
from tests.world import CountingIds, FixedClock

from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate

# A property that holds holds on a slow machine too; what CI tries, it tries again the next time.
settings.register_profile("roundsman", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("roundsman")

# Whoever was started in the background is deaf to Ctrl-C, and so would be what tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

_connect = socket.socket.connect


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to anywhere but this machine."""

    def connect(self: socket.socket, address: object) -> None:
        host = str(address[0]) if isinstance(address, tuple) else "unix"
        assert host in {"127.0.0.1", "::1", "localhost", "unix"}, f"test connects to {host}"
        _connect(self, address)  # type: ignore[arg-type] # the standard library accepts more

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def ids() -> CountingIds:
    return CountingIds()


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a running server with a migrated template database."""
    binaries = find_binaries()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL's binaries are missing; CI must have them")
        pytest.skip("PostgreSQL's binaries are not installed")
    with postgres_server(binaries) as server:
        address = server.address
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE template_roundsman")
        template = Database(f"{address}/template_roundsman")
        migrate(template)
        template.close()
        yield address


@pytest.fixture
def empty_postgres(postgres_address: str) -> Iterator[str]:
    """A database on PostgreSQL that nothing has been made in."""
    with _new_database(postgres_address, "template1") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind that nothing has been made in."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    address: str = request.getfixturevalue("empty_postgres")
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty, migrated database of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'roundsman.db'}"
        return
    with _new_database(request.getfixturevalue("postgres_address"), "template_roundsman") as url:
        yield url


@contextmanager
def _new_database(address: str, template: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield f"{address}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    migrate(opened)
    yield opened
    opened.close()
