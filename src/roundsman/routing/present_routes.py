"""Routes that exist as parts of a plan: what is left of each, its vehicle, and where that is.

What a driver has done is done. What is ahead takes part with the stops that it has, the breaks that
are left, and the limits of the route; `planning.fleet` widens those that it breaks already.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from roundsman.domain.day_to_plan import (
    PresentRoute,
    RouteUnderWay,
    StopToPlan,
    VehicleLocation,
    VehicleToPlan,
)
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.loads import ITEMS, KILOGRAMS, LoadTotals, Skills, loads_of_items
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import (
    BreakSpan,
    PlanBreak,
    PlanRouteChoice,
    PlanShift,
    RouteLock,
)
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_progress import locate_driver
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.time_window import Date
from roundsman.domain.vehicle import DailyShift, VehicleDetails, first_named
from roundsman.kit.durations import from_seconds
from roundsman.routing.local_day import USUAL_SHIFT, LocalDay, rest_of
from roundsman.routing.route_problem import windows_of_day, zone_of

MOST_BREAKS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundRoute:
    """A route that is to take part in a plan, and what it depends on."""

    choice: PlanRouteChoice
    route: Route
    vehicle: VehicleDetails
    imported: Mapping[str, ImportedStop]
    """What its stops were made from, as far as that is still there."""
    orders: Mapping[str, StoreOrder]
    """The same of those that were made from orders."""

    def skills_of(self, stop: RouteStop) -> Skills:
        """Return what a vehicle must have to serve a stop."""
        if stop.store_order_id:
            origin: ImportedStop | StoreOrder | None = self.orders.get(stop.store_order_id)
        else:
            origin = self.imported.get(stop.imported_stop_id)
        return origin.required_skills if origin else ()

    def keep_first(self) -> int:
        """Return how many of the next stops stay in front: of a route that has begun, usually one.

        The driver is on the way there.
        """
        if not self.route.is_started():
            return 0
        said = self.choice.keep_first
        return 1 if isinstance(said, UnsetType) else said

    def daily_shift(self) -> DailyShift:
        """Return when its vehicle may be on the road on any day."""
        return self.vehicle.shift or USUAL_SHIFT

    def stops_ahead(self) -> tuple[RouteStop, ...]:
        """Return the stops that take part."""
        return tuple(stop for stop in self.route.open_stops() if stop.type is not StopType.BREAK)

    def breaks_ahead(self) -> tuple[RouteStop, ...]:
        """Return the breaks that are still to be taken."""
        return tuple(stop for stop in self.route.open_stops() if stop.type is StopType.BREAK)


def require_plannable(found: FoundRoute) -> None:
    """Refuse a route that is archived or over, or has more breaks than a plan can have."""
    route = found.route
    route.require_not_archived()
    if isinstance(route.completed_at, datetime):
        violation = PreconditionViolation(
            type="routeCompleted", subject=route.id, description="the route is over"
        )
        raise FailedPrecondition("a route is completed", [violation])
    if len(found.breaks_ahead()) > MOST_BREAKS:
        violation = PreconditionViolation(
            type="breaks",
            subject=route.id,
            description=f"the route has more than {MOST_BREAKS} breaks ahead",
        )
        raise FailedPrecondition("a route has too many breaks", [violation])


def digest_route(route: Route) -> str:
    """Return a digest of what a plan depends on; it stays as it is when a driver does something."""
    basis = (
        route.start.coordinates,
        route.end.coordinates if isinstance(route.end, RouteEnd) else None,
        _encodable(route.order_basis()),
        route.vehicle_id,
        route.driver_id,
        isinstance(route.archived_at, datetime),
        [(stop.id, stop.locked, _encodable(stop.order_basis())) for stop in route.stops],
    )
    return hashlib.sha256(msgspec.json.encode(basis)).hexdigest()


def _encodable(values: Sequence[object]) -> list[object]:
    return [None if value is UNSET else value for value in values]


def bring_vehicle(found: FoundRoute, stops: Sequence[int], now: datetime) -> VehicleToPlan:
    """Return the vehicle of a route, with the numbers that its stops have in the plan."""
    route, inherits = found.route, found.vehicle
    day = _day_of(found, now)
    shift = _shift_of(found, day, now)
    breaks = len([stop for stop in route.stops if stop.type is StopType.BREAK])
    return VehicleToPlan(
        id=route.id,
        vehicle_id=route.vehicle_id,
        driver_id=route.driver_id,
        start=_start_of(route),
        end=(
            VehicleLocation(address=route.end.address, coordinates=route.end.coordinates)
            if isinstance(route.end, RouteEnd)
            else UNSET
        ),
        shift=shift,
        capacities=_capacities_of(found),
        skills=inherits.skills,
        breaks=tuple(_break_of(stop, day, shift) for stop in found.breaks_ahead()),
        max_stops=max(1, route.max_stops - breaks) if route.max_stops else inherits.max_stops,
        max_duration=route.max_duration or inherits.max_duration,
        max_distance_meters=inherits.max_distance_meters,
        costs=first_named(inherits.costs),
        avoid_tolls=route.avoid_tolls,
        avoid_u_turns=route.avoid_u_turns,
        speed_factor=route.speed_factor,
        present_route=PresentRoute(
            id=route.id,
            basis=digest_route(route),
            stops=tuple(stops),
            breaks=tuple(stop.id for stop in found.breaks_ahead()),
            lock=found.choice.lock,
            keep_first=found.keep_first(),
            under_way=_progress_of(found) if route.is_started() else UNSET,
        ),
    )


def bring_stop(
    found: FoundRoute, stop: RouteStop, vehicle: int, now: datetime, cost: float
) -> StopToPlan:
    """Return a stop of a route for its plan; it costs so much to leave it out."""
    imported = found.imported.get(stop.imported_stop_id)
    lock = found.choice.lock
    stays = lock is not RouteLock.NONE or stop.locked
    date = stop.delivery_date
    if isinstance(date, UnsetType) and stop.time_windows:
        day = _day_of(found, now).at_place(stop)
        date = Date(year=day.year, month=day.month, day=day.day)
    return StopToPlan(
        imported_stop_id=stop.imported_stop_id,
        client_stop_id=stop.client_stop_id,
        store_order_id=stop.store_order_id,
        route_stop_id=stop.id,
        updated_at=stop.updated_at,
        coordinates=stop.planned_coordinates,
        duration=stop.duration,
        time_windows=stop.time_windows,
        # A date without windows is no rule of a route that is driven.
        delivery_date=date if stop.time_windows else UNSET,
        priority=stop.priority,
        loads=_loads_of(stop, imported),
        required_skills=found.skills_of(stop),
        vehicles=(vehicle,) if stays else UNSET,
        present_vehicle=vehicle,
        is_held=stop.locked or lock in {RouteLock.ALL, RouteLock.SEQUENCE},
        unassigned_cost=cost,
        must_be_served=stays or not stop.imported_stop_id,
    )


@dataclass(frozen=True, slots=True)
class _RouteDay:
    """The day of a route: when it leaves or left, or else when it may from now on."""

    departs: datetime
    clock: LocalDay

    def at_place(self, stop: RouteStop) -> datetime:
        """Return the moment by the clocks of a stop."""
        return self.departs.astimezone(zone_of(stop.planned_coordinates))


def _day_of(found: FoundRoute, now: datetime) -> _RouteDay:
    route = found.route
    zone = zone_of(route.start.coordinates)
    departs = route.departure()
    if isinstance(departs, UnsetType):
        today = LocalDay(zone, now.astimezone(zone).date())
        clock = today.day_to_leave(found.daily_shift(), now)
        return _RouteDay(rest_of(clock.shift(found.daily_shift()), now).start, clock)
    return _RouteDay(departs, LocalDay(zone, departs.astimezone(zone).date()))


def _shift_of(found: FoundRoute, day: _RouteDay, now: datetime) -> PlanShift:
    """Return when a route may be driven; one that says when it leaves, leaves then."""
    route = found.route
    shift = day.clock.shift(found.daily_shift())
    departure = route.departure()
    if isinstance(departure, UnsetType):
        return rest_of(shift, now)
    if not route.is_started():
        departure = max(departure, _whole_second(now))
    return PlanShift(start=departure, end=max(departure, shift.end), latest_start=departure)


def _whole_second(now: datetime) -> datetime:
    return now.replace(microsecond=0) + timedelta(seconds=1)


def _start_of(route: Route) -> VehicleLocation:
    if not route.is_started():
        return VehicleLocation(address=route.start.address, coordinates=route.start.coordinates)
    return VehicleLocation(coordinates=locate_driver(route).coordinates)


def _progress_of(found: FoundRoute) -> RouteUnderWay:
    route = found.route
    driver = locate_driver(route)
    leaves_at = max(driver.at, route.replanned_at or driver.at)
    done = [stop for stop in route.done_stops() if stop.type is not StopType.BREAK]
    loads: dict[str, float] = {}
    for stop in done:
        for name, amount in _loads_of(stop, found.imported.get(stop.imported_stop_id)).items():
            loads[name] = loads.get(name, 0.0) + amount
    return RouteUnderWay(
        leaves_at=leaves_at,
        departed_at=route.start.updated_start or leaves_at,
        stops=len(done),
        metres=sum(stop.distance_meters for stop in done),
        loads=loads,
    )


def _loads_of(stop: RouteStop, imported: ImportedStop | None) -> LoadTotals:
    own = (imported.loads or {}) if imported else {}
    return {**loads_of_items(stop.items), **own}


def _capacities_of(found: FoundRoute) -> LoadTotals:
    """Return what the vehicle carries, and what the route lets it."""
    capacities = dict(found.vehicle.capacities or {})
    for name, most in ((ITEMS, found.route.max_item_count), (KILOGRAMS, found.route.max_kilograms)):
        if most:
            capacities[name] = min(capacities.get(name, most), most)
    return capacities


def _break_of(stop: RouteStop, day: _RouteDay, shift: PlanShift) -> PlanBreak:
    """Return a break of a route: in its window, or at any time of the shift."""
    duration = stop.duration or from_seconds(0)
    if not stop.time_windows:
        span = BreakSpan(start=shift.start, end=shift.end)
        return PlanBreak(time_window=span, duration=duration)
    at = stop.delivery_date
    on = at.as_planned() if isinstance(at, Date) else day.at_place(stop).date()
    zone = zone_of(stop.planned_coordinates)
    opens, closes = windows_of_day(stop.time_windows[:1], on, zone, shift.start)[0]
    latest = int((shift.end - shift.start).total_seconds())
    begin, end = sorted((min(max(0, opens), latest), min(max(0, closes), latest)))
    span = BreakSpan(
        start=shift.start + timedelta(seconds=begin), end=shift.start + timedelta(seconds=end)
    )
    return PlanBreak(time_window=span, duration=duration)
