"""Erasures, and the documents of every table in which a customer's data may be."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Row, Select, Table, delete, insert, select, tuple_, update

from roundsman.domain.erasure import ErasureReceipt
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.search_text import search_text_of_route, search_text_of_stop
from roundsman.domain.store_order import StoreOrder
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import attachments, driver_actions, driver_sessions
from roundsman.storage.evidence_tables import erasures
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.member_tables import members
from roundsman.storage.store_orders import columns_of_order
from roundsman.storage.storefront_orders import note_erased_customer
from roundsman.storage.tables import (
    api_clients,
    delivery_attempts,
    drivers,
    event_payloads,
    events,
    idempotency_records,
    imported_stops,
    jobs,
    plans,
    proposed_changes,
    route_search,
    routes,
    store_orders,
    webhook_subscriptions,
)

_read_receipt = msgspec.json.Decoder(ErasureReceipt).decode
_read_stop = msgspec.json.Decoder(ImportedStop).decode
_read_route = msgspec.json.Decoder(Route).decode
_read_order = msgspec.json.Decoder(StoreOrder).decode


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredErasure:
    """An erasure; `traces` is sealed, and none once everything is erased."""

    id: str
    created_at: datetime
    job_id: str
    traces: str | None
    receipt: ErasureReceipt
    completed_at: datetime | None = None
    driver_id: str = ""
    """Which driver is erased; empty where a customer is."""


class _KeptReceipt(ErasureReceipt):
    """A receipt as it is kept: with the driver, whose id stays."""

    driver_id: str = ""


_read_driver = msgspec.json.Decoder(_KeptReceipt).decode


def _write_receipt(erasure: StoredErasure) -> str:
    kept = _KeptReceipt(**asdict(erasure.receipt), driver_id=erasure.driver_id)
    return msgspec.json.encode(kept).decode()


def add_erasure(tx: Transaction, organization_id: str, erasure: StoredErasure) -> None:
    """Store a new erasure."""
    tx.execute(
        insert(erasures).values(
            id=erasure.id,
            organization_id=organization_id,
            created_at=erasure.created_at,
            job_id=erasure.job_id,
            traces=erasure.traces,
            receipt=_write_receipt(erasure),
            completed_at=erasure.completed_at,
        )
    )


def find_erasure(tx: Transaction, organization_id: str, erasure_id: str) -> StoredErasure | None:
    """Return one of the organization's erasures."""
    row = tx.execute(
        select(erasures).where(
            erasures.c.organization_id == organization_id, erasures.c.id == erasure_id
        )
    ).first()
    return None if row is None else _read_erasure(row)


def select_erasures(
    tx: Transaction, organization_id: str, after: Position | None, count: int
) -> list[tuple[Position, StoredErasure]]:
    """Return a page of the organization's erasures, newest first."""
    statement = select(erasures).where(erasures.c.organization_id == organization_id)
    sort = (erasures.c.created_at, erasures.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    return [(position, _read_erasure(row)) for position, row in rows]


def list_unfinished_erasures(tx: Transaction, organization_id: str) -> list[StoredErasure]:
    """Return the organization's erasures that are not completed, oldest first; few at any time."""
    rows = tx.execute(
        select(erasures)
        .where(erasures.c.organization_id == organization_id, erasures.c.completed_at.is_(None))
        .order_by(erasures.c.created_at, erasures.c.id)
    )
    return [_read_erasure(row) for row in rows]


def _read_erasure(row: Row[Any]) -> StoredErasure:
    return StoredErasure(
        id=row.id,
        created_at=row.created_at,
        job_id=row.job_id,
        traces=row.traces,
        receipt=_read_receipt(row.receipt),
        completed_at=row.completed_at,
        driver_id=_read_driver(row.receipt).driver_id,
    )


def update_erasure(tx: Transaction, organization_id: str, erasure: StoredErasure) -> None:
    """Replace what an erasure knows and has done."""
    tx.execute(
        update(erasures)
        .where(erasures.c.organization_id == organization_id, erasures.c.id == erasure.id)
        .values(
            traces=erasure.traces,
            receipt=_write_receipt(erasure),
            completed_at=erasure.completed_at,
        )
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentTable:
    """Where documents are: one row has one or more of them."""

    name: str
    table: Table
    key: tuple[str, ...]
    columns: tuple[str, ...]
    is_of: Callable[[str], ColumnElement[bool]]
    """Which rows are an organization's."""

    is_text: bool = False
    """Whether they are texts of others, and no documents of ours."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredDocument:
    """One row: its key, and the texts of its columns."""

    key: tuple[Any, ...]
    texts: dict[str, str | None]


def _owned(table: Table) -> Callable[[str], ColumnElement[bool]]:
    return lambda organization_id: table.c.organization_id == organization_id


def _payloads_of(organization_id: str) -> ColumnElement[bool]:
    ids: Select[Any] = select(events.c.payload_id).where(
        events.c.organization_id == organization_id
    )
    return event_payloads.c.id.in_(ids)


def answers_of(organization_id: str) -> ColumnElement[bool]:
    """Return which kept answers are those of an organization's clients, members and devices."""
    of_drivers = driver_sessions.join(drivers, drivers.c.id == driver_sessions.c.driver_id)
    owners = [
        select(api_clients.c.id).where(api_clients.c.organization_id == organization_id),
        select(members.c.id).where(members.c.organization_id == organization_id),
        select(drivers.c.id).where(drivers.c.organization_id == organization_id),
        select(driver_sessions.c.id)
        .select_from(of_drivers)
        .where(drivers.c.organization_id == organization_id),
    ]
    is_theirs: ColumnElement[bool] = idempotency_records.c.client_id.in_(owners[0])
    for one in owners[1:]:
        is_theirs |= idempotency_records.c.client_id.in_(one)
    return is_theirs


def _attempts_of(organization_id: str) -> ColumnElement[bool]:
    ids = select(webhook_subscriptions.c.id).where(
        webhook_subscriptions.c.organization_id == organization_id
    )
    return delivery_attempts.c.subscription_id.in_(ids)


DOCUMENT_TABLES: Sequence[DocumentTable] = (
    DocumentTable(
        name="imported_stops",
        table=imported_stops,
        key=("id",),
        columns=("body",),
        is_of=_owned(imported_stops),
    ),
    DocumentTable(
        name="store_orders",
        table=store_orders,
        key=("id",),
        columns=("body",),
        is_of=_owned(store_orders),
    ),
    DocumentTable(
        name="routes", table=routes, key=("id",), columns=("body",), is_of=_owned(routes)
    ),
    DocumentTable(
        name="events",
        table=event_payloads,
        key=("id",),
        columns=("body",),
        is_of=_payloads_of,
    ),
    DocumentTable(
        name="driver_actions",
        table=driver_actions,
        key=("driver_id", "id"),
        columns=("content", "answer"),
        is_of=_owned(driver_actions),
    ),
    DocumentTable(
        name="plans",
        table=plans,
        key=("id",),
        columns=("body", "input", "proposal"),
        is_of=_owned(plans),
    ),
    DocumentTable(
        name="answers",
        table=idempotency_records,
        key=("client_id", "key"),
        columns=("answer",),
        is_of=answers_of,
    ),
    DocumentTable(
        name="receivers",
        table=delivery_attempts,
        key=("event_id", "subscription_id", "number"),
        columns=("answer", "error"),
        is_of=_attempts_of,
        is_text=True,
    ),
)
"""Whoever stores a customer's data in another table names it here."""

DRIVER_TABLES: Sequence[DocumentTable] = (
    *DOCUMENT_TABLES,
    DocumentTable(
        name="proposals",
        table=proposed_changes,
        key=("id",),
        columns=("body",),
        is_of=_owned(proposed_changes),
    ),
    DocumentTable(
        name="actors of events",
        table=events,
        key=("id",),
        columns=("actor",),
        is_of=_owned(events),
    ),
    DocumentTable(
        name="actors of jobs", table=jobs, key=("id",), columns=("actor",), is_of=_owned(jobs)
    ),
)
"""Where a driver's data may be beside the driver's own rows."""


def read_documents(
    tx: Transaction,
    organization_id: str,
    where: DocumentTable,
    after: Sequence[Any],
    count: int,
) -> list[StoredDocument]:
    """Return some rows of a table, in the order of their keys, behind a key."""
    keys = [where.table.c[name] for name in where.key]
    statement = select(*keys, *(where.table.c[name] for name in where.columns)).where(
        where.is_of(organization_id)
    )
    if after:
        statement = statement.where(tuple_(*keys) > tuple_(*after))
    rows = tx.execute(statement.order_by(*keys).limit(count))
    return [
        StoredDocument(
            key=tuple(row[: len(keys)]),
            texts=dict(zip(where.columns, row[len(keys) :], strict=True)),
        )
        for row in rows
    ]


def replace_document(
    tx: Transaction, organization_id: str, where: DocumentTable, document: StoredDocument
) -> None:
    """Replace the texts of one row, and whatever is derived from them."""
    matches = [
        where.table.c[name] == value for name, value in zip(where.key, document.key, strict=True)
    ]
    values: dict[str, Any] = dict(document.texts)
    if where.table is routes:
        values["version"] = routes.c.version + 1
        _replace_route_search(tx, organization_id, str(document.texts["body"]))
    elif where.table is imported_stops:
        stop = _read_stop(str(document.texts["body"]))
        values["search_text"] = search_text_of_stop(stop)
    elif where.table is store_orders:
        values |= columns_of_order(_read_order(str(document.texts["body"])))
        note_erased_customer(tx, organization_id, str(document.key[0]))
    tx.execute(update(where.table).where(where.is_of(organization_id), *matches).values(values))


def _replace_route_search(tx: Transaction, organization_id: str, body: str) -> None:
    route = _read_route(body)
    tx.execute(
        update(route_search)
        .where(
            route_search.c.organization_id == organization_id, route_search.c.route_id == route.id
        )
        .values(text=search_text_of_route(route))
    )


def remove_attachments(tx: Transaction, organization_id: str, ids: Collection[str]) -> int:
    """Remove pictures."""
    return tx.execute(
        delete(attachments).where(
            attachments.c.organization_id == organization_id, attachments.c.id.in_(ids)
        )
    ).rowcount
