"""Insertions: where stops would fit best on routes, without putting them there."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.insertion import StopInsertions, StopReference, StopWishes
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import require_open
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.vehicle import Vehicle
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_previews import find_stops_of_routes
from roundsman.operations.route_stops import copy_imported_stop, find_named_stops, require_known
from roundsman.operations.store_orders import find_order_stops
from roundsman.operations.tools import Tools
from roundsman.routing.insertion import Candidate, find_places
from roundsman.routing.insertion_reasons import find_reasons
from roundsman.storage.store_orders import find_store_orders
from roundsman.storage.vehicles import find_vehicle

type _Origin = ImportedStop | StoreOrder
type _MakeStop = Callable[[Route], tuple[RouteStop, _Origin | None]]
"""Returns a stop as it would be on a route, and what it is made of where that is not on one."""


def find_insertions(
    tools: Tools,
    organization_id: str,
    wanted: Sequence[tuple[StopReference, StopWishes]],
    route_ids: Sequence[str],
) -> list[StopInsertions]:
    """Return for each stop the best place of each route, best route first.

    A stop's own route is answered as if the stop were taken out first.
    """
    _refuse_repeated(route_ids)
    makers = _find_makers(tools, organization_id, [reference for reference, _ in wanted])
    routes = [load_route(tools, organization_id, route_id).route for route_id in route_ids]
    for route in routes:
        route.require_not_archived()
    vehicles = _find_vehicles(tools, organization_id, routes)
    now = tools.clock.now()
    found = []
    for (reference, wishes), make in zip(wanted, makers, strict=True):
        candidates = [
            Candidate(
                route=_without(route, reference.stop_id or ""),
                stop=stop,
                vehicle=vehicles.get(route.vehicle_id),
                wishes=inherit(wishes, needs),
            )
            for route in routes
            for stop, needs in [make(route)]
        ]
        places = find_places(candidates, tools.roads, now)
        found.append(
            StopInsertions(
                stop_id=reference.stop_id,
                imported_stop_id=reference.imported_stop_id,
                client_stop_id=reference.client_stop_id,
                store_order_id=reference.store_order_id,
                places=tuple(places),
                reasons=find_reasons(candidates, places, tools.roads, now),
            )
        )
    return found


def _find_vehicles(
    tools: Tools, organization_id: str, routes: Sequence[Route]
) -> Mapping[str, Vehicle]:
    ids = {route.vehicle_id for route in routes if route.vehicle_id}
    with tools.database.reading() as tx:
        found = [find_vehicle(tx, organization_id, vehicle_id) for vehicle_id in sorted(ids)]
    return {vehicle.id: vehicle for vehicle in found if vehicle is not None}


def inherit(wishes: StopWishes, origin: _Origin | None) -> StopWishes:
    """Return what holds of a stop: what is said here, else what is said of its origin."""
    if origin is None:
        return wishes
    loads = wishes.loads
    if isinstance(loads, UnsetType) and isinstance(origin, ImportedStop):
        loads = origin.loads
    skills = wishes.required_skills
    if isinstance(skills, UnsetType):
        skills = origin.required_skills
    return replace(wishes, loads=loads, required_skills=skills)


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
    named = [
        (f"stops[{index}].{field}", id_)
        for index, one in enumerate(stops)
        for field, id_ in (
            ("importedStopId", one.imported_stop_id),
            ("clientStopId", one.client_stop_id),
        )
        if id_
    ]
    imported = find_named_stops(tools, organization_id, named)
    require_known(named, imported)
    on_routes = find_stops_of_routes(tools, organization_id, [stop.stop_id or "" for stop in stops])
    order_ids = [stop.store_order_id for stop in stops if stop.store_order_id]
    order_stops = find_order_stops(tools, organization_id, order_ids)
    with tools.database.reading() as tx:
        orders = find_store_orders(tx, organization_id, order_ids)

    def maker(reference: StopReference) -> _MakeStop:
        if reference.store_order_id:
            order_id = reference.store_order_id
            order = orders.get(order_id)
            return lambda route: (replace(order_stops[order_id](route), id=order_id), order)
        if reference.imported_stop_id or reference.client_stop_id:
            name = reference.imported_stop_id or reference.client_stop_id or ""
            stop = imported[name]
            return lambda route: (replace(copy_imported_stop(stop, route, tools), id=stop.id), stop)
        return _stay(on_routes, reference.stop_id or "")

    return [maker(reference) for reference in stops]


def _stay(on_routes: Mapping[str, RouteStop], stop_id: str) -> _MakeStop:
    if stop_id not in on_routes:
        raise NotFound("route stop not found")
    require_open(on_routes[stop_id])
    return lambda _route: (on_routes[stop_id], None)
