"""Links with which customers follow their deliveries, at the door."""

from roundsman.domain.principal import Scope
from roundsman.domain.tracking_link import TrackingLink
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations
from roundsman.operations import tracking_links
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

OPERATIONS = Operations("Route stops", ApiClient(), Scope.WRITE)


@OPERATIONS.add(
    "GET",
    "/routes/{routeId}/stops/{stopId}/tracking-link",
    summary="Get the link with which a stop's customer follows and rates the delivery",
)
def get_tracking_link(tools: Tools, request: Request, route_id: str, stop_id: str) -> TrackingLink:
    """Get the page on which a customer follows one delivery; the same address until it is revoked.
    Refused when the route ended more than seven days ago.
    """
    return tracking_links.get_tracking_link(tools, request.organization_id, route_id, stop_id)


@OPERATIONS.add(
    "DELETE",
    "/routes/{routeId}/stops/{stopId}/tracking-link",
    summary="Revoke the link to a stop; the next one that is got has another address",
)
def revoke_tracking_link(tools: Tools, request: Request, route_id: str, stop_id: str) -> None:
    """Let the customer's page work no more; the next request makes another address. A stop that
    was taken off the route since is named as it was there.
    """
    tracking_links.revoke_tracking_link(tools, request, route_id, stop_id)
