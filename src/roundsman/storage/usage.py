"""How many bytes each organization stores: counted as they are added, measured now and then.

Counting what is added is one row that every change holds anyway. What is removed or replaced is
not counted: it is found when the organization is measured.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, LargeBinary, Select, cast, func, or_, select, update

from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import attachments, driver_actions, upload_parts, uploads
from roundsman.storage.evidence_tables import evidence_records
from roundsman.storage.tables import (
    event_payloads,
    events,
    imported_stops,
    organizations,
    plans,
    routes,
    store_orders,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What an organization was counted to store when it was looked at."""

    organization_id: str
    stored_bytes: int


def add_usage(tx: Transaction, organization_id: str, added: int) -> int:
    """Count bytes that are added in this transaction; return how many there are with them."""
    return int(
        tx.execute(
            update(organizations)
            .where(organizations.c.id == organization_id)
            .values(stored_bytes=organizations.c.stored_bytes + added)
            .returning(organizations.c.stored_bytes)
        ).scalar_one()
    )


def list_to_measure(tx: Transaction, more_than: int, before: datetime) -> list[Usage]:
    """Return organizations never measured, and those that store much and were not lately."""
    rows = tx.execute(
        select(organizations.c.id, organizations.c.stored_bytes).where(
            or_(
                organizations.c.measured_at.is_(None),
                (organizations.c.stored_bytes > more_than) & (organizations.c.measured_at < before),
            )
        )
    )
    return [Usage(organization_id=row.id, stored_bytes=row.stored_bytes) for row in rows]


def measure(tx: Transaction, organization_id: str) -> int:
    """Return how many bytes an organization's rows hold that grow with its use."""
    payload_ids = select(events.c.payload_id).where(events.c.organization_id == organization_id)
    of_uploads = (
        select(func.sum(_bytes(tx, upload_parts.c.data)))
        .join(
            uploads,
            (uploads.c.driver_id == upload_parts.c.driver_id)
            & (uploads.c.id == upload_parts.c.upload_id),
        )
        .where(uploads.c.organization_id == organization_id)
    )
    sums: list[Select[Any]] = [
        *(
            select(func.sum(_bytes(tx, table.c[column]))).where(
                table.c.organization_id == organization_id
            )
            for table, column in (
                (imported_stops, "body"),
                (store_orders, "body"),
                (routes, "body"),
                (driver_actions, "content"),
                (driver_actions, "answer"),
                (attachments, "data"),
                (plans, "input"),
                (plans, "proposal"),
                (evidence_records, "record"),
                (evidence_records, "disclosed"),
            )
        ),
        of_uploads,
        select(func.sum(_bytes(tx, event_payloads.c.body))).where(
            event_payloads.c.id.in_(payload_ids)
        ),
    ]
    return sum(int(tx.execute(statement).scalar_one() or 0) for statement in sums)


def correct_usage(tx: Transaction, usage: Usage, measured: int, now: datetime) -> None:
    """Put what was measured in place of what was counted before; what came meanwhile is kept."""
    tx.execute(
        update(organizations)
        .where(organizations.c.id == usage.organization_id)
        .values(
            stored_bytes=organizations.c.stored_bytes + (measured - usage.stored_bytes),
            measured_at=now,
        )
    )


def _bytes(tx: Transaction, column: ColumnElement[Any]) -> ColumnElement[int]:
    if tx.dialect.name == "postgresql":
        return func.octet_length(column)
    return func.length(cast(column, LargeBinary))
