"""Where stops of a plan have to be: pins by the names of the request, and what cannot be kept.

Only what no travel time decides is refused here, before anything is searched for: a pin against a
rule of its stop, and two stops that are to be the first, or the last, of one vehicle. Where there
is not room for all that is pinned, the plan says so of the stops that stay out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

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


def refuse_impossible_pins(stops: Sequence[StopToPlan], vehicles: Sequence[VehicleToPlan]) -> None:
    """Raise FailedPrecondition that lists the pins that cannot be kept, if there are any."""
    on_vehicles: dict[int, list[int]] = defaultdict(list)
    for number, stop in enumerate(stops):
        if not isinstance(stop.pinned_vehicle, UnsetType):
            on_vehicles[stop.pinned_vehicle].append(number)
    violations = [
        violation
        for index, pinned in sorted(on_vehicles.items())
        for violation in _find_broken(stops, vehicles[index], index, pinned)
    ]
    if violations:
        raise FailedPrecondition("a pin breaks a rule", violations)


def _find_broken(
    stops: Sequence[StopToPlan], vehicle: VehicleToPlan, index: int, pinned: Sequence[int]
) -> Iterator[PreconditionViolation]:
    """Find what is wrong with the stops that are pinned to one vehicle."""
    for number in pinned:
        if problem := _problem_of_stop(stops[number], number, vehicle, index):
            yield _violation(stops[number].name(), f"cannot be on {vehicle.id}: {problem}")
    firsts: dict[PinPosition, str] = {}
    for number in pinned:
        stop, position = stops[number], stops[number].pinned_position
        if not isinstance(position, UnsetType):
            other = firsts.setdefault(position, stop.name())
            if other != stop.name():
                where = position.value.lower()
                yield _violation(stop.name(), f"cannot be {where} on {vehicle.id}: {other} is")


def _problem_of_stop(stop: StopToPlan, number: int, vehicle: VehicleToPlan, index: int) -> str:
    """Say what keeps a stop from the vehicle that it is pinned to, if anything does."""
    if not isinstance(stop.vehicles, UnsetType) and index not in stop.vehicles:
        return "the stop does not allow it"
    if missing := sorted(set(stop.required_skills) - set(vehicle.skills)):
        return f"it lacks the skill {missing[0]}"
    for name, amount in stop.loads.items():
        if amount > vehicle.capacities.get(name, amount):
            return f"it carries at most {vehicle.capacities[name]:g} {name}, not {amount:g}"
    present = vehicle.present_route
    if not isinstance(present, PresentRoute):
        return ""
    if present.lock is RouteLock.ALL and stop.present_vehicle != index:
        return "its route is locked"
    is_first = stop.pinned_position is PinPosition.FIRST
    if is_first and present.keep_first and present.stops and number != present.stops[0]:
        return "its driver is on the way to another stop, which stays first"
    return ""


def _violation(subject: str, description: str) -> PreconditionViolation:
    return PreconditionViolation(type="pins", subject=subject, description=description)
