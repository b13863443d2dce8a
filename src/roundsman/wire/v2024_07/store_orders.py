"""Pages of orders of storefronts."""

import msgspec

from roundsman.domain.model import Model
from roundsman.domain.store_order import StoreOrder


class StoreOrdersAnswer(Model):
    """A page of orders."""

    store_orders: tuple[StoreOrder, ...] = ()
    next_cursor: str = ""


def encode_store_orders(orders: tuple[StoreOrder, ...], next_cursor: str) -> bytes:
    """Return a page of orders as JSON."""
    return msgspec.json.encode(StoreOrdersAnswer(store_orders=orders, next_cursor=next_cursor))
