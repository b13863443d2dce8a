"""Creating, reading, planning, assigning, dispatching, archiving and deleting routes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FieldViolation
from roundsman.domain.event import route_happened, stop_statuses_changed
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.principal import Principal
from roundsman.domain.queries import ListRoutes, Query
from roundsman.domain.reoptimization import ReoptimizedRoute, ReoptimizeOptions
from roundsman.domain.route import Route, RouteOptions
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.task import issue_tasks
from roundsman.domain.topics import Topic
from roundsman.kit.ids import new_id
from roundsman.operations.arrival_learning import load_spreads
from roundsman.operations.locations import Located, locate_all, readable_locations, try_locating
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.route_changes import (
    assign,
    change_route,
    imagine_change,
    load_crew,
    load_route,
    save_created,
    under_topic,
    until_current,
)
from roundsman.operations.route_tags import require_expected
from roundsman.operations.stop_corrections import return_corrections
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.routing.reoptimization import Reoptimized, reoptimize
from roundsman.routing.timing import time_route
from roundsman.storage import routes as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.organizations import count_route
from roundsman.storage.routes import RouteFilter, remove_route


def list_routes(
    tools: Tools, organization_id: str, query: Query[ListRoutes]
) -> Page[AssignedRoute]:
    """Return a page of routes with their vehicles and drivers."""

    def fetch(
        tx: Transaction, arguments: ListRoutes, after: Position | None, count: int
    ) -> list[tuple[Position, AssignedRoute]]:
        wanted = RouteFilter(
            sort_key=arguments.sort_key,
            starting=arguments.timestamp_start or None,
            ending=arguments.timestamp_end or None,
            include_archived=arguments.include_archived,
            driver_id=arguments.driver_id,
            vehicle_id=arguments.vehicle_id,
            status=arguments.status or None,
            tag=arguments.tag,
            text=arguments.text,
        )
        found = stored.select_routes(tx, organization_id, wanted, after, count)
        return [(position, assign(tx, organization_id, route)) for position, route in found]

    return list_page(tools, organization_id, "routes", query, fetch)


def create_route(tools: Tools, request: Request, draft: RouteDraft) -> AssignedRoute:
    """Create an empty route; one without a name is called by its number."""
    drawn = replace(
        _draw_up(tools, draft), arrival_spreads=load_spreads(tools, request.organization_id)
    )
    unnumbered = time_route(drawn, tools.roads).route
    with begin_work(tools, request) as work:
        number = count_route(work.tx, work.organization_id)
        route = replace(
            unnumbered,
            number=number,
            name=draft.name or f"#{number}",
            created_at=work.now,
            updated_at=work.now,
        )
        assigned = assign(work.tx, work.organization_id, route)
        assigned.require_vehicle()
        assigned.require_driver(work.now)
        return work.done(save_created(work, assigned))


def review_route(tools: Tools, _caller: Principal, draft: RouteDraft) -> list[FieldViolation]:
    """Return what else is wrong with a route of which some could not be read."""
    return try_locating(tools.geocoder, readable_locations(_route_ends_of(draft)))[1]


def _route_ends_of(draft: RouteDraft) -> list[Located]:
    return [
        (f"{name}.", terminus.address, terminus.coordinates)
        for name, terminus in (("start", draft.start), ("end", draft.end))
        if terminus
    ]


def _draw_up(tools: Tools, draft: RouteDraft) -> Route:
    origin, *destination = locate_all(tools.geocoder, _route_ends_of(draft))
    now = tools.clock.now()

    def new_task_id() -> str:
        return new_id(tools.ids, "tsk")

    start = RouteStart(
        address=draft.start.address,
        coordinates=origin.coordinates,
        geocoding=origin.geocoding,
        tasks=issue_tasks(draft.start.tasks, new_task_id),
    )
    end = (
        UNSET
        if not isinstance(draft.end, RouteEndDraft)
        else RouteEnd(
            address=draft.end.address,
            coordinates=destination[0].coordinates,
            geocoding=destination[0].geocoding,
            tasks=issue_tasks(draft.end.tasks, new_task_id),
        )
    )
    return Route(
        **{name: getattr(draft, name) for name in RouteOptions.__struct_fields__},
        id=new_id(tools.ids, "rte"),
        number=0,
        name=draft.name,
        start=start,
        end=end,
        created_at=now,
        updated_at=now,
        vehicle_id=draft.vehicle_id,
        driver_id=draft.driver_id,
    )


def update_route(
    tools: Tools, request: Request, route_id: str, values: Mapping[str, Any]
) -> AssignedRoute:
    """Set options of a route; it is timed anew when its order may no longer be the best."""

    def update(route: Route) -> Route:
        changed = route.updated(values)
        if changed.order_basis() == route.order_basis():
            return changed
        now = tools.clock.now()
        if changed.is_dispatched(now) and not changed.departure():
            changed = changed.leaving(now.replace(microsecond=0))
        return time_route(changed, tools.roads).route

    return change_route(tools, request, route_id, update)


def reoptimize_route(
    tools: Tools, request: Request, route_id: str, options: ReoptimizeOptions
) -> ReoptimizedRoute:
    """Put the stops into the best order; a route whose order is current is returned as it is.

    A dry run returns the route as it would be, and saves nothing.
    """
    found: Reoptimized | None = None

    def order(route: Route) -> Route:
        nonlocal found
        now = tools.clock.now()
        found = reoptimize(route, options, roads=tools.roads, now=now, cancelled=request.cancelled)
        return found.route

    def show(saved: AssignedRoute) -> ReoptimizedRoute:
        assert found is not None  # noqa: S101 -- what is saved was ordered before
        return ReoptimizedRoute(
            # All of it: what the route's tag is made of, too.
            **{name: getattr(saved, name) for name in AssignedRoute.__struct_fields__},
            moved=found.moved,
            tradeoffs=found.tradeoffs if options.tradeoffs else UNSET,
        )

    if options.dry_run:
        return show(imagine_change(tools, request, route_id, order))
    return change_route(tools, request, route_id, order, show=show)


def delete_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Remove a route, an archived one too; return it as it was."""

    def delete() -> AssignedRoute:
        read = load_route(tools, request.organization_id, route_id)
        require_expected(tools, request, route_id, read.version)
        with begin_work(tools, request) as work:
            assigned = assign(work.tx, work.organization_id, read.route)
            return_corrections(work, [read.route])
            remove_route(work.tx, work.organization_id, read, work.now)
            work.prove(read.route, None)
            work.notify_drivers(read.route, None)
            work.is_freeing = True
            happened = route_happened(Topic.ROUTE_DELETED, assigned)
            work.record(happened, version=read.version + 1)
            return work.done(assigned)

    return until_current(tools, [route_id], delete)


def dispatch_route(
    tools: Tools, request: Request, route_id: str, until: datetime | UnsetType
) -> AssignedRoute:
    """Make a route available to its driver, or to any who claims it (decisions §7)."""

    spreads = load_spreads(tools, request.organization_id)

    def dispatch(route: Route) -> Route:
        now = tools.clock.now()
        route = replace(route, arrival_spreads=spreads)
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
    """Make the stops that are not begun ready for delivery, with an event each (decisions §9)."""
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


def assign_vehicle(tools: Tools, request: Request, route_id: str, vehicle_id: str) -> AssignedRoute:
    """Give a route a vehicle that is not archived."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(route, vehicle_id=vehicle_id),
        requiring=lambda _before, after: after.require_vehicle(),
    )


def unassign_vehicle(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the vehicle from a route."""
    return change_route(tools, request, route_id, lambda route: replace(route, vehicle_id=""))


def assign_driver(tools: Tools, request: Request, route_id: str, driver_id: str) -> AssignedRoute:
    """Give a route a driver, to whom a running dispatch goes over (decisions §12)."""
    return change_route(
        tools,
        request,
        route_id,
        lambda route: replace(route, driver_id=driver_id),
        requiring=lambda _before, after: after.require_driver(tools.clock.now()),
    )


def unassign_driver(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Take the driver from a route; while dispatched, it can be claimed."""
    return change_route(tools, request, route_id, lambda route: replace(route, driver_id=""))
