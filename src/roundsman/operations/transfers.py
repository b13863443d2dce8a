"""Transfers: stops change their routes, all of them or none, in one transaction.

Whoever moves a stop may say where they have seen it. When somebody else has moved it meanwhile, the
move is refused, so that no planner's edit undoes another's unseen.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
)
from roundsman.domain.execution_events import stops_removed
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.transfer import StopMove, move_stops
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_routes
from roundsman.operations.route_stops import copy_imported_stop, find_named_stops, require_known
from roundsman.operations.stops_to_plan import already_routed
from roundsman.operations.store_orders import (
    find_orders,
    make_order_stops,
    require_unchanged,
)
from roundsman.operations.tools import Tools
from roundsman.routing.timing import time_route
from roundsman.storage.database import Transaction
from roundsman.storage.routes import (
    VersionConflict,
    find_live_routes_of_origins,
    find_routes_of_stops,
)


@dataclass(frozen=True, slots=True)
class _NewStops:
    """What comes to routes that was on none, by the names that moves have for it."""

    imported: Mapping[str, ImportedStop]
    orders: Mapping[str, Callable[[Route], RouteStop]]
    tools: Tools

    def make(self, origin: str, route: Route) -> RouteStop:
        route.require_not_archived()
        if origin in self.imported:
            return copy_imported_stop(self.imported[origin], route, self.tools)
        return self.orders[origin](route)


def transfer_stops(
    tools: Tools,
    request: Request,
    moves: Sequence[StopMove],
    versions: Mapping[str, int] | None = None,
) -> list[AssignedRoute]:
    """Move stops between routes, within one, off a route or onto one; answer every route concerned.

    The routes come in the order in which the moves name them, the one that a stop leaves first.
    With `versions` only routes are changed that are of these.
    """
    imported = _find_imported(tools, request.organization_id, moves)
    repeated = _find_repeated(moves, imported)
    if repeated:
        raise InvalidArgument("a stop is moved more than once", repeated)
    order_ids = [move.store_order_id for move in moves if move.store_order_id]
    origins = {stop.id for stop in imported.values()} | set(order_ids)
    orders: dict[str, StoreOrder] = {}

    def refuse_routed(tx: Transaction) -> None:
        if origins and (
            routed := find_live_routes_of_origins(tx, request.organization_id, origins)
        ):
            raise FailedPrecondition("a stop is on a route by now", already_routed(routed))

    def check(tx: Transaction) -> None:
        refuse_routed(tx)
        require_unchanged(tx, request.organization_id, orders)

    def find_ids() -> list[str]:
        with tools.database.reading() as tx:
            refuse_routed(tx)
            return _find_routes(tx, request.organization_id, moves)

    def move_all(routes: Sequence[Route]) -> Sequence[Route]:
        nonlocal orders
        orders = find_orders(tools, request.organization_id, order_ids)
        new = _NewStops(imported, make_order_stops(tools, order_ids, orders), tools)
        known = {stop.id for route in routes for stop in route.stops}
        if any(move.stop_id not in known for move in moves if move.stop_id):
            raise VersionConflict("a stop was moved at the same time; send the request again")
        before = {route.id: route for route in routes}
        after = move_stops(before, moves, tools.clock.now(), new.make)
        return [
            route if after[route.id] == route else time_route(after[route.id], tools.roads).route
            for route in routes
        ]

    return change_routes(
        tools,
        request,
        find_ids,
        move_all,
        happened=stops_removed,
        versions=versions,
        check=check,
    )


def _find_imported(
    tools: Tools, organization_id: str, moves: Sequence[StopMove]
) -> dict[str, ImportedStop]:
    """Return the imported stops that come to routes, as they are named: by id or clientStopId.

    Raise NotFound for one that is not there.
    """
    named = [("importedStopId", move.imported_stop_id) for move in moves if move.imported_stop_id]
    if not named:
        return {}
    found = find_named_stops(tools, organization_id, named)
    fields = [
        (f"moves[{index}].importedStopId", move.imported_stop_id)
        for index, move in enumerate(moves)
        if move.imported_stop_id
    ]
    stops = require_known(fields, found)
    return {id_: stop for (_, id_), stop in zip(named, stops, strict=True)}


def _find_repeated(
    moves: Sequence[StopMove], imported: Mapping[str, ImportedStop]
) -> list[FieldViolation]:
    ids = [
        imported[move.imported_stop_id].id
        if move.imported_stop_id
        else move.stop_id or move.store_order_id
        for move in moves
    ]
    times = Counter(ids)
    return [
        FieldViolation(
            field=f"moves[{index}].{_named_by(move)}", description="is given more than once"
        )
        for index, (move, id_) in enumerate(zip(moves, ids, strict=True))
        if times[id_] > 1
    ]


def _named_by(move: StopMove) -> str:
    if move.stop_id:
        return "stopId"
    return "importedStopId" if move.imported_stop_id else "storeOrderId"


def _find_routes(tx: Transaction, organization_id: str, moves: Sequence[StopMove]) -> list[str]:
    """Return the routes concerned, each once.

    Raise FailedPrecondition for a stop that is not on the route that it was seen on, and NotFound
    for one that nobody says to have seen and that is on none.
    """
    routed = [move for move in moves if move.stop_id]
    found = find_routes_of_stops(tx, organization_id, [move.stop_id for move in routed])
    moved = [
        PreconditionViolation(
            type="STALE_STOP",
            subject=move.stop_id,
            description=f"is on {_say_route(found.get(move.stop_id))} by now,"
            f" not on {move.from_route_id}",
        )
        for move in routed
        if move.from_route_id not in {"", found.get(move.stop_id)}
    ]
    if moved:
        raise FailedPrecondition("a stop was moved by somebody else; look again", moved)
    if len(found) < len(routed):
        raise NotFound("route stop not found")
    named = (id_ for move in moves for id_ in (found.get(move.stop_id), move.to_route_id) if id_)
    return list(dict.fromkeys(named))


def _say_route(route_id: str | None) -> str:
    return f"route {route_id}" if route_id else "no route"
