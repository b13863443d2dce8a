"""Pages of orders of storefronts."""

from roundsman.domain.address import Location
from roundsman.domain.imported_stop import TimeWindows
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.order_progress import OrderProgress
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.time_window import Date
from roundsman.wire.field_mask import UpdateShape
from roundsman.wire.v2024_07.route_stops import RouteStopLocation

STORE_ORDER_LOCATION = UpdateShape("location", Location, ("address", "coordinates"))
"""Without one of them an order goes where the other says; without both where its shop says."""


class ResyncLocationBody(Model):
    """Where a stop of an order is to be, if not where its order goes."""

    location: RouteStopLocation | UnsetType = UNSET


class ResyncWindowsBody(Model):
    """When a stop of an order is to be served, if not when its order is to arrive."""

    delivery_date: Date | UnsetType = UNSET
    """Its day; none where it is left out and `timeWindows` is not."""

    time_windows: TimeWindows | UnsetType = UNSET


class StoreOrdersAnswer(Model):
    """A page of orders."""

    store_orders: tuple[StoreOrder, ...] = ()
    next_cursor: str = ""
    progress: tuple[OrderProgress, ...] | UnsetType = UNSET
    """What has become of each of them, in the same order, where `query.progress` asks for it."""
