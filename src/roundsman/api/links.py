"""Links between operations: which answer names what another operation takes (OpenAPI links).

Whatever creates a thing is linked to every operation that takes its id, so that tools can follow.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from roundsman.api.operation import Operation

_CREATES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "importStops": {"/stops/imports/{id}": ("id", "$response.body#/stops/0/id")},
    "createRoute": {
        "/routes/{routeId}": ("routeId", "$response.body#/id"),
        "/routes/{id}": ("id", "$response.body#/id"),
    },
    "createVehicle": {"/vehicles/{id}": ("id", "$response.body#/id")},
    "createDriver": {
        "/drivers/{driverId}": ("driverId", "$response.body#/driver/id"),
        "/drivers/{id}": ("id", "$response.body#/driver/id"),
    },
    "createWebhook": {
        "/webhooks/{webhookId}": ("webhookId", "$response.body#/id"),
        "/webhooks/{id}": ("id", "$response.body#/id"),
    },
}
"""By the operation that creates: the paths that take the id, and where the answer has it."""


def links_of(operation: Operation, operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the links of an operation's success, if it creates anything."""
    links = {
        target.id: {"operationId": target.id, "parameters": {parameter: source}}
        for path, (parameter, source) in _CREATES.get(operation.id, {}).items()
        for target in operations
        if target.path.startswith(path) and target.parameters == [parameter]
    }
    return {"links": links} if links else {}
