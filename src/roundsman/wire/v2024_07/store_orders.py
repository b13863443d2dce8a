"""Pages of orders of storefronts."""

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.order_progress import OrderProgress
from roundsman.domain.store_order import StoreOrder


class StoreOrdersAnswer(Model):
    """A page of orders."""

    store_orders: tuple[StoreOrder, ...] = ()
    next_cursor: str = ""
    progress: tuple[OrderProgress, ...] | UnsetType = UNSET
    """What has become of each of them, in the same order, where `query.progress` asks for it."""
