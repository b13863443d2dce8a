"""The start and the end of a route: where they are, and what is to do there."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from roundsman.domain.address import Coordinates, Place
from roundsman.domain.route import AssignedRoute, Route, RouteEnd
from roundsman.domain.task import Task, TaskTemplate, issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.locations import locate_all
from roundsman.operations.route_changes import change_route
from roundsman.operations.route_timing import time_route
from roundsman.operations.work import Request, Tools


def relocate_start(tools: Tools, request: Request, route_id: str, place: Place) -> AssignedRoute:
    """Move the start; an address alone is geocoded, coordinates alone leave the address."""

    def relocate(route: Route, point: Coordinates) -> Route:
        address = place.address or route.start.address
        start = replace(route.start, address=address, coordinates=point)
        return replace(route, start=start)

    return _relocate(tools, request, route_id, place, relocate)


def relocate_end(tools: Tools, request: Request, route_id: str, place: Place) -> AssignedRoute:
    """Move the end, or give a route one that had none."""

    def relocate(route: Route, point: Coordinates) -> Route:
        if not isinstance(route.end, RouteEnd):
            return replace(route, end=RouteEnd(address=place.address, coordinates=point))
        address = place.address or route.end.address
        return replace(route, end=replace(route.end, address=address, coordinates=point))

    return _relocate(tools, request, route_id, place, relocate)


def _relocate(
    tools: Tools,
    request: Request,
    route_id: str,
    place: Place,
    relocate: Callable[[Route, Coordinates], Route],
) -> AssignedRoute:
    def change(route: Route) -> Route:
        (point,) = locate_all(tools.geocoder, [("location.", place.address, place.coordinates)])
        moved = relocate(route, point).with_order_outdated()
        return time_route(moved, tools.roads).route

    return change_route(tools, request, route_id, change)


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
