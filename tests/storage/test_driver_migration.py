"""Routes that were dispatched before the driver's side came are open to their drivers after it."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from sqlalchemy import text

from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate
from roundsman.storage.upgrading import read_scripts

UNTIL = datetime(2024, 7, 2, 8, 30, 0, 250_000, tzinfo=UTC)
MICROS = int(UNTIL.timestamp()) * 1_000_000 + 250_000


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    address: str = request.getfixturevalue("postgres_address")
    name = f"old_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{address}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def upgrade_to(database: Database, wanted: str) -> None:
    scripts = read_scripts()
    with (
        database.writing() as tx,
        EnvironmentContext(
            Config(),
            scripts,
            fn=lambda revision, _context: scripts._upgrade_revs(wanted, revision),
        ) as environment,
    ):
        environment.configure(connection=tx, transactional_ddl=True)
        environment.run_migrations()


def test_running_dispatches_are_filled_in(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0001")
    until = '"dispatchedUntil":"2024-07-02T08:30:00.250000Z"'
    bodies = {
        "rte-1": f'{{"id":"rte-1",{until},"driverId":"drv-1"}}',
        "rte-2": f'{{"id":"rte-2",{until},"driverId":""}}',
        "rte-3": '{"id":"rte-3","note":"dispatchedUntil","driverId":"drv-1"}',
    }
    route = text(
        "INSERT INTO routes (id, organization_id, version, created_at, updated_at, scheduled_for, "
        "body) VALUES (:id, 'acme-0001', 1, 0, 0, 0, :body)"
    )
    with database.writing() as tx:
        tx.exec_driver_sql("INSERT INTO organizations VALUES ('acme-0001', 'A', 'UTC', 'x', 0, 0)")
        for id_, body in bodies.items():
            tx.execute(route, {"id": id_, "body": body})
    migrate(database)
    with database.reading() as tx:
        rows = tx.exec_driver_sql("SELECT id, dispatched_until, driver_id FROM routes ORDER BY id")
        found = [tuple(row) for row in rows]
    database.close()
    assert found == [
        ("rte-1", MICROS, "drv-1"),
        ("rte-2", MICROS, ""),
        ("rte-3", None, None),
    ]
