"""What a route's limits and windows say about an order, in words a planner can act on."""

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.noun import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.durations import whole_seconds
from roundsman.planning.schedule import Schedule
from roundsman.planning.violations import Limits, Load, Violation, ViolationKind, check_limits

_GRAMS_PER_KILOGRAM = 1_000


def list_violations(
    route: Route, visits: Sequence[RouteStop], plan: Schedule
) -> tuple[PreconditionViolation, ...]:
    """Return every limit and window that the route breaks when its visits are as scheduled."""
    found = check_limits(_limits_of(route), _load_of(route), plan)
    return tuple(_describe(violation, route, visits) for violation in found)


def _limits_of(route: Route) -> Limits:
    longest = route.max_duration
    return Limits(
        max_stops=route.max_stops or None,
        max_duration=None if isinstance(longest, UnsetType) else whole_seconds(longest),
        max_item_count=route.max_item_count or None,
        max_grams=int(route.max_kilograms * _GRAMS_PER_KILOGRAM) or None,
    )


def _load_of(route: Route) -> Load:
    return Load(
        stops=len(route.stops),
        item_count=route.total_item_quantity(),
        grams=route.total_item_grams(),
    )


def _describe(
    violation: Violation, route: Route, visits: Sequence[RouteStop]
) -> PreconditionViolation:
    late = None if violation.node is None else visits[violation.node - 1]
    return PreconditionViolation(
        type=violation.kind.value,
        subject=route.id if late is None else late.id,
        description=_words(violation, late),
    )


def _words(violation: Violation, late: RouteStop | None) -> str:
    actual, limit, excess = violation.actual, violation.limit or 0, violation.excess
    match violation.kind:
        case ViolationKind.MAX_STOPS:
            return f"the route has {actual} stops, {excess} more than maxStops allows ({limit})"
        case ViolationKind.MAX_ITEM_COUNT:
            return f"the route holds {actual} items, {excess} more than maxItemCount ({limit})"
        case ViolationKind.MAX_KILOGRAMS:
            return (
                f"the route weighs {_kilograms(actual)} kg, {_kilograms(excess)} kg more than "
                f"maxKilograms ({_kilograms(limit)})"
            )
        case ViolationKind.MAX_DURATION:
            return (
                f"the route takes {_clock(actual)}, {_clock(excess)} longer than maxDuration "
                f"({_clock(limit)})"
            )
        case ViolationKind.TIME_WINDOWS:
            name = _name_of(late) if late is not None else "the end"
            return f"service at {name} would start {_clock(excess)} after its last window closes"
    assert_never(violation.kind)


def _kilograms(grams: int) -> str:
    return f"{grams / _GRAMS_PER_KILOGRAM:g}"


def _clock(seconds: int) -> str:
    return str(timedelta(seconds=seconds))


def _name_of(stop: RouteStop) -> str:
    return f'"{stop.order_name}"' if stop.order_name else stop.id
