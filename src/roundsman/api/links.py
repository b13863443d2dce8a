"""Links between operations: which answer names what another operation takes (OpenAPI links).

Whatever creates a thing is linked to every operation that takes its id, so that tools can follow.
A stop of a route takes two: the route's and its own, which adding stops both answers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from roundsman.endpoints.operation import Operation

type Sources = Mapping[str, str]
"""Where an answer has what the parameters of a path stand for."""

_ID = "$response.body#/id"
_CREATES: Mapping[str, Sequence[tuple[str, Sources]]] = {
    "importStops": [("/stops/imports/{id}", {"id": "$response.body#/stops/0/id"})],
    "createRoute": [("/routes/{routeId}", {"routeId": _ID})],
    "addRouteStops": [
        (
            "/routes/{routeId}/stops/{stopId}",
            {"routeId": _ID, "stopId": "$response.body#/stops/0/id"},
        )
    ],
    "requestErasure": [("/privacy/erasures/{id}", {"id": _ID})],
    "addVehicle": [("/vehicles/{id}", {"id": _ID})],
    "createPlan": [("/plans/{id}", {"id": _ID})],
    "addDriver": [("/drivers/{driverId}", {"driverId": "$response.body#/driver/id"})],
    "addMember": [("/members/{memberId}", {"memberId": "$response.body#/member/id"})],
    "listDriverActions": [
        (
            "/drivers/{driverId}/actions",
            {
                "driverId": "$response.body#/actions/0/driverId",
                "actionId": "$response.body#/actions/0/id",
            },
        )
    ],
    "listDriverSessions": [
        (
            "/drivers/{driverId}/sessions",
            {"driverId": "$request.path.driverId", "sessionId": "$response.body#/sessions/0/id"},
        )
    ],
    "createCredentials": [("/credentials/{clientId}", {"clientId": "$response.body#/clientId"})],
    "addWebhook": [("/webhooks/{webhookId}", {"webhookId": _ID})],
    "addStorefront": [("/storefronts/{id}", {"id": _ID})],
    "listStorefrontReports": [
        (
            "/storefronts/{id}/reports",
            {"id": "$request.path.id", "reportId": "$response.body#/reports/0/id"},
        )
    ],
    "saveStoreOrder": [
        ("/stops/store/{orderId}", {"orderId": _ID}),
        ("/store-orders/{id}", {"id": _ID}),
    ],
}
"""By the operation that creates: the paths that begin with the thing, and where its ids are."""


def links_of(operation: Operation, operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the links of an operation's success, if it creates anything."""
    links = {
        target.id: {"operationId": target.id, "parameters": dict(sources)}
        for path, sources in _CREATES.get(operation.id, ())
        for target in operations
        if target.path.startswith(path) and set(target.parameters) == set(sources)
    }
    return {"links": links} if links else {}
