"""One stop of a route: reading it, and changing what a planner may change of it.

The imported stop it was made from stays as it is (specification, What the service does).
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from roundsman.domain.address import Location
from roundsman.domain.item import Item
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplate, issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.locations import locate_all
from roundsman.operations.route_changes import RoutePart, change_stop, load_route, show_stop
from roundsman.operations.route_timing import time_route
from roundsman.operations.work import Request, Tools

type Edit = Callable[[RouteStop], RouteStop]


def get_stop(
    tools: Tools, organization_id: str, route_id: str, stop_id: str
) -> RoutePart[RouteStop]:
    """Return a stop of a route."""
    return show_stop(load_route(tools, organization_id, route_id).route, stop_id)


def update_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, edit: Edit
) -> RoutePart[RouteStop]:
    """Set fields of a stop; the order is outdated when it was computed from one of them."""

    def change(route: Route) -> Route:
        return _edited(tools, route, stop_id, edit)

    return change_stop(tools, request, route_id, stop_id, change)


def relocate_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, place: Location
) -> RoutePart[RouteStop]:
    """Move a stop; an address alone is geocoded, coordinates alone leave the address."""

    def relocate(stop: RouteStop) -> RouteStop:
        address = place.address or stop.address
        (location,) = locate_all(tools.geocoder, [("location.", address, place.coordinates)])
        return replace(
            stop,
            address=address,
            planned_coordinates=location.coordinates,
            geocoding=location.geocoding,
        )

    def change(route: Route) -> Route:
        return _edited(tools, route, stop_id, relocate).with_order_outdated()

    return change_stop(tools, request, route_id, stop_id, change)


def replace_items(
    tools: Tools, request: Request, route_id: str, stop_id: str, items: Sequence[Item]
) -> RoutePart[RouteStop]:
    """Replace all items of a stop."""

    def change(route: Route) -> Route:
        edited = _edited(tools, route, stop_id, lambda stop: replace(stop, items=tuple(items)))
        return edited.with_order_outdated()

    return change_stop(tools, request, route_id, stop_id, change)


def replace_tasks(
    tools: Tools, request: Request, route_id: str, stop_id: str, templates: Sequence[TaskTemplate]
) -> RoutePart[RouteStop]:
    """Replace all tasks of a stop by new ones, which nobody has begun."""
    tasks = issue_tasks(templates, lambda: new_id(tools.ids, "tsk"))

    def change(route: Route) -> Route:
        return _edited(tools, route, stop_id, lambda stop: replace(stop, tasks=tasks))

    return change_stop(tools, request, route_id, stop_id, change)


def _edited(tools: Tools, route: Route, stop_id: str, edit: Edit) -> Route:
    """Return the route with an edited stop, timed anew where its schedule may be another one."""
    stop = route.find_stop(stop_id)
    stop.require_imported()
    edited = edit(stop)
    changed = route.with_stop_edited(edited, tools.clock.now())
    if edited.order_basis() == stop.order_basis():
        return changed
    return time_route(changed, tools.roads).route
