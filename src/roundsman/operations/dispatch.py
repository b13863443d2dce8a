"""Handing a route to its driver."""

from datetime import datetime

from roundsman.domain.noun import UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.topics import Topic
from roundsman.operations.route_changes import change_route, load_crew
from roundsman.operations.route_timing import time_route
from roundsman.operations.work import Request, Tools


def dispatch_route(
    tools: Tools, request: Request, route_id: str, until: datetime | UnsetType
) -> AssignedRoute:
    """Make a route available to its driver, or to any who claims it (decisions §7)."""

    def dispatch(route: Route) -> Route:
        now = tools.clock.now()
        route.require_dispatchable(load_crew(tools, request, route).driver)
        timed = time_route(route.leaving(now.replace(microsecond=0)), tools.roads).route
        return timed.dispatched(until, now)

    return change_route(
        tools, request, route_id, dispatch, topic=Topic.ROUTE_DISPATCHED, always_told=True
    )
