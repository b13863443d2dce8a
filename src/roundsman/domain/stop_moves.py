"""Stops that a planner puts where they are to be: into a route at an index, or out of it.

What is done stays in front of what a planner puts somewhere: nothing can be done before it any
more. A stop that changes its route takes up what that route is doing (decisions §22).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.route_stop import RouteStop


@dataclass(frozen=True, slots=True)
class InsertionPoint:
    """A final index among the stops of a route, none for the end, and the field that says it."""

    index: int | UnsetType
    field: str


def first_open_index(route: Route) -> int:
    """Return the index after the last stop that is done: a stop may be put there or behind."""
    return max((index for index, stop in enumerate(route.stops, 1) if stop.is_done()), default=0)


def first_free_index(route: Route) -> int:
    """Return the index after the last stop that is done or keeps its place: nothing moves there."""
    kept = (stop.is_done() or stop.locked for stop in route.stops)
    return max((index for index, is_kept in enumerate(kept, 1) if is_kept), default=0)


def put_stop(route: Route, stop: RouteStop, at: InsertionPoint, now: datetime) -> Route:
    """Put a stop of no route into this one; its status becomes what the route asks for.

    A route that ended at its last stop goes on.
    """
    count = len(route.stops)
    index = count if isinstance(at.index, UnsetType) else at.index
    if index > count:
        description = f"must be between 0 and {count}, not {index}"
        raise InvalidArgument(
            f"{at.field} {description}", [FieldViolation(field=at.field, description=description)]
        )
    if index < first_open_index(route):
        raise _behind_open_stops([stop.id])
    joined = stop.sent_out(now) if route.is_started() else stop.called_back(now)
    completed_at = route.completed_at if isinstance(route.end, RouteEnd) else UNSET
    stops = (*route.stops[:index], joined, *route.stops[index:])
    return replace(route, stops=stops, completed_at=completed_at).with_order_outdated()


def require_open(stop: RouteStop) -> None:
    """Refuse to move a stop that is done."""
    if stop.is_done():
        violation = PreconditionViolation(
            type="stopDone",
            subject=stop.id,
            description="the stop is done; it stays where it was done",
        )
        raise FailedPrecondition("a stop that is done cannot be moved", [violation])


def require_origin_absent(stop: RouteStop, route: Route) -> None:
    """Refuse a second stop of the same imported stop or store order on one route."""
    origin = _origin(stop)
    if not any(origin):
        return
    for other in route.stops:
        if _origin(other) == origin:
            violation = PreconditionViolation(
                type="alreadyOnRoute",
                subject=stop.id,
                description=f"what it was made from is on route {route.id} already",
            )
            raise FailedPrecondition("a stop is on the route already", [violation])


def _origin(stop: RouteStop) -> tuple[str, str, str]:
    return stop.imported_stop_id, stop.store_order_id, stop.saved_stop_id


def order_stops(route: Route, order: Sequence[str]) -> Route:
    """Return the route with its stops in this order of ids, which holds each stop once."""
    stops = {stop.id: stop for stop in route.stops}
    if len(order) != len(stops) or set(order) != stops.keys():
        raise InvalidArgument(
            "order must hold every stop of the route exactly once",
            [FieldViolation(field="order", description=_describe_difference(order, stops))],
        )
    ordered = replace(route, stops=tuple(stops[stop_id] for stop_id in order))
    front = ordered.stops[: first_open_index(ordered)]
    if any(not stop.is_done() for stop in front):
        raise _behind_open_stops([stop.id for stop in front if stop.is_done()])
    return ordered if ordered.stops == route.stops else ordered.with_order_outdated()


def order_open_stops(route: Route, order: Sequence[str]) -> Route:
    """Return the route with its open stops in this order of ids, behind those that are done.

    Raise InvalidArgument unless the order holds each open stop once. A planner's new place of a
    locked stop counts from then on (decisions §22).
    """
    open_stops = {stop.id: stop for stop in route.stops if not stop.is_done()}
    _require_each_once(route, list(open_stops), order)
    if list(order) == list(open_stops):
        # One that was done before its turn stands among them; that is no reason to work times out.
        return route
    done = [stop for stop in route.stops if stop.is_done()]
    stops = (*done, *(open_stops[stop_id] for stop_id in order))
    # A place that a planner chose counts, that of an appended stop too.
    return replace(route, stops=stops, appended_stop_ids=()).with_order_outdated()


def _require_each_once(route: Route, open_ids: Sequence[str], order: Sequence[str]) -> None:
    done = {stop.id for stop in route.stops if stop.is_done()}
    violations = []
    for index, stop_id in enumerate(order):
        if stop_id in done:
            description = "is a stop that is done, which stays where it was done"
        elif stop_id not in open_ids:
            description = "is not among the stops of the route"
        elif stop_id in order[:index]:
            description = "is given more than once"
        else:
            continue
        violations.append(FieldViolation(field=f"stopIds[{index}]", description=description))
    missing = [stop_id for stop_id in open_ids if stop_id not in order]
    if missing:
        violations.append(FieldViolation(field="stopIds", description=f"lacks {missing[0]}"))
    if violations:
        raise InvalidArgument("stopIds must hold each open stop of the route once", violations)


def _describe_difference(order: Sequence[str], present: Collection[str]) -> str:
    unknown = [stop_id for stop_id in order if stop_id not in present]
    if unknown:
        return f"names {unknown[0][:100]}, which is not among the stops that remain"
    missing = [stop_id for stop_id in present if stop_id not in order]
    return f"lacks {missing[0]}" if missing else "names a stop more than once"


def _behind_open_stops(stop_ids: Sequence[str]) -> FailedPrecondition:
    return FailedPrecondition(
        "stops that are done stay in front of those that are not",
        [
            PreconditionViolation(
                type="doneStops",
                subject=stop_id,
                description="a stop that is done would stand behind one that is not",
            )
            for stop_id in stop_ids
        ],
    )
