"""Routes that exist, found for a plan in which they take part (decisions §21, live plans)."""

from collections.abc import Sequence

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.plan_draft import PlanRouteChoice, PlanVehicle
from roundsman.domain.vehicle import VehicleDetails
from roundsman.operations.plan_vehicles import refuse_unknown
from roundsman.routing.present_routes import FoundRoute, require_plannable
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops
from roundsman.storage.routes import find_route
from roundsman.storage.store_orders import find_store_orders
from roundsman.storage.vehicles import find_vehicle


def find_present_routes(
    tx: Transaction, organization_id: str, choices: Sequence[PlanRouteChoice]
) -> list[FoundRoute]:
    """Return the routes with their vehicles; all that are unknown are listed."""
    stored = {one.route_id: find_route(tx, organization_id, one.route_id) for one in choices}
    refuse_unknown("route", [id_ for id_, one in stored.items() if one is None])
    found = []
    for choice in choices:
        known = stored[choice.route_id]
        assert known is not None  # noqa: S101 -- unknown ones are refused
        route = known.route
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
