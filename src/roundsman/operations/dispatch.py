"""Handing a route to its driver, taking it back, putting it away."""

from datetime import datetime

from roundsman.domain.events import stop_statuses_changed
from roundsman.domain.noun import UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.topics import Topic
from roundsman.operations.route_changes import change_route, load_crew, under_topic
from roundsman.operations.work import Request, Tools
from roundsman.routing.timing import time_route


def dispatch_route(
    tools: Tools, request: Request, route_id: str, until: datetime | UnsetType
) -> AssignedRoute:
    """Make a route available to its driver, or to any who claims it (decisions §7)."""

    def dispatch(route: Route) -> Route:
        now = tools.clock.now()
        route.require_dispatchable(load_crew(tools, request, route).driver)
        if not route.is_dispatched(now):
            route = route.leaving(now.replace(microsecond=0))
        return time_route(route, tools.roads).route.dispatched(until, now)

    return change_route(
        tools,
        request,
        route_id,
        dispatch,
        happened=under_topic(Topic.ROUTE_DISPATCHED),
        always_recorded=True,
        requiring=lambda before, after: before.require_dispatchable(after.driver),
    )


def undispatch_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take a route back from its driver; one that is not dispatched stays as it is."""
    return change_route(
        tools, request, route_id, lambda route: _timed_after(route, route.undispatched(), tools)
    )


def mark_ready(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Make the stops that nobody has begun ready for delivery, and tell of each (decisions §9)."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: route.ready(tools.clock.now()),
        happened=stop_statuses_changed,
    )


def archive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Put a route away; that undispatches it (decisions §12)."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: _timed_after(route, route.archived(tools.clock.now()), tools),
    )


def unarchive_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take a route out again; it is not dispatched."""
    return change_route(tools, request, route_id, Route.unarchived)


def _timed_after(before: Route, after: Route, tools: Tools) -> Route:
    """Return the route timed anew where its departure went with the dispatch."""
    if after.departure() == before.departure():
        return after
    return time_route(after, tools.roads).route
