"""The vehicle and the driver of a route at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.route import AssignedRoute
from roundsman.operations import assignment
from roundsman.wire.v2024_07.route_requests import DriverBody, VehicleBody
from roundsman.wire.v2024_07.routes import RouteAnswer, encode_route

_TAG = "Routes"
_VEHICLE = "/routes/{routeId}/vehicle"
_DRIVER = "/routes/{routeId}/driver"


def _assign_vehicle(call: Call) -> AssignedRoute:
    return assignment.assign_vehicle(
        call.tools, call.request, call.path["routeId"], call.body.vehicle_id
    )


def _unassign_vehicle(call: Call) -> AssignedRoute:
    return assignment.unassign_vehicle(call.tools, call.request, call.path["routeId"])


def _assign_driver(call: Call) -> AssignedRoute:
    return assignment.assign_driver(
        call.tools, call.request, call.path["routeId"], call.body.driver_id
    )


def _unassign_driver(call: Call) -> AssignedRoute:
    return assignment.unassign_driver(call.tools, call.request, call.path["routeId"])


OPERATIONS = (
    Operation(
        id="assignRouteVehicle",
        method="PUT",
        path=_VEHICLE,
        summary="Give a route a vehicle",
        tag=_TAG,
        handle=_assign_vehicle,
        body=VehicleBody,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="unassignRouteVehicle",
        method="DELETE",
        path=_VEHICLE,
        summary="Take the vehicle from a route",
        tag=_TAG,
        handle=_unassign_vehicle,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="assignRouteDriver",
        method="PUT",
        path=_DRIVER,
        summary="Give a route a driver; a running dispatch goes over",
        tag=_TAG,
        handle=_assign_driver,
        body=DriverBody,
        answer=RouteAnswer,
        render=encode_route,
    ),
    Operation(
        id="unassignRouteDriver",
        method="DELETE",
        path=_DRIVER,
        summary="Take the driver from a route; while dispatched it can be claimed",
        tag=_TAG,
        handle=_unassign_driver,
        answer=RouteAnswer,
        render=encode_route,
    ),
)
