"""Stops that have to leave their route, because its vehicle may not serve them in this plan.

That is how a planner takes the day off a driver who is ill. Such a stop is not kept in front of its
route, unless the request says how many stay there, or that the route keeps its stops: those two
contradict each other, and are refused.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from roundsman.domain.day_to_plan import PresentRoute, StopToPlan, VehicleToPlan
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UnsetType
from roundsman.domain.plan_draft import RouteLock
from roundsman.routing.present_routes import FoundRoute


def release_excluded_stops(
    stops: Sequence[StopToPlan],
    vehicles: Sequence[VehicleToPlan],
    routes: Sequence[FoundRoute],
    max_moved: int | UnsetType,
) -> tuple[VehicleToPlan, ...]:
    """Return vehicles that keep no stop in front which has to leave; raise FailedPrecondition.

    The vehicles of routes come last, in the order of `routes`.
    """
    excluded = [number for number, stop in enumerate(stops) if _must_leave(stop)]
    if not excluded:
        return tuple(vehicles)
    first = len(vehicles) - len(routes)
    violations = list(_find_too_many(stops, excluded, max_moved))
    released = list(vehicles[:first])
    for vehicle, found in zip(vehicles[first:], routes, strict=True):
        present = vehicle.present_route
        if not isinstance(present, PresentRoute):
            raise TypeError(f"{vehicle.id} has no route")
        leave = [number for number in present.stops if number in excluded]
        violations += _find_kept(stops, leave, present, found)
        kept = present.stops[: present.keep_first]
        front = next((place for place, stop in enumerate(kept) if stop in leave), len(kept))
        released.append(replace(vehicle, present_route=replace(present, keep_first=front)))
    if violations:
        raise FailedPrecondition("a stop cannot leave its route", violations)
    return tuple(released)


def _must_leave(stop: StopToPlan) -> bool:
    home, pinned = stop.present_vehicle, stop.pinned_vehicle
    is_pinned_elsewhere = not isinstance(pinned, UnsetType) and pinned != home
    return not isinstance(home, UnsetType) and (is_pinned_elsewhere or _is_excluded(stop))


def _is_excluded(stop: StopToPlan) -> bool:
    return not isinstance(stop.vehicles, UnsetType) and stop.present_vehicle not in stop.vehicles


def _find_too_many(
    stops: Sequence[StopToPlan], excluded: Sequence[int], most: int | UnsetType
) -> Iterator[PreconditionViolation]:
    if not isinstance(most, UnsetType) and len(excluded) > most:
        yield _violation(
            "maxMovedStops",
            stops[excluded[0]],
            f"{len(excluded)} stops may not be on their routes, and options.maxMovedStops lets "
            f"{most} leave",
        )


def _find_kept(
    stops: Sequence[StopToPlan], leave: Sequence[int], present: PresentRoute, found: FoundRoute
) -> Iterator[PreconditionViolation]:
    """Find stops that have to leave a route and have to stay on it."""
    says_front = not isinstance(found.choice.keep_first, UnsetType)
    kept = present.stops[: present.keep_first] if says_front else ()
    for number in leave:
        stop = stops[number]
        problem = f"may not be on {present.id}, and "
        is_excluded = _is_excluded(stop)  # of a pin that a lock is against, the pin is refused
        if is_excluded and present.lock is not RouteLock.NONE:
            yield _violation("lock", stop, f"{problem}lock {present.lock.value} keeps it there")
        elif is_excluded and stop.is_held:
            yield _violation("locked", stop, f"{problem}is locked there; release the lock")
        elif number in kept:
            front = f"keepFirst {present.keep_first} keeps it there; leave it out, or say less"
            yield _violation("keepFirst", stop, problem + front)


def _violation(kind: str, stop: StopToPlan, description: str) -> PreconditionViolation:
    return PreconditionViolation(type=kind, subject=stop.name(), description=description)
