"""Changing a route: read it, work out the change, save it on the version that was read.

The change is worked out outside any transaction, because it may query the road engine. When the
version has changed meanwhile, the change is worked out again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.change import ObjectKind
from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
from roundsman.domain.event import Happening, route_happened
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.topics import Topic
from roundsman.operations.request import Request
from roundsman.operations.route_tags import require_expected, tag_of
from roundsman.operations.stop_corrections import return_corrections
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.drivers import find_driver
from roundsman.storage.routes import (
    FIRST_VERSION,
    StoredRoute,
    VersionConflict,
    add_route,
    look_up_route,
    release_stops,
    save_route,
)
from roundsman.storage.vehicles import find_vehicle

_TRIES = 20
"""More than the callers that may sensibly change one route at the same moment."""

type Requirement = Callable[[Route, AssignedRoute], None]
"""Refuses what the crew forbids, from the route before and after."""

type HappeningsOf = Callable[[Route, AssignedRoute], Sequence[Happening]]
"""Returns what happened, from the route before and after."""


def load_route(tools: Tools, organization_id: str, route_id: str) -> StoredRoute:
    """Return a route and its version; raise NotFound when the organization has no such route."""
    stored = look_up_route(tools.database, organization_id, route_id)
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


def assign_stored(tx: Transaction, organization_id: str, stored: StoredRoute) -> AssignedRoute:
    """Return a route that was read with its crew, and what its tag is made of."""
    assigned = assign(tx, organization_id, stored.route)
    return replace(assigned, version=stored.version, live_revision=stored.live_revision)


def load_crew(tools: Tools, request: Request, route: Route) -> AssignedRoute:
    """Return the route with its vehicle and driver as they are now."""
    with tools.database.reading() as tx:
        return assign(tx, request.organization_id, route)


def until_current[T](tools: Tools, route_ids: Collection[str], attempt: Callable[[], T]) -> T:
    """Attempt again while somebody else is faster; in this process a retry is waited for."""
    for tries_left in reversed(range(_TRIES)):
        try:
            with tools.route_retry_lock.waited_for(route_ids, is_retry=tries_left < _TRIES - 1):
                return attempt()
        except VersionConflict:
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


def under_topic(topic: Topic) -> HappeningsOf:
    """Record the route as a whole."""
    return lambda _before, after: route_happened(topic, after)


@dataclass(frozen=True, kw_only=True, slots=True)
class RoutePart[T]:
    """Something of a route, and the route of whose times it shows a part."""

    shown: T
    route: Route
    tag: str = ""
    """Of the route as a change left it."""


def show_stop(route: Route, stop_id: str, tag: str = "") -> RoutePart[RouteStop]:
    """Return a stop of the route; raise NotFound when it has no such stop."""
    return RoutePart(shown=route.find_stop(stop_id), route=route, tag=tag)


_UPDATED = under_topic(Topic.ROUTE_UPDATED)


def _require_nothing(_before: Route, _after: AssignedRoute) -> None:
    """Let any crew do."""


def _check_nothing(_tx: Transaction) -> None:
    """Find nothing wrong."""


def _show_route(route: AssignedRoute) -> AssignedRoute:
    return route


def change_route[Shown: AssignedRoute](  # noqa: PLR0913 -- the keywords say how a change ends
    tools: Tools,
    request: Request,
    route_id: str,
    change: Callable[[Route], Route],
    *,
    show: Callable[[AssignedRoute], Shown] = _show_route,  # type: ignore[assignment]  # the default of Shown
    happened: HappeningsOf = _UPDATED,
    always_recorded: bool = False,
    requiring: Requirement = _require_nothing,
    check: Callable[[Transaction], None] = _check_nothing,
) -> Shown:
    """Apply a change; one that changes nothing is not saved, nor recorded unless `always_recorded`.

    `requiring` is asked in the transaction that saves, where the crew cannot change any more, and
    `check` for what else it reads.
    `show` returns the answer to the caller.
    """

    def attempt() -> Shown:
        stored, changed = _work_out(tools, request, route_id, change)
        with begin_work(tools, request) as work:
            check(work.tx)
            work.is_freeing = len(changed.stops) < len(stored.route.stops)
            if changed == stored.route and not always_recorded:
                return work.done(show(assign_stored(work.tx, work.organization_id, stored)))
            return_corrections(work, [stored.route], [changed])
            return work.done(show(save_changed(work, stored, changed, happened, requiring)))

    return until_current(tools, [route_id], attempt)


def imagine_change(
    tools: Tools, request: Request, route_id: str, change: Callable[[Route], Route]
) -> AssignedRoute:
    """Return what a change would make of a route; refuse what it would be refused for."""
    stored, changed = _work_out(tools, request, route_id, change)
    imagined = load_crew(tools, request, changed)
    return replace(imagined, version=stored.version, live_revision=stored.live_revision)


def change_routes(  # noqa: PLR0913 -- the keywords say when it may not be made
    tools: Tools,
    request: Request,
    find_ids: Callable[[], Sequence[str]],
    change: Callable[[Sequence[Route]], Sequence[Route]],
    *,
    happened: HappeningsOf = _UPDATED,
    versions: Mapping[str, int] | None = None,
    check: Callable[[Transaction], None] = _check_nothing,
) -> list[AssignedRoute]:
    """Apply one change to several routes, to all of them or to none.

    `versions` are those that the change was shown for, of every route concerned: another one ends
    in FailedPrecondition. `check` refuses for what else the transaction reads that saves.

    `change` is given the routes in the order of `find_ids`, each once, and returns them changed in
    the same order; a stop may be on another of them then. Both are asked again when one of the
    routes has changed meanwhile. A route that stays as it is is neither saved nor recorded.
    """

    def attempt() -> list[AssignedRoute]:
        route_ids = find_ids()
        if len(set(route_ids)) < len(route_ids):
            raise ValueError("a route is named twice")
        stored = [load_route(tools, request.organization_id, route_id) for route_id in route_ids]
        if versions is not None:
            require_versions(stored, versions)
        changed = change([one.route for one in stored])
        for one, route in zip(stored, changed, strict=True):
            one.route.require_may_become(route)
            require_route_fits(one.route, route)
        with begin_work(tools, request) as work:
            check(work.tx)
            work.is_freeing = _count_stops(changed) < _count_stops([one.route for one in stored])
            return_corrections(work, [one.route for one in stored], changed)
            release_stops(work.tx, work.organization_id, _find_changing_route(stored, changed))
            return work.done(
                [
                    assign_stored(work.tx, work.organization_id, one)
                    if route == one.route
                    else save_changed(work, one, route, happened)
                    for one, route in zip(stored, changed, strict=True)
                ]
            )

    return until_current(tools, find_ids(), attempt)


def require_versions(routes: Sequence[StoredRoute], versions: Mapping[str, int]) -> None:
    """Refuse to change routes of other versions than these."""
    changed = [
        PreconditionViolation(
            type="STALE_ROUTE",
            subject=one.route.id,
            description=f"{one.route.name} has changed since the change was shown",
        )
        for one in routes
        if versions.get(one.route.id) != one.version
    ]
    if changed:
        raise FailedPrecondition(f"{changed[0].description}; look again", changed)


def _count_stops(routes: Sequence[Route]) -> int:
    return sum(len(route.stops) for route in routes)


def _find_changing_route(stored: Sequence[StoredRoute], changed: Sequence[Route]) -> list[str]:
    """Return the ids of stops that are on another of the routes than before."""
    were = {stop.id: one.route.id for one in stored for stop in one.route.stops}
    are = {stop.id: route.id for route in changed for stop in route.stops}
    return [id_ for id_, route_id in are.items() if were.get(id_, route_id) != route_id]


def change_stop(
    tools: Tools, request: Request, route_id: str, stop_id: str, change: Callable[[Route], Route]
) -> RoutePart[RouteStop]:
    """Apply a change to a route for the sake of one stop; answer that stop."""

    def attempt() -> RoutePart[RouteStop]:
        stored, changed = _work_out(tools, request, route_id, change)
        with begin_work(tools, request) as work:
            if changed == stored.route:
                saved = assign_stored(work.tx, work.organization_id, stored)
            else:
                saved = save_changed(work, stored, changed)
            return work.done(show_stop(saved.route, stop_id, tag_of(saved)))

    return until_current(tools, [route_id], attempt)


def _work_out(
    tools: Tools, request: Request, route_id: str, change: Callable[[Route], Route]
) -> tuple[StoredRoute, Route]:
    """Return the route as it is and as it is to be."""
    stored = load_route(tools, request.organization_id, route_id)
    require_expected(tools, request, route_id, stored.version)
    changed = change(stored.route)
    stored.route.require_may_become(changed)
    require_route_fits(stored.route, changed)
    return stored, changed


def save_created(work: UnitOfWork, created: AssignedRoute) -> AssignedRoute:
    """Store a new route with its event; whoever calls has seen to it that it may have its crew."""
    add_route(work.tx, work.organization_id, created.route)
    work.record(route_happened(Topic.ROUTE_CREATED, created), version=FIRST_VERSION)
    return replace(created, version=FIRST_VERSION)


def save_changed(
    work: UnitOfWork,
    stored: StoredRoute,
    changed: Route,
    happened: HappeningsOf = _UPDATED,
    requiring: Requirement = _require_nothing,
) -> AssignedRoute:
    """Store a changed route with its events; raise VersionConflict when others were faster."""
    route = replace(changed, updated_at=work.now)
    assigned = assign(work.tx, work.organization_id, route)
    requiring(stored.route, assigned)
    version = save_route(work.tx, work.organization_id, route, read=stored)
    work.prove(stored.route, route)
    work.notify_drivers(stored.route, route)
    work.record(happened(stored.route, assigned), version=version)
    work.note(ObjectKind.ROUTE, route.id, version=version)
    return replace(assigned, version=version, live_revision=stored.live_revision)
