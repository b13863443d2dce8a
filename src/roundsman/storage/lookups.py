"""The statements that nearly every request runs: one row by its key, outside any transaction.

They are written with SQLAlchemy like any other, compiled to the database's own text once, and run
on autocommit connections of their own, because SQLAlchemy takes several times as long over each as
the database does. What they bind and return is text, bytes and whole numbers: nothing that a type
would have to convert. Rate buckets are taken from in the same way; nothing else is written here.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.sql.expression import Executable

from roundsman.storage.dialects import open_for_lookups
from roundsman.storage.idle_connections import IdleConnections

type Row = tuple[Any, ...]


class Lookup:
    """A statement that returns one row at most; made once, beside the table that it reads."""

    def __init__(self, statement: Executable) -> None:
        self.statement = statement


class Lookups:
    """Runs lookups on one database."""

    def __init__(self, engine: Engine, queue_seconds: float) -> None:
        # Parameters by name on both: SQLite's dialect would number them.
        named = {"paramstyle": "named"} if engine.dialect.name == "sqlite" else {}
        self._dialect = type(engine.dialect)(**named)
        self._options = {"prepare": True} if engine.dialect.name == "postgresql" else {}
        self._connections = IdleConnections[Any](lambda: open_for_lookups(engine), queue_seconds)
        self._compiled: dict[Lookup, str] = {}

    def run(self, lookup: Lookup, parameters: dict[str, Any]) -> Row | None:
        """Return the row, or None; raise Unavailable when the database is away."""
        sql = self._compiled.get(lookup) or self._compile(lookup)
        return self._connections.use(self._fetch, sql, parameters)

    def close(self) -> None:
        """Close the idle connections."""
        self._connections.close()

    def _fetch(self, connection: Any, sql: str, parameters: dict[str, Any]) -> Row | None:
        row: Row | None = connection.execute(sql, parameters, **self._options).fetchone()
        return row

    def _compile(self, lookup: Lookup) -> str:
        statement: Any = lookup.statement
        sql = str(statement.compile(dialect=self._dialect))
        self._compiled[lookup] = sql
        return sql
