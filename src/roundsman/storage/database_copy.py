"""Moving a whole database: an online backup of SQLite, and a checked copy to another database.

A copy holds the source's write lock from its first row to its last check, so that nothing can be
written that the copy lacks, and it is one transaction on the target: a copy that fails leaves the
target as empty as it was.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import batched
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Table, func, insert, select, tuple_

from roundsman.domain.errors import FailedPrecondition
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import sqlite_file
from roundsman.storage.schema import metadata

_ROWS_AT_ONCE = 500
_PRIVATE = 0o600

type Progress = Callable[[str, int], None]
"""Told the table's name and how many of its rows are copied so far."""


def write_backup(database: Database, target: Path) -> int:
    """Write a whole, checked copy of a SQLite database into one file while it is in use.

    Returns the bytes written. The file appears under its name only when it is complete.
    """
    source = sqlite_file(database.engine_url)
    if source is None:
        raise FailedPrecondition("only SQLite is backed up by this command; use pg_dump")
    try:
        _require_new(target)
        return _write_whole(source, target)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise FailedPrecondition(f"{target} cannot be written: {why}") from error
    except sqlite3.DatabaseError as error:
        raise FailedPrecondition(_say_failed(target, error)) from error


def _require_new(target: Path) -> None:
    if target.exists():
        raise FailedPrecondition(f"{target} exists already; name a new file")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise FailedPrecondition(f"{target.parent} is no folder that can be written to")


def _write_whole(source: Path, target: Path) -> int:
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    # Made here, so that nobody else can read it and what keeps it from being made has a name.
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE))
    try:
        _copy_pages(source, partial)
        partial.rename(target)
    finally:
        partial.unlink(missing_ok=True)
        partial.with_name(f"{partial.name}-journal").unlink(missing_ok=True)
    return target.stat().st_size


def _say_failed(target: Path, error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return f"the database is damaged: {error}"
    why = os.strerror(errno.ENOSPC).lower() if code == sqlite3.SQLITE_FULL else str(error)
    return f"{target} cannot be written: {why}"


def _copy_pages(source: Path, target: Path) -> None:
    reading = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    writing = sqlite3.connect(target)
    try:
        reading.backup(writing)
        verdict = writing.execute("PRAGMA integrity_check").fetchone()[0]
    finally:
        writing.close()
        reading.close()
    if verdict != "ok":
        raise FailedPrecondition(f"the database is damaged: {verdict}")
    # The name must not outlive the pages: a power cut after the rename finds the whole file.
    with target.open("rb+") as file:
        os.fsync(file.fileno())


def copy_database(source: Database, target: Database, progress: Progress) -> dict[str, int]:
    """Copy every row into an empty, migrated database and compare them; return rows by table."""
    with source.writing_for_long() as reading, target.writing_for_long() as writing:
        _require_empty(writing)
        copied = {table.name: 0 for table in metadata.sorted_tables}
        for table in metadata.sorted_tables:
            for rows in batched(_rows(reading, table), _ROWS_AT_ONCE):
                if not table.info.get("kept_by_triggers"):
                    writing.execute(insert(table), [dict(row._mapping) for row in rows])  # noqa: SLF001 -- SQLAlchemy's public name for a row as a mapping
                copied[table.name] += len(rows)
                progress(table.name, copied[table.name])
        for table in metadata.sorted_tables:
            _require_equal(reading, writing, table)
    return copied


def _require_empty(transaction: Transaction) -> None:
    for table in metadata.sorted_tables:
        if transaction.execute(select(table).limit(1)).first() is not None:
            raise FailedPrecondition(
                f"the target is not empty: it has rows in {table.name}; name a new database"
            )


def _rows(transaction: Transaction, table: Table) -> Iterator[Row[Any]]:
    keys = list(table.primary_key.columns)
    return iter(transaction.execute(select(table).order_by(*keys)).yield_per(_ROWS_AT_ONCE))


def _require_equal(reading: Transaction, writing: Transaction, table: Table) -> None:
    # The databases order text differently, so equal rows are found by key, not by position.
    keys = list(table.primary_key.columns)
    for rows in batched(_rows(reading, table), _ROWS_AT_ONCE):
        wanted = {_key(row, keys): tuple(row) for row in rows}
        there = writing.execute(select(table).where(tuple_(*keys).in_(list(wanted))))
        if {_key(row, keys): tuple(row) for row in there} != wanted:
            raise FailedPrecondition(f"the copy of {table.name} differs from its source")
    counts = [
        transaction.execute(select(func.count()).select_from(table)).scalar_one()
        for transaction in (reading, writing)
    ]
    if counts[0] != counts[1]:
        raise FailedPrecondition(f"{table.name} has {counts[0]} rows, its copy {counts[1]}")


def _key(row: Row[Any], keys: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(row._mapping[key] for key in keys)  # noqa: SLF001 -- as above
