"""Orders of an external storefront at the door."""

from collections.abc import Sequence

from roundsman.api.operation import Call, Operation
from roundsman.domain.caller import Caller
from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.order import StoreOrder, StoreOrderDraft
from roundsman.domain.route import AssignedRoute
from roundsman.operations import store_orders
from roundsman.operations.work import Tools
from roundsman.wire.v2024_07.requests import AddOrderBody, AddOrdersBody, EmptyBody
from roundsman.wire.v2024_07.routes import (
    RouteAnswer,
    RouteListAnswer,
    encode_route,
    encode_route_list,
)

_TAG = "Store orders"
_LONGEST_ID = 255


def _save_order(call: Call) -> StoreOrder:
    order_id = call.path["id"]
    if len(order_id) > _LONGEST_ID:
        description = f"must have at most {_LONGEST_ID} characters, not {len(order_id)}"
        raise InvalidArgument(
            f"id {description}", [FieldViolation(field="id", description=description)]
        )
    return store_orders.save_order(call.tools, call.request, order_id, call.body)


def _add_orders(call: Call) -> AssignedRoute:
    named = [(order.store_order_id, order.item_selection) for order in call.body]
    return store_orders.add_orders(call.tools, call.request, call.path["routeId"], named)


def _review_added(
    _tools: Tools, _caller: Caller, body: Sequence[AddOrderBody | None]
) -> list[FieldViolation]:
    return store_orders.review_added_orders(
        [order.store_order_id if order else None for order in body]
    )


def _resync_orders(call: Call) -> AssignedRoute:
    return store_orders.resync_orders(call.tools, call.request, call.path["routeId"])


def _list_routes(call: Call) -> list[AssignedRoute]:
    return store_orders.list_routes_of_order(call.tools, call.organization_id, call.path["orderId"])


OPERATIONS = (
    Operation(
        id="saveStoreOrder",
        method="PUT",
        path="/store-orders/{id}",
        summary="Keep an order of the storefront, new or changed",
        tag=_TAG,
        handle=_save_order,
        body=StoreOrderDraft,
        answer=StoreOrder,
    ),
    Operation(
        id="addStoreOrders",
        method="POST",
        path="/routes/{routeId}/store-orders",
        summary="Append orders of the storefront to a route, all or none",
        tag=_TAG,
        handle=_add_orders,
        body=AddOrdersBody,
        review=_review_added,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="resyncStoreOrders",
        method="POST",
        path="/routes/{routeId}/resync-orders",
        summary="Refresh order-backed stops with what their orders say now",
        tag=_TAG,
        handle=_resync_orders,
        body=EmptyBody,
        body_may_be_absent=True,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="listRoutesOfStoreOrder",
        method="GET",
        path="/stops/store/{orderId}/routes",
        summary="List every route that an order is on, archived ones included",
        tag=_TAG,
        handle=_list_routes,
        answer=RouteListAnswer,
        render=encode_route_list,
    ),
)
