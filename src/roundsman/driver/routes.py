"""A driver's routes at the door."""

from starlette.responses import Response

from roundsman.domain.route import AssignedRoute
from roundsman.doors.door import Arrival
from roundsman.doors.route_headers import route_headers
from roundsman.driver.answering import answer_bytes
from roundsman.operations import driver_routes
from roundsman.operations.driver_request import DriverRequest
from roundsman.operations.work import Tools
from roundsman.wire.driver.answers import encode_driver_routes
from roundsman.wire.v2024_07.routes import encode_route


def list_routes(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """List what is dispatched to the driver and what may be claimed."""
    del arrival
    return answer_bytes(encode_driver_routes(driver_routes.list_driver_routes(tools, request)))


def get_route(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Show a route as the public interface does."""
    route_id = arrival.parameters["routeId"]
    return _answer_route(driver_routes.get_driver_route(tools, request, route_id))


def claim_route(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    route_id = arrival.parameters["routeId"]
    return _answer_route(driver_routes.claim_route(tools, request, route_id))


def _answer_route(assigned: AssignedRoute) -> Response:
    return answer_bytes(encode_route(assigned), route_headers(assigned))
