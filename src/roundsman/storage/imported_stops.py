"""Imported stops."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, delete, exists, select

from roundsman.domain.imported_stop import ImportedStop
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert, without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import imported_stops, route_stop_origins

_decoder = msgspec.json.Decoder(ImportedStop)


def save_imported_stops(
    tx: Transaction, organization_id: str, stops: Sequence[ImportedStop], now: datetime
) -> None:
    """Store stops, each new or in place of the one with its id."""
    upsert(
        tx,
        imported_stops,
        [
            {
                "id": stop.id,
                "organization_id": organization_id,
                "client_stop_id": stop.client_stop_id or None,
                "imported_at": stop.imported_at,
                "updated_at": now,
                "body": msgspec.json.encode(stop).decode(),
            }
            for stop in stops
        ],
        keys=["id"],
    )


def find_imported_stops(
    tx: Transaction,
    organization_id: str,
    *,
    ids: Iterable[str] = (),
    client_stop_ids: Iterable[str] = (),
) -> list[ImportedStop]:
    """Return the organization's stops that have one of the ids or of the clients' own ids."""
    table = imported_stops.c
    found: dict[str, ImportedStop] = {}
    if wanted := list(ids):
        is_theirs = without_index(table.organization_id) == organization_id
        found |= _select(tx, is_theirs, table.id.in_(wanted))
    if wanted := list(client_stop_ids):
        is_theirs = table.organization_id == organization_id
        found |= _select(tx, is_theirs, table.client_stop_id.in_(wanted))
    return list(found.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class StopFilter:
    """Which stops to list: `starting` is inclusive, `ending` exclusive, on the sort's own time."""

    by_update: bool
    starting: datetime | None
    ending: datetime | None
    unrouted: bool


def list_imported_stops(
    tx: Transaction, organization_id: str, wanted: StopFilter, after: Position | None, count: int
) -> list[tuple[Position, ImportedStop]]:
    """Return a page of stops: oldest first by update, newest first by import (decisions §12)."""
    table = imported_stops.c
    column = table.updated_at if wanted.by_update else table.imported_at
    statement = select(table.body).where(table.organization_id == organization_id)
    if wanted.starting is not None:
        statement = statement.where(column >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(column < wanted.ending)
    if wanted.unrouted:
        routed = exists().where(
            route_stop_origins.c.organization_id == organization_id,
            route_stop_origins.c.origin_id == table.id,
        )
        statement = statement.where(~routed)
    rows = fetch_page(
        tx,
        statement,
        (column, table.id),
        after,
        newest_first=not wanted.by_update,
        count=count,
    )
    return [(position, _decoder.decode(row.body)) for position, row in rows]


def remove_imported_stop(tx: Transaction, organization_id: str, stop_id: str) -> None:
    """Remove a stop; route stops made from it stay."""
    tx.execute(
        delete(imported_stops).where(
            imported_stops.c.organization_id == organization_id, imported_stops.c.id == stop_id
        )
    )


def _select(tx: Transaction, *conditions: ColumnElement[bool]) -> dict[str, ImportedStop]:
    rows = tx.execute(select(imported_stops.c.id, imported_stops.c.body).where(*conditions))
    return {row.id: _decoder.decode(row.body) for row in rows}
