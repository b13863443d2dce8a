"""Pages by keyset: the next page starts behind the last row seen, whatever came before it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, Select, String, literal, tuple_
from sqlalchemy import type_coerce as as_type

from roundsman.storage.database import Transaction

type Position = tuple[int, str]
"""A row's sort value, in microseconds, and its id, which breaks ties."""


def fetch_page(
    tx: Transaction,
    statement: Select[Any],
    sort: tuple[ColumnElement[Any], ColumnElement[str]],
    after: Position | None,
    *,
    newest_first: bool,
    count: int,
) -> list[tuple[Position, Row[Any]]]:
    """Return so many rows behind a position, each with its own."""
    instant: ColumnElement[int] = as_type(sort[0], BigInteger)
    key = tuple_(instant, sort[1])
    if after is not None:
        seen = tuple_(literal(after[0], BigInteger), literal(after[1], String))
        statement = statement.where(key < seen if newest_first else key > seen)
    order = [column.desc() if newest_first else column.asc() for column in (instant, sort[1])]
    rows: Sequence[Row[Any]] = tx.execute(
        statement.add_columns(instant.label("sort_value"), sort[1].label("sort_id"))
        .order_by(*order)
        .limit(count)
    ).all()
    return [((int(row.sort_value), row.sort_id), row) for row in rows]
