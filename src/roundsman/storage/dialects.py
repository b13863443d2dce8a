"""What differs between SQLite and PostgreSQL: connecting, beginning, and telling errors apart."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Table,
    create_engine,
    event,
    func,
    literal_column,
    make_url,
    or_,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.dml import ReturningInsert

from roundsman.domain.errors import Unavailable
from roundsman.storage.time_limits import (
    USUAL,
    WITHOUT_LIMITS,
    LimitedConnection,
    NoAnswer,
    TimeLimits,
)

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

_POSTGRES_AWAY = ("08", "25006", "25P03", "53", "55P03", "57014", "57P", "58")
"""How the SQLSTATE of a server begins that cannot work now: connections, a standby that takes no
changes, idle transactions, disk, memory and connections exhausted, locks, statements that took too
long, shutdown, the operating system's errors."""
_LOCK_TIMEOUT, _STATEMENT_TIMEOUT, _DISK_FULL = "55P03", "57014", "53100"
_FULL = "database's disk is full"
_POOLED = 8
MOST_TRANSACTIONS = 14
"""Connections of one process to PostgreSQL that transactions run on."""

_POOLED_OF_SQLITE, _MOST_OF_SQLITE = 10, 20

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

MOST_CONNECTIONS = MOST_TRANSACTIONS + MOST_LOOKUPS + 2
"""All of one process, with the one that shows its presence and the one that its readiness is
checked on: four processes fit the usual 100."""

_REFUSALS = ("too many clients", "remaining connection slots", "too many connections")
_DAMAGES = ("file is not a database", "database disk image is malformed")
_NOTHING: ColumnElement[str] = literal_column("''")
_INSTALLATION_LOCK = 0x726F756E64  # any number that nothing else locks


def open_engine(url: str, limits: TimeLimits = USUAL, most: int | None = None) -> Engine:
    """Return an engine for `sqlite:///path` or `postgresql://…`; raise ValueError for others.

    It opens `most` connections, or as many as a process may need.
    """
    parsed = make_url(url)
    match parsed.get_backend_name():
        case "sqlite":
            return _open_sqlite(url, limits, most or _MOST_OF_SQLITE)
        case "postgresql":
            return _open_postgres(parsed, limits, most or MOST_TRANSACTIONS)
        case other:
            raise ValueError(f'must be a sqlite:/// or postgresql:// address, not "{other}:"')


class WrongDatabaseAddress(ValueError):
    """An address with an option that nobody knows; the message says what would be right."""


_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


def check_options(address: URL | str) -> None:
    """Refuse options behind the address's `?` that connecting would stumble over."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        return
    options = {name: url.normalized_query[name][0] for name in url.normalized_query}
    for name in options:
        try:
            make_conninfo("", **{name: "1"})
        except psycopg.ProgrammingError:
            raise WrongDatabaseAddress(
                f'has an option "{name}", which PostgreSQL does not have'
            ) from None
    if options.get("sslmode", "prefer") not in _SSL_MODES:
        raise WrongDatabaseAddress(f"must have one of these as sslmode: {', '.join(_SSL_MODES)}")
    if not options.get("connect_timeout", "2").isdigit():
        raise WrongDatabaseAddress("must have a number of seconds as connect_timeout")


def sqlite_file(address: URL | str) -> Path | None:
    """Return the file of a SQLite database, None for any other."""
    url = make_url(address)
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return Path(url.database)


def _open_postgres(url: URL, limits: TimeLimits, most: int) -> Engine:
    check_options(url)
    pooled = min(_POOLED, most)
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=pooled,
        max_overflow=most - pooled,
        pool_timeout=limits.queue,
        pool_pre_ping=True,
        pool_use_lifo=True,
        connect_args={} if "connect_timeout" in url.query else {"connect_timeout": limits.connect},
        hide_parameters=True,
    )

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: object, _record: object, given: Any, named: Any) -> LimitedConnection:
        connection = LimitedConnection.connect(*given, **named)
        connection.answer_seconds = limits.answer
        connection.autocommit = True
        connection.execute(limits.settings())
        connection.autocommit = False
        return connection

    return engine


@contextmanager
def without_limits(connection: Connection) -> Iterator[None]:
    """Let statements of a transaction take as long as they take."""
    if connection.dialect.name != "postgresql":
        yield  # only waiting for other programs is limited there, and that is over
        return
    connection.exec_driver_sql(WITHOUT_LIMITS)
    driver: Any = connection.connection.driver_connection
    usual, driver.answer_seconds = driver.answer_seconds, None
    try:
        yield
    finally:
        driver.answer_seconds = usual


def _open_sqlite(url: str, limits: TimeLimits, most: int) -> Engine:
    pooled = min(_POOLED_OF_SQLITE, most)
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=pooled,
        max_overflow=most - pooled,
        pool_timeout=limits.queue,
        # Each has a cache of pages of its own: few warm ones are better than all of them in turn.
        pool_use_lifo=True,
        connect_args={
            "check_same_thread": False,
            "timeout": limits.sqlite_lock,
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
        options = connection.get_execution_options()
        begin = "BEGIN IMMEDIATE" if options.get("writes") else "BEGIN"
        lock_seconds = options.get("lock_seconds", limits.sqlite_lock)
        if lock_seconds == limits.sqlite_lock:
            connection.exec_driver_sql(begin)
            return
        connection.exec_driver_sql(f"PRAGMA busy_timeout={round(lock_seconds * 1_000)}")
        try:
            connection.exec_driver_sql(begin)
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={round(limits.sqlite_lock * 1_000)}")

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


def is_refused_by_disk(error: BaseException) -> bool:
    """Say whether a change was refused because the database's disk is full, or takes no bytes."""
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", 0) or 0
    is_full = getattr(cause, "sqlstate", None) == _DISK_FULL
    return is_full or code & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def describe_outage(error: Exception) -> str:
    """Return what to say of a database that is away, to whoever may know what to do about it."""
    # A refused connection carries no code, only what the server said.
    if any(refusal in str(error) for refusal in _REFUSALS):
        return (
            "database refuses more connections; nothing was changed (raise its max_connections,"
            " or let fewer processes serve)"
        )
    if any(damage in str(error) for damage in _DAMAGES):
        return "database file is damaged, or is no database; restore a backup of it"
    return f"{_what_is_wrong(getattr(error, 'orig', None) or error)}; nothing was changed"


def _what_is_wrong(error: BaseException) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY:
            return "database is locked by another program"
        case sqlite3.SQLITE_FULL:
            return _FULL
        case sqlite3.SQLITE_IOERR:
            return "database's disk cannot be read or written"
    if isinstance(error, NoAnswer | psycopg.errors.ConnectionTimeout):
        return "database does not answer"
    match getattr(error, "sqlstate", None):
        case state if state == _LOCK_TIMEOUT:
            return "database is busy: another change holds what this one needs"
        case state if state == _STATEMENT_TIMEOUT:
            return "database is busy: it took too long to answer"
        case state if state == _DISK_FULL:
            return _FULL
    return "database is away"


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


def holds(column: ColumnElement[str], part: str) -> ColumnElement[bool]:
    """Return whether a text holds a part, character by character.

    Not LIKE: SQLite's takes ASCII letters of both cases for the same, PostgreSQL's does not.
    """
    return func.replace(column, part, "") != column


def holds_any(column: ColumnElement[str], parts: Iterable[str]) -> ColumnElement[bool]:
    """Return whether a text holds one of the parts, of which there is one at least."""
    return or_(*(holds(column, part) for part in parts))


def upsert(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], keys: Sequence[str]
) -> None:
    """Insert rows, or replace those whose `keys` are there already."""
    if not rows:
        return
    connection.execute(_upsert(connection.dialect.name, table, tuple(keys)), list(rows))


def upsert_newer(
    connection: Connection,
    table: Table,
    row: dict[str, Any],
    *,
    key: str,
    newer: str,
    counted: str,
) -> None:
    """Insert a row, or replace the one with its key if that is older; count how often."""
    connection.execute(_upsert_newer(connection.dialect.name, table, key, newer, counted), row)


def insert_all_missing(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]], keys: Sequence[str]
) -> None:
    """Insert in one statement each row unless there is one with its `keys` already."""
    if not rows:
        return
    statement = _insert(connection.dialect.name, table).values(list(rows))
    connection.execute(statement.on_conflict_do_nothing(index_elements=list(keys)))


def insert_missing(
    connection: Connection, table: Table, row: dict[str, Any], keys: Sequence[str]
) -> bool:
    """Insert a row unless there is one with its `keys` already; say whether there was none."""
    statement = _insert_missing(connection.dialect.name, table, tuple(keys))
    return connection.execute(statement, row).first() is not None


# Putting a statement together takes several times as long as carrying it out.


@cache
def _upsert(dialect: str, table: Table, keys: tuple[str, ...]) -> Insert:
    statement = _insert(dialect, table)
    changed = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if column.name not in keys
    }
    return statement.on_conflict_do_update(index_elements=list(keys), set_=changed)


@cache
def _upsert_newer(dialect: str, table: Table, key: str, newer: str, counted: str) -> Insert:
    statement = _insert(dialect, table)
    changed: dict[str, Any] = {
        column.name: statement.excluded[column.name]
        for column in table.columns
        if column.name not in {key, counted}
    }
    changed[counted] = table.c[counted] + 1
    return statement.on_conflict_do_update(
        index_elements=[key], set_=changed, where=table.c[newer] < statement.excluded[newer]
    )


@cache
def _insert_missing(dialect: str, table: Table, keys: tuple[str, ...]) -> ReturningInsert[Any]:
    statement = _insert(dialect, table).on_conflict_do_nothing(index_elements=list(keys))
    return statement.returning(table.c[keys[0]])


def _insert(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
