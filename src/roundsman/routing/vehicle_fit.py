"""Whether a route's vehicle may take a stop at all: skills, capacities, and who is allowed."""

from collections import Counter
from collections.abc import Iterator

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.insertion import StopWishes
from roundsman.domain.issue import ExcessValues
from roundsman.domain.loads import loads_of_items
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.vehicle import Vehicle
from roundsman.routing.wording import describe_load


def list_unfit(
    vehicle: Vehicle | None, route: Route, stop: RouteStop, wishes: StopWishes
) -> tuple[PreconditionViolation, ...]:
    """Return every rule of a plan that the stop would break on the route's vehicle.

    Of stops that are on the route already, what their items weigh and count is known.
    """
    return (
        *_unskilled(vehicle, wishes),
        *_not_allowed(vehicle, wishes),
        *_full(vehicle, route, stop, wishes),
    )


def _unskilled(vehicle: Vehicle | None, wishes: StopWishes) -> Iterator[PreconditionViolation]:
    if isinstance(wishes.required_skills, UnsetType):
        return
    has = set(vehicle.skills) if vehicle is not None else set()
    for skill in wishes.required_skills:
        if skill not in has:
            words = f'the vehicle lacks the skill "{skill}"'
            yield _violation("requiredSkills", vehicle, words, ExcessValues(name=skill))


def _not_allowed(vehicle: Vehicle | None, wishes: StopWishes) -> Iterator[PreconditionViolation]:
    name = vehicle.id if vehicle is not None else ""
    allowed = wishes.allowed_vehicles
    is_named = isinstance(allowed, UnsetType) or name in allowed
    if not is_named or (name and name in wishes.excluded_vehicles):
        yield _violation("allowedVehicles", vehicle, "this vehicle may not serve the stop")


def _full(
    vehicle: Vehicle | None, route: Route, stop: RouteStop, wishes: StopWishes
) -> Iterator[PreconditionViolation]:
    if vehicle is None or isinstance(vehicle.capacities, UnsetType):
        return
    on_board = Counter[str]()
    for one in route.stops:
        on_board.update(loads_of_items(one.items))
    own = dict(loads_of_items(stop.items))
    if not isinstance(wishes.loads, UnsetType):
        own |= wishes.loads
    for name, capacity in vehicle.capacities.items():
        over = on_board[name] + own.get(name, 0.0) - capacity
        if own.get(name, 0.0) and over > 0:
            words = f"{describe_load(over, name)} more than the vehicle takes"
            values = ExcessValues(name=name, actual=capacity + over, most=capacity, excess=over)
            yield _violation("capacities", vehicle, words, values)


def _violation(
    kind: str,
    vehicle: Vehicle | None,
    description: str,
    values: ExcessValues | UnsetType = UNSET,
) -> PreconditionViolation:
    subject = vehicle.id if vehicle is not None else ""
    return PreconditionViolation(type=kind, subject=subject, description=description, values=values)
