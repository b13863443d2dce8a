"""From what is asked of a plan to all that it is computed from: inherited, located, checked."""

import difflib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from msgspec.structs import replace

from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, TerritoryToPlan, VehicleToPlan
from roundsman.domain.errors import (
    FieldViolation,
    InvalidArgument,
)
from roundsman.domain.loads import ITEMS, KILOGRAMS
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import (
    UNASSIGNED_COST,
    PlanDraft,
    PlanOptions,
    PlanStop,
    PlanTerritory,
    PlanVehicle,
)
from roundsman.domain.planned_days import is_planned
from roundsman.domain.time_window import Date
from roundsman.kit.durations import Duration, whole_seconds
from roundsman.operations.plan_exclusions import release_excluded_stops
from roundsman.operations.plan_pins import Pins, refuse_impossible_pins
from roundsman.operations.plan_vehicles import FoundVehicle, find_wrong_vehicles, resolve_vehicles
from roundsman.operations.stops_to_plan import FoundStop
from roundsman.routing.fleet_problem import moves_of
from roundsman.routing.preferences import encloses_an_area
from roundsman.routing.present_routes import FoundRoute, bring_stop, bring_vehicle


def resolve(
    request: PlanDraft,
    named: Sequence[FoundStop],
    vehicles: Sequence[FoundVehicle],
    routes: Sequence[FoundRoute],
    now: datetime,
) -> DayToPlan:
    """Return the whole day; raise InvalidArgument or FailedPrecondition for what cannot be."""
    stops = [found for found in named if not found.is_on_route]
    overrides = {found.stop.origin_id(): found for found in named if found.is_on_route}
    at = [found.stop.coordinates for found in stops]
    resolved = resolve_vehicles(vehicles, at, _day_of(stops), now)
    violations = find_wrong_vehicles(vehicles, resolved, have_stops=bool(stops or routes))
    present = _bring_routes(routes, len(stops), len(resolved), request.options, now)
    resolved += present.vehicles
    if not request.options.allow_unused_loads:
        violations += _find_unused_loads(stops, vehicles, present)
    names = _VehicleNames(request.vehicles, resolved)
    pins = Pins(request.pins, stops, present.stops, names.find)
    violations += pins.violations
    planned = []
    for found in stops:
        said = found.said or PlanStop(client_stop_id=found.stop.name())
        choice, unknown = names.choose(said, found.field)
        violations += unknown
        planned.append(_resolve_stop(found, said, choice, pins, request.options))
    for stop in present.stops:
        found_by_name = overrides.get(stop.origin_id())
        said = (found_by_name.said if found_by_name else UNSET) or PlanStop(
            client_stop_id=stop.route_stop_id
        )
        choice, unknown = names.choose(said, found_by_name.field if found_by_name else "")
        violations += unknown
        planned.append(_override(stop, said, choice, pins, request.options))
    territories, unknown = names.find_territories(request.options.territories)
    violations += unknown
    if violations:
        raise InvalidArgument(f"{violations[0].field} {violations[0].description}", violations)
    options = request.options
    vehicles_to_plan = release_excluded_stops(planned, resolved, routes, options.max_moved_stops)
    refuse_impossible_pins(planned, vehicles_to_plan, options.max_moved_stops)
    return DayToPlan(
        stops=tuple(planned),
        vehicles=vehicles_to_plan,
        moves=options.moves or moves_of(options.effort, len(planned)),
        max_seconds=options.max_seconds,
        seed=options.seed,
        priority_inversion_cost=options.priority_inversion_cost,
        planned_at=now.replace(microsecond=0) if routes else UNSET,
        max_moved_stops=options.max_moved_stops,
        moved_stop_cost=options.moved_stop_cost,
        churn_curve=options.churn_curve,
        compactness=options.compactness,
        balance=options.balance,
        territories=territories,
        other_vehicle_cost=options.other_vehicle_cost,
        explain=options.explain,
    )


@dataclass(frozen=True, slots=True)
class _Present:
    """Routes that take part, as vehicles and stops of the plan."""

    vehicles: list[VehicleToPlan]
    stops: list[StopToPlan]


def _bring_routes(
    routes: Sequence[FoundRoute],
    first_stop: int,
    first_vehicle: int,
    options: PlanOptions,
    now: datetime,
) -> _Present:
    """Return what routes bring, numbered behind the other stops and vehicles."""
    vehicles: list[VehicleToPlan] = []
    stops: list[StopToPlan] = []
    for vehicle, found in enumerate(routes, first_vehicle):
        ahead = found.stops_ahead()
        begin = first_stop + len(stops)
        vehicles.append(bring_vehicle(found, range(begin, begin + len(ahead)), now))
        stops += [
            bring_stop(found, stop, vehicle, now, _cost_of_leaving_out(stop.priority, options))
            for stop in ahead
        ]
    return _Present(vehicles, stops)


def _cost_of_leaving_out(priority: int, options: PlanOptions) -> float:
    usual = UNASSIGNED_COST * (1 + priority)
    return usual if isinstance(options.unassigned_cost, UnsetType) else options.unassigned_cost


def _override(
    stop: StopToPlan,
    said: PlanStop,
    choice: "_VehicleChoice",
    pins: Pins,
    options: PlanOptions,
) -> StopToPlan:
    """Return a stop of a route with what the request says of it."""
    vehicle, position = pins.of(stop.route_stop_id)
    soft = said if said.max_lateness is not UNSET else options
    return replace(
        stop,
        loads={**stop.loads, **(said.loads or {})},
        required_skills=said.required_skills or stop.required_skills,
        vehicles=_both(stop.vehicles, choice.allowed),
        preferred_vehicles=choice.preferred,
        pinned_vehicle=vehicle,
        pinned_position=position,
        unassigned_cost=(
            stop.unassigned_cost if said.unassigned_cost is UNSET else said.unassigned_cost
        ),
        lateness_cost_per_hour=soft.lateness_cost_per_hour or 0.0,
        max_lateness_seconds=_seconds_of(soft.max_lateness),
    )


def _both(
    stays_on: tuple[int, ...] | UnsetType, allowed: tuple[int, ...] | UnsetType
) -> tuple[int, ...] | UnsetType:
    if isinstance(stays_on, UnsetType):
        return allowed
    if isinstance(allowed, UnsetType):
        return stays_on
    return tuple(sorted({*stays_on} & {*allowed}))


def _seconds_of(lateness: Duration | UnsetType) -> int:
    return 0 if isinstance(lateness, UnsetType) else whole_seconds(lateness)


def _resolve_stop(
    found: FoundStop,
    said: PlanStop,
    choice: "_VehicleChoice",
    pins: Pins,
    options: PlanOptions,
) -> StopToPlan:
    stop = found.stop
    cost = _cost_of_leaving_out(stop.priority, options)
    soft = said if said.max_lateness is not UNSET else options
    pin = pins.of(stop.name())
    return replace(
        stop,
        loads={**found.carried, **(said.loads or stop.loads)},
        required_skills=(
            stop.required_skills if said.required_skills is UNSET else said.required_skills
        ),
        vehicles=choice.allowed,
        preferred_vehicles=choice.preferred,
        pinned_vehicle=pin[0],
        pinned_position=pin[1],
        unassigned_cost=cost if said.unassigned_cost is UNSET else said.unassigned_cost,
        lateness_cost_per_hour=soft.lateness_cost_per_hour or 0.0,
        max_lateness_seconds=_seconds_of(soft.max_lateness),
    )


def _day_of(stops: Iterable[FoundStop]) -> date | None:
    """Return the day of vehicles that say no moments: the first that a stop asks for.

    A day that cannot be planned, which stops may have from before, is not asked for.
    """
    days = [
        found.stop.delivery_date.as_date()
        for found in stops
        if isinstance(found.stop.delivery_date, Date)
    ]
    return min(filter(is_planned, days), default=None)


def _find_unused_loads(
    stops: Sequence[FoundStop], vehicles: Sequence[FoundVehicle], present: _Present
) -> list[FieldViolation]:
    """Find names of loads in the request that mean nothing: mostly they are misspelt."""
    always = {KILOGRAMS, ITEMS}
    of_stops = (
        always
        | {name for found in stops for name in found.stop.loads}
        | {name for found in stops if found.said for name in (found.said.loads or {})}
        | {name for stop in present.stops for name in stop.loads}
    )
    of_vehicles = always | {
        name
        for found in vehicles
        for name in (*(found.said.capacities or {}), *(found.inherits.capacities or {}))
    }
    of_vehicles |= {name for vehicle in present.vehicles for name in vehicle.capacities}
    violations = [
        _unused(f"{found.field}.capacities.{name}", "is carried to no stop", name, of_stops)
        for found in vehicles
        for name in (found.said.capacities or {})
        if stops and name not in of_stops
    ]
    violations += [
        _unused(f"{found.field}.loads.{name}", "is limited by no vehicle", name, of_vehicles)
        for found in stops
        if found.said
        for name in (found.said.loads or {})
        if name not in of_vehicles
    ]
    return violations


_ALIKE = 0.8


def _unused(field: str, problem: str, name: str, known: Collection[str]) -> FieldViolation:
    near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.6)
    # A slip is rarely in the first letter: litres are no items.
    close = [
        one
        for one in near
        if one[:1].casefold() == name[:1].casefold()
        or difflib.SequenceMatcher(None, name, one).ratio() >= _ALIKE
    ]
    hint = f', did you mean "{close[0]}"?' if close else "; set options.allowUnusedLoads if so"
    return FieldViolation(field=field, description=f"{problem}{hint}")


@dataclass(frozen=True, slots=True)
class _VehicleChoice:
    """Who may serve a stop, unset where all may, and who should rather."""

    allowed: tuple[int, ...] | UnsetType
    preferred: tuple[int, ...]


class _VehicleNames:
    """Finds vehicles by the ids of the request; several alike also by the id they share."""

    def __init__(self, said: Sequence[PlanVehicle], resolved: Sequence[VehicleToPlan]) -> None:
        self._indexes: dict[str, tuple[int, ...]] = {}
        first = 0
        for vehicle in said:
            group = tuple(range(first, first + vehicle.count))
            first += vehicle.count
            for name in (vehicle.id, vehicle.vehicle_id, vehicle.driver_id):
                if name:
                    self._indexes[name] = group
            for index in group:
                self._indexes.setdefault(resolved[index].id, (index,))
        for index, vehicle_of_route in enumerate(resolved[first:], first):
            ids = (vehicle_of_route.id, vehicle_of_route.vehicle_id, vehicle_of_route.driver_id)
            for name in filter(None, ids):  # a vehicle or a driver may have several routes
                self._indexes[name] = (*self._indexes.get(name, ()), index)
        self._count = len(resolved)

    def find(self, name: str) -> tuple[int, ...]:
        return self._indexes.get(name, ())

    def find_all(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted({index for name in names for index in self.find(name)}))

    def find_territories(
        self, asked: Sequence[PlanTerritory]
    ) -> tuple[tuple[TerritoryToPlan, ...], list[FieldViolation]]:
        """Return territories with the vehicles that they name, and what is wrong with them."""
        violations = [
            FieldViolation(
                field=f"options.territories[{number}].vehicles[{place}]",
                description=f"{name} is no vehicle of the plan",
            )
            for number, territory in enumerate(asked)
            for place, name in enumerate(territory.vehicles)
            if not self.find(name)
        ]
        violations += [
            FieldViolation(
                field=f"options.territories[{number}].polygon",
                description="must enclose an area, and its sides must not cross",
            )
            for number, territory in enumerate(asked)
            if not encloses_an_area(territory.polygon)
        ]
        territories = tuple(
            TerritoryToPlan(
                polygon=territory.polygon,
                vehicles=self.find_all(territory.vehicles),
                cost=territory.cost,
            )
            for territory in asked
        )
        return territories, violations

    def choose(self, said: PlanStop, field: str) -> tuple[_VehicleChoice, list[FieldViolation]]:
        """Return which vehicles may serve a stop, and which should; and what is unknown."""
        violations = [
            FieldViolation(
                field=f"{field}.{list_name}[{number}]",
                description=f"{name} is no vehicle of the plan",
            )
            for list_name, names in (
                ("allowedVehicles", said.allowed_vehicles or ()),
                ("excludedVehicles", said.excluded_vehicles),
                ("preferredVehicles", said.preferred_vehicles),
            )
            for number, name in enumerate(names)
            if name not in self._indexes
        ]
        preferred = self.find_all(said.preferred_vehicles)
        if said.allowed_vehicles is UNSET and not said.excluded_vehicles:
            return _VehicleChoice(UNSET, preferred), violations
        allowed = (
            set(range(self._count))
            if isinstance(said.allowed_vehicles, UnsetType)
            else {index for name in said.allowed_vehicles for index in self.find(name)}
        )
        excluded = {index for name in said.excluded_vehicles for index in self.find(name)}
        return _VehicleChoice(tuple(sorted(allowed - excluded)), preferred), violations
