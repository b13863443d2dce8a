"""Clearing old rows: a customer's data go, and what happened stays.

Rows are cleared in the order of their latest change. How far that has come is kept, so that no old
row is read twice; one that is changed later comes behind the mark again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, delete, literal, select, tuple_

from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.driver_tables import attachments, driver_actions, driver_sessions, uploads
from roundsman.storage.erasures import (
    DOCUMENT_TABLES,
    DocumentTable,
    StoredDocument,
    replace_document,
)
from roundsman.storage.evidence_tables import retention_marks
from roundsman.storage.tables import imported_stops, routes, store_orders

_TABLES = {one.name: one for one in DOCUMENT_TABLES}
_CHANGED_AT: dict[str, Column[datetime]] = {
    "routes": routes.c.updated_at,
    "imported_stops": imported_stops.c.updated_at,
    "store_orders": store_orders.c.updated_at,
    "driver_actions": driver_actions.c.received_at,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Clearing:
    """What old rows of a table lose; `name` is that of the mark."""

    name: str
    table: str
    clear: Callable[[Any], Any]


def clear_old_rows(
    tx: Transaction, organization_id: str, clearing: Clearing, before: datetime, most: int
) -> int:
    """Clear the next old rows; return how many were looked at."""
    where, changed_at = _TABLES[clearing.table], _CHANGED_AT[clearing.table]
    id_ = where.table.c[where.key[-1]]
    statement = select(
        changed_at, *(where.table.c[name] for name in (*where.key, *where.columns))
    ).where(where.is_of(organization_id), changed_at < before)
    mark = tx.execute(
        select(retention_marks.c.at, retention_marks.c.last_id).where(
            retention_marks.c.organization_id == organization_id,
            retention_marks.c.name == clearing.name,
        )
    ).first()
    if mark is not None:
        behind = tuple_(literal(mark.at, changed_at.type), mark.last_id)
        statement = statement.where(tuple_(changed_at, id_) > behind)
    rows = tx.execute(statement.order_by(changed_at, id_).limit(most)).fetchall()
    for row in rows:
        _clear(tx, organization_id, clearing, where, row[1:])
    if rows:
        mark_row = {
            "organization_id": organization_id,
            "name": clearing.name,
            "at": rows[-1][0],
            "last_id": rows[-1][len(where.key)],
        }
        upsert(tx, retention_marks, [mark_row], keys=["organization_id", "name"])
    return len(rows)


def _clear(
    tx: Transaction, organization_id: str, clearing: Clearing, where: DocumentTable, row: Any
) -> None:
    key, texts = tuple(row[: len(where.key)]), row[len(where.key) :]
    body = json.loads(texts[0])
    cleared = clearing.clear(body)
    if cleared == body:
        return
    text = json.dumps(cleared, ensure_ascii=False, separators=(",", ":"))
    document = StoredDocument(
        key=key, texts=dict(zip(where.columns, (text, *texts[1:]), strict=True))
    )
    replace_document(tx, organization_id, where, document)


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
