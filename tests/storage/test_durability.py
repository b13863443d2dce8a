"""What is acknowledged is kept: databases that say otherwise are refused, or told of."""

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from structlog.testing import capture_logs
from tests.postgres import find_binaries, own_address, postgres_server
from tests.world import CountingIds, FixedClock
from typer.testing import CliRunner

from roundsman.cli.main import app
from roundsman.domain.errors import FailedPrecondition, Unavailable
from roundsman.installation import make_tools, open_database
from roundsman.kit import metrics
from roundsman.operations.readiness import note_durability
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.durability import find_unsafe_settings, require_durable

pytestmark = pytest.mark.both_databases


def serve_elsewhere(*, fsync: bool) -> Iterator[str]:
    """Run a server that looks like another machine's: it has no loopback address."""
    binaries, host = find_binaries(), own_address()
    if binaries is None or host is None:
        told = "PostgreSQL's binaries, or an address that is not loopback, are missing"
        if os.environ.get("CI"):
            pytest.fail(told)
        pytest.skip(told)
    with postgres_server(binaries, fsync=fsync, host=host) as server:
        yield f"{server.address}/postgres"


@pytest.fixture(scope="module")
def careless_url() -> Iterator[str]:
    yield from serve_elsewhere(fsync=False)


@pytest.fixture(scope="module")
def careful_url() -> Iterator[str]:
    yield from serve_elsewhere(fsync=True)


def open_and_close(tmp_path: Path, url: str, *, allowed: bool = False) -> None:
    settings = Settings(data=tmp_path, database_url=url, allow_fsync_off=allowed)
    open_database(settings).close()


def tables_of(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_server_elsewhere_without_fsync_is_refused_in_one_line_and_left_as_it_was(
    careless_url: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(
        app,
        ["organization", "create", "Acme Foods", "--data", str(tmp_path)],
        env={"ROUNDSMAN_DATABASE_URL": careless_url},
    )
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"roundsman: the database on {own_address()} runs with fsync=off: ")
    assert "ROUNDSMAN_ALLOW_FSYNC_OFF" in line
    assert tables_of(careless_url) == 0


def test_the_operator_may_allow_a_server_elsewhere_without_fsync(
    careless_url: str, tmp_path: Path
) -> None:
    open_and_close(tmp_path, careless_url, allowed=True)
    assert tables_of(careless_url) > 0


def test_a_server_elsewhere_that_keeps_commits_is_fine(careful_url: str, tmp_path: Path) -> None:
    open_and_close(tmp_path, careful_url)


@pytest.mark.parametrize(
    ("setting", "is_refused"),
    [("synchronous_commit", True), ("full_page_writes", False)],
)
def test_acknowledging_before_the_log_is_written_is_refused_torn_pages_are_told(
    careful_url: str,
    tmp_path: Path,
    setting: str,
    is_refused: bool,  # noqa: FBT001 -- a table's column
) -> None:
    with psycopg.connect(careful_url, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        try:
            database = Database(careful_url)
            while find_unsafe_settings(database) == []:  # the server reads its file at its leisure
                database.close()
            assert find_unsafe_settings(database) == [f"{setting}=off"]
            database.close()
            if is_refused:
                with pytest.raises(FailedPrecondition, match=f"runs with {setting}=off: "):
                    open_and_close(tmp_path, careful_url)
            else:
                open_and_close(tmp_path, careful_url)
        finally:
            connection.execute(f"ALTER SYSTEM RESET {setting}")
            connection.execute("SELECT pg_reload_conf()")


def test_a_server_on_this_machine_without_fsync_is_warned_of(
    migrated_postgres: str, tmp_path: Path, clock: FixedClock, ids: CountingIds
) -> None:
    settings = Settings(data=tmp_path, database_url=migrated_postgres)
    database = open_database(settings)
    with capture_logs() as logs:
        note_durability(make_tools(settings, database, clock, ids))
    database.close()
    (line,) = logs
    assert (line["event"], line["log_level"]) == ("database_not_durable", "warning")
    assert line["settings"] == ["fsync=off"]
    assert b"roundsman_database_unsafe 1.0" in metrics.render_metrics(of_all_processes=False)


def test_sqlite_is_always_durable_and_says_nothing(
    tmp_path: Path, clock: FixedClock, ids: CountingIds
) -> None:
    settings = Settings(data=tmp_path)
    database = open_database(settings)
    with capture_logs() as logs:
        note_durability(make_tools(settings, database, clock, ids))
    assert logs == []
    with database.reading() as tx:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert tx.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value
    database.close()
    assert b"roundsman_database_unsafe 0.0" in metrics.render_metrics(of_all_processes=False)


def test_what_a_server_on_this_machine_has_switched_off_is_told_and_not_refused(
    database: Database,
) -> None:
    unsafe = {"sqlite": [], "postgresql": ["fsync=off"]}
    assert find_unsafe_settings(database) == unsafe[database.dialect_name]
    require_durable(database)


def test_a_place_where_sqlite_cannot_keep_its_log_is_refused(tmp_path: Path) -> None:
    # This variant of SQLite has no shared memory, as network file systems have none.
    file = f"sqlite:///file:{tmp_path / 'roundsman.db'}?vfs=unix-none&uri=true"
    with pytest.raises(Unavailable, match='journal_mode to WAL here, it stays "delete"'):
        open_and_close(tmp_path, file)
