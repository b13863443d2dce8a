"""Reading one route with its vehicle and driver, and telling whether it has changed since."""

import hashlib

from msgspec import Struct
from msgspec.json import encode

from roundsman.domain.errors import NotFound
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.route_changes import load_route
from roundsman.operations.work import Tools
from roundsman.storage.fleet import look_up_driver, look_up_vehicle
from roundsman.storage.routes import look_up_state


class ReadRoute(Struct, frozen=True):
    """A route, and the tag of what is shown of it: `<version>.<live>` (decisions §14)."""

    assigned: AssignedRoute
    tag: str

    @property
    def route(self) -> Route:
        return self.assigned.route


def read_route(tools: Tools, organization_id: str, route_id: str) -> ReadRoute:
    """Return a route with its vehicle and driver; raise NotFound when there is none."""
    stored = load_route(tools, organization_id, route_id)
    route = stored.route
    database = tools.database
    vehicle = (
        look_up_vehicle(database, organization_id, route.vehicle_id) if route.vehicle_id else None
    )
    driver = look_up_driver(database, organization_id, route.driver_id) if route.driver_id else None
    tag = _tag_of(
        stored.version,
        encode(vehicle).decode() if vehicle else None,
        encode(driver).decode() if driver else None,
    )
    return ReadRoute(AssignedRoute(route=route, vehicle=vehicle, driver=driver), tag)


def find_route_tag(tools: Tools, organization_id: str, route_id: str) -> str:
    """Return the tag that a route has now, without reading it; raise NotFound."""
    state = look_up_state(tools.database, organization_id, route_id)
    if state is None:
        raise NotFound("route not found")
    return _tag_of(*state)


def _tag_of(version: int, vehicle: str | None, driver: str | None) -> str:
    """Vehicle and driver change without the route, so their stored forms are part of the tag."""
    live = hashlib.sha256(f"{vehicle or ''}\n{driver or ''}".encode()).hexdigest()[:12]
    return f"{version}.{live if vehicle or driver else 0}"
