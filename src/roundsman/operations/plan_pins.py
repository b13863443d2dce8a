"""Where stops of a plan have to be: pins by the names of the request, and what cannot be kept.

Only what no travel time decides is refused here, before anything is searched for: a pin against a
rule of its stop, two stops that are to be the first, or the last, of one vehicle, and an end that a
lock or `keepFirst` leaves to another stop. Where there is not room for all that is pinned, the plan
says so of the stops that stay out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from roundsman.domain.day_to_plan import PresentRoute, StopToPlan, VehicleToPlan
from roundsman.domain.errors import FailedPrecondition, FieldViolation, PreconditionViolation
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import PinPosition, PlanPin, RouteLock
from roundsman.operations.stops_to_plan import FoundStop

type _Pin = tuple[int | UnsetType, PinPosition | UnsetType]


class Pins:
    """Where stops have to be, by the names of stops."""

    def __init__(
        self,
        pins: Sequence[PlanPin],
        stops: Sequence[FoundStop],
        present: Sequence[StopToPlan],
        find_vehicles: Callable[[str], Sequence[int]],
    ) -> None:
        ids = {found.stop.client_stop_id: found.stop.name() for found in stops}
        ids |= {found.stop.name(): found.stop.name() for found in stops}
        ids |= {
            name: stop.route_stop_id
            for stop in present
            for name in (stop.client_stop_id, stop.origin_id(), stop.route_stop_id)
            if name
        }
        self._find_vehicles = find_vehicles
        self._pins: dict[str, _Pin] = {}
        self.violations: list[FieldViolation] = []
        for number, pin in enumerate(pins):
            vehicle = self._find_vehicle(pin, number)
            stop_id = ids.get(pin.stop)
            if stop_id is None:
                self._refuse(f"pins[{number}].stop", f"{pin.stop} is no stop of the plan")
            elif stop_id in self._pins:
                self._refuse(f"pins[{number}].stop", f"{pin.stop} is pinned more than once")
            else:
                self._pins[stop_id] = vehicle, pin.position

    def of(self, stop_id: str) -> _Pin:
        return self._pins.get(stop_id, (UNSET, UNSET))

    def _find_vehicle(self, pin: PlanPin, number: int) -> int | UnsetType:
        if not pin.vehicle:
            return UNSET
        found = self._find_vehicles(pin.vehicle)
        if len(found) == 1:
            return found[0]
        problem = "stands for several vehicles; name one" if found else "is no vehicle of the plan"
        self._refuse(f"pins[{number}].vehicle", f"{pin.vehicle} {problem}")
        return UNSET

    def _refuse(self, field: str, description: str) -> None:
        self.violations.append(FieldViolation(field=field, description=description))


def refuse_impossible_pins(
    stops: Sequence[StopToPlan],
    vehicles: Sequence[VehicleToPlan],
    max_moved: int | UnsetType = UNSET,
) -> None:
    """Raise FailedPrecondition that lists the pins that cannot be kept, if there are any."""
    ends: dict[tuple[int, PinPosition], str] = {}
    violations: list[PreconditionViolation] = []
    for number, stop in enumerate(stops):
        problem = _problem_of_vehicle(stop, vehicles)
        position = stop.pinned_position
        if not problem and not isinstance(position, UnsetType):
            end = _End(stops, number, position)
            able, problem = end.find_vehicles(vehicles, max_moved)
            if len(able) == 1:
                other = ends.setdefault((able[0], position), stop.name())
                if other != stop.name():
                    where = f"{position.value.lower()} on {vehicles[able[0]].id}"
                    problem = f"position: cannot be {where}: {other} is"
        if problem:
            violations.append(_violation(stop.name(), problem))
    if violations:
        raise FailedPrecondition("a pin breaks a rule", violations)


def _problem_of_vehicle(stop: StopToPlan, vehicles: Sequence[VehicleToPlan]) -> str:
    """Say what keeps a stop from the vehicle that it is pinned to, if anything does."""
    index = stop.pinned_vehicle
    if isinstance(index, UnsetType):
        return ""
    vehicle = vehicles[index]
    problem = _problem_alone(stop, vehicle, index)
    if not problem and _is_closed_to(stop, vehicle, index):
        problem = "its route is locked"
    return problem and f"cannot be on {vehicle.id}: {problem}"


def _problem_alone(stop: StopToPlan, vehicle: VehicleToPlan, index: int) -> str:
    if not isinstance(stop.vehicles, UnsetType) and index not in stop.vehicles:
        return "the stop does not allow it"
    if missing := sorted(set(stop.required_skills) - set(vehicle.skills)):
        return f"it lacks the skill {missing[0]}"
    for name, amount in stop.loads.items():
        if amount > vehicle.capacities.get(name, amount):
            return f"it carries at most {vehicle.capacities[name]:g} {name}, not {amount:g}"
    return ""


def _is_closed_to(stop: StopToPlan, vehicle: VehicleToPlan, index: int) -> bool:
    present = vehicle.present_route
    if isinstance(present, UnsetType):
        return False
    return present.lock is RouteLock.ALL and stop.present_vehicle != index


@dataclass(frozen=True, slots=True)
class _End:
    """A stop at an end of a route, as its pin wants it."""

    stops: Sequence[StopToPlan]
    number: int
    position: PinPosition

    def find_vehicles(
        self, vehicles: Sequence[VehicleToPlan], max_moved: int | UnsetType
    ) -> tuple[Sequence[int], str]:
        """Return the vehicles on whose routes it can be; of several, two.

        Where there is none, with what is in the way.
        """
        stop = self.stops[self.number]
        home = stop.present_vehicle
        stays = not isinstance(home, UnsetType) and (
            max_moved == 0 or self.number in _kept_stops(vehicles[home])
        )
        able: list[int] = []
        problem = ""
        for index, vehicle in enumerate(vehicles):
            if not _may_serve(stop, index) or (stays and index != home):
                continue
            found = self._find_problem(vehicle, index)
            if not found:
                able.append(index)
            elif not problem or index == home:
                where = f"{self.position.value.lower()} on {vehicle.id}"
                problem = f"position: cannot be {where}: {found}"
            if len(able) > 1:
                break  # which of them is for the search to say
        return able, "" if able else problem

    def _find_problem(self, vehicle: VehicleToPlan, index: int) -> str:
        """Say what else has this end of the route of a vehicle, or keeps the stop from it."""
        stop, present = self.stops[self.number], vehicle.present_route
        if isinstance(present, UnsetType):
            return ""
        if _is_closed_to(stop, vehicle, index):
            return "its route is locked"
        kept = _kept_stops(vehicle)
        is_first = self.position is PinPosition.FIRST
        if is_first and kept and self.number != kept[0]:
            return "its driver is on the way to another stop, which stays first"
        if stop.present_vehicle != index:
            return ""
        beyond = self._list_beyond(present, index)
        if not is_first and self.number in kept and beyond:
            return f"keepFirst {present.keep_first} keeps it in front of other stops"
        held = [one for one in beyond if self.stops[one].is_held]
        if not stop.is_held or not held:
            return ""
        is_locked = present.lock is RouteLock.NONE or present.lock is RouteLock.VEHICLE
        why = "it is locked" if is_locked else f"lock {present.lock.value} keeps its place"
        return f"{why} {'behind' if is_first else 'in front of'} {self.stops[held[0]].name()}"

    def _list_beyond(self, present: PresentRoute, index: int) -> list[int]:
        """Return the stops between it and this end of its own route, but for those that leave."""
        at = present.stops.index(self.number)
        is_first = self.position is PinPosition.FIRST
        between = present.stops[:at] if is_first else present.stops[at + 1 :]
        return [one for one in between if _may_serve(self.stops[one], index)]


def _kept_stops(vehicle: VehicleToPlan) -> Sequence[int]:
    """Return the stops that stay in front of the route of a vehicle."""
    present = vehicle.present_route
    return () if isinstance(present, UnsetType) else present.stops[: present.keep_first]


def _may_serve(stop: StopToPlan, index: int) -> bool:
    named, pinned = stop.vehicles, stop.pinned_vehicle
    return (isinstance(named, UnsetType) or index in named) and (
        isinstance(pinned, UnsetType) or index == pinned
    )


def _violation(subject: str, description: str) -> PreconditionViolation:
    return PreconditionViolation(type="pins", subject=subject, description=description)
