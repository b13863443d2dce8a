"""Which vehicle and which driver a route has."""

from msgspec.structs import replace

from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.route_changes import change_route, load_crew
from roundsman.operations.work import Request, Tools


def assign_vehicle(tools: Tools, request: Request, route_id: str, vehicle_id: str) -> AssignedRoute:
    """Give a route a vehicle that is not archived."""

    def assign(route: Route) -> Route:
        assigned = replace(route, vehicle_id=vehicle_id)
        if assigned == route:
            return route
        load_crew(tools, request, assigned).require_vehicle()
        return assigned

    return change_route(tools, request, route_id, assign)


def unassign_vehicle(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the vehicle from a route."""
    return change_route(tools, request, route_id, lambda route: replace(route, vehicle_id=""))


def assign_driver(tools: Tools, request: Request, route_id: str, driver_id: str) -> AssignedRoute:
    """Give a route a driver, to whom a running dispatch goes over (decisions §12)."""

    def assign(route: Route) -> Route:
        assigned = replace(route, driver_id=driver_id)
        if assigned == route:
            return route
        load_crew(tools, request, assigned).require_driver(tools.clock.now())
        return assigned

    return change_route(tools, request, route_id, assign)


def unassign_driver(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the driver from a route; while dispatched, it can be claimed."""
    return change_route(tools, request, route_id, lambda route: replace(route, driver_id=""))
