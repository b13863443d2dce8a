"""Pages of orders of storefronts."""

from roundsman.domain.address import Location
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.order_progress import OrderProgress
from roundsman.domain.store_order import StoreOrder
from roundsman.wire.field_mask import UpdateShape
from roundsman.wire.v2024_07.route_stops import RouteStopLocation

STORE_ORDER_LOCATION = UpdateShape("location", Location, ("address", "coordinates"))
"""Without one of them an order goes where the other says; without both where its shop says."""


class ResyncLocationBody(Model):
    """Where a stop of an order is to be, if not where its order goes."""

    location: RouteStopLocation | UnsetType = UNSET


class StoreOrdersAnswer(Model):
    """A page of orders."""

    store_orders: tuple[StoreOrder, ...] = ()
    next_cursor: str = ""
    progress: tuple[OrderProgress, ...] | UnsetType = UNSET
    """What has become of each of them, in the same order, where `query.progress` asks for it."""
