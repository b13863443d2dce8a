"""The questions that nearly every request asks: one row by its key, outside any transaction.

SQLAlchemy runs a prepared statement in some 60 microseconds, the driver under it in 3. So these few
statements are written with SQLAlchemy like any other, turned into the driver's text once, and run
on connections of their own, where each statement is a transaction. What they bind and return is
text, bytes and whole numbers: nothing that a type would have to convert. Rate buckets are taken
from in the same way; nothing else is written here. SQLite answers each question by itself;
PostgreSQL is a round trip away, and answers all that are asked together in one.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from sqlalchemy import Engine, Select
from sqlalchemy.sql.expression import Executable

from roundsman.kit.asking import Inquiry, Together, ask
from roundsman.storage.dialects import open_for_lookups
from roundsman.storage.idle_connections import IdleConnections
from roundsman.storage.prepared import LookupOfMany, Prepared, PreparedConnection, Row

type Answer = tuple[Any, ...] | None
type Parameters = Mapping[str, Any]


class Lookup:
    """A statement that returns one row at most; made once, beside the table that it asks."""

    def __init__(self, statement: Executable) -> None:
        self.statement = statement


class Lookups(Protocol):
    """Runs lookups."""

    def run(self, lookup: Lookup, parameters: Parameters) -> Answer:
        """Return the row, or None; raise Unavailable when the database is away."""
        ...

    def ask(self, lookup: Lookup, parameters: Parameters) -> Inquiry[Answer]:
        """Return the same, asked together with the same lookup of others."""
        ...

    def list_rows(self, lookup: Lookup, parameters: Parameters) -> list[Row]:
        """Return all rows, where a statement answers many questions by itself."""
        ...

    def close(self) -> None:
        """Close the idle connections."""
        ...


def open_lookups(engine: Engine, patience: float) -> Lookups:
    """Return lookups in this database; `patience` is how long a connection is waited for."""
    is_afar = engine.dialect.name == "postgresql"
    return LookupsAfar(engine, patience) if is_afar else LookupsAtHand(engine, patience)


class LookupsAtHand:
    """In SQLite: it runs in this process, so that asking is all the work there is."""

    def __init__(self, engine: Engine, patience: float) -> None:
        self._dialect = engine.dialect
        self._connections = IdleConnections[Any](partial(open_for_lookups, engine), patience)
        self._compiled: dict[Lookup, tuple[str, list[str]]] = {}

    def run(self, lookup: Lookup, parameters: Parameters) -> Answer:
        """Return the row, or None; raise Unavailable when the database is away."""
        rows = self.list_rows(lookup, parameters)
        return rows[0] if rows else None

    def ask(self, lookup: Lookup, parameters: Parameters) -> Inquiry[Answer]:
        """Return the same."""
        yield from ()
        return self.run(lookup, parameters)

    def list_rows(self, lookup: Lookup, parameters: Parameters) -> list[Row]:
        """Return all rows."""
        sql, order = self._compiled.get(lookup) or self._compile(lookup)
        return self._connections.use(_fetch_all, sql, [parameters[name] for name in order])

    def close(self) -> None:
        """Close the idle connections."""
        self._connections.close()

    def _compile(self, lookup: Lookup) -> tuple[str, list[str]]:
        compiled: Any = lookup.statement.compile(dialect=self._dialect)  # type: ignore[attr-defined] # every statement compiles
        self._compiled[lookup] = (str(compiled), compiled.positiontup)
        return self._compiled[lookup]


class LookupsAfar:
    """In PostgreSQL: a round trip away, and no dearer for many questions than for one."""

    def __init__(self, engine: Engine, patience: float) -> None:
        self._connections = IdleConnections(
            lambda: PreparedConnection(open_for_lookups(engine)), patience
        )
        self._prepared: dict[Lookup, Prepared] = {}
        self._together: dict[Lookup, Together[Parameters, Answer]] = {}

    def run(self, lookup: Lookup, parameters: Parameters) -> Answer:
        """Return the row, or None; raise Unavailable when the database is away."""
        rows = self.list_rows(lookup, parameters)
        return rows[0] if rows else None

    def ask(self, lookup: Lookup, parameters: Parameters) -> Inquiry[Answer]:
        """Return the same, asked together with the same lookup of others."""
        return ask(self._together.get(lookup) or self._gather(lookup), parameters)

    def list_rows(self, lookup: Lookup, parameters: Parameters) -> list[Row]:
        """Return all rows."""
        prepared = self._prepared.get(lookup)
        if prepared is None:
            prepared = self._prepared.setdefault(lookup, Prepared(lookup.statement))
        return self._connections.use(PreparedConnection.run, prepared, prepared.bind(parameters))

    def close(self) -> None:
        """Close the idle connections."""
        self._connections.close()

    def _gather(self, lookup: Lookup) -> Together[Parameters, Answer]:
        if not isinstance(lookup.statement, Select):
            raise TypeError("only what changes nothing can be asked for many at once")
        answer_all = self._answering(LookupOfMany(lookup.statement))
        # One for all threads: whose questions are of one kind is told by it.
        return self._together.setdefault(lookup, Together(answer_all))

    def _answering(
        self, prepared: LookupOfMany
    ) -> Callable[[Sequence[Parameters]], Sequence[Answer]]:
        def answer_all(asked: Sequence[Parameters]) -> Sequence[Answer]:
            bound = prepared.bind_all(asked)
            answers: list[Answer] = [None] * len(asked)
            for place, *row in self._connections.use(PreparedConnection.run, prepared, bound):
                answers[place - 1] = tuple(row)
            return answers

        return answer_all


def _fetch_all(connection: Any, sql: str, bound: Sequence[Any]) -> list[Row]:
    # All rows, so that the statement ends here: an open one would pin its snapshot.
    rows: list[Row] = connection.execute(sql, bound).fetchall()
    return rows
