"""Imported stops."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, select

from roundsman.domain.imported_stop import ImportedStop
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.tables import imported_stops

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
    found: dict[str, ImportedStop] = {}
    for column, values in (
        (imported_stops.c.id, list(ids)),
        (imported_stops.c.client_stop_id, list(client_stop_ids)),
    ):
        if values:
            found |= _select(tx, organization_id, column.in_(values))
    return list(found.values())


def _select(
    tx: Transaction, organization_id: str, condition: ColumnElement[bool]
) -> dict[str, ImportedStop]:
    rows = tx.execute(
        select(imported_stops.c.id, imported_stops.c.body).where(
            imported_stops.c.organization_id == organization_id, condition
        )
    )
    return {row.id: _decoder.decode(row.body) for row in rows}
