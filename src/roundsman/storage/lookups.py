"""The questions that nearly every request asks: one row by its key, outside any transaction.

SQLAlchemy runs a prepared statement in some 60 microseconds, the driver under it in 3. So these few
statements are written with SQLAlchemy like any other, turned into the driver's text once, and run
on connections of their own, where each statement is a transaction. What they bind and return is
text, bytes and whole numbers: nothing that a type would have to convert. Rate buckets are taken
from in the same way; nothing else is written here.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.expression import Executable

from roundsman.domain.errors import Unavailable
from roundsman.storage.dialects import DRIVER_ERRORS, is_away, open_for_lookups

type Answer = tuple[Any, ...] | None


class Lookup:
    """A statement that returns one row at most; made once, beside the table that it asks."""

    def __init__(self, statement: Executable) -> None:
        self.statement = statement


class _Cursor(Protocol):
    def fetchall(self) -> list[tuple[Any, ...]]: ...


class _Connection(Protocol):
    def execute(self, sql: Any, parameters: Any) -> _Cursor: ...

    def close(self) -> None: ...


class Lookups:
    """Runs lookups; holds as many connections as ever ran at the same moment."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._idle: deque[_Connection] = deque()
        self._compiled: dict[Lookup, tuple[str, list[str] | None]] = {}

    def run(self, lookup: Lookup, parameters: Mapping[str, Any]) -> Answer:
        """Return the row, or None; raise Unavailable when the database is away."""
        sql, order = self._compiled.get(lookup) or self._compile(lookup)
        bound = parameters if order is None else [parameters[name] for name in order]
        while (idle := self._take_idle()) is not None:
            try:
                return self._ask(idle, sql, bound)
            except DRIVER_ERRORS as error:
                # A connection that idled may have died with a restarted server: ask another.
                if not is_away(error):
                    raise
        try:
            return self._ask(open_for_lookups(self._engine), sql, bound)
        except (*DRIVER_ERRORS, PoolTimeout) as error:
            if isinstance(error, PoolTimeout) or is_away(error):
                raise Unavailable("database is away; nothing was changed") from error
            raise

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def _take_idle(self) -> _Connection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _ask(self, connection: _Connection, sql: str, bound: Any) -> Answer:
        try:
            # All rows, so that the statement ends here: an open one would pin its snapshot.
            rows = connection.execute(sql, bound).fetchall()
        except DRIVER_ERRORS:
            connection.close()
            raise
        self._idle.append(connection)
        return rows[0] if rows else None

    def _compile(self, lookup: Lookup) -> tuple[str, list[str] | None]:
        compiled = lookup.statement.compile(dialect=self._engine.dialect)  # type: ignore[attr-defined] # every statement compiles
        self._compiled[lookup] = (str(compiled), compiled.positiontup)
        return self._compiled[lookup]
