"""Reading one route with its vehicle and driver, and telling whether it has changed since.

Dispatchers and trackers ask for the same route again and again. Reading and rendering one as long
as a day takes a millisecond, finding out that it has not changed a tenth of that: so what was
rendered last is kept with its tag, and given again while the database says that the tag holds.
"""

import hashlib
from collections.abc import Callable

from msgspec.json import encode

from roundsman.domain.errors import NotFound
from roundsman.domain.route import AssignedRoute
from roundsman.operations.route_changes import load_route
from roundsman.operations.work import RenderedRoute, Tools
from roundsman.storage.fleet import look_up_driver, look_up_vehicle
from roundsman.storage.routes import look_up_state

type Render = Callable[[AssignedRoute, str], RenderedRoute]
"""Renders a route of a tag."""


def read_route(
    tools: Tools, organization_id: str, route_id: str, tag: str, render: Render
) -> RenderedRoute:
    """Return a route with its vehicle and driver; `tag` is the one that it has now."""
    kept = tools.recent_routes.find((organization_id, route_id))
    if kept is not None and kept.tag == tag:
        return kept
    stored = load_route(tools, organization_id, route_id)
    route = stored.route
    database = tools.database
    vehicle = (
        look_up_vehicle(database, organization_id, route.vehicle_id) if route.vehicle_id else None
    )
    driver = look_up_driver(database, organization_id, route.driver_id) if route.driver_id else None
    # Of what was read, which may be newer than the tag that was found before.
    read_tag = _tag_of(
        stored.version,
        encode(vehicle).decode() if vehicle else None,
        encode(driver).decode() if driver else None,
    )
    rendered = render(AssignedRoute(route=route, vehicle=vehicle, driver=driver), read_tag)
    tools.recent_routes.keep((organization_id, route_id), rendered, len(rendered.body))
    return rendered


def find_route_tag(tools: Tools, organization_id: str, route_id: str) -> str:
    """Return the tag that a route has now, without reading it; raise NotFound.

    A tag is `<version>.<live>` (decisions §14).
    """
    state = look_up_state(tools.database, organization_id, route_id)
    if state is None:
        raise NotFound("route not found")
    return _tag_of(*state)


def _tag_of(version: int, vehicle: str | None, driver: str | None) -> str:
    """Vehicle and driver change without the route, so their stored forms are part of the tag."""
    live = hashlib.sha256(f"{vehicle or ''}\n{driver or ''}".encode()).hexdigest()[:12]
    return f"{version}.{live if vehicle or driver else 0}"
