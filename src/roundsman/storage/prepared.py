"""PostgreSQL's side of the questions that nearly every request asks: libpq, and lists of keys.

psycopg spends 22 microseconds of Python on a statement that libpq, which it wraps, asks in 10, and
its pipelines spend as much on each question. So a lookup is turned into one statement for as many
questions as there are: each parameter becomes a list, and the rows say which place in the lists
they answer. Parameters and rows travel in PostgreSQL's binary form, where no text needs quoting.
"""

import select as polling
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import pq
from psycopg.errors import error_from_result
from sqlalchemy import ARRAY, BindParameter, Select, bindparam, column, func, select, true
from sqlalchemy.dialects import postgresql
from sqlalchemy.sql import visitors
from sqlalchemy.sql.expression import Executable

from roundsman.storage.time_limits import LimitedConnection, NoAnswer

type Row = tuple[Any, ...]
type Parameters = Mapping[str, Any]

_DIALECT = postgresql.dialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call] # untyped there
_PLACE = "place"
_ONE_DIMENSION, _NO_NULLS, _FIRST = 1, 0, 1


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of a type are sent: the server's numbers of the type and of its lists."""

    number: int
    list_number: int
    write: Callable[[Any], bytes]

    def write_list(self, values: Sequence[Any]) -> bytes:
        parts = [_HEAD(_ONE_DIMENSION, _NO_NULLS, self.number, len(values), _FIRST)]
        for value in values:
            written = self.write(value)
            parts += (_LENGTH(len(written)), written)
        return b"".join(parts)


_HEAD = struct.Struct("!iiIii").pack
_LENGTH = struct.Struct("!i").pack
_FORMS = {
    str: _Form(1043, 1015, str.encode),
    bytes: _Form(17, 1001, bytes),
    int: _Form(20, 1016, struct.Struct("!q").pack),
}


def _read_whole(sent: bytes) -> int:
    return int.from_bytes(sent, "big", signed=True)


_READERS: Mapping[int, Callable[[bytes], Any]] = {
    17: bytes,
    20: _read_whole,
    21: _read_whole,
    23: _read_whole,
    25: bytes.decode,
    1043: bytes.decode,
}


class Prepared:
    """A statement as PostgreSQL is sent it; parameters of a type `ARRAY` are lists."""

    def __init__(self, statement: Executable) -> None:
        compiled: Any = statement.compile(dialect=_DIALECT)  # type: ignore[attr-defined] # every statement compiles
        self.sql = str(compiled).encode()
        self.numbers: list[int] = []
        self._writers: list[tuple[str, Callable[[Any], bytes]]] = []
        for name in compiled.positiontup:
            of = compiled.binds[name].type
            is_list = isinstance(of, ARRAY)
            form = _FORMS[(of.item_type if is_list else of).python_type]
            self.numbers.append(form.list_number if is_list else form.number)
            self._writers.append((name, form.write_list if is_list else form.write))

    def bind(self, parameters: Parameters) -> list[bytes]:
        """Return the parameters as they are sent."""
        return [write(parameters[name]) for name, write in self._writers]


class LookupOfMany(Prepared):
    """A lookup of one row, turned into one for as many as are asked for."""

    def __init__(self, lookup: Select[Any]) -> None:
        binds = {
            one.key: one.type for one in visitors.iterate(lookup) if isinstance(one, BindParameter)
        }
        asked = (
            func.unnest(*(bindparam(name, type_=ARRAY(of)) for name, of in binds.items()))
            .table_valued(*(column(name, of) for name, of in binds.items()), with_ordinality=_PLACE)
            .render_derived(name="asked")
        )

        def take_from_lists(element: Any, **_: Any) -> Any:
            return asked.c[element.key] if isinstance(element, BindParameter) else None

        of_each: Any = visitors.replacement_traverse(lookup, {}, take_from_lists)
        found = of_each.lateral("found")
        super().__init__(select(asked.c[_PLACE], *found.c).select_from(asked.join(found, true())))
        self._names = list(binds)

    def bind_all(self, asked: Sequence[Parameters]) -> list[bytes]:
        """Return the parameters of all questions as they are sent."""
        return self.bind({name: [one[name] for one in asked] for name in self._names})


class PreparedConnection:
    """A connection on which every statement is a transaction, and is prepared once."""

    def __init__(self, connection: LimitedConnection) -> None:
        self._connection = connection
        self._pg = connection.pgconn
        self._patience_millis = connection.answer_seconds and connection.answer_seconds * 1_000
        self._answers = polling.poll()
        self._answers.register(self._pg.socket, polling.POLLIN)
        self._names: dict[Prepared, bytes] = {}
        self._readers: dict[Prepared, list[Callable[[bytes], Any]]] = {}

    def run(self, prepared: Prepared, bound: Sequence[bytes]) -> list[Row]:
        """Return all rows."""
        name = self._names.get(prepared) or self._prepare(prepared)
        self._pg.send_query_prepared(name, bound, [pq.Format.BINARY] * len(bound), pq.Format.BINARY)
        result = self._take_result()
        self._check(result, pq.ExecStatus.TUPLES_OK)
        readers = self._readers.get(prepared) or self._choose_readers(prepared, result)
        get = result.get_value
        return [
            tuple(
                None if (sent := get(row, place)) is None else read(sent)
                for place, read in enumerate(readers)
            )
            for row in range(result.ntuples)
        ]

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    def _prepare(self, prepared: Prepared) -> bytes:
        name = b"roundsman_%d" % len(self._names)
        self._pg.send_prepare(name, prepared.sql, prepared.numbers)
        self._check(self._take_result(), pq.ExecStatus.COMMAND_OK)
        self._names[prepared] = name
        return name

    def _take_result(self) -> pq.abc.PGresult:
        """Return what is answered to what was sent; libpq itself would wait for ever."""
        if not self._answers.poll(self._patience_millis):
            self._pg.finish()
            raise NoAnswer("the server does not answer")
        result = self._pg.get_result()
        while self._pg.get_result() is not None:
            pass  # a statement has one result; that there are no more ends it
        if result is None:
            raise psycopg.OperationalError(self._pg.get_error_message())
        return result

    def _choose_readers(
        self, prepared: Prepared, result: pq.abc.PGresult
    ) -> list[Callable[[bytes], Any]]:
        readers = [_READERS[result.ftype(place)] for place in range(result.nfields)]
        self._readers[prepared] = readers
        return readers

    def _check(self, result: pq.abc.PGresult, expected: pq.ExecStatus) -> None:
        if result.status == expected:
            return
        if self._pg.status != pq.ConnStatus.OK:
            raise psycopg.OperationalError(self._pg.get_error_message())
        raise error_from_result(result)
