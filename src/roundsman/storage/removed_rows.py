"""What a database keeps of rows that were removed or changed, and having it let go of that.

SQLite leaves old bytes in freed pages and in its log. PostgreSQL leaves old versions of rows until
it vacuums, and samples of what columns held until it analyzes, which it does by itself only when
much of a table has changed. A sample is shown to whoever may read the table.
"""

import sqlite3
from contextlib import closing
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.dialects import sqlite_file
from roundsman.storage.schema import metadata

_CHECKPOINT_MILLIS = 5_000
_LOCK_MILLIS = 200
"""Whoever writes waits behind us for a lock that we wait for; the job comes back by itself."""

_SAMPLED_COLUMNS: LiteralString = """
    SELECT attname, format_type(atttypid, atttypmod)
    FROM pg_stats JOIN pg_attribute USING (attname)
    WHERE schemaname = current_schema() AND tablename = %(table)s AND NOT attisdropped
    AND attrelid = %(table)s::regclass
    AND NOT EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = attrelid AND attnum = ANY(conkey)
    )
"""
"""Columns of a table whose values are sampled, but for keys: their constraints would be made anew.

Keys name no customer and no driver; of members, they have the e-mail address.
"""


def purge_removed_rows(database: Database) -> None:
    """Leave nothing of what was removed where the database shows it; wait for nobody long.

    On SQLite nothing is left in its files either. On PostgreSQL old bytes lie in free space of
    pages and in the write-ahead log until they are written over: what an operator can do about
    that stands in the how-to page. Raises Unavailable where somebody else is in the way.
    """
    file = sqlite_file(database.engine_url)
    if file is None:
        _vacuum_postgres(database)
    else:
        _rewrite_sqlite(database, str(file))


def _rewrite_sqlite(database: Database, file: str) -> None:
    """Write the whole file anew, the one way in which freed pages keep nothing.

    It happens behind one erasure at a time, and changes wait meanwhile.
    """
    with database.alone(), closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA busy_timeout={_CHECKPOINT_MILLIS}")
        try:
            connection.execute("VACUUM")
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            raise Unavailable(f"the database could not be written anew: {error}") from error
    if busy:
        raise Unavailable("the database could not be written anew: somebody reads for long")


def _vacuum_postgres(database: Database) -> None:
    """Remove old versions of rows and sample all columns anew, beside whoever works meanwhile."""
    address = database.engine_url.set(drivername="postgresql")
    text = address.render_as_string(hide_password=False)
    tables = [table.name for table in metadata.sorted_tables]
    named = SQL(", ").join(map(Identifier, tables))
    try:
        with psycopg.connect(text, autocommit=True) as connection:
            connection.execute("SET statement_timeout = 0")  # whatever the account's is
            connection.execute(SQL("VACUUM (ANALYZE) {}").format(named))
            for table in tables:
                _forget_samples(connection, table)
    except psycopg.OperationalError as error:
        raise Unavailable("the database could not be vacuumed; it is away or busy") from error


def _forget_samples(connection: psycopg.Connection, table: str) -> None:
    """Remove the samples of a table without rows: of those PostgreSQL takes no new ones.

    Declaring a column's type, also the one that it has, removes its sample.
    """
    if not _is_empty(connection, table):
        return
    sampled = connection.execute(_SAMPLED_COLUMNS, {"table": table}).fetchall()
    if not sampled:
        return
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = {_LOCK_MILLIS}")
        connection.execute(SQL("LOCK TABLE {}").format(Identifier(table)))
        if _is_empty(connection, table):  # nobody can add a row any more
            connection.execute(_declare_types(table, sampled))


def _is_empty(connection: psycopg.Connection, table: str) -> bool:
    query = SQL("SELECT FROM {} LIMIT 1").format(Identifier(table))
    return connection.execute(query).fetchone() is None


def _declare_types(table: str, columns: list[tuple[str, LiteralString]]) -> Composed:
    """Write a statement that declares columns to have types: pairs of a name and SQL's own word."""
    declared = [
        SQL("ALTER COLUMN {} TYPE {}").format(Identifier(name), SQL(type_))
        for name, type_ in columns
    ]
    return SQL("ALTER TABLE {} {}").format(Identifier(table), SQL(", ").join(declared))
