"""From a change in the engine's terms to one that a planner can make: words, value, changed route.

The route is changed by the same domain functions as when the planner makes the change, so that what
is tried here is what will happen.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, assert_never

from msgspec.structs import replace

from roundsman.domain.advice import ChangeKind, SuggestedChange
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds, whole_seconds
from roundsman.planning import Change, CloseLater, Depart, Drop, OpenEarlier, Raise, ViolationKind
from roundsman.routing.ordering import SolvedTrip
from roundsman.routing.route_problem import windows_on_axis, zone_of
from roundsman.routing.wording import (
    GRAMS_PER_KILOGRAM,
    Wording,
    ceil_to_second,
    describe_duration,
    describe_time,
    describe_weight,
    describe_window,
    floor_to_minute,
)

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A change in words, and the route after it."""

    change: SuggestedChange
    route: Route


def suggest(
    route: Route, change: Change, solved: SolvedTrip, wording: Wording
) -> Suggestion | None:
    """Return how to make a change to a route; nothing when the interface has no way to."""
    match change:
        case CloseLater() | OpenEarlier():
            return _widen(route, change, solved, wording)
        case Depart():
            return _leave(route, change, solved)
        case Drop():
            stop = solved.stop_at(change.node)
            words = f"take {wording.stop(stop)} off the route"
            removed = SuggestedChange(
                kind=ChangeKind.REMOVE_STOP, subject=stop.id, description=words
            )
            return Suggestion(removed, route.without_stops({stop.id}))
        case Raise():
            return _raise(route, change, solved)
    assert_never(change)


def _widen(
    route: Route, change: CloseLater | OpenEarlier, solved: SolvedTrip, wording: Wording
) -> Suggestion | None:
    stop = solved.stop_at(change.node)
    axis = windows_on_axis(stop, solved.trip.departure, solved.trip.day_of)
    side = int(isinstance(change, CloseLater))
    edge = solved.problem.windows[change.node][change.window][side]
    index = next(index for index, edges in enumerate(axis) if edges[side] == edge)
    moved = edge + change.seconds if side else edge - change.seconds
    before = stop.time_windows[index]
    after = _moved(stop, index, moved, solved, closes=bool(side))
    if after is None:
        return None
    windows = (*stop.time_windows[:index], after, *stop.time_windows[index + 1 :])
    words = (
        f"widen the window of {wording.stop(stop)} by {describe_duration(change.seconds)}, to "
        f"{describe_window(after)} instead of {describe_window(before)}"
    )
    suggested = SuggestedChange(
        kind=ChangeKind.TIME_WINDOWS, subject=stop.id, description=words, time_windows=windows
    )
    edited = replace(route.find_stop(stop.id), time_windows=windows)
    return Suggestion(suggested, route.with_stop_edited(edited, route.updated_at))


def _moved(
    stop: RouteStop, index: int, edge: int, solved: SolvedTrip, *, closes: bool
) -> TimeWindow | None:
    """Return a window with one side moved to a time; open where no time of day can say it.

    Edges of windows are whole seconds of the clock, and whoever leaves at a fraction of a second
    counts them rounded down: rounded up again, the side moves by exactly the change.
    """
    trip, window = solved.trip, stop.time_windows[index]
    instant = ceil_to_second(trip.departure + timedelta(seconds=edge))
    local = instant.astimezone(zone_of(stop.planned_coordinates))
    time = TimeOfDay(hours=local.hour, minutes=local.minute, seconds=local.second)
    side = "end" if closes else "start"
    (old,) = windows_on_axis(replace(stop, time_windows=(window,)), trip.departure, trip.day_of)
    choices: tuple[TimeOfDay | UnsetType, ...] = (time, UNSET)
    for bound in choices:
        moved = replace(window, **{side: bound})
        (new,) = windows_on_axis(replace(stop, time_windows=(moved,)), trip.departure, trip.day_of)
        if new[0] <= min(old[0], edge) and new[1] >= max(old[1], edge):
            return moved
    return None


def _leave(route: Route, change: Depart, solved: SolvedTrip) -> Suggestion:
    present = solved.trip.departure
    chosen = floor_to_minute(present + timedelta(seconds=change.seconds))
    if change.seconds > 0 and chosen < present + timedelta(seconds=change.seconds):
        chosen += _MINUTE
    apart = round(abs((chosen - present).total_seconds()))
    location = route.start.coordinates
    how = "later" if change.seconds > 0 else "earlier"
    words = f"leave {describe_duration(apart)} {how}, at {describe_time(chosen, location, present)}"
    if isinstance(route.departure(), datetime):
        words += f" instead of {describe_time(present, location, present)}"
    suggested = SuggestedChange(
        kind=ChangeKind.SCHEDULED_FOR, subject=route.id, description=words, scheduled_for=chosen
    )
    return Suggestion(suggested, route.updated({"scheduled_for": chosen}))


def _raise(route: Route, change: Raise, solved: SolvedTrip) -> Suggestion:
    to = change.to
    match change.kind:
        case ViolationKind.MAX_STOPS:
            words = f"{to} (from {route.max_stops})"
            return _raised(route, ChangeKind.MAX_STOPS, {"max_stops": to}, words)
        case ViolationKind.MAX_ITEM_COUNT:
            words = f"{to} (from {route.max_item_count})"
            return _raised(route, ChangeKind.MAX_ITEM_COUNT, {"max_item_count": to}, words)
        case ViolationKind.MAX_KILOGRAMS:
            return _raise_weight(route, to)
        case ViolationKind.MAX_DURATION:
            return _raise_duration(route, to + solved.trip.elapsed_seconds)
        case ViolationKind.TIME_WINDOWS:
            raise ValueError("a window is widened, not raised")
    assert_never(change.kind)


def _raise_weight(route: Route, grams: int) -> Suggestion:
    kilograms = grams / GRAMS_PER_KILOGRAM
    words = f"{describe_weight(grams)} (from {route.max_kilograms:g})"
    return _raised(route, ChangeKind.MAX_KILOGRAMS, {"max_kilograms": kilograms}, words)


def _raise_duration(route: Route, seconds: int) -> Suggestion:
    whole = -(-seconds // 60) * 60
    present = 0 if isinstance(route.max_duration, UnsetType) else whole_seconds(route.max_duration)
    words = f"{describe_duration(whole)} (from {describe_duration(present)})"
    values = {"max_duration": from_seconds(whole)}
    return _raised(route, ChangeKind.MAX_DURATION, values, words)


def _raised(route: Route, kind: ChangeKind, values: dict[str, Any], limit: str) -> Suggestion:
    words = f"raise {kind.value} to {limit}"
    suggested = SuggestedChange(kind=kind, subject=route.id, description=words, **values)
    return Suggestion(suggested, route.updated(values))
