"""Orders of an external storefront, by its own ids."""

from collections.abc import Iterable
from datetime import datetime

import msgspec
from sqlalchemy import select

from roundsman.domain.store_order import StoreOrder
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.tables import store_orders

_decoder = msgspec.json.Decoder(StoreOrder)


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
