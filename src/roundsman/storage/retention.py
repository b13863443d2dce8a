"""Clearing old rows: a customer's data go, and what happened stays.

Rows are cleared in the order of their latest change. How far that has come is kept, so that no old
row is read twice; one that is changed later comes behind the mark again. A row whose delivery is
not over is held: it is looked at again when that is old, too.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from typing import Any

from sqlalchemy import Column, Row, Select, delete, literal, select, tuple_, update

from roundsman.domain.position_erasure import without_last_position
from roundsman.storage.database import Transaction
from roundsman.storage.delivery_ends import (
    ChangedDocument,
    bring_forward_stops,
    find_delivery_ends,
)
from roundsman.storage.dialects import upsert
from roundsman.storage.driver_tables import (
    attachments,
    driver_actions,
    driver_sessions,
    live_routes,
    uploads,
)
from roundsman.storage.erasures import (
    DOCUMENT_TABLES,
    DocumentTable,
    StoredDocument,
    replace_document,
)
from roundsman.storage.evidence_tables import retention_holds, retention_marks
from roundsman.storage.tables import (
    event_payloads,
    events,
    imported_stops,
    plans,
    routes,
    store_orders,
)

_TABLES = {one.name: one for one in DOCUMENT_TABLES}
_CHANGED_AT: dict[str, Column[datetime]] = {
    "routes": routes.c.updated_at,
    "imported_stops": imported_stops.c.updated_at,
    "store_orders": store_orders.c.updated_at,
    "driver_actions": driver_actions.c.received_at,
    "plans": plans.c.created_at,
}

_PAYLOADS_AT_ONCE = 20
"""One shows a route, which takes up to 8 MiB."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Clearing:
    """What old rows of a table lose; `name` is that of the mark."""

    name: str
    table: str
    clear: Callable[[Any], Any]
    column: int = 0
    """Which of the documents of a row."""

    waits: bool = False
    """Whether a row is cleared only so long after its delivery is over; for `delivery_ends`."""


def clear_old_rows(
    tx: Transaction, organization_id: str, clearing: Clearing, before: datetime, most: int
) -> int:
    """Clear the next old rows; return how many were looked at."""
    where, changed_at = _TABLES[clearing.table], _CHANGED_AT[clearing.table]
    id_ = where.table.c[where.key[-1]]
    statement = select(
        changed_at, *(where.table.c[name] for name in (*where.key, *where.columns))
    ).where(where.is_of(organization_id), changed_at < before)
    held_ids = _release_holds(tx, organization_id, clearing, before, most)
    held = tx.execute(statement.where(id_.in_(held_ids))).fetchall() if held_ids else []
    order = (changed_at, id_)
    rows = _next_rows(tx, organization_id, clearing, statement, order, most - len(held_ids))
    looked_at = [*held, *rows]
    ends = _find_ends(tx, organization_id, clearing, looked_at)
    for row in looked_at:
        if ends.get(row[1], row[0]) < before:
            _clear(tx, organization_id, clearing, where, row[1:])
    _let_go(tx, organization_id, clearing, {id_: end for id_, end in ends.items() if end < before})
    _hold(tx, organization_id, clearing, {id_: end for id_, end in ends.items() if end >= before})
    if rows:
        _mark(tx, organization_id, clearing, rows[-1][0], rows[-1][len(where.key)])
    return len(held_ids) + len(rows)


def _release_holds(
    tx: Transaction, organization_id: str, clearing: Clearing, before: datetime, most: int
) -> list[str]:
    """Return the ids of rows that were held until then, and hold them no longer."""
    if not clearing.waits:
        return []
    is_of = (
        retention_holds.c.organization_id == organization_id,
        retention_holds.c.name == clearing.name,
    )
    due = select(retention_holds.c.row_id).where(*is_of, retention_holds.c.until < before)
    ids = list(tx.execute(due.order_by(retention_holds.c.until).limit(most)).scalars())
    tx.execute(delete(retention_holds).where(*is_of, retention_holds.c.row_id.in_(ids)))
    return ids


def _find_ends(
    tx: Transaction, organization_id: str, clearing: Clearing, rows: Sequence[Any]
) -> Mapping[str, datetime]:
    if not clearing.waits or not rows:
        return {}
    documents = [ChangedDocument(row[1], row[0], row[2]) for row in rows]
    return find_delivery_ends(tx, organization_id, clearing.table, documents)


def _let_go(
    tx: Transaction, organization_id: str, clearing: Clearing, over: Mapping[str, datetime]
) -> None:
    """Hold rows no longer that are over sooner than was known, nor what waits for them."""
    if not over:
        return
    tx.execute(
        delete(retention_holds).where(
            retention_holds.c.organization_id == organization_id,
            retention_holds.c.name == clearing.name,
            retention_holds.c.row_id.in_(over),
        )
    )
    if clearing.table == "routes":
        bring_forward_stops(tx, organization_id, over, min(over.values()))


def _hold(
    tx: Transaction, organization_id: str, clearing: Clearing, until: Mapping[str, datetime]
) -> None:
    rows = [
        {
            "organization_id": organization_id,
            "name": clearing.name,
            "row_id": id_,
            "until": end,
        }
        for id_, end in until.items()
    ]
    if rows:
        upsert(tx, retention_holds, rows, keys=["organization_id", "name", "row_id"])


def _clear(
    tx: Transaction, organization_id: str, clearing: Clearing, where: DocumentTable, row: Any
) -> None:
    key = tuple(row[: len(where.key)])
    texts = dict(zip(where.columns, row[len(where.key) :], strict=True))
    column = where.columns[clearing.column]
    text = texts[column]
    cleared = None if text is None else _cleared(clearing.clear, text)
    if cleared is not None:
        document = StoredDocument(key=key, texts={**texts, column: cleared})
        replace_document(tx, organization_id, where, document)


def _cleared(clear: Callable[[Any], Any], text: str) -> str | None:
    """Return what is left of a document; None where nothing goes."""
    body = json.loads(text)
    cleared = clear(body)
    if cleared == body:
        return None
    return json.dumps(cleared, ensure_ascii=False, separators=(",", ":"))


def forget_last_positions(
    tx: Transaction, organization_id: str, before: datetime, most: int
) -> int:
    """Forget where drivers were last, on the routes where that is old; return on how many."""
    old = (
        select(live_routes.c.route_id)
        .where(live_routes.c.organization_id == organization_id, live_routes.c.at < before)
        .order_by(live_routes.c.at, live_routes.c.route_id)
        .limit(most)
    )
    ids = list(tx.execute(old).scalars())
    where = _TABLES["routes"]
    found = select(routes.c.id, routes.c.body).where(
        where.is_of(organization_id), routes.c.id.in_(ids)
    )
    for id_, body in tx.execute(found).fetchall():
        cleared = _cleared(without_last_position, body)
        if cleared is not None:
            document = StoredDocument(key=(id_,), texts={"body": cleared})
            replace_document(tx, organization_id, where, document)
        # Later events show the same last position.
        shown = (id_, *(stop["id"] for stop in json.loads(body).get("stops", ())))
        is_shown = events.c.object_id.in_(shown) & (events.c.organization_id == organization_id)
        payload_ids = tx.execute(select(events.c.payload_id).where(is_shown)).scalars()
        _clear_payloads(tx, without_last_position, payload_ids)
    tx.execute(delete(live_routes).where(live_routes.c.route_id.in_(ids)))
    return len(ids)


def clear_old_payloads(
    tx: Transaction, organization_id: str, clearing: Clearing, before: datetime, most: int
) -> int:
    """Clear what the next old events show; return how many events were looked at."""
    statement = select(events.c.timestamp, events.c.id, events.c.payload_id).where(
        events.c.organization_id == organization_id, events.c.timestamp < before
    )
    order = events.c.timestamp, events.c.id
    rows = _next_rows(tx, organization_id, clearing, statement, order, most)
    _clear_payloads(tx, clearing.clear, [row.payload_id for row in rows])
    if rows:
        _mark(tx, organization_id, clearing, rows[-1].timestamp, rows[-1].id)
    return len(rows)


def _clear_payloads(
    tx: Transaction, clear: Callable[[Any], Any], ids: Iterable[str | None]
) -> None:
    for some in batched(sorted({one for one in ids if one is not None}), _PAYLOADS_AT_ONCE):
        found = select(event_payloads.c.id, event_payloads.c.body).where(
            event_payloads.c.id.in_(some)
        )
        for id_, body in tx.execute(found).fetchall():
            cleared = _cleared(clear, body)
            if cleared is not None:
                is_it = event_payloads.c.id == id_
                tx.execute(update(event_payloads).where(is_it).values(body=cleared))


def _next_rows(
    tx: Transaction,
    organization_id: str,
    clearing: Clearing,
    statement: Select[Any],
    order: tuple[Column[datetime], Column[str]],
    most: int,
) -> Sequence[Row[Any]]:
    """Return the next rows behind the mark, in the order of their changes and ids."""
    changed_at, id_ = order
    mark = tx.execute(
        select(retention_marks.c.at, retention_marks.c.last_id).where(
            retention_marks.c.organization_id == organization_id,
            retention_marks.c.name == clearing.name,
        )
    ).first()
    if mark is not None:
        behind = tuple_(literal(mark.at, changed_at.type), mark.last_id)
        statement = statement.where(tuple_(changed_at, id_) > behind)
    return tx.execute(statement.order_by(changed_at, id_).limit(most)).fetchall()


def _mark(
    tx: Transaction, organization_id: str, clearing: Clearing, at: datetime, last_id: str
) -> None:
    row = {"organization_id": organization_id, "name": clearing.name, "at": at, "last_id": last_id}
    upsert(tx, retention_marks, [row], keys=["organization_id", "name"])


def remove_old_pictures(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest photos and signatures, and the uploads that they arrived in."""
    oldest = (
        select(attachments.c.id)
        .where(attachments.c.organization_id == organization_id, attachments.c.created_at < before)
        .order_by(attachments.c.created_at)
        .limit(most)
    )
    ids = list(tx.execute(oldest).scalars())
    tx.execute(
        delete(uploads).where(
            uploads.c.organization_id == organization_id, uploads.c.attachment_id.in_(ids)
        )
    )
    tx.execute(
        delete(attachments).where(
            attachments.c.organization_id == organization_id, attachments.c.id.in_(ids)
        )
    )
    return len(ids)


def remove_old_actions(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest entries of drivers' journals, of devices that are signed out.

    A device that is signed in counts on every entry since its first.
    """
    signed_in = select(driver_sessions.c.id)
    key = tuple_(driver_actions.c.driver_id, driver_actions.c.id)
    oldest = (
        select(driver_actions.c.driver_id, driver_actions.c.id)
        .where(
            driver_actions.c.organization_id == organization_id,
            driver_actions.c.received_at < before,
            driver_actions.c.session_id.not_in(signed_in),
        )
        .order_by(driver_actions.c.received_at)
        .limit(most)
    )
    return tx.execute(delete(driver_actions).where(key.in_(oldest))).rowcount
