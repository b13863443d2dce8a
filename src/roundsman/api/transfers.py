"""Transfers at the door: stops move between routes, within one, off a route or onto one."""

from collections.abc import Sequence

from roundsman.api.route_answers import TRANSFER
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.principal import Scope
from roundsman.domain.transfer import StopMove
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations, Pool
from roundsman.operations import transfers
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import TransferBody

OPERATIONS = Operations("Routes", ApiClient(), Scope.WRITE)


@OPERATIONS.add(
    "POST",
    "/routes/transfers",
    summary="Move stops between routes, within one, off a route or onto one; all or none",
    answer=TRANSFER,
    pool=Pool.CHANGE,
)
def transfer_stops(tools: Tools, request: Request, body: TransferBody) -> Sequence[AssignedRoute]:
    """Move stops between routes, within one, or off a route, and imported stops and store orders
    onto one, all or none. Moves are made one after another; done stops are refused, and so is a
    stop that is not where `fromRouteId` says. Records ROUTE_UPDATED for each route that changes.
    """
    moves = [
        StopMove(
            stop_id=move.stop_id,
            imported_stop_id=move.imported_stop_id,
            store_order_id=move.store_order_id,
            from_route_id=move.from_route_id,
            to_route_id=move.to_route_id,
            index=move.index,
        )
        for move in body.moves
    ]
    return transfers.transfer_stops(tools, request, moves)
