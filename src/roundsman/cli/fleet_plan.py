"""`roundsman plan --vehicles`: the stops of one sheet on the vehicles of another."""

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property

from roundsman.cli.plan_ends import Located, locate_route_end
from roundsman.cli.plan_input import PlanInput
from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import (
    DayToPlan,
    StopToPlan,
    VehicleLocation,
    VehicleToPlan,
)
from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.loads import KILOGRAMS, loads_of_items
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import PlanRoute, PlanStep, PlanStepType
from roundsman.domain.plan_draft import UNASSIGNED_COST, PlanBalance, PlanBreak, PlanShift
from roundsman.domain.route import RouteOptions
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.unassigned_stop import UnassignedStop
from roundsman.domain.vehicle import USUAL_COSTS, DailyShift
from roundsman.geocoding.geocoder import Geocoder
from roundsman.kit.durations import whole_seconds
from roundsman.kit.time_zones import zone_at
from roundsman.planning.fleet import FleetBudget, FleetPlan, plan_fleet
from roundsman.roads.network import Path, RoadNetwork
from roundsman.routing.fleet_estimates import find_estimated_legs
from roundsman.routing.fleet_lines import draw_fleet_paths
from roundsman.routing.fleet_problem import FleetDay, pose_fleet_problem
from roundsman.routing.fleet_unassigned import list_unassigned
from roundsman.routing.local_day import USUAL_SHIFT, LocalDay
from roundsman.routing.wording import describe_window
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.numbers import parse_amount
from roundsman.spreadsheets.stop_sheet import StopSheet
from roundsman.spreadsheets.vehicle_sheet import BACK_TO_START, SheetVehicle, split_list

SHIFT = timedelta(hours=8)
"""Of alike vans that are asked for by their number."""

_LEAST_USUAL_SHIFT = timedelta(hours=2)
"""What must be left of today where the vehicles name no shift."""

_MOST_SECONDS = 600
_INVERSION_COST = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class BreaksOfStop:
    """The breaks around a stop; those behind the last one are after it."""

    breaks_before: tuple[PlanStep, ...] = ()
    breaks_after: tuple[PlanStep, ...] = ()
    is_last: bool = False


@dataclass(frozen=True, kw_only=True)
class FleetReport:
    """A plan of many vehicles, and the rows that its stops came from."""

    given: PlanInput
    day: FleetDay
    plan: FleetPlan
    unassigned: tuple[UnassignedStop, ...]
    attribution: str
    """Who made the addresses and roads that were used; empty where none were."""

    paths: Mapping[str, tuple[Path, ...]]
    """Lines to draw by vehicle, where the plan is for a map."""

    @cached_property
    def routes(self) -> list[PlanRoute]:
        """Return the routes in the order of the vehicles."""
        return [self.day.show_route(route) for route in self.plan.routes]

    @cached_property
    def estimated_legs(self) -> list[bool]:
        """Return for each leg that is driven whether its time and distance are no road's."""
        return find_estimated_legs(self.day, self.plan)

    @cached_property
    def stops(self) -> Mapping[str, RouteStop]:
        """Return the stops by id."""
        return {stop.id: stop for stop in self.given.stops}

    @cached_property
    def wishes_cost(self) -> float:
        """Return what even and compact routes are worth, which is paid to nobody."""
        return self.plan.balance_cost + sum(route.cost.compactness for route in self.plan.routes)

    @cached_property
    def spent(self) -> float:
        """Return what the vehicles cost."""
        return self.plan.cost - self.plan.unassigned_cost - self.wishes_cost

    def row(self, stop_id: str) -> int:
        """Return on which row of the sheet a stop stands."""
        return self.given.rows[stop_id]

    def end_of(self, route: PlanRoute) -> RouteEnd | UnsetType:
        """Return where and when a vehicle ends, and the way there from its last step."""
        vehicle = next(one for one in self.day.given.vehicles if one.id == route.vehicle)
        if isinstance(vehicle.end, UnsetType):
            return UNSET
        before = sum(step.distance_meters for step in route.steps)
        return RouteEnd(
            address=vehicle.end.address,
            coordinates=vehicle.end.coordinates,
            planned_arrival=route.end,
            distance_meters=route.total_distance_meters - before,
        )

    def breaks_by_stop(self, route: PlanRoute) -> Mapping[str, BreaksOfStop]:
        """Return what a route does before and after each of its stops, by the stop's id."""
        found: dict[str, BreaksOfStop] = {}
        breaks: list[PlanStep] = []
        last = ""
        for step in route.steps:
            if step.type is PlanStepType.BREAK:
                breaks.append(step)
            elif step.type is PlanStepType.STOP:
                last = step.imported_stop_id
                found[last] = BreaksOfStop(breaks_before=tuple(breaks))
                breaks = []
        if last:
            found[last] = dataclasses.replace(found[last], breaks_after=tuple(breaks), is_last=True)
        return found


def break_begin(step: PlanStep) -> datetime:
    """Return when a break begins: whoever is there before its window waits first."""
    waiting = whole_seconds(step.waiting) if step.waiting else 0
    return step.planned_arrival + timedelta(seconds=waiting)


def describe_reasons(out: UnassignedStop) -> str:
    """Return in one line why a stop stays out."""
    return "; ".join(f"{one.vehicle}: {one.description}" for one in out.reasons)


def alike_vans(
    count: int, start: Located, end: Located | None, departure: datetime, options: RouteOptions
) -> list[VehicleToPlan]:
    """Return so many vans that are on the road for eight hours from a departure."""
    return [
        VehicleToPlan(
            id=f"van-{number}",
            start=_at(start),
            end=UNSET if end is None else _at(end),
            shift=PlanShift(start=departure, end=departure + SHIFT),
            capacities={KILOGRAMS: options.max_kilograms} if options.max_kilograms else {},
            max_duration=options.max_duration,
            costs=USUAL_COSTS,
            avoid_tolls=options.avoid_tolls,
            speed_factor=options.speed_factor,
        )
        for number in range(1, count + 1)
    ]


def _at(located: Located) -> VehicleLocation:
    return VehicleLocation(address=located.address, coordinates=located.coordinates)


@dataclass(frozen=True, kw_only=True, slots=True)
class UsualVehicle:
    """What holds for vehicles of a sheet that do not say it themselves."""

    start: Located | None = None
    end: Located | None = None
    is_round_trip: bool = False
    leaves: Callable[[Coordinates], datetime] | None = None
    """When those without a shift leave, by the clocks of a place."""

    options: RouteOptions = field(default_factory=RouteOptions)


def locate_vehicles(
    rows: Sequence[SheetVehicle],
    geocoder: Geocoder,
    first_stop: Coordinates,
    now: datetime,
    on: date | None,
    usual: UsualVehicle = UsualVehicle(),
) -> list[VehicleToPlan]:
    """Return the vehicles of a sheet on a day; raise InvalidArgument naming row and column.

    Without a day it is today, or tomorrow where every shift of today has begun; in the last two
    hours of a day that begins for vehicles without a shift as well.
    """
    ends = [_locate_ends(row, geocoder, usual) for row in rows]
    at = next((start.coordinates for start, _ in ends if start), first_stop)
    zone = zone_at(latitude=at.latitude, longitude=at.longitude)
    leaves = None if usual.leaves is None else usual.leaves(at)
    if leaves is not None:
        on = leaves.astimezone(zone).date()
    today = LocalDay(zone, on or now.astimezone(zone).date())
    shifts = [_shift(row, today, now, leaves) for row in rows]
    is_over = (
        shift.start < now or (not names_shift(row) and shift.end - shift.start < _LEAST_USUAL_SHIFT)
        for row, shift in zip(rows, shifts, strict=True)
    )
    if on is None and all(is_over):
        today = LocalDay(zone, today.day + timedelta(days=1))
        shifts = [_shift(row, today, now, leaves) for row in rows]
    options = usual.options
    kilograms = {KILOGRAMS: options.max_kilograms} if options.max_kilograms else {}
    return [
        VehicleToPlan(
            id=row.name if row.count == 1 else f"{row.name}-{number}",
            driver_id=row.driver,
            start=start or UNSET,
            end=end or UNSET,
            shift=shift,
            capacities={**kilograms, **row.capacities},
            skills=row.skills,
            breaks=_breaks(row, today, shift),
            max_stops=row.max_stops,
            max_duration=row.max_duration or options.max_duration,
            max_distance_meters=row.max_distance_meters,
            costs=row.costs,
            avoid_tolls=options.avoid_tolls,
            speed_factor=row.speed_factor or options.speed_factor,
        )
        for row, (start, end), shift in zip(rows, ends, shifts, strict=True)
        for number in range(1, row.count + 1)
    ]


def _locate(row: SheetVehicle, side: str, geocoder: Geocoder) -> VehicleLocation | None:
    text = getattr(row, side)
    if not text or text == BACK_TO_START:
        return None
    try:
        return _at(locate_route_end(text, geocoder))
    except InvalidArgument as error:
        raise InvalidArgument(f"row {row.row}: {side}: {error.message}") from error


def _locate_ends(
    row: SheetVehicle, geocoder: Geocoder, usual: UsualVehicle
) -> tuple[VehicleLocation | None, VehicleLocation | None]:
    start, end = _locate(row, "start", geocoder), _locate(row, "end", geocoder)
    if start is None and usual.start is not None:
        start = _at(usual.start)
    if row.end == BACK_TO_START or (not row.end and usual.is_round_trip):
        return start, start
    if end is None and usual.end is not None:
        end = _at(usual.end)
    return start, end


def names_shift(row: SheetVehicle) -> bool:
    """Say whether a row says when its vehicle is on the road."""
    return row.shift_start is not None and row.shift_end is not None


def _shift(row: SheetVehicle, day: LocalDay, now: datetime, leaves: datetime | None) -> PlanShift:
    if row.shift_start is None or row.shift_end is None:
        usual = day.shift_from_now(USUAL_SHIFT, now)
        if leaves is None:
            return usual
        return PlanShift(start=leaves, end=max(usual.end, leaves + SHIFT))
    return day.shift(DailyShift(start=row.shift_start, end=row.shift_end))


def _breaks(row: SheetVehicle, day: LocalDay, shift: PlanShift) -> tuple[PlanBreak, ...]:
    """Return the breaks in a shift; one that is outside of a shift that the row names is refused.

    What is left of today may be over before a break, which the vehicle has had by then.
    """
    breaks = tuple(day.break_on(rest, shift) for rest in row.breaks)
    if not names_shift(row):
        return breaks
    for written, rest in zip(row.breaks, breaks, strict=True):
        window = rest.time_window
        if window.start < shift.start or window.end > shift.end:
            said = describe_window(written.time_window)
            raise InvalidArgument(f"row {row.row}: breaks: {said} must lie within the shift")
    return breaks


def stops_to_plan(
    given: PlanInput,
    sheet: StopSheet,
    vehicles: Sequence[VehicleToPlan],
    rows: Sequence[SheetVehicle],
    now: datetime,
) -> tuple[StopToPlan, ...]:
    """Return the stops of a sheet with what its rows say of vehicles.

    Raise InvalidArgument naming row and column of what cannot be read.
    """
    loads = {fold_header(name): name for one in vehicles for name in one.capacities}
    names: dict[str, tuple[int, ...]] = {one.id: (number,) for number, one in enumerate(vehicles)}
    first = 0
    for row in rows:
        names[row.name] = tuple(range(first, first + row.count))
        first += row.count
    drafts = dict(sheet.stops)
    return tuple(
        _StopRow(row, drafts[row], sheet.others.get(row, {}), names).plan(stop, loads, now)
        for stop in given.stops
        for row in (given.rows[stop.id],)
    )


@dataclass(frozen=True, slots=True)
class _StopRow:
    """The cells of one row that concern vehicles."""

    row: int
    draft: StopDraft
    cells: Mapping[str, str]
    names: Mapping[str, tuple[int, ...]]
    """Vehicles by their names; several alike also by the name they share."""

    def plan(self, stop: RouteStop, loads: Mapping[str, str], now: datetime) -> StopToPlan:
        """Return the stop with what the row says."""
        listed = self.draft.loads or {}
        own = {loads.get(fold_header(name), name): amount for name, amount in listed.items()}
        own |= {
            name: round(self._number(column), 3)
            for column, name in loads.items()
            if column in self.cells
        }
        cost = UNASSIGNED_COST * (1 + stop.priority)
        fixed = self._find("fixedVehicle", self.cells.get("fixedvehicle", ""))
        if len(fixed) > 1:
            raise self._wrong("fixedVehicle", "stands for several vehicles; name one")
        allowed = {
            index
            for name in split_list(self.cells.get("vehicles", ""))
            for index in self._find("vehicles", name)
        }
        return StopToPlan(
            imported_stop_id=stop.id,
            client_stop_id=stop.client_stop_id,
            updated_at=now,
            coordinates=stop.planned_coordinates,
            duration=stop.duration,
            time_windows=stop.time_windows,
            delivery_date=stop.delivery_date,
            priority=stop.priority,
            loads={**loads_of_items(stop.items), **own},
            required_skills=self.draft.required_skills,
            vehicles=tuple(sorted(allowed)) if allowed else UNSET,
            pinned_vehicle=fixed[0] if fixed else UNSET,
            unassigned_cost=(
                self._number("unassignedcost") if "unassignedcost" in self.cells else cost
            ),
        )

    def _number(self, column: str) -> float:
        try:
            return parse_amount(self.cells[column])[0]
        except ValueError as error:
            raise self._wrong(column, str(error)) from error

    def _find(self, column: str, name: str) -> tuple[int, ...]:
        found = self.names.get(name, ())
        if name and not found:
            raise self._wrong(column, f'"{name}" is no vehicle')
        return found

    def _wrong(self, column: str, problem: str) -> InvalidArgument:
        return InvalidArgument(f"row {self.row}: {column}: {problem}")


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetSearch:
    """How long to search: by moves, so that equal input gives equal output, or by a clock."""

    moves: int | None
    seconds: float
    seed: int
    compactness: float = 0.0
    balance: PlanBalance | UnsetType = UNSET
    wants_paths: bool = False
    """The plan is to be drawn on a map."""


def plan_fleet_sheet(
    given: PlanInput,
    stops: tuple[StopToPlan, ...],
    vehicles: Sequence[VehicleToPlan],
    search: FleetSearch,
    roads: RoadNetwork,
    cancelled: Callable[[], bool],
) -> FleetReport:
    """Return the best plan that the search finds, and why stops stay out of it."""
    day = pose_fleet_problem(
        DayToPlan(
            stops=stops,
            vehicles=tuple(vehicles),
            moves=search.moves or 0,
            max_seconds=_MOST_SECONDS,
            seed=search.seed,
            priority_inversion_cost=_INVERSION_COST,
            compactness=search.compactness,
            balance=search.balance,
        ),
        roads,
    )
    budget = FleetBudget(seconds=search.seconds, moves=search.moves, cancelled=cancelled)
    began = time.monotonic()
    found = plan_fleet(day.problem, budget, seed=search.seed)
    spent = time.monotonic() - began
    out = list_unassigned(day, found, spent=spent, cancelled=cancelled)
    used = [*(match.attribution for match in given.matches.values()), roads.attribution()]
    return FleetReport(
        given=given,
        day=day,
        plan=found,
        unassigned=out,
        attribution=" · ".join(dict.fromkeys(line for line in used if line)),
        paths=draw_fleet_paths(day, found, roads) if search.wants_paths else {},
    )
