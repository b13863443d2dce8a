"""The start and the end of a route: where they are, and what is to do there."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from roundsman.domain.address import Address, Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.task import Task, TaskTemplate, issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.locations import locate_all
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_route
from roundsman.operations.tools import Tools
from roundsman.routing.timing import time_route


def relocate_start(
    tools: Tools, request: Request, route_id: str, target: Location
) -> AssignedRoute:
    """Move the start; an address alone is geocoded, coordinates alone leave the address."""

    def relocate(route: Route) -> Route:
        sought = target.address or route.start.address
        return replace(route, start=replace(route.start, **_locate(tools, sought, target)))

    return _relocate(tools, request, route_id, relocate)


def relocate_end(tools: Tools, request: Request, route_id: str, target: Location) -> AssignedRoute:
    """Move the end, or give a route one that had none."""

    def relocate(route: Route) -> Route:
        if not isinstance(route.end, RouteEnd):
            return replace(route, end=RouteEnd(**_locate(tools, target.address, target)))
        sought = target.address or route.end.address
        return replace(route, end=replace(route.end, **_locate(tools, sought, target)))

    return _relocate(tools, request, route_id, relocate)


def _relocate(
    tools: Tools,
    request: Request,
    route_id: str,
    relocate: Callable[[Route], Route],
) -> AssignedRoute:
    def change(route: Route) -> Route:
        return time_route(relocate(route).with_order_outdated(), tools.roads).route

    return change_route(tools, request, route_id, change)


def _locate(tools: Tools, address: Address | UnsetType, target: Location) -> dict[str, Any]:
    """Return the fields that say where a start or an end is."""
    (location,) = locate_all(tools.geocoder, [("location.", address, target.coordinates)])
    return {
        "address": address,
        "coordinates": location.coordinates,
        "geocoding": location.geocoding,
    }


def replace_start_tasks(
    tools: Tools, request: Request, route_id: str, templates: Sequence[TaskTemplate]
) -> AssignedRoute:
    """Replace all tasks of the start by new ones."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(route, start=replace(route.start, tasks=_issue(tools, templates))),
    )


def replace_end_tasks(
    tools: Tools, request: Request, route_id: str, templates: Sequence[TaskTemplate]
) -> AssignedRoute:
    """Replace all tasks of the end by new ones; the route must have an end."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(
            route, end=replace(route.require_end(), tasks=_issue(tools, templates))
        ),
    )


def _issue(tools: Tools, templates: Sequence[TaskTemplate]) -> tuple[Task, ...]:
    return issue_tasks(templates, lambda: new_id(tools.ids, "tsk"))
