"""Which order of which shop a store order is, and how its shop had it last."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, delete, exists, func, select, update

from roundsman.domain.customer_mark import CustomerMark
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.storefront_tables import storefront_orders as links
from roundsman.storage.tables import route_stop_origins, routes, store_orders

_UNDONE = (StoreOrderState.OPEN.value, StoreOrderState.ON_HOLD.value)


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderLink:
    """A store order and the order of a shop that it is."""

    store_order_id: str
    storefront_id: str | None
    """None where its shop was disconnected."""

    shop: str
    """The shop's platform and address, by which one that is connected again is known."""

    external_id: str
    external_updated_at: datetime
    fingerprint: str
    """Of the order as the shop had it."""

    address_mark: str
    """Of the shop's address and customer, a `CustomerMark`: as long as the address stays, a
    correction of ours does."""


def find_shop_orders(
    tx: Transaction, storefront_id: str, external_ids: Collection[str]
) -> dict[str, OrderLink]:
    """Return what is known of a shop's orders, by the shop's own ids."""
    rows = tx.execute(
        select(links).where(
            links.c.storefront_id == storefront_id, links.c.external_id.in_(external_ids)
        )
    )
    return {row.external_id: _read(row) for row in rows}


def find_order_links(
    tx: Transaction, organization_id: str, store_order_ids: Collection[str]
) -> dict[str, OrderLink]:
    """Return for store orders which orders of shops they are; pushed ones are none."""
    rows = tx.execute(
        select(links).where(
            links.c.organization_id == organization_id,
            links.c.store_order_id.in_(store_order_ids),
        )
    )
    return {row.store_order_id: _read(row) for row in rows}


def save_order_links(tx: Transaction, organization_id: str, kept: Sequence[OrderLink]) -> None:
    """Store which orders of shops store orders are."""
    if not kept:
        return
    rows = [
        {
            "organization_id": organization_id,
            "store_order_id": one.store_order_id,
            "storefront_id": one.storefront_id,
            "shop": one.shop,
            "external_id": one.external_id,
            "external_updated_at": one.external_updated_at,
            "fingerprint": one.fingerprint,
            "address_mark": one.address_mark,
        }
        for one in kept
    ]
    upsert(tx, links, rows, keys=["organization_id", "store_order_id"])


def _on_routes_under_way(
    organization_id: str, storefront_id: str, states: Sequence[str]
) -> Select[Any]:
    return (
        select(links.c.external_id, links.c.store_order_id, routes.c.id.label("route_id"))
        .join(
            store_orders,
            (store_orders.c.organization_id == links.c.organization_id)
            & (store_orders.c.id == links.c.store_order_id),
        )
        .join(
            route_stop_origins,
            (route_stop_origins.c.organization_id == links.c.organization_id)
            & (route_stop_origins.c.origin_id == links.c.store_order_id),
        )
        .join(routes, routes.c.id == route_stop_origins.c.route_id)
        .where(
            links.c.organization_id == organization_id,
            links.c.storefront_id == storefront_id,
            store_orders.c.state.in_(states),
            routes.c.archived_at.is_(None),
            func.coalesce(routes.c.status, "") != RouteStatus.COMPLETED.value,
        )
    )


def list_orders_to_reread(
    tx: Transaction, organization_id: str, storefront_id: str, after: str, most: int
) -> list[str]:
    """Return the shop's ids of orders on routes that are not over, behind an id."""
    rows = tx.execute(
        _on_routes_under_way(organization_id, storefront_id, _UNDONE)
        .with_only_columns(links.c.external_id)
        .where(links.c.external_id > after)
        .distinct()
        .order_by(links.c.external_id)
        .limit(most)
    )
    return list(rows.scalars())


def list_cancelled_on_routes(
    tx: Transaction, organization_id: str, storefront_id: str
) -> list[tuple[str, str]]:
    """Return cancelled orders of a shop, with the routes that they are on."""
    rows = tx.execute(
        _on_routes_under_way(organization_id, storefront_id, (StoreOrderState.CANCELLED.value,))
        .order_by(routes.c.id, links.c.store_order_id)
        .distinct()
    )
    return [(row.store_order_id, row.route_id) for row in rows]


def remove_unrouted_orders(tx: Transaction, organization_id: str, storefront_id: str) -> int:
    """Remove a shop's orders that are on no route; return how many."""
    on_a_route = exists().where(
        route_stop_origins.c.organization_id == organization_id,
        route_stop_origins.c.origin_id == links.c.store_order_id,
    )
    gone = list(
        tx.execute(
            select(links.c.store_order_id).where(
                links.c.organization_id == organization_id,
                links.c.storefront_id == storefront_id,
                ~on_a_route,
            )
        ).scalars()
    )
    for start in range(0, len(gone), 500):
        some = gone[start : start + 500]
        for table, column in ((links, links.c.store_order_id), (store_orders, store_orders.c.id)):
            tx.execute(
                delete(table).where(table.c.organization_id == organization_id, column.in_(some))
            )
    return len(gone)


def note_erased_customer(tx: Transaction, organization_id: str, store_order_id: str) -> None:
    """Note that what an order said of its customer was erased here."""
    for link in find_order_links(tx, organization_id, [store_order_id]).values():
        mark = replace(CustomerMark.read(link.address_mark), is_erased=True)
        tx.execute(
            update(links)
            .where(
                links.c.organization_id == organization_id,
                links.c.store_order_id == store_order_id,
            )
            .values(address_mark=mark.write())
        )


def list_linked_orders(
    tx: Transaction, organization_id: str, storefront_id: str, after: str, most: int
) -> list[str]:
    """Return the store orders that came by a connection, by their own ids, behind an id."""
    rows = tx.execute(
        select(links.c.store_order_id)
        .where(
            links.c.organization_id == organization_id,
            links.c.storefront_id == storefront_id,
            links.c.store_order_id > after,
        )
        .order_by(links.c.store_order_id)
        .limit(most)
    )
    return list(rows.scalars())


def _read(row: Row[Any]) -> OrderLink:
    return OrderLink(
        store_order_id=row.store_order_id,
        storefront_id=row.storefront_id,
        shop=row.shop,
        external_id=row.external_id,
        external_updated_at=row.external_updated_at,
        fingerprint=row.fingerprint,
        address_mark=row.address_mark,
    )
