"""What a route's limits and windows say about an order, in words a planner can act on."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import assert_never

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.issue import ExcessValues
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.kit.durations import whole_seconds
from roundsman.planning.violations import Limits, Load, Violation, ViolationKind, check_limits
from roundsman.routing.route_problem import windows_of_day, zone_of
from roundsman.routing.timing import TimedRoute
from roundsman.routing.wording import (
    GRAMS_PER_KILOGRAM,
    Wording,
    describe_duration,
    describe_time,
    describe_weight,
    describe_windows,
)

_LONGEST_WAIT = timedelta(hours=8)
"""Waiting past midnight is part of a night's work, waiting for the next day is not."""


def list_violations(timed: TimedRoute, wording: Wording) -> tuple[PreconditionViolation, ...]:
    """Return every limit and window that the route breaks when driven as scheduled."""
    route = timed.route
    longest = route.max_duration
    limits = replace(
        limits_of(route),
        max_duration=None if isinstance(longest, UnsetType) else whole_seconds(longest),
    )
    found = check_limits(limits, load_of(route), timed.schedule)
    return tuple(_describe(violation, timed, wording) for violation in found)


def limits_of(route: Route) -> Limits:
    """Return the limits that no order of the stops changes anything about."""
    return Limits(
        max_stops=route.max_stops or None,
        max_item_count=route.max_item_count or None,
        max_grams=round(route.max_kilograms * GRAMS_PER_KILOGRAM) if route.max_kilograms else None,
    )


def load_of(route: Route) -> Load:
    """Return what the route holds."""
    return Load(
        stops=len(route.stops),
        item_count=route.total_item_quantity(),
        grams=route.total_item_grams(),
    )


def _describe(violation: Violation, timed: TimedRoute, wording: Wording) -> PreconditionViolation:
    late = None if violation.node is None else timed.visits[violation.node - 1]
    if late is None:
        words, values = _words_of_limit(violation), _values_of_limit(violation)
    else:
        words = _words_of_window(violation, late, timed.departure, wording)
        words += _words_of_night(violation, late, timed)
        values = ExcessValues(
            name=name_of_stop(late) or late.client_stop_id or UNSET,
            excess=violation.excess,
            service_start=timed.departure + timedelta(seconds=violation.actual),
            windows=late.time_windows,
        )
    return PreconditionViolation(
        type=violation.kind.value,
        subject=timed.route.id if late is None else late.id,
        description=words,
        values=values,
    )


def _words_of_window(
    violation: Violation, late: RouteStop, departure: datetime, wording: Wording
) -> str:
    begins = departure + timedelta(seconds=violation.actual)
    at = describe_time(begins, late.planned_coordinates, departure)
    return (
        f"service at {wording.stop(late)} would start at {at}, "
        f"{describe_duration(violation.excess)} after its last window closes "
        f"({describe_windows(late)})"
    )


def _words_of_night(violation: Violation, late: RouteStop, timed: TimedRoute) -> str:
    """Say which day to name, where the windows that are meant are of the day after midnight."""
    zone = zone_of(late.planned_coordinates)
    begins = timed.departure + timedelta(seconds=violation.actual)
    if isinstance(late.delivery_date, UnsetType):
        own = (timed.route.departure() or timed.departure).astimezone(zone).date()
        why = "when the route leaves"
    else:
        own, why = late.delivery_date.as_planned(), "its deliveryDate"
    day = own + timedelta(days=1)
    midnight = (datetime.combine(day, time(), zone) - begins).total_seconds()
    longest = _LONGEST_WAIT.total_seconds()
    windows = windows_of_day(late.time_windows, day, zone, begins)
    if not any(max(opens, midnight) <= longest and closes >= 0 for opens, closes in windows):
        return ""
    return (
        f"; its windows are of {own.isoformat()}, {why}: for the hours after midnight its "
        f"deliveryDate has to be {day.isoformat()}"
    )


def _values_of_limit(violation: Violation) -> ExcessValues:
    unit = GRAMS_PER_KILOGRAM if violation.kind is ViolationKind.MAX_KILOGRAMS else 1
    return ExcessValues(
        actual=violation.actual / unit,
        most=(violation.limit or 0) / unit,
        excess=violation.excess / unit,
    )


def _words_of_limit(violation: Violation) -> str:
    actual, limit, excess = violation.actual, violation.limit or 0, violation.excess
    match violation.kind:
        case ViolationKind.MAX_STOPS:
            return f"the route has {actual} stops, {excess} more than maxStops allows ({limit})"
        case ViolationKind.MAX_ITEM_COUNT:
            return f"the route holds {actual} items, {excess} more than maxItemCount ({limit})"
        case ViolationKind.MAX_KILOGRAMS:
            return (
                f"the route weighs {describe_weight(actual)} kg, {describe_weight(excess)} kg more "
                f"than maxKilograms ({describe_weight(limit)})"
            )
        case ViolationKind.MAX_DURATION:
            return (
                f"the route takes {describe_duration(actual)}, {describe_duration(excess)} longer "
                f"than maxDuration ({describe_duration(limit)})"
            )
        case ViolationKind.TIME_WINDOWS:
            raise ValueError("a window is a stop's, not the route's")
    assert_never(violation.kind)
