"""Empty databases for one test each, made in milliseconds.

SQLite is a copy of a file that was migrated once. PostgreSQL has one migrated database a worker,
emptied before each test; whoever is still connected to it is disconnected first.
"""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate

only_on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""Marks what SQLite, whose one file is one process's, has no like of."""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> %s"
_VERSION = "alembic_version"
_DISCONNECT = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


def make_migrated(url: str) -> str:
    """Bring the database at `url` to the newest schema; return the same address."""
    made = Database(url)
    migrate(made)
    made.close()
    return url


def copy_sqlite(migrated: Path, to: Path) -> str:
    """Copy a database file that nobody has open, and the key beside it; return the address."""
    shutil.copyfile(migrated, to)
    key = migrated.with_name("secret.key")
    if key.exists():
        shutil.copy(key, to.with_name(key.name))
    return f"sqlite:///{to}"


def empty_postgres(url: str) -> None:
    """Delete every row, also those of a test that left its connections open."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_DISCONNECT)
        # As a replica a session checks no foreign keys, so that the order does not matter.
        connection.execute("SET session_replication_role = replica")
        for (table,) in connection.execute(_TABLES, [_VERSION]).fetchall():
            connection.execute(SQL("DELETE FROM {}").format(Identifier(table)))


@contextmanager
def new_postgres(server: str) -> Iterator[str]:
    """Make a database on a running server, and drop it in the end; nothing has been made in it."""
    name = f"test_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template1")
        yield f"{server}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
