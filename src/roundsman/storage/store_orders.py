"""Orders of an external storefront, by its own ids."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, exists, select

from roundsman.domain.search_text import (
    date_text,
    list_tags,
    search_text_of_order,
    spellings_of_search,
    tag_in_list,
)
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import ReportStatus
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import holds, holds_any, upsert
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.storefront_tables import (
    storefront_orders,
    storefront_reports,
    storefronts,
)
from roundsman.storage.tables import route_stop_origins, store_orders

_decoder = msgspec.json.Decoder(StoreOrder)


def columns_of_order(order: StoreOrder) -> Mapping[str, Any]:
    """Return what a list of orders is asked for, beside the order itself."""
    return {
        "state": order.state.value,
        "delivery_date": date_text(order),
        "location": order.location,
        "tags": list_tags(order.tags),
        "search_text": search_text_of_order(order),
    }


def save_store_order(
    tx: Transaction, organization_id: str, order: StoreOrder, now: datetime
) -> int:
    """Store an order, new or in place of the one with its id; return how many bytes it takes."""
    body = msgspec.json.encode(order)
    row = {
        "organization_id": organization_id,
        "id": order.id,
        "updated_at": now,
        "body": body.decode(),
        **columns_of_order(order),
    }
    upsert(tx, store_orders, [row], keys=["organization_id", "id"])
    return len(body)


def find_store_orders(
    tx: Transaction, organization_id: str, ids: Iterable[str]
) -> dict[str, StoreOrder]:
    """Return the organization's orders that have one of the ids, by id."""
    rows = tx.execute(
        select(store_orders.c.id, store_orders.c.body).where(
            store_orders.c.organization_id == organization_id, store_orders.c.id.in_(list(ids))
        )
    )
    return {row.id: _decoder.decode(row.body) for row in rows}


def find_order_update_times(
    tx: Transaction, organization_id: str, ids: Iterable[str]
) -> dict[str, datetime]:
    """Return when each order was last kept; those that are gone are missing."""
    rows = tx.execute(
        select(store_orders.c.id, store_orders.c.updated_at).where(
            store_orders.c.organization_id == organization_id, store_orders.c.id.in_(list(ids))
        )
    )
    return {row.id: row.updated_at for row in rows}


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderFilter:
    """Which orders to list; what is empty does not count."""

    state: StoreOrderState | None = None
    delivery_date: str = ""
    tag: str = ""
    location: str = ""
    unrouted: bool = False
    routed: bool = False
    text: str = ""
    connection_id: str = ""
    failed_reports: bool = False
    newest_first: bool = False


def select_store_orders(
    tx: Transaction, organization_id: str, wanted: OrderFilter, after: Position | None, count: int
) -> list[tuple[Position, StoreOrder]]:
    """Return a page of orders, by when each was changed."""
    columns = store_orders.c
    statement = select(columns.body).where(
        columns.organization_id == organization_id, *_list_conditions(organization_id, wanted)
    )
    sort = (columns.updated_at, columns.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=wanted.newest_first, count=count)
    return [(position, _decoder.decode(row.body)) for position, row in rows]


def _list_conditions(  # noqa: C901 -- one condition for each thing that is asked for
    organization_id: str, wanted: OrderFilter
) -> Iterator[ColumnElement[bool]]:
    columns = store_orders.c
    if wanted.state is not None:
        yield columns.state == wanted.state.value
    if wanted.delivery_date:
        yield columns.delivery_date == wanted.delivery_date
    if wanted.tag:
        yield holds(columns.tags, tag_in_list(wanted.tag))
    if wanted.location:
        yield columns.location == wanted.location
    if wanted.unrouted:
        yield ~_is_on_a_route(organization_id)
    if wanted.routed:
        yield _is_on_a_route(organization_id)
    if wanted.connection_id:
        yield _is_brought_by(organization_id, wanted.connection_id)
    if wanted.failed_reports:
        yield _has_failed_reports(organization_id)
    if spellings := spellings_of_search(wanted.text):
        yield holds_any(columns.search_text, spellings)


def _is_on_a_route(organization_id: str) -> ColumnElement[bool]:
    return exists().where(
        route_stop_origins.c.organization_id == organization_id,
        route_stop_origins.c.origin_id == store_orders.c.id,
    )


def _is_brought_by(organization_id: str, connection_id: str) -> ColumnElement[bool]:
    return exists().where(
        storefront_orders.c.organization_id == organization_id,
        storefront_orders.c.store_order_id == store_orders.c.id,
        storefront_orders.c.storefront_id == connection_id,
    )


def _has_failed_reports(organization_id: str) -> ColumnElement[bool]:
    # From the shops on, so that the index by shop and status is read, and not every report.
    failed = (
        select(storefront_reports.c.store_order_id)
        .join_from(
            storefronts,
            storefront_reports,
            storefront_reports.c.storefront_id == storefronts.c.id,
        )
        .where(
            storefronts.c.organization_id == organization_id,
            storefront_reports.c.status == ReportStatus.FAILED.value,
        )
    )
    return store_orders.c.id.in_(failed)
