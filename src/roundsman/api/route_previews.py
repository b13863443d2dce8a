"""Previews of routes at the door: what a change would mean, without making it."""

from collections.abc import Sequence

from roundsman.domain.principal import Scope
from roundsman.domain.route_preview import RoutePreview
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations, Pool
from roundsman.operations import route_previews
from roundsman.operations.request import Request
from roundsman.operations.route_previews import Addition, ImaginedChange
from roundsman.operations.route_stops import Named
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import PreviewAddition, PreviewBody

OPERATIONS = Operations("Routes", ApiClient(), Scope.WRITE)


def _read_additions(body: Sequence[PreviewAddition]) -> list[Addition]:
    return [Addition(named=_name_of(stop), index=stop.index) for stop in body]


def _name_of(stop: PreviewAddition) -> Named:
    names = {
        "stopId": stop.stop_id,
        "storeOrderId": stop.store_order_id,
        "importedStopId": stop.imported_stop_id,
        "clientStopId": stop.client_stop_id,
    }
    return next((field, id_) for field, id_ in names.items() if id_)


@OPERATIONS.add(
    "POST",
    "/routes/{routeId}/preview",
    scope=Scope.READ,
    summary="Get what a change of a route would mean, without making it",
    body_may_be_absent=True,
    keeps_answers=False,
    pool=Pool.CHANGE,
)
def preview_route(tools: Tools, request: Request, route_id: str, body: PreviewBody) -> RoutePreview:
    """Try another order, further or fewer stops, or another departure, and see times, lateness and
    what would be broken. Saves nothing and records nothing.
    """
    change = ImaginedChange(
        order=body.order,
        add=_read_additions(body.add),
        remove=body.remove,
        scheduled_for=body.scheduled_for,
    )
    return route_previews.preview_route(tools, request.organization_id, route_id, change)
