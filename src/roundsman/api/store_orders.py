"""Orders of an external storefront at the door."""

from collections.abc import Sequence

from roundsman.api.route_answers import CHANGED_STOP, ROUTE, ROUTE_LIST
from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.model import UNSET
from roundsman.domain.order_progress import OrderProgress
from roundsman.domain.principal import Principal, Scope
from roundsman.domain.queries import ListStoreOrders, Query
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder, StoreOrderDraft
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import locations, order_locations, order_times, store_orders
from roundsman.operations.request import Request
from roundsman.operations.route_changes import RoutePart
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    STORE_ORDER_LOCATION,
    AddOrderBody,
    AddOrdersBody,
    EmptyBody,
    ResyncLocationBody,
    ResyncWindowsBody,
    StoreOrdersAnswer,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Store orders", ApiClient(), Scope.WRITE)


_LONGEST_ID = 255

_ORDER: Answer[StoreOrder] = Answer(
    StoreOrder,
    headers=lambda order: {"ETag": f'"{order_locations.tag_of_order(order)}"'},
    described_headers={
        "ETag": "Changes with what is shown; send it as If-Match with a new location of it."
    },
)


def _review_added(
    _tools: Tools, _caller: Principal, body: Sequence[AddOrderBody | None]
) -> list[FieldViolation]:
    return store_orders.review_added_orders(
        [order.store_order_id if order else None for order in body]
    )


@OPERATIONS.add(
    "PUT", "/store-orders/{id}", summary="Keep an order of the storefront, new or changed"
)
def save_store_order(tools: Tools, request: Request, id_: str, body: StoreOrderDraft) -> StoreOrder:
    """Create or replace an order of your shop under its own number. Stops that were made of it
    follow it until their route starts.
    """
    if len(id_) > _LONGEST_ID:
        description = f"must have at most {_LONGEST_ID} characters, not {len(id_)}"
        raise InvalidArgument(
            f"id {description}", [FieldViolation(field="id", description=description)]
        )
    return store_orders.save_order(tools, request, id_, body)


@OPERATIONS.add(
    "GET",
    "/store-orders",
    summary="List orders of storefronts, page by page, the one changed longest ago first",
)
def list_store_orders(
    tools: Tools, request: Request, query: Query[ListStoreOrders]
) -> StoreOrdersAnswer:
    """Walk the orders of shops, the one changed longest ago first, or the newest change first with
    `query.newestFirst`. Filters narrow them by state, day, tag, location, connection and text, by
    whether a route has them, and by whether their shop would not take a report. `query.progress`
    adds the stops made of each order and what its shop was told, on pages of at most 50 orders.
    """
    page, progress = store_orders.list_orders(tools, request.organization_id, query)
    return StoreOrdersAnswer(
        store_orders=page.rows, next_cursor=page.next_cursor, progress=progress
    )


@OPERATIONS.add("GET", "/store-orders/{id}", summary="Get an order of a storefront", answer=_ORDER)
def get_store_order(tools: Tools, request: Request, id_: str) -> StoreOrder:
    """Read an order of the shop."""
    return store_orders.get_order(tools, request.organization_id, id_)


@OPERATIONS.add(
    "PATCH",
    "/store-orders/{id}/location",
    summary="Correct where an order goes; its open stops go there, too",
    update=STORE_ORDER_LOCATION,
    answer=_ORDER,
    review=locations.review_location,
    is_versioned=True,
)
def update_store_order_location(
    tools: Tools, request: Request, id_: str, body: Changes
) -> StoreOrder:
    """Give an order another address, which is looked up, or coordinates. Its stops that are not
    done follow, on all routes that are not archived. It stands until the shop's own address, kept
    as `shopLocation`, changes; a mask of both that clears both takes the correction back. Records
    ROUTE_UPDATED for each route.
    """
    return order_locations.relocate_order(tools, request, id_, body.values)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/stops/{stopId}/resync-location",
    summary="Put a stop where its order goes now",
    body_may_be_absent=True,
    answer=CHANGED_STOP,
)
def resync_route_stop_location(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: ResyncLocationBody
) -> RoutePart[RouteStop]:
    """Take over the address that a shop has changed since its order is on a route, shown as
    `storeOrder.address`. With `location` the stop goes there instead and the order stays, which
    takes that back. A stop that is done, or made from no store order, is refused with code 9.
    Records ROUTE_UPDATED.
    """
    given = body.location
    target = (
        Location(address=given.address, coordinates=given.planned_coordinates) if given else UNSET
    )
    return order_locations.resync_location(tools, request, route_id, stop_id, target)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/stops/{stopId}/resync-windows",
    summary="Give a stop the day and windows that its order has now",
    body_may_be_absent=True,
    answer=CHANGED_STOP,
)
def resync_route_stop_windows(
    tools: Tools, request: Request, route_id: str, stop_id: str, body: ResyncWindowsBody
) -> RoutePart[RouteStop]:
    """Take over the day and the windows that a shop has changed since its order is on a route,
    shown as `storeOrder.deliveryDate` and `storeOrder.timeWindows`. With `timeWindows` or
    `deliveryDate` the stop has these instead and the order stays, which takes that back. A stop
    that is done, or made from no store order, is refused with code 9. Records ROUTE_UPDATED.
    """
    is_given = not (body.time_windows is UNSET and body.delivery_date is UNSET)
    asked = (body.delivery_date, body.time_windows or ()) if is_given else None
    return order_times.resync_windows(tools, request, route_id, stop_id, asked)


@OPERATIONS.add(
    "GET",
    "/store-orders/{id}/progress",
    summary="Get what has become of an order: its stops, and what its shop was told",
)
def get_store_order_progress(tools: Tools, request: Request, id_: str) -> OrderProgress:
    """Read on which routes an order is, and what its shop was told of each stop."""
    return store_orders.get_progress(tools, request.organization_id, id_)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/store-orders",
    summary="Append orders of the storefront to a route, all or none",
    answer=ROUTE,
    review=_review_added,
)
def add_store_orders(
    tools: Tools, request: Request, route_id: str, body: AddOrdersBody
) -> AssignedRoute:
    """Put orders of the shop on a route, whole or item by item. One that cannot be put there
    refuses the whole with code 9, and each such has a violation with the order's id as `subject`:
    it is not known (`notFound`), on the route already (`alreadyOnRoute`), cancelled (`cancelled`),
    on hold in its shop (`onHold`), or without an address that is found (`address`). Records
    ROUTE_UPDATED.
    """
    named = [(order.store_order_id, order.item_selection) for order in body]
    return store_orders.add_orders(tools, request, route_id, named)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/resync-orders",
    summary="Refresh order-backed stops with what their orders say now",
    body_may_be_absent=True,
    answer=ROUTE,
)
def resync_store_orders(
    tools: Tools, request: Request, route_id: str, body: EmptyBody
) -> AssignedRoute:
    """Bring the stops of a route up to date with the orders that they were made of. Done stops stay
    as they are.
    """
    del body
    return store_orders.resync_orders(tools, request, route_id)


@OPERATIONS.add(
    "GET",
    "/stops/store/{orderId}/routes",
    summary="List every route that an order is on, archived ones included",
    answer=ROUTE_LIST,
)
def list_routes_of_store_order(
    tools: Tools, request: Request, order_id: str
) -> list[AssignedRoute]:
    """See on which routes an order of the shop is."""
    return store_orders.list_routes_of_order(tools, request.organization_id, order_id)
