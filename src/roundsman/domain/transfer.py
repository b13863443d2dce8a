"""Moves of stops between routes, within one, off or onto one (decisions §15, "Transfer")."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import (
    InsertionPoint,
    put_stop,
    require_open,
    require_origin_absent,
)


class StopMove(Model):
    """Where a stop goes: without a route and an index, off its route."""

    stop_id: str = ""
    """Of a stop that is on a route; one that is on none is named as what it is made of."""

    to_route_id: str = ""
    index: int | UnsetType = UNSET
    """The final index at the move's turn; absent: the end."""

    from_route_id: str = ""
    """Where whoever moves it has seen it, and "" where that does not matter."""

    imported_stop_id: str = ""
    """Or its clientStopId."""

    store_order_id: str = ""

    def origin(self) -> str:
        """Return what a stop is made of that is on no route; "" for one that is on a route."""
        return self.imported_stop_id or self.store_order_id


type MakeStop = Callable[[str, Route], RouteStop]
"""Returns the stop of a route that is made of an imported stop or an order, as moves name it."""


def move_stops(
    routes: Mapping[str, Route], moves: Sequence[StopMove], now: datetime, make: MakeStop
) -> dict[str, Route]:
    """Return the routes after all moves, made one after another.

    Each names a stop of `routes`, or what is on none of them.
    """
    changed = dict(routes)
    for number, move in enumerate(moves):
        at = InsertionPoint(move.index, f"moves[{number}].index")
        if move.origin():
            target_route = changed[move.to_route_id]
            new = make(move.origin(), target_route)
            changed[move.to_route_id] = put_stop(target_route, new, at, now)
            continue
        source = next(
            route
            for route in changed.values()
            if any(stop.id == move.stop_id for stop in route.stops)
        )
        stop = source.find_stop(move.stop_id)
        require_open(stop)
        changed[source.id] = source.without_stops({stop.id})
        is_within = not isinstance(move.index, UnsetType) and not move.to_route_id
        target = source.id if is_within else move.to_route_id
        if target:
            moved = put_stop(changed[target], stop, at, now)
            changed[target] = _with_whole_order(moved, source, stop)
    for route in changed.values():
        _require_each_origin_once(route, routes[route.id])
    return {route.id: route.completed_when_over(now) for route in changed.values()}


def _with_whole_order(route: Route, source: Route, stop: RouteStop) -> Route:
    """Keep how the items of a store order were chosen, also when they are refreshed later."""
    is_whole = bool(stop.store_order_id) and stop.store_order_id in source.whole_orders
    others = tuple(order for order in route.whole_orders if order != stop.store_order_id)
    return replace(route, whole_orders=(*others, stop.store_order_id) if is_whole else others)


def _require_each_origin_once(after: Route, before: Route) -> None:
    present = {stop.id for stop in before.stops}
    for stop in after.stops:
        if stop.id not in present:
            others = tuple(other for other in after.stops if other.id != stop.id)
            require_origin_absent(stop, replace(after, stops=others))
