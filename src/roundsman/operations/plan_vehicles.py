"""The vehicles of a plan with all that they inherit; times of day become moments of its day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import ReloadLocation, VehicleLocation, VehicleToPlan
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    PreconditionViolation,
)
from roundsman.domain.loads import Loads
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import (
    LONGEST_HORIZON,
    USUAL_RELOAD_DURATION,
    PlanBreak,
    PlanShift,
    PlanVehicle,
)
from roundsman.domain.vehicle import Vehicle, VehicleDetails, first_named
from roundsman.kit.time_zones import zone_at
from roundsman.routing.local_day import USUAL_SHIFT, LocalDay, breaks_in_rest, rest_of


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundVehicle:
    """A vehicle of the request, located, and the one of the fleet that it inherits from."""

    said: PlanVehicle
    field: str
    inherits: VehicleDetails
    start: VehicleLocation | UnsetType
    end: VehicleLocation | UnsetType
    reloads: Sequence[VehicleLocation]
    """Those of the request, in their order."""


def resolve_vehicles(
    vehicles: Sequence[FoundVehicle],
    stops: Sequence[Coordinates],
    day: date | None,
    now: datetime,
) -> list[VehicleToPlan]:
    """Return every vehicle, with moments on the plan's day; none is today."""
    return [
        one
        for found in vehicles
        for one in _resolve_vehicle(found, _first_location(found, stops), day, now)
    ]


def find_wrong_vehicles(
    vehicles: Sequence[FoundVehicle], resolved: Sequence[VehicleToPlan], *, have_stops: bool
) -> list[FieldViolation]:
    """Find vehicles that are given twice, times that cannot be, and reloads that are nowhere.

    It is stops that say the day of shifts by times of day: without any, these may be anywhere.
    """
    return [
        *_find_same_vehicles(vehicles, resolved),
        *_find_bad_times(vehicles, resolved),
        *(_find_far_shifts(resolved) if have_stops else ()),
        *_find_no_reloads(vehicles),
    ]


def _resolve_vehicle(
    found: FoundVehicle, place: tuple[float, float], day: date | None, now: datetime
) -> list[VehicleToPlan]:
    """Return a vehicle, or several alike, with all that it inherits."""
    said, inherits = found.said, found.inherits
    latitude, longitude = place
    zone = zone_at(latitude=latitude, longitude=longitude)
    clock = LocalDay(zone, day or now.astimezone(zone).date())
    shift, breaks = _hours_of(said, inherits, clock, now)
    ids = [said.id or said.vehicle_id or said.driver_id or found.field]
    if said.count > 1:
        ids = [f"{ids[0]}-{number}" for number in range(1, said.count + 1)]
    return [
        VehicleToPlan(
            id=id_,
            vehicle_id=said.vehicle_id,
            driver_id=said.driver_id,
            start=found.start,
            end=found.end,
            shift=shift,
            capacities=_given(said.capacities, inherits.capacities) or {},
            skills=inherits.skills if said.skills is UNSET else said.skills,
            breaks=breaks,
            max_stops=inherits.max_stops if said.max_stops is UNSET else said.max_stops,
            max_duration=said.max_duration or inherits.max_duration,
            max_distance_meters=(
                inherits.max_distance_meters
                if said.max_distance_meters is UNSET
                else said.max_distance_meters
            ),
            max_reloads=said.max_reloads,
            reloads=_list_reloads(found),
            costs=first_named(said.costs, inherits.costs),
            avoid_tolls=said.avoid_tolls,
            avoid_u_turns=said.avoid_u_turns,
            speed_factor=said.speed_factor,
        )
        for id_ in ids
    ]


def _hours_of(
    said: PlanVehicle, inherits: VehicleDetails, clock: LocalDay, now: datetime
) -> tuple[PlanShift, tuple[PlanBreak, ...]]:
    """Return the shift and the breaks of a vehicle; one of its own is not in the past."""
    shift, breaks = said.shift, said.breaks
    if isinstance(shift, UnsetType):
        daily = inherits.shift or USUAL_SHIFT
        clock = clock.day_to_leave(daily, now)
        whole = clock.shift(daily)
        shift = rest_of(whole, now)
        own = breaks_in_rest((clock.break_on(one, whole) for one in inherits.breaks), shift)
    else:
        own = tuple(clock.break_on(one, shift) for one in inherits.breaks)
    return shift, own if isinstance(breaks, UnsetType) else breaks


def _list_reloads(found: FoundVehicle) -> tuple[ReloadLocation, ...]:
    """Return where a vehicle may load again: at its start where nothing is said."""
    places = found.reloads
    durations = [one.duration for one in found.said.reloads or ()]
    if not places and found.said.max_reloads and isinstance(found.start, VehicleLocation):
        places, durations = [found.start], [USUAL_RELOAD_DURATION]
    return tuple(
        ReloadLocation(
            address=place.address,
            coordinates=place.coordinates,
            geocoding=place.geocoding,
            duration=duration,
        )
        for place, duration in zip(places, durations, strict=True)
    )


def _find_no_reloads(vehicles: Sequence[FoundVehicle]) -> list[FieldViolation]:
    """Find vehicles that may load again and have no place for it."""
    return [
        FieldViolation(
            field=f"{found.field}.reloads", description="are required where there is no start"
        )
        for found in vehicles
        if found.said.max_reloads and not _list_reloads(found)
    ]


def _given(said: Loads | UnsetType, inherited: Loads | UnsetType) -> Loads | UnsetType:
    return inherited if isinstance(said, UnsetType) else said


def _first_location(found: FoundVehicle, stops: Sequence[Coordinates]) -> tuple[float, float]:
    """Return a place whose clocks the vehicle goes by: its start, its end, or the first stop."""
    for place in (found.start, found.end):
        if isinstance(place, VehicleLocation):
            return place.coordinates.latitude, place.coordinates.longitude
    return (stops[0].latitude, stops[0].longitude) if stops else (0.0, 0.0)


def _find_same_vehicles(
    vehicles: Sequence[FoundVehicle], resolved: Sequence[VehicleToPlan]
) -> list[FieldViolation]:
    """Find ids, or vehicles of the fleet, that are given twice."""
    violations = []
    seen: set[str] = set()
    fields = [found.field for found in vehicles for _ in range(found.said.count)]
    for field, one in zip(fields, resolved, strict=True):
        names = {one.id, one.vehicle_id} - {""}
        if names & seen:
            description = f"{min(names & seen)} is given more than once"
            violations.append(FieldViolation(field=f"{field}.id", description=description))
        seen |= names
    return violations


def _find_bad_times(
    vehicles: Sequence[FoundVehicle], resolved: Sequence[VehicleToPlan]
) -> list[FieldViolation]:
    """Find breaks and latest starts outside of shifts."""
    violations = []
    fields = [found.field for found in vehicles for _ in range(found.said.count)]
    for field, one in zip(fields, resolved, strict=True):
        latest = one.shift.latest_start
        if not isinstance(latest, UnsetType) and latest < one.shift.start:
            name = f"{field}.shift.latestStart"
            violations.append(FieldViolation(field=name, description="must not be before start"))
        for number, rest in enumerate(one.breaks):
            window = rest.time_window
            if window.start < one.shift.start or window.end > one.shift.end:
                name = f"{field}.breaks[{number}].timeWindow"
                description = "must lie within the shift"
                violations.append(FieldViolation(field=name, description=description))
    return violations


def _find_far_shifts(resolved: Sequence[VehicleToPlan]) -> list[FieldViolation]:
    """Find shifts that are too far apart."""
    first = min((one.shift.start for one in resolved), default=None)
    last = max((one.shift.end for one in resolved), default=None)
    if first is None or last is None or last - first <= LONGEST_HORIZON:
        return []
    description = "hold shifts that are more than 14 days apart"
    return [FieldViolation(field="vehicles", description=description)]


def require_vehicles_at_work(
    vehicles: Mapping[str, Vehicle], drivers: Mapping[str, Driver]
) -> None:
    """Refuse archived vehicles and drivers who are gone."""
    violations = [
        PreconditionViolation(
            type="VEHICLE_ARCHIVED", subject=one.id, description="unarchive the vehicle first"
        )
        for one in vehicles.values()
        if one.is_archived
    ]
    violations += [
        PreconditionViolation(
            type="driverStatus", subject=one.id, description="choose a driver who is not archived"
        )
        for one in drivers.values()
        if one.status is DriverStatus.ARCHIVED
    ]
    if violations:
        raise FailedPrecondition(
            f"{violations[0].subject} cannot be used: {violations[0].description}", violations
        )
