"""Why a database cannot be opened is said to its operator, and never the password."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.postgres import find_binaries, postgres_server
from tests.support.ports import free_port

from roundsman.domain.errors import Unavailable
from roundsman.storage.connection_failures import explain_failure
from roundsman.storage.database import Database
from roundsman.storage.dialects import WrongDatabaseAddress, check_options, open_engine

SECRET = "s3cr3t"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Run a server with a user who needs a password, and one who is not let in."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres_server(binaries) as running:
        rules = running.folder / "data" / "pg_hba.conf"
        told = "host all guarded all scram-sha-256\nhost all outsider all reject\n"
        rules.write_text(told + rules.read_text(encoding="utf-8"), encoding="utf-8")
        running.restart()
        with psycopg.connect(f"{running.address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")
            connection.execute("CREATE ROLE outsider LOGIN")
        yield running.address.rpartition("@")[2]


def explained(address: str) -> str:
    database = Database(address)
    with pytest.raises(Unavailable) as caught, database.checking():
        pass
    database.close()
    assert str(caught.value) == "database is away; nothing was changed"  # what clients are told
    reason = explain_failure(caught.value, address)
    assert "\n" not in reason
    assert SECRET[:3] not in reason
    return reason


@pytest.mark.parametrize(
    ("address", "cause", "advice"),
    [
        ("guarded:s3cr3txx@{}/postgres", 'authentication failed for user "guarded"', "@ as %40"),
        ("guarded@{}/postgres", "no password supplied", "USER:PASSWORD@HOST"),
        ("guarded:s3cr3t@{}/nowhere", 'database "nowhere" does not exist', "createdb"),
        ("nobody@{}/postgres", 'role "nobody" does not exist', "createuser"),
        ("outsider@{}/postgres", "pg_hba.conf rejects connection", "let this user in"),
        ("roundsman@{}/postgres?sslmode=require", "SSL was required", "turn TLS on"),
    ],
)
def test_what_a_server_refuses_is_told_with_what_would_be_right(
    server: str, address: str, cause: str, advice: str
) -> None:
    reason = explained(f"postgresql://{address.format(server)}")
    assert cause in reason
    assert advice in reason


def test_a_server_that_is_not_there_is_told_by_host_and_port() -> None:
    port = free_port()
    refused = explained(f"postgresql://roundsman:{SECRET}@127.0.0.1:{port}/roundsman")
    assert f"port {port} failed: Connection refused; check host and port" in refused
    unknown = explained(f"postgresql://roundsman:{SECRET}@db.invalid/roundsman")
    assert "'db.invalid'" in unknown
    assert unknown.endswith("check the host's name")


def test_a_file_that_cannot_be_opened_is_told_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    reason = explained(f"sqlite:///{tmp_path / 'none' / 'a.db'}")
    assert reason.startswith(f"there is no folder {tmp_path / 'none'}; make it")
    assert "is a folder" in explained(f"sqlite:///{tmp_path / 'folder'}")


@pytest.mark.parametrize(
    ("options", "right"),
    [
        ("?foo=bar", 'an option "foo", which PostgreSQL does not have'),
        ("?sslmode=verify-ful", "disable, allow, prefer, require, verify-ca, verify-full"),
        ("?connect_timeout=soon", "a number of seconds as connect_timeout"),
    ],
)
def test_options_that_connecting_would_stumble_over_are_refused_before(
    options: str, right: str
) -> None:
    for judge in (check_options, open_engine):
        with pytest.raises(WrongDatabaseAddress, match=right):
            judge(f"postgresql://roundsman:{SECRET}@db/roundsman{options}")


def test_options_that_postgresql_has_are_taken() -> None:
    check_options("postgresql://a@b/c?sslmode=verify-full&connect_timeout=5&application_name=x")
    check_options("sqlite:///a.db")
