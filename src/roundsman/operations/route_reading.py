"""Reading one route, as bytes: dispatchers and trackers ask for the same route again and again.

A route as long as a day takes a millisecond to read and render, and a fraction of that to find
unchanged. So what was rendered is kept with the version and the crew that it shows, and is given
again only after the database has said that both are still so.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from roundsman.domain.errors import NotFound
from roundsman.domain.route import AssignedRoute, Route
from roundsman.operations.route_changes import load_route
from roundsman.operations.work import ShownRoute, Tools
from roundsman.storage.fleet import decode_driver, decode_vehicle
from roundsman.storage.routes import RouteState, look_up_state

type Render = Callable[[AssignedRoute], bytes]


class ReadRoute(Struct, frozen=True):
    """A route, without its stops, and what all of it was rendered to."""

    assigned: AssignedRoute
    rendered: bytes

    @property
    def route(self) -> Route:
        return self.assigned.route


def read_route(tools: Tools, organization_id: str, route_id: str, render: Render) -> ReadRoute:
    """Return a route with its vehicle and driver, rendered; raise NotFound when there is none."""
    kept = tools.recent_routes.find((organization_id, route_id))
    if kept is not None:
        shown, rendered = kept
        state = _find_state(tools, organization_id, shown.assigned.route)
        if state == shown.state:
            return ReadRoute(shown.assigned, rendered)
    stored = load_route(tools, organization_id, route_id)
    state = _find_state(tools, organization_id, stored.route)
    assigned = AssignedRoute(
        route=stored.route,
        vehicle=decode_vehicle(state.vehicle) if state.vehicle else None,
        driver=decode_driver(state.driver) if state.driver else None,
    )
    rendered = render(assigned)
    # Stops weigh several times what they are rendered to, and nobody asks for them again.
    head = replace(assigned, route=replace(stored.route, stops=()))
    # The route may have changed since it was read: it is kept as what it was then.
    shown = ShownRoute(state=state._replace(version=stored.version), assigned=head)
    tools.recent_routes.keep((organization_id, route_id), shown, rendered)
    return ReadRoute(head, rendered)


def _find_state(tools: Tools, organization_id: str, route: Route) -> RouteState:
    state = look_up_state(tools.database, organization_id, route)
    if state is None:
        raise NotFound("route not found")
    return state
