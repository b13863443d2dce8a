"""What differs between SQLite and PostgreSQL: connecting, beginning, and telling errors apart."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
    literal_column,
    make_url,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from roundsman.domain.errors import Unavailable

_SQLITE_AWAY = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
)
_SQLITE_PRAGMAS = (
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", 2),
    ("foreign_keys", "ON", 1),
    ("cache_size", "-1000", -1000),  # 1 MB each: twenty connections would grow by 2 MB each
)
"""What every connection needs, and how SQLite says that it has it: a wish may be ignored."""
DRIVER_ERRORS = (sqlite3.Error, psycopg.Error, DBAPIError)
"""What a driver raises, and what SQLAlchemy makes of it while connecting."""

_POSTGRES_AWAY = ("08", "25006", "53", "55P03", "57P", "58")
"""How the SQLSTATE of a server begins that cannot work now: connections, a standby that takes no
changes, disk, memory and connections exhausted, locks, shutdown, the operating system's errors."""
_POOLED = 8
MOST_TRANSACTIONS = 14
"""Connections of one process to PostgreSQL that transactions run on."""

MOST_LOOKUPS = 8
"""Connections of one process that lookups run on."""

_LOOKUP_SETTINGS = (
    # The one thing written there is rate buckets: a bucket lost in a crash is a full one.
    "synchronous_commit TO OFF",
    "client_encoding TO 'UTF8'",
    # Rows are found by their keys. A plan made while a table is small would read all of it for
    # that, and is kept when the table has grown.
    "enable_seqscan TO OFF",
    "enable_hashjoin TO OFF",
    "enable_mergejoin TO OFF",
    # Planned once: how many ask together is no reason to plan anew, which takes longer than asking.
    "plan_cache_mode TO force_generic_plan",
)

MOST_CONNECTIONS = MOST_TRANSACTIONS + MOST_LOOKUPS + 1
"""All of one process, the one that shows its presence included: four fit the usual 100."""

_REFUSALS = ("too many clients", "remaining connection slots", "too many connections")
_DAMAGES = ("file is not a database", "database disk image is malformed")
_NOTHING: ColumnElement[str] = literal_column("''")
_INSTALLATION_LOCK = 0x726F756E64  # any number that nothing else locks


def open_engine(url: str) -> Engine:
    """Return an engine for `sqlite:///path` or `postgresql://…`; raise ValueError for others."""
    parsed = make_url(url)
    match parsed.get_backend_name():
        case "sqlite":
            return _open_sqlite(url)
        case "postgresql":
            return create_engine(
                parsed.set(drivername="postgresql+psycopg"),
                pool_size=_POOLED,
                max_overflow=MOST_TRANSACTIONS - _POOLED,
                pool_pre_ping=True,
                pool_use_lifo=True,
                hide_parameters=True,
            )
        case other:
            raise ValueError(f'must be a sqlite:/// or postgresql:// address, not "{other}:"')


def sqlite_file(address: URL | str) -> Path | None:
    """Return the file of a SQLite database, None for any other."""
    url = make_url(address)
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return Path(url.database)


def _open_sqlite(url: str) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=10,
        max_overflow=10,
        # Each has a cache of pages of its own: few warm ones are better than all of them in turn.
        pool_use_lifo=True,
        connect_args={
            "check_same_thread": False,
            "timeout": 10,
            # Statements with lists of every length would fill the usual 128 of each connection.
            "cached_statements": 48,
        },
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: object) -> None:
        # The driver must not begin transactions by itself: `_begin` below says how.
        connection.isolation_level = None
        for name, value, answered in _SQLITE_PRAGMAS:
            connection.execute(f"PRAGMA {name}={value}")
            (found,) = connection.execute(f"PRAGMA {name}").fetchone()
            if found != answered:
                raise Unavailable(
                    f'SQLite cannot set {name} to {value} here, it stays "{found}": the database '
                    "must lie on a local file system"
                )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def open_for_lookups(engine: Engine) -> Any:
    """Return a driver's connection on which every statement is a transaction of its own."""
    pooled = engine.raw_connection()
    connection: Any = pooled.driver_connection
    pooled.detach()
    if engine.dialect.name == "postgresql":
        connection.autocommit = True
        for setting in _LOOKUP_SETTINGS:
            connection.execute(f"SET {setting}")
    return connection


def is_away(error: Exception) -> bool:
    """Say whether the database could not be reached or used, as opposed to asked wrongly."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or is_away(error.orig or error)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) or 0
        return code & 0xFF in _SQLITE_AWAY
    if not isinstance(error, psycopg.Error):
        return False
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    return error.sqlstate.startswith(_POSTGRES_AWAY)


def tell_away(error: Exception) -> str:
    """Return what to say of a database that is away, to whoever may know what to do about it."""
    # A refused connection carries no code, only what the server said.
    if any(refusal in str(error) for refusal in _REFUSALS):
        return (
            "database refuses more connections; nothing was changed (raise its max_connections,"
            " or let fewer processes serve)"
        )
    if any(damage in str(error) for damage in _DAMAGES):
        return "database file is damaged, or is no database; restore a backup of it"
    return "database is away; nothing was changed"


def free_connections(connection: Connection) -> int | None:
    """Return how many connections this database's server lets ordinary users have, if it says."""
    if connection.dialect.name != "postgresql":
        return None
    query = (
        "SELECT current_setting('max_connections')::int"
        " - current_setting('superuser_reserved_connections')::int"
    )
    return int(connection.exec_driver_sql(query).scalar_one())


def lock_installation(connection: Connection) -> None:
    """Let one process at a time change the installation; SQLite's writers already do."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_INSTALLATION_LOCK})")


def without_index(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a column as something that no index serves, so that a list of keys is looked up.

    SQLite takes any organization for a handful of rows, so it would read a million of them rather
    than look two hundred keys up.
    """
    return column.concat(_NOTHING)


def upsert(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], keys: Sequence[str]
) -> None:
    """Insert rows, or replace those whose `keys` are there already."""
    build = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = build(table)
    changed = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if column.name not in keys
    }
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(keys), set_=changed), list(rows)
    )
