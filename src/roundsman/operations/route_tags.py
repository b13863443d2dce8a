"""Tags of a route, `<version>.<live>`: whatever changes what is shown changes them (§14)."""

import hashlib

from msgspec.json import encode

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import ChangedMeanwhile, NotFound
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.storage.routes import look_up_state


def find_route_tag(tools: Tools, organization_id: str, route_id: str) -> str:
    """Return the tag that a route has now, without reading it; raise NotFound."""
    state = look_up_state(tools.database, organization_id, route_id)
    if state is None:
        raise NotFound("route not found")
    return _tag_of(*state)


def tag_of(assigned: AssignedRoute) -> str:
    """Return the tag of a route as it was read or saved."""
    return _tag_of(
        assigned.version,
        encode(assigned.vehicle).decode() if assigned.vehicle else None,
        encode(assigned.driver).decode() if assigned.driver else None,
        assigned.live_revision,
    )


def require_expected(tools: Tools, request: Request, route_id: str, version: int) -> None:
    """Refuse to change a route of another version than the request expects."""
    expected = request.expected_versions
    if expected is not None and version not in expected:
        raise ChangedMeanwhile(
            "route has changed since it was read; read it again",
            find_route_tag(tools, request.organization_id, route_id),
        )


def _tag_of(version: int, vehicle: str | None, driver: str | None, revision: int | None) -> str:
    """Vehicle, driver and what is live change without the route, so they are part of the tag."""
    if not (vehicle or driver or revision):
        return f"{version}.0"
    shown = f"{vehicle or ''}\n{driver or ''}\n{revision or ''}"
    return f"{version}.{hashlib.sha256(shown.encode()).hexdigest()[:12]}"
