"""Changing a route: read it, work out the change, save it on the version that was read.

The change is worked out outside any transaction, because it may ask the road engine. Who loses a
race works it out again on what the winner left.
"""

from collections.abc import Callable

from msgspec.structs import replace

from roundsman.domain.errors import NotFound
from roundsman.domain.events import route_happened
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.topics import Topic
from roundsman.operations.work import Request, Tools, Work, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.fleet import find_driver, find_vehicle
from roundsman.storage.routes import StoredRoute, VersionConflict, find_route, save_route

_TRIES = 20
"""More than the callers that may sensibly change one route at the same moment."""


def load_route(tools: Tools, organization_id: str, route_id: str) -> StoredRoute:
    """Return a route and its version; raise NotFound when the organization has no such route."""
    with tools.database.reading() as tx:
        stored = find_route(tx, organization_id, route_id)
    if stored is None:
        raise NotFound("route not found")
    return stored


def assign(tx: Transaction, organization_id: str, route: Route) -> AssignedRoute:
    """Return the route with the vehicle and driver that it names."""
    return AssignedRoute(
        route=route,
        vehicle=find_vehicle(tx, organization_id, route.vehicle_id) if route.vehicle_id else None,
        driver=find_driver(tx, organization_id, route.driver_id) if route.driver_id else None,
    )


def load_crew(tools: Tools, request: Request, route: Route) -> AssignedRoute:
    """Return the route with its vehicle and driver as they are now."""
    with tools.database.reading() as tx:
        return assign(tx, request.caller.organization_id, route)


def change_route(
    tools: Tools,
    request: Request,
    route_id: str,
    change: Callable[[Route], Route],
    *,
    topic: Topic = Topic.ROUTE_UPDATED,
    always_told: bool = False,
) -> AssignedRoute:
    """Apply a change; what it leaves as it was is neither saved nor told, unless `always_told`."""
    for tries_left in reversed(range(_TRIES)):
        stored = load_route(tools, request.caller.organization_id, route_id)
        changed = change(stored.route)
        try:
            with begin_work(tools, request) as work:
                if changed == stored.route and not always_told:
                    return work.done(assign(work.tx, work.organization_id, stored.route))
                return work.done(_save(work, changed, stored, topic))
        except VersionConflict:
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


def _save(work: Work, changed: Route, stored: StoredRoute, topic: Topic) -> AssignedRoute:
    route = replace(changed, updated_at=work.now)
    save_route(work.tx, work.organization_id, route, read=stored)
    assigned = assign(work.tx, work.organization_id, route)
    work.record(route_happened(topic, assigned))
    return assigned
