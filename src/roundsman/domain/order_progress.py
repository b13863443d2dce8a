"""What has become of an order: the stops that were made of it, and what its shop was told."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.storefront import StorefrontReport


class OrderStop(Model):
    """A stop that was made of an order, and the route that it is on."""

    route_id: str
    route_name: str = ""
    is_archived: bool = False
    stop_id: str
    index: int
    """Its place on the route, from 0."""

    delivery_status: DeliveryStatus
    is_elsewhere: bool = False
    """Whether its order goes somewhere else by now; of one that is done or archived, no more."""

    is_at_another_time: bool = False
    """Whether its order is to arrive on another day or in other windows by now; as above."""


class OrderProgress(Model):
    """The stops of an order, oldest route first, and what its shop is told, oldest first."""

    store_order_id: str
    stops: tuple[OrderStop, ...] = ()
    reports: tuple[StorefrontReport, ...] = ()


def group_order_stops(routes: Iterable[Route]) -> Mapping[str, Sequence[OrderStop]]:
    """Return the stops that were made of orders, by order; those of a route in its sequence."""
    grouped: defaultdict[str, list[OrderStop]] = defaultdict(list)
    for route in routes:
        for index, stop in enumerate(route.stops):
            if stop.store_order_id:
                is_open = not (route.archived_at or stop.is_done())
                grouped[stop.store_order_id].append(
                    OrderStop(
                        route_id=route.id,
                        route_name=route.name,
                        is_archived=bool(route.archived_at),
                        stop_id=stop.id,
                        index=index,
                        delivery_status=stop.delivery_status,
                        is_elsewhere=is_open and _is_elsewhere(stop),
                        is_at_another_time=is_open and _is_at_another_time(stop),
                    )
                )
    return grouped


def _is_elsewhere(stop: RouteStop) -> bool:
    return bool(stop.store_order and stop.store_order.address)


def _is_at_another_time(stop: RouteStop) -> bool:
    order = stop.store_order
    if isinstance(order, UnsetType):
        return False
    return order.delivery_date is not UNSET or order.time_windows is not UNSET
