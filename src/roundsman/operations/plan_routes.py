"""Routes that exist, found for a plan in which they take part (decisions §21, live plans)."""

from collections.abc import Mapping, Sequence

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.plan_draft import PlanRouteChoice, PlanVehicle
from roundsman.domain.route import Route
from roundsman.domain.vehicle import VehicleDetails
from roundsman.operations.unknown_ids import UnknownIds
from roundsman.routing.present_routes import FoundRoute, require_plannable
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops
from roundsman.storage.routes import find_route
from roundsman.storage.store_orders import find_store_orders
from roundsman.storage.vehicles import find_vehicle


def find_routes(
    tx: Transaction, organization_id: str, choices: Sequence[PlanRouteChoice], unknown: UnknownIds
) -> dict[str, Route]:
    """Return the routes that a plan names, by their ids; note which are unknown."""
    stored = {one.route_id: find_route(tx, organization_id, one.route_id) for one in choices}
    unknown.note("route", [id_ for id_, one in stored.items() if one is None])
    return {id_: one.route for id_, one in stored.items() if one is not None}


def bring_routes(
    tx: Transaction,
    organization_id: str,
    choices: Sequence[PlanRouteChoice],
    routes: Mapping[str, Route],
) -> list[FoundRoute]:
    """Return the routes with their vehicles and what their stops were made from."""
    found = []
    for choice in choices:
        route = routes[choice.route_id]
        vehicle = find_vehicle(tx, organization_id, route.vehicle_id) if route.vehicle_id else None
        ids = [stop.imported_stop_id for stop in route.stops if stop.imported_stop_id]
        order_ids = [stop.store_order_id for stop in route.stops if stop.store_order_id]
        imported = find_imported_stops(tx, organization_id, ids=ids)
        one = FoundRoute(
            choice=choice,
            route=route,
            vehicle=vehicle or VehicleDetails(),
            imported={stop.id: stop for stop in imported},
            orders=find_store_orders(tx, organization_id, order_ids),
        )
        require_plannable(one)
        found.append(one)
    return found


def require_no_vehicle_twice(vehicles: Sequence[PlanVehicle], routes: Sequence[FoundRoute]) -> None:
    """Refuse a vehicle of the fleet that is on one of the routes already."""
    driven = {one.route.vehicle_id: one.route.id for one in routes if one.route.vehicle_id}
    violations = [
        FieldViolation(
            field=f"vehicles[{number}].vehicleId",
            description=f"{one.vehicle_id} drives route {driven[one.vehicle_id]} of the plan",
        )
        for number, one in enumerate(vehicles)
        if one.vehicle_id in driven
    ]
    if violations:
        raise InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)
