"""One row in every table for an organization, whatever tables there are: each text is marked."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
    text,
)
from tests.storage.rows import NOW

from roundsman.storage.database import Database, Transaction
from roundsman.storage.organization_erasures import OF_NOBODY
from roundsman.storage.schema import metadata
from roundsman.storage.tables import Instant

NAMED_BY_NO_KEY = {
    ("upload_parts", "driver_id"): ("drivers", "id"),
    ("upload_parts", "upload_id"): ("uploads", "id"),
    ("idempotency_records", "client_id"): ("api_clients", "id"),
}
"""Columns that name a row of another table though no foreign key says so."""

FILLED = [
    table
    for table in metadata.sorted_tables
    if table.name not in OF_NOBODY and not table.info.get("kept_by_triggers")
]


def fill(tx: Transaction, slug: str, marker: str) -> None:
    """Store a row in every table that belongs to the organization, in the order of references."""
    late = {name for name, _ in NAMED_BY_NO_KEY}
    for table in sorted(FILLED, key=lambda table: table.name in late):
        row = {column.name: _value(table, column, slug, marker) for column in table.columns}
        tx.execute(insert(table).values(row))


def _value(table: Table, column: Column[Any], slug: str, marker: str) -> Any:
    if (table.name, column.name) == ("organizations", "id") or column.name == "organization_id":
        return slug
    for key in column.foreign_keys:
        return _value(key.column.table, key.column, slug, marker)
    named = NAMED_BY_NO_KEY.get((table.name, column.name))
    if named:
        other = metadata.tables[named[0]]
        return _value(other, other.c[named[1]], slug, marker)
    marked = f"{marker} {table.name} {column.name}"
    if (table.name, column.name) == ("organizations", "settings"):
        return json.dumps({"unknown": marked})
    values: dict[type, datetime | int | float | bytes | str] = {
        Instant: NOW,
        Boolean: False,
        Float: 1.5,
        BigInteger: 1,
        Integer: 1,
        LargeBinary: marked.encode(),
        String: marked,
    }
    return next(value for kind, value in values.items() if isinstance(column.type, kind))


def dump(database: Database) -> dict[str, str]:
    """Return every row of every table that the database has, as text, by table."""
    with database.reading() as tx:
        if tx.dialect.name == "sqlite":
            names = "SELECT name FROM sqlite_master WHERE type = 'table'"
        else:
            names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        return {
            name: "\n".join(
                sorted(repr(tuple(row)) for row in tx.execute(text(f'SELECT * FROM "{name}"')))  # noqa: S608 -- a table's name
            )
            for name in tx.execute(text(names)).scalars().all()
        }
