"""Imported stops."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Select, delete, select

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.search_text import (
    date_text,
    list_tags,
    search_text_of_stop,
    spellings_of_search,
    tag_in_list,
)
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import holds, holds_any, upsert, without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import imported_stops, unrouted_stops

_decoder = msgspec.json.Decoder(ImportedStop)


def save_imported_stops(
    tx: Transaction, organization_id: str, stops: Sequence[ImportedStop], now: datetime
) -> int:
    """Store stops, each new or in place of the one with its id; return how many bytes they take."""
    bodies = [msgspec.json.encode(stop) for stop in stops]
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
                "body": body.decode(),
                "search_text": search_text_of_stop(stop),
                "tags": list_tags(stop.tags),
                "delivery_date": date_text(stop),
            }
            for stop, body in zip(stops, bodies, strict=True)
        ],
        keys=["id"],
    )
    return sum(map(len, bodies))


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


def find_update_times(
    tx: Transaction, organization_id: str, ids: Iterable[str]
) -> dict[str, datetime]:
    """Return when each stop was imported or changed last; those that are gone are missing."""
    rows = tx.execute(
        select(imported_stops.c.id, imported_stops.c.updated_at).where(
            without_index(imported_stops.c.organization_id) == organization_id,
            imported_stops.c.id.in_(list(ids)),
        )
    )
    return {row.id: row.updated_at for row in rows}


@dataclass(frozen=True, kw_only=True, slots=True)
class StopFilter:
    """Which stops to list: `starting` is inclusive, `ending` exclusive, on the sort's own time."""

    by_update: bool
    starting: datetime | None
    ending: datetime | None
    unrouted: bool
    text: str = ""
    tag: str = ""
    delivery_date: str = ""


def select_imported_stops(
    tx: Transaction, organization_id: str, wanted: StopFilter, after: Position | None, count: int
) -> list[tuple[Position, ImportedStop]]:
    """Return a page of stops: oldest first by update, newest first by import (decisions §12)."""
    rows = fetch_page(
        tx,
        *_select_listed(organization_id, wanted),
        after,
        newest_first=not wanted.by_update,
        count=count,
    )
    return [(position, _decoder.decode(row.body)) for position, row in rows]


def _select_listed(
    organization_id: str, wanted: StopFilter
) -> tuple[Select[Any], tuple[Column[Any], Column[str]]]:
    """Return the stops to list, and what they are sorted by."""
    # Times and ids are those of the table that has the index: two columns of one join are not.
    listed = unrouted_stops if wanted.unrouted else imported_stops
    column = listed.c.updated_at if wanted.by_update else listed.c.imported_at
    statement = select(imported_stops.c.body).where(listed.c.organization_id == organization_id)
    if wanted.unrouted:
        statement = statement.join(unrouted_stops, unrouted_stops.c.stop_id == imported_stops.c.id)
    if wanted.starting is not None:
        statement = statement.where(column >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(column < wanted.ending)
    if wanted.delivery_date:
        statement = statement.where(imported_stops.c.delivery_date == wanted.delivery_date)
    if wanted.tag:
        statement = statement.where(holds(imported_stops.c.tags, tag_in_list(wanted.tag)))
    if spellings := spellings_of_search(wanted.text):
        statement = statement.where(holds_any(imported_stops.c.search_text, spellings))
    return statement, (column, unrouted_stops.c.stop_id if wanted.unrouted else imported_stops.c.id)


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
