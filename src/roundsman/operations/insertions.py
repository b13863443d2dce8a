"""Insertions: where stops would fit best on routes, without putting them there."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.insertion import StopInsertions, StopReference
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import require_open
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_previews import find_stops_of_routes
from roundsman.operations.route_stops import copy_imported_stop, find_named_stops, require_known
from roundsman.operations.store_orders import find_order_stops
from roundsman.operations.tools import Tools
from roundsman.routing.insertion import Candidate, find_places

type _MakeStop = Callable[[Route], RouteStop]
"""Returns a stop as it would be on a route."""


def find_insertions(
    tools: Tools, organization_id: str, stops: Sequence[StopReference], route_ids: Sequence[str]
) -> list[StopInsertions]:
    """Return for each stop the best place of each route, best route first.

    A stop's own route is answered as if the stop were taken out first.
    """
    _refuse_repeated(route_ids)
    makers = _find_makers(tools, organization_id, stops)
    routes = [load_route(tools, organization_id, route_id).route for route_id in route_ids]
    for route in routes:
        route.require_not_archived()
    now = tools.clock.now()
    return [
        StopInsertions(
            stop_id=reference.stop_id,
            imported_stop_id=reference.imported_stop_id,
            store_order_id=reference.store_order_id,
            places=tuple(
                find_places(
                    [
                        Candidate(route=_without(route, reference.stop_id or ""), stop=make(route))
                        for route in routes
                    ],
                    tools.roads,
                    now,
                )
            ),
        )
        for reference, make in zip(stops, makers, strict=True)
    ]


def _refuse_repeated(route_ids: Sequence[str]) -> None:
    repeated = [
        FieldViolation(field=f"routeIds[{index}]", description="is given more than once")
        for index, route_id in enumerate(route_ids)
        if route_ids.count(route_id) > 1
    ]
    if repeated:
        raise InvalidArgument("a route is given more than once", repeated)


def _without(route: Route, stop_id: str) -> Route:
    return replace(route, stops=tuple(stop for stop in route.stops if stop.id != stop_id))


def _find_makers(
    tools: Tools, organization_id: str, stops: Sequence[StopReference]
) -> list[_MakeStop]:
    imported = find_named_stops(
        tools,
        organization_id,
        [("importedStopId", stop.imported_stop_id) for stop in stops if stop.imported_stop_id],
    )
    on_routes = find_stops_of_routes(tools, organization_id, [stop.stop_id or "" for stop in stops])
    orders = find_order_stops(
        tools, organization_id, [stop.store_order_id for stop in stops if stop.store_order_id]
    )

    def maker(reference: StopReference) -> _MakeStop:
        if reference.store_order_id:
            order_id = reference.store_order_id
            return lambda route: replace(orders[order_id](route), id=order_id)
        if reference.imported_stop_id:
            stop = require_known(imported.get(reference.imported_stop_id))
            return lambda route: replace(copy_imported_stop(stop, route, tools), id=stop.id)
        return _stay(on_routes, reference.stop_id or "")

    return [maker(reference) for reference in stops]


def _stay(on_routes: Mapping[str, RouteStop], stop_id: str) -> _MakeStop:
    if stop_id not in on_routes:
        raise NotFound("route stop not found")
    require_open(on_routes[stop_id])
    return lambda _route: on_routes[stop_id]
