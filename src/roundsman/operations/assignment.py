"""Which vehicle and which driver a route has."""

from msgspec.structs import replace

from roundsman.domain.route import AssignedRoute
from roundsman.operations.route_changes import change_route
from roundsman.operations.work import Request, Tools


def assign_vehicle(tools: Tools, request: Request, route_id: str, vehicle_id: str) -> AssignedRoute:
    """Give a route a vehicle that is not archived."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(route, vehicle_id=vehicle_id),
        requiring=lambda _before, after: after.require_vehicle(),
    )


def unassign_vehicle(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the vehicle from a route."""
    return change_route(tools, request, route_id, lambda route: replace(route, vehicle_id=""))


def assign_driver(tools: Tools, request: Request, route_id: str, driver_id: str) -> AssignedRoute:
    """Give a route a driver, to whom a running dispatch goes over (decisions §12)."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(route, driver_id=driver_id),
        requiring=lambda _before, after: after.require_driver(tools.clock.now()),
    )


def unassign_driver(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the driver from a route; while dispatched, it can be claimed."""
    return change_route(tools, request, route_id, lambda route: replace(route, driver_id=""))
