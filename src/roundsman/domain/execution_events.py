"""Events of drivers' actions: which change of a route has which topics."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import Happening, route_happened
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.topics import Topic


class RouteChange(StrEnum):
    """What a driver has brought about."""

    ROUTE_STARTED = "the route started"
    STOP_SENT_OUT = "a stop went out with the route"
    STOP_MOVED = "a stop has another status"
    STOP_PROVEN = "a stop has other proof or tasks"
    START_CHANGED = "the start has other tasks or photos"
    END_CHANGED = "the end has other tasks or photos"
    STOPS_REORDERED = "the open stops come in another order"
    ROUTE_COMPLETED = "the route is completed"


TOPICS: Mapping[RouteChange, tuple[Topic, ...]] = {
    RouteChange.ROUTE_STARTED: (Topic.ROUTE_STARTED,),
    RouteChange.STOP_SENT_OUT: (Topic.STOP_STATUS_UPDATED,),
    RouteChange.STOP_MOVED: (Topic.STOP_STATUS_UPDATED, Topic.STOP_UPDATED),
    RouteChange.STOP_PROVEN: (Topic.STOP_UPDATED,),
    RouteChange.START_CHANGED: (Topic.ROUTE_START_STOP_UPDATED,),
    RouteChange.END_CHANGED: (Topic.ROUTE_END_STOP_UPDATED,),
    RouteChange.STOPS_REORDERED: (Topic.ROUTE_UPDATED,),
    RouteChange.ROUTE_COMPLETED: (Topic.ROUTE_COMPLETED,),
}
"""Decisions §9: the topics of each change."""


def driver_acted(before: Route, after: AssignedRoute) -> tuple[Happening, ...]:
    """Return the happenings of an action: one for each topic of each change."""
    return tuple(
        Happening(topic=topic, object_id=object_id, subject=after)
        for change, object_id in _changes(before, after.route)
        for topic in TOPICS[change]
    )


def stops_removed(before: Route, after: AssignedRoute) -> tuple[Happening, ...]:
    """Return the happenings of removed stops; the route may be completed by them."""
    updated = route_happened(Topic.ROUTE_UPDATED, after)
    if not _is_completed(before, after.route):
        return updated
    return (*updated, *route_happened(Topic.ROUTE_COMPLETED, after))


def _changes(before: Route, after: Route) -> Iterator[tuple[RouteChange, str]]:
    starts = after.is_started() and not before.is_started()
    if starts:
        yield RouteChange.ROUTE_STARTED, after.id
    if (after.start.tasks, after.start.photos) != (before.start.tasks, before.start.photos):
        yield RouteChange.START_CHANGED, after.id
    yield from _stop_changes(before, after, starts=starts)
    if [stop.id for stop in after.stops] != [stop.id for stop in before.stops]:
        yield RouteChange.STOPS_REORDERED, after.id
    if _end_work(after) != _end_work(before):
        yield RouteChange.END_CHANGED, after.id
    if _is_completed(before, after):
        yield RouteChange.ROUTE_COMPLETED, after.id


def _is_completed(before: Route, after: Route) -> bool:
    return isinstance(after.completed_at, datetime) and after.completed_at != before.completed_at


def _stop_changes(
    before: Route, after: Route, *, starts: bool
) -> Iterator[tuple[RouteChange, str]]:
    were = {stop.id: stop for stop in before.stops}
    for stop in after.stops:
        was = were[stop.id]
        if stop.status() != was.status():
            yield (RouteChange.STOP_SENT_OUT if starts else RouteChange.STOP_MOVED), stop.id
        elif stop.progress() != was.progress():
            yield RouteChange.STOP_PROVEN, stop.id


def _end_work(route: Route) -> tuple[object, ...]:
    return (route.end.tasks, route.end.photos) if isinstance(route.end, RouteEnd) else ()
