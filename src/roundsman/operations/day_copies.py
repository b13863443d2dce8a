"""Copying the routes of a day to another one: all of them, or those that are named, or none.

Routes are drawn up and timed outside any transaction, as for every change of a route. The
transaction that stores them sees to it that the routes are still as they were read, and that nobody
is being erased: an erasure looks at one table after the other, and would miss new stops that were
made of a route which it has not come to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from roundsman.domain.arrival_window import ArrivalSpreads
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.day_copy import (
    MOST_COPIED_ROUTES,
    MOST_COPIED_STOPS,
    USUAL_DEPARTURE,
    CopiedRoute,
    CopyWarning,
    CopyWarningType,
    DayCopy,
    departure_of_copy,
    is_importable,
    is_named_by_number,
    is_of_shop,
    pool_stop_of,
    shift_date,
)
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.event import imported
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.quota import require_route_fits, require_stops_fit
from roundsman.domain.route import Route, RouteOptions
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import Task, issue_tasks
from roundsman.kit.ids import new_id
from roundsman.operations.arrival_learning import load_spreads
from roundsman.operations.days import DayState, find_day
from roundsman.operations.erasures import require_nobody_erased
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign, save_created, until_current
from roundsman.operations.route_stops import copy_imported_stop
from roundsman.operations.route_tags import tag_of
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.routing.route_problem import zone_of
from roundsman.routing.timing import time_route
from roundsman.storage.days import list_routes_of_day
from roundsman.storage.imported_stops import find_imported_stops, save_imported_stops
from roundsman.storage.organizations import count_route
from roundsman.storage.routes import VersionConflict, find_route


@dataclass(frozen=True, kw_only=True, slots=True)
class _Copy:
    """A route that is drawn up, not stored yet, and what it is a copy of."""

    source: AssignedRoute
    route: Route
    pool_stops: Sequence[ImportedStop]
    """What its stops are made of."""

    def orders_left_out(self) -> int:
        return sum(map(is_of_shop, self.source.route.stops))


def copy_day(
    tools: Tools, request: Request, to_date: str, from_date: str, route_ids: Sequence[str]
) -> DayCopy:
    """Make routes of one day once more on another; without `route_ids`, all of them.

    Every call makes a further set.
    """
    target = find_day(tools, request.organization_id, to_date)
    if from_date == to_date:
        raise _refused("from", f"must be another day than {to_date}")
    source = find_day(tools, request.organization_id, from_date)

    def attempt() -> DayCopy:
        found = _choose(tools, request.organization_id, source, route_ids)
        copies = _CopiedDay(tools, request.organization_id, source, target).draw_up_all(found)
        with begin_work(tools, request) as work:
            require_nobody_erased(work)
            _require_unchanged(work, found)
            _save_pool_stops(work, copies)
            routes, warnings = [], []
            for copy in copies:
                saved = _save(work, copy)
                routes.append(_show(saved, copy))
                warnings += _list_warnings(saved, copy)
            answer = DayCopy(date=to_date, routes=tuple(routes), warnings=tuple(warnings))
            return work.done(answer)

    return until_current(tools, [f"{request.organization_id}/{to_date}"], attempt)


def _choose(
    tools: Tools, organization_id: str, source: DayState, route_ids: Sequence[str]
) -> list[AssignedRoute]:
    """Return the routes to copy, in the order of their day; raise for what cannot be copied."""
    day = source.span.date
    with tools.database.reading() as tx:
        found = list_routes_of_day(tx, organization_id, source.span)
    known = {one.route.id for one in found}
    unknown = [
        FieldViolation(field=f"routeIds[{number}]", description=f"is no route of {day}")
        for number, id_ in enumerate(route_ids)
        if id_ not in known
    ]
    if unknown:
        raise InvalidArgument(f"{unknown[0].field} {unknown[0].description}", unknown)
    if not found:
        raise _precluded("from", day, f"there are no routes on {day}")
    chosen = [one for one in found if not route_ids or one.route.id in route_ids]
    stops = sum(len(one.route.stops) for one in chosen)
    if len(chosen) > MOST_COPIED_ROUTES or stops > MOST_COPIED_STOPS:
        allowed = f"at most {MOST_COPIED_ROUTES} routes with {MOST_COPIED_STOPS:,} stops together"
        raise _precluded(
            "routeIds", day, f"name {allowed}; these are {len(chosen):,} with {stops:,}"
        )
    return chosen


def _refused(field: str, description: str) -> InvalidArgument:
    violation = FieldViolation(field=field, description=description)
    return InvalidArgument(f"{field} {description}", [violation])


def _precluded(field: str, day: str, description: str) -> FailedPrecondition:
    violation = PreconditionViolation(type=field, subject=day, description=description)
    return FailedPrecondition(f"{field}: {description}", [violation])


@dataclass(frozen=True, slots=True)
class _CopiedDay:
    """Makes routes of those of another day, not stored yet."""

    tools: Tools
    organization_id: str
    source: DayState
    target: DayState

    def draw_up_all(self, found: Sequence[AssignedRoute]) -> list[_Copy]:
        origins = self._find_origins(found)
        spreads = load_spreads(self.tools, self.organization_id)
        return [self._draw_up(one, origins, spreads) for one in found]

    def _find_origins(self, found: Sequence[AssignedRoute]) -> dict[str, ImportedStop]:
        ids = {stop.imported_stop_id for one in found for stop in one.route.stops}
        with self.tools.database.reading() as tx:
            stops = find_imported_stops(tx, self.organization_id, ids=ids - {""})
        return {stop.id: stop for stop in stops}

    def _draw_up(
        self,
        found: AssignedRoute,
        origins: dict[str, ImportedStop],
        spreads: ArrivalSpreads | UnsetType,
    ) -> _Copy:
        source = found.route
        empty = self._draw_up_empty(source, spreads)
        stops: list[RouteStop] = []
        pool_stops: list[ImportedStop] = []
        for stop in source.stops:
            if is_of_shop(stop):
                continue
            if not is_importable(stop):
                stops.append(self._repeat(stop))
                continue
            made_of = pool_stop_of(
                stop,
                new_id(self.tools.ids, "ist"),
                source,
                self._days(),
                self.tools.clock.now(),
                origins.get(stop.imported_stop_id),
            )
            pool_stops.append(made_of)
            stops.append(self._put_on_route(made_of, stop, empty))
        whole = empty.with_stops_appended(stops)
        require_route_fits(empty, whole)
        timed = time_route(whole, self.tools.roads).route
        return _Copy(source=found, route=timed, pool_stops=pool_stops)

    def _draw_up_empty(self, source: Route, spreads: ArrivalSpreads | UnsetType) -> Route:
        now = self.tools.clock.now()
        options = {name: getattr(source, name) for name in RouteOptions.__struct_fields__}
        return Route(
            **{**options, "scheduled_for": self._departure_of(source)},
            id=new_id(self.tools.ids, "rte"),
            number=0,
            name="" if is_named_by_number(source) else source.name,
            start=RouteStart(
                address=source.start.address,
                coordinates=source.start.coordinates,
                geocoding=source.start.geocoding,
                tasks=self._issue(source.start.tasks),
            ),
            end=self._end_of(source),
            created_at=now,
            updated_at=now,
            vehicle_id=source.vehicle_id,
            driver_id=source.driver_id,
            arrival_spreads=spreads,
        )

    def _end_of(self, source: Route) -> RouteEnd | UnsetType:
        if not isinstance(source.end, RouteEnd):
            return UNSET
        return RouteEnd(
            address=source.end.address,
            coordinates=source.end.coordinates,
            geocoding=source.end.geocoding,
            tasks=self._issue(source.end.tasks),
        )

    def _departure_of(self, source: Route) -> datetime:
        """Return when the copy leaves: by the clocks at its start, unless those have another day.

        Which day a route is of, the organization's own clocks say.
        """
        span = self.target.span
        there = self._departure_by(source, zone_of(source.start.coordinates))
        if span.starting <= there < span.ending:
            return there
        return self._departure_by(source, ZoneInfo(self.target.timezone))

    def _departure_by(self, source: Route, zone: tzinfo) -> datetime:
        day = date.fromisoformat(self.target.span.date)
        return departure_of_copy(source, self._days(), day, zone)

    def _days(self) -> int:
        """Return how many days later the copies are; fewer than none for an earlier day."""
        to, from_ = (date.fromisoformat(one.span.date) for one in (self.target, self.source))
        return (to - from_).days

    def _put_on_route(self, made_of: ImportedStop, source: RouteStop, route: Route) -> RouteStop:
        """Return a stop with the very tasks of its source, though its route may give others now."""
        copied = copy_imported_stop(made_of, route, self.tools)
        return replace(copied, tasks=self._issue(source.tasks), locked=source.locked)

    def _repeat(self, stop: RouteStop) -> RouteStop:
        """Return a break or a reload, which is made of nothing."""
        return RouteStop(
            id=new_id(self.tools.ids, "rst"),
            type=stop.type,
            updated_at=self.tools.clock.now(),
            duration=stop.duration,
            note=stop.note,
            address=stop.address,
            planned_coordinates=stop.planned_coordinates,
            source=stop.source,
            tasks=self._issue(stop.tasks),
            locked=stop.locked,
            order_name=stop.order_name,
            time_windows=stop.time_windows,
            delivery_date=shift_date(stop.delivery_date, self._days()),
        )

    def _issue(self, tasks: Sequence[Task]) -> tuple[Task, ...]:
        templates = [task.as_template() for task in tasks]
        return issue_tasks(templates, lambda: new_id(self.tools.ids, "tsk"))


def _require_unchanged(work: UnitOfWork, found: Sequence[AssignedRoute]) -> None:
    for one in found:
        stored = find_route(work.tx, work.organization_id, one.route.id)
        if stored is None or stored.version != one.version:
            raise VersionConflict("a route changed at the same time; send the request again")


def _save_pool_stops(work: UnitOfWork, copies: Sequence[_Copy]) -> None:
    stops = [replace(stop, imported_at=work.now) for one in copies for stop in one.pool_stops]
    require_stops_fit(stops)
    if stops:
        work.added_bytes += save_imported_stops(work.tx, work.organization_id, stops, work.now)
    work.record([imported(stop, is_new=True) for stop in stops])


def _save(work: UnitOfWork, copy: _Copy) -> AssignedRoute:
    """Store a route, with the vehicle and driver that it can still have."""
    number = count_route(work.tx, work.organization_id)
    route = replace(
        copy.route,
        number=number,
        name=copy.route.name or f"#{number}",
        created_at=work.now,
        updated_at=work.now,
    )
    drawn_up = assign(work.tx, work.organization_id, route)
    return save_created(work, drawn_up.with_crew_it_may_have())


def _show(saved: AssignedRoute, copy: _Copy) -> CopiedRoute:
    return CopiedRoute(
        id=saved.route.id,
        name=saved.route.name,
        copied_from=copy.source.route.id,
        stop_count=len(saved.route.stops),
        etag=f'"{tag_of(saved)}"',
    )


def _list_warnings(saved: AssignedRoute, copy: _Copy) -> list[CopyWarning]:
    """Return what of a route is not on its copy as it was."""
    source, route = copy.source.route, saved.route

    def warn(type_: CopyWarningType, message: str, subject: str = "", count: int = 0) -> None:
        words = f"{route.name}: {message}"
        warnings.append(
            CopyWarning(type=type_, route_id=route.id, subject=subject, count=count, message=words)
        )

    warnings: list[CopyWarning] = []
    if source.vehicle_id != route.vehicle_id:
        warn(
            CopyWarningType.VEHICLE_LEFT_OUT,
            f"vehicle {source.vehicle_id} is archived or gone",
            source.vehicle_id,
        )
    if source.driver_id != route.driver_id:
        warn(
            CopyWarningType.DRIVER_LEFT_OUT,
            f"driver {source.driver_id} is archived or gone",
            source.driver_id,
        )
    if left_out := copy.orders_left_out():
        are = "stop of a shop's order is" if left_out == 1 else "stops of shop orders are"
        warn(
            CopyWarningType.ORDERS_LEFT_OUT,
            f"{left_out} {are} left out; an order is delivered once",
            count=left_out,
        )
    if isinstance(source.scheduled_for, UnsetType):
        warn(
            CopyWarningType.DEPARTURE_ASSUMED,
            f"had no schedule and leaves at {USUAL_DEPARTURE:%H:%M} now",
        )
    return warnings
