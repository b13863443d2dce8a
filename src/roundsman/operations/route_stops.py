"""The stops of a route: which there are and in which order, and what a planner may change of one.

They are copies of imported stops, which stay as they are (specification, What the service does);
what was corrected of a copy goes to the pool when it leaves its routes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
)
from roundsman.domain.execution_events import stops_removed
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.item import Item
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop, StopSource
from roundsman.domain.stop_correction import note_corrections
from roundsman.domain.stop_moves import InsertionPoint, order_open_stops, put_stop
from roundsman.domain.task import TaskTemplate, issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.imported_stops import is_service_id
from roundsman.operations.locations import locate_all
from roundsman.operations.request import Request
from roundsman.operations.route_changes import (
    RoutePart,
    change_route,
    change_stop,
    load_route,
    show_stop,
)
from roundsman.operations.tools import Tools
from roundsman.routing.timing import time_route
from roundsman.storage.imported_stops import find_imported_stops

type Named = tuple[str, str]
"""Under which field of a request an imported stop is named, and by which id; "" for none."""

_MOST_NAMED = 5
"""Fields in one message; the violations name all."""


def add_stops(
    tools: Tools,
    request: Request,
    route_id: str,
    named: Sequence[Named],
    indexes: Sequence[int | UnsetType] = (),
) -> AssignedRoute:
    """Add imported stops, named by id or clientStopId; all or none (decisions §7).

    Where one has an index, all are put where they go, one after the other; else they are appended.
    """
    known = find_named_stops(tools, request.organization_id, named)
    repeated = find_repeated(named, known)
    if repeated:
        raise InvalidArgument("an imported stop is given more than once", repeated)

    def append(route: Route) -> Route:
        route.require_not_archived()
        fields = [(f"[{n}].{field}", reference) for n, (field, reference) in enumerate(named)]
        imported = require_known(fields, known)
        refuse_present(imported, route)
        copies = [copy_imported_stop(stop, route, tools) for stop in imported]
        if all(isinstance(index, UnsetType) for index in indexes):
            return time_route(route.with_stops_appended(copies), tools.roads).route
        for number, (copy, index) in enumerate(zip(copies, indexes, strict=True)):
            at = InsertionPoint(index, f"[{number}].index")
            route = put_stop(route, copy, at, tools.clock.now())
        return time_route(route, tools.roads).route

    return change_route(tools, request, route_id, append)


def remove_stops(
    tools: Tools, request: Request, route_id: str, stop_ids: Sequence[str]
) -> AssignedRoute:
    """Remove stops; all or none (decisions §7). Without the last open one a route is completed."""

    def remove(route: Route) -> Route:
        left = route.without_stops(set(stop_ids)).completed_when_over(tools.clock.now())
        return time_route(left, tools.roads).route

    return change_route(tools, request, route_id, remove, happened=stops_removed)


def move_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, index: int
) -> AssignedRoute:
    """Put a stop at its final index among the stops."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: time_route(route.with_stop_moved(stop_id, index), tools.roads).route,
    )


def put_in_order(
    tools: Tools, request: Request, route_id: str, stop_ids: Sequence[str]
) -> AssignedRoute:
    """Put the stops that are not done into this order; the others stay in front."""

    def put(route: Route) -> Route:
        ordered = order_open_stops(route, stop_ids)
        return route if ordered == route else time_route(ordered, tools.roads).route

    return change_route(tools, request, route_id, put)


def review_added_stops(
    tools: Tools, organization_id: str, named: Sequence[Named]
) -> list[FieldViolation]:
    """Return what else is wrong with added stops of which some could not be read."""
    return find_repeated(named, find_named_stops(tools, organization_id, named))


def find_named_stops(
    tools: Tools, organization_id: str, named: Sequence[Named]
) -> Mapping[str, ImportedStop]:
    """Return the imported stops that are there, under both of their names."""
    references = [reference for _, reference in named if reference]
    with tools.database.reading() as tx:
        found = find_imported_stops(
            tx,
            organization_id,
            ids=[reference for reference in references if is_service_id(reference)],
            client_stop_ids=[reference for reference in references if not is_service_id(reference)],
        )
    return {
        **{stop.id: stop for stop in found},
        **{stop.client_stop_id: stop for stop in found if stop.client_stop_id},
    }


def require_known(
    named: Iterable[tuple[str, str]], known: Mapping[str, ImportedStop]
) -> list[ImportedStop]:
    """Return the stops; raise NotFound that says in which fields those stand that are not there.

    `named` are places in the request, such as `[3].importedStopId`, each with its reference.
    """
    named = list(named)
    fields = [field for field, reference in named if reference not in known]
    if fields:
        more = f" and {len(fields) - _MOST_NAMED} others" if len(fields) > _MOST_NAMED else ""
        raise NotFound(
            f"imported stop not found: {', '.join(fields[:_MOST_NAMED])}{more}",
            [FieldViolation(field=field, description="is not found") for field in fields],
        )
    return [known[reference] for _, reference in named]


def find_repeated(
    named: Sequence[Named], known: Mapping[str, ImportedStop], list_name: str = ""
) -> list[FieldViolation]:
    """Find stops given twice, be it once by id and once by clientStopId (decisions §12)."""
    ids = [known[reference].id if reference in known else reference for _, reference in named]
    times = Counter(id_ for id_ in ids if id_)
    return [
        FieldViolation(field=f"{list_name}[{index}].{field}", description="is given more than once")
        for index, ((field, _), id_) in enumerate(zip(named, ids, strict=True))
        if times[id_] > 1
    ]


def refuse_present(imported: Sequence[ImportedStop], route: Route) -> None:
    """Refuse a stop that is on the route already (decisions §12)."""
    present = {stop.imported_stop_id for stop in route.stops}
    already = [
        PreconditionViolation(
            type="alreadyOnRoute", subject=stop.id, description="the stop is on the route already"
        )
        for stop in imported
        if stop.id in present
    ]
    if already:
        raise FailedPrecondition("an imported stop is on the route already", already)


def copy_imported_stop(stop: ImportedStop, route: Route, tools: Tools) -> RouteStop:
    """Return a route stop that inherits from an imported one (specification, States)."""
    assert not isinstance(stop.coordinates, UnsetType)  # noqa: S101 -- an import locates every stop
    return RouteStop(
        id=new_id(tools.ids, "rst"),
        type=stop.type,
        updated_at=tools.clock.now(),
        duration=stop.duration or route.default_stop_duration,
        note=stop.note,
        address=stop.address,
        contact=stop.contact,
        planned_coordinates=stop.coordinates,
        geocoding=stop.geocoding,
        items=stop.items,
        source=StopSource.IMPORTED_STOP,
        imported_stop_id=stop.id,
        client_stop_id=stop.client_stop_id,
        copied_from=stop.copied_from,
        tasks=issue_tasks((*stop.tasks, *route.stop_tasks), lambda: new_id(tools.ids, "tsk")),
        priority=stop.priority,
        order_name=stop.order_name,
        order_reference_url=stop.order_reference_url,
        time_windows=stop.time_windows,
        delivery_date=stop.delivery_date,
        attributes=stop.attributes,
        tags=stop.tags,
        custom_signature_disclosure=stop.custom_signature_disclosure,
        customer_note=stop.customer_note,
    )


type Edit = Callable[[RouteStop], RouteStop]


def get_stop(
    tools: Tools, organization_id: str, route_id: str, stop_id: str
) -> RoutePart[RouteStop]:
    """Return a stop of a route."""
    return show_stop(load_route(tools, organization_id, route_id).route, stop_id)


def update_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, values: Mapping[str, Any]
) -> RoutePart[RouteStop]:
    """Set fields of a stop; the order is outdated when it was computed from one of them.

    A lock is the planner's on any stop; all else is changed of stops that were imported alone.
    """

    def change(route: Route) -> Route:
        return _edited(
            tools,
            request,
            route,
            stop_id,
            lambda stop: replace(stop, **values),
            must_be_imported=values.keys() != {"locked"},
        )

    return change_stop(tools, request, route_id, stop_id, change)


def relocate_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, target: Location
) -> RoutePart[RouteStop]:
    """Move a stop; an address alone is geocoded, coordinates alone leave the address."""

    def relocate(stop: RouteStop) -> RouteStop:
        address = target.address or stop.address
        (location,) = locate_all(tools.geocoder, [("location.", address, target.coordinates)])
        return replace(
            stop,
            address=address,
            planned_coordinates=location.coordinates,
            geocoding=location.geocoding,
        )

    def change(route: Route) -> Route:
        return _edited(tools, request, route, stop_id, relocate).with_order_outdated()

    return change_stop(tools, request, route_id, stop_id, change)


def replace_stop_items(
    tools: Tools, request: Request, route_id: str, stop_id: str, items: Sequence[Item]
) -> RoutePart[RouteStop]:
    """Replace all items of a stop."""

    def change(route: Route) -> Route:
        edited = _edited(
            tools, request, route, stop_id, lambda stop: replace(stop, items=tuple(items))
        )
        return edited.with_order_outdated()

    return change_stop(tools, request, route_id, stop_id, change)


def replace_stop_tasks(
    tools: Tools, request: Request, route_id: str, stop_id: str, templates: Sequence[TaskTemplate]
) -> RoutePart[RouteStop]:
    """Replace all tasks of a stop by new ones, which nobody has begun."""
    tasks = issue_tasks(templates, lambda: new_id(tools.ids, "tsk"))

    def change(route: Route) -> Route:
        return _edited(tools, request, route, stop_id, lambda stop: replace(stop, tasks=tasks))

    return change_stop(tools, request, route_id, stop_id, change)


def _edited(
    tools: Tools,
    request: Request,
    route: Route,
    stop_id: str,
    edit: Edit,
    *,
    must_be_imported: bool = True,
) -> Route:
    """Return the route with an edited stop, timed anew where its schedule may be another one."""
    stop = route.find_stop(stop_id)
    if must_be_imported:
        stop.require_imported()
    edited = edit(stop)
    if edited != stop and must_be_imported:
        edited = _with_corrections_noted(tools, request.organization_id, route, stop, edited)
    changed = route.with_stop_edited(edited, tools.clock.now())
    if edited.order_basis() == stop.order_basis():
        return changed
    return time_route(changed, tools.roads).route


def _with_corrections_noted(
    tools: Tools, organization_id: str, route: Route, before: RouteStop, after: RouteStop
) -> RouteStop:
    with tools.database.reading() as tx:
        origins = find_imported_stops(tx, organization_id, ids=[before.imported_stop_id])
    return note_corrections(before, after, route, origins[0]) if origins else after
