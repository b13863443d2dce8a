"""Which stops a route has, and in which order: added as copies of imported stops, at the end."""

from collections import Counter
from collections.abc import Mapping, Sequence

from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
)
from roundsman.domain.execution_events import stops_removed
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.noun import UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.route_stop import RouteStop, StopSource
from roundsman.domain.task import issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.imported_stops import is_service_id
from roundsman.operations.route_changes import change_route
from roundsman.operations.route_timing import time_route
from roundsman.operations.work import Request, Tools
from roundsman.storage.imported_stops import find_imported_stops


def add_stops(
    tools: Tools, request: Request, route_id: str, references: Sequence[str]
) -> AssignedRoute:
    """Append imported stops, named by id or clientStopId; all or none (decisions §7)."""

    def append(route: Route) -> Route:
        route.require_not_archived()
        imported = _find_all(tools, request.caller.organization_id, references)
        _refuse_repeated(imported, route)
        copies = [_copy_of(stop, route, tools) for stop in imported]
        return time_route(route.with_stops_appended(copies), tools.roads).route

    return change_route(tools, request, route_id, append)


def remove_stops(
    tools: Tools, request: Request, route_id: str, stop_ids: Sequence[str]
) -> AssignedRoute:
    """Remove stops; all or none (decisions §7). Without the last open one a route is completed."""

    def remove(route: Route) -> Route:
        left = route.without_stops(set(stop_ids)).completed_when_over(tools.clock.now())
        return time_route(left, tools.roads).route

    return change_route(tools, request, route_id, remove, telling=stops_removed)


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


def _find_all(tools: Tools, organization_id: str, references: Sequence[str]) -> list[ImportedStop]:
    with tools.database.reading() as tx:
        found = find_imported_stops(
            tx,
            organization_id,
            ids=[reference for reference in references if is_service_id(reference)],
            client_stop_ids=[reference for reference in references if not is_service_id(reference)],
        )
    by_reference: Mapping[str, ImportedStop] = {
        **{stop.id: stop for stop in found},
        **{stop.client_stop_id: stop for stop in found if stop.client_stop_id},
    }
    if any(reference not in by_reference for reference in references):
        raise NotFound("imported stop not found")
    return [by_reference[reference] for reference in references]


def _refuse_repeated(imported: Sequence[ImportedStop], route: Route) -> None:
    """Refuse a stop given twice, or on the route already (decisions §12)."""
    times = Counter(stop.id for stop in imported)
    repeated = [
        FieldViolation(field=f"[{place}].importedStopId", description="is given more than once")
        for place, stop in enumerate(imported)
        if times[stop.id] > 1
    ]
    if repeated:
        raise InvalidArgument("an imported stop is given more than once", repeated)
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


def _copy_of(stop: ImportedStop, route: Route, tools: Tools) -> RouteStop:
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
        items=stop.items,
        source=StopSource.IMPORTED_STOP,
        imported_stop_id=stop.id,
        client_stop_id=stop.client_stop_id,
        tasks=issue_tasks((*stop.tasks, *route.stop_tasks), lambda: new_id(tools.ids, "tsk")),
        priority=stop.priority,
        order_name=stop.order_name,
        order_reference_url=stop.order_reference_url,
        time_windows=stop.time_windows,
        delivery_date=stop.delivery_date,
        attributes=stop.attributes,
        tags=stop.tags,
        custom_signature_disclosure=stop.custom_signature_disclosure,
    )
