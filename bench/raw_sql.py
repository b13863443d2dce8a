"""What the database alone takes for a request: the same rows, by its driver, and nothing else.

Written again are the very rows that a request of the service has just written, into the same tables
with their indexes and triggers, in one transaction that is on the disk when it ends.
"""
# ruff: noqa: S608 -- names of our own tables, and numbers

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Table

from roundsman.storage.dialects import open_engine
from roundsman.storage.tables import event_payloads, events, imported_stops

type Rows = Mapping[Table, list[tuple[Any, ...]]]

_IMPORTED = (imported_stops, event_payloads, events)
"""What an import writes, each before those that refer to it."""


class RawSql:
    """The driver's own connection to a database."""

    def __init__(self, connection: Any, placeholder: str) -> None:
        self._connection = connection
        self._placeholder = placeholder

    def imported(self) -> Rows:
        """Return all rows that imports wrote."""
        return {table: self._ask(f"SELECT * FROM {table.name}") for table in _IMPORTED}

    def time_writing_again(self, rows: Rows) -> float:
        """Take rows out, then return how many seconds it takes to write them in one transaction."""
        with self._transaction() as cursor:
            for table in reversed(list(rows)):
                ids = [(row[0],) for row in rows[table]]
                taking = f"DELETE FROM {table.name} WHERE id = {self._placeholder}"
                cursor.executemany(taking, ids)
        begun = time.perf_counter()
        with self._transaction() as cursor:
            for table, written in rows.items():
                positions = ", ".join([self._placeholder] * len(table.columns))
                cursor.executemany(f"INSERT INTO {table.name} VALUES ({positions})", written)
        return time.perf_counter() - begun

    def time_listing(self, count: int) -> float:
        """Return how many seconds it takes to read the newest routes as they are stored."""
        ((organization_id,),) = self._ask("SELECT id FROM organizations")
        begun = time.perf_counter()
        found = self._ask(
            f"SELECT body FROM routes WHERE organization_id = {self._placeholder}"
            f" AND archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT {count}",
            organization_id,
        )
        taken = time.perf_counter() - begun
        if len(found) != count:
            raise RuntimeError(f"there are {len(found)} routes, not {count}")
        return taken

    def _ask(self, sql: str, *bound: Any) -> list[Any]:
        rows: list[Any] = self._connection.execute(sql, bound).fetchall()
        return rows

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN")
            yield cursor
            cursor.execute("COMMIT")


def added(before: Rows, after: Rows) -> Rows:
    """Return the rows that are there after and were not before."""
    known = {table: {row[0] for row in rows} for table, rows in before.items()}
    return {
        table: [row for row in rows if row[0] not in known[table]] for table, rows in after.items()
    }


@contextmanager
def raw_sql(url: str) -> Iterator[RawSql]:
    """Open a database as the service does, and leave the service out."""
    engine = open_engine(url)
    is_sqlite = engine.dialect.name == "sqlite"
    pooled = engine.raw_connection()
    connection: Any = pooled.driver_connection
    pooled.detach()
    if not is_sqlite:
        connection.autocommit = True
    with closing(connection):
        yield RawSql(connection, "?" if is_sqlite else "%s")
    engine.dispose()
