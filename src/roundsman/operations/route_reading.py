"""Reading one route, as bytes: dispatchers and trackers ask for the same route again and again.

A route as long as a day takes a millisecond to read and render, and a fraction of that to find
unchanged. So what was rendered is kept with the version and the crew that it shows, and is given
again only after the database has said that both are still so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from roundsman.domain.errors import NotFound
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.route_changes import load_route
from roundsman.operations.work import ShownRoute, Tools
from roundsman.storage.fleet import look_up_driver, look_up_vehicle
from roundsman.storage.routes import look_up_version

type Render = Callable[[AssignedRoute], bytes]


@dataclass(frozen=True, slots=True)
class ReadRoute:
    """A route, without its stops, and what all of it was rendered to."""

    assigned: AssignedRoute
    rendered: bytes


def read_route(tools: Tools, organization_id: str, route_id: str, render: Render) -> ReadRoute:
    """Return a route with its vehicle and driver, rendered; raise NotFound when there is none."""
    kept = tools.recent_routes.find((organization_id, route_id))
    if kept is not None:
        shown, rendered = kept
        version = look_up_version(tools.database, organization_id, route_id)
        if version is None:
            raise NotFound("route not found")
        if version == shown.version and _has_crew(tools, organization_id, shown.assigned):
            return ReadRoute(shown.assigned, rendered)
    stored = load_route(tools, organization_id, route_id)
    assigned = _with_crew(tools, organization_id, stored.route)
    rendered = render(assigned)
    # Stops weigh several times what they are rendered to, and nobody asks for them again.
    head = replace(assigned, route=replace(stored.route, stops=()))
    shown = ShownRoute(version=stored.version, assigned=head)
    tools.recent_routes.keep((organization_id, route_id), shown, rendered)
    return ReadRoute(head, rendered)


def _has_crew(tools: Tools, organization_id: str, assigned: AssignedRoute) -> bool:
    now = _with_crew(tools, organization_id, assigned.route)
    return (now.vehicle, now.driver) == (assigned.vehicle, assigned.driver)


def _with_crew(tools: Tools, organization_id: str, route: Route) -> AssignedRoute:
    database, vehicle_id, driver_id = tools.database, route.vehicle_id, route.driver_id
    return AssignedRoute(
        route=route,
        vehicle=look_up_vehicle(database, organization_id, vehicle_id) if vehicle_id else None,
        driver=look_up_driver(database, organization_id, driver_id) if driver_id else None,
    )
