"""What happened to a route and its stops, as a planner reads it: newest first, who and when.

A route's payload is kept with every change. What a change was follows from its topics, and from
what the payload has that the one before it has not.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from roundsman.domain.event import Actor
from roundsman.domain.message import Channel, MessageStatus, Trigger
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route import RouteOptions
from roundsman.domain.topics import Topic

MOST_NAMED = 5
"""How many stops of a change are named; the others are counted."""


class HistoryKind(StrEnum):
    """What happened."""

    CREATED = "CREATED"
    RENAMED = "RENAMED"
    DRIVER_CHANGED = "DRIVER_CHANGED"
    VEHICLE_CHANGED = "VEHICLE_CHANGED"
    DEPARTURE_CHANGED = "DEPARTURE_CHANGED"
    STOPS_ADDED = "STOPS_ADDED"
    STOPS_REMOVED = "STOPS_REMOVED"
    STOPS_REORDERED = "STOPS_REORDERED"
    STOPS_CHANGED = "STOPS_CHANGED"
    DISPATCHED = "DISPATCHED"
    UNDISPATCHED = "UNDISPATCHED"
    ARCHIVED = "ARCHIVED"
    UNARCHIVED = "UNARCHIVED"
    STARTED = "STARTED"
    COMPLETED = "COMPLETED"
    START_CHANGED = "START_CHANGED"
    END_CHANGED = "END_CHANGED"
    OPTIONS_CHANGED = "OPTIONS_CHANGED"
    """Its note, tags or limits, or how it is driven."""

    STOPS_READY = "STOPS_READY"
    STOPS_SENT_OUT = "STOPS_SENT_OUT"
    STOPS_ARRIVED = "STOPS_ARRIVED"
    STOPS_DELIVERED = "STOPS_DELIVERED"
    STOPS_ATTEMPTED = "STOPS_ATTEMPTED"
    STOPS_REOPENED = "STOPS_REOPENED"
    BREAK_COMPLETED = "BREAK_COMPLETED"
    PROOF_CHANGED = "PROOF_CHANGED"
    MESSAGE = "MESSAGE"
    OTHER = "OTHER"
    """Something else of the route, which the entry's topics name."""


class HistoryStop(Model):
    """A stop by its id, and by what it was called then."""

    stop_id: str
    name: str = ""


class HistoryChange(Model):
    """One thing that happened, and to which stops, at most five of which are named."""

    kind: HistoryKind
    stops: tuple[HistoryStop, ...] = ()
    stop_count: int = 0
    before: str = ""
    """What was there before, where a value changed; a departure as a timestamp."""

    after: str = ""
    """What is there since; the route that stops came from or went to; why a stop failed."""


class HistoryMessage(Model):
    """A message to a customer, and whether it arrived."""

    moment: Trigger
    channel: Channel
    status: MessageStatus


class HistoryEntry(Model):
    """One change, or one message to a customer; a change may be several things at once."""

    id: str
    at: datetime
    who: str = ""
    """The name of the member or driver, or the e-mail of a client; empty where nobody is known."""

    topics: tuple[Topic, ...] = ()
    """Of the events that record it."""

    changes: tuple[HistoryChange, ...] = ()
    message: HistoryMessage | UnsetType = UNSET


class _Named(Model):
    """What a payload says of a customer, a driver or a vehicle."""

    id: str = ""
    first_name: str = ""
    last_name: str = ""
    company: str = ""
    name: str = ""

    def called(self) -> str:
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.company


class _Street(Model):
    address1: str = ""


class _TaskItem(Model):
    title: str = ""


class _Task(Model):
    """What a planner decides of a task, and not what the driver made of it."""

    title: str = ""
    type: str = ""
    items: tuple[_TaskItem, ...] = ()
    required_to_mark_stop_as_delivered: bool = False
    required_to_mark_stop_as_attempted: bool = False


class _RecordedEnd(Model):
    """What a planner decides of a route's start or end."""

    address: Any = None
    coordinates: Any = None
    tasks: tuple[_Task, ...] = ()


class RecordedStop(Model):
    """A stop as a payload has it, as far as its history needs it."""

    id: str
    order_name: str = ""
    contact: _Named | UnsetType = UNSET
    address: _Street | UnsetType = UNSET
    delivery_status: str = ""
    break_status: str = ""
    arrived_at: str = ""
    attempted_reason: str = ""
    time_windows: Any = ()
    duration: str = ""
    note: str = ""
    priority: int = 0
    locked: bool = False
    planned_coordinates: Any = None
    items: Any = ()
    delivery_date: Any = None
    tags: Any = ()
    attributes: Any = ()
    type: str = ""
    tasks: tuple[_Task, ...] = ()
    order_reference_url: str = ""
    custom_signature_disclosure: str = ""

    def called(self) -> HistoryStop:
        """Return its id and its name."""
        contact = "" if isinstance(self.contact, UnsetType) else self.contact.called()
        street = "" if isinstance(self.address, UnsetType) else self.address.address1
        return HistoryStop(stop_id=self.id, name=contact or self.order_name or street)

    def plan(self) -> tuple[object, ...]:
        """Return what a planner decides of it."""
        where = (self.planned_coordinates, self.address, self.contact)
        when = (self.delivery_date, self.time_windows, self.duration, self.priority, self.locked)
        what = (self.type, self.items, self.tasks, self.note, self.tags, self.attributes)
        order = (self.order_name, self.order_reference_url, self.custom_signature_disclosure)
        return (*where, *when, *what, *order)


class RecordedRoute(Model):
    """A route as a payload has it, as far as its history needs it."""

    id: str
    name: str = ""
    driver: _Named | UnsetType = UNSET
    vehicle: _Named | UnsetType = UNSET
    scheduled_for: str = ""
    dispatched_until: str = ""
    archived_at: str = ""
    start: _RecordedEnd | UnsetType = UNSET
    end: _RecordedEnd | UnsetType = UNSET
    stops: tuple[RecordedStop, ...] = ()
    note: str = ""
    tags: Any = ()
    default_stop_duration: str = ""
    max_duration: str = ""
    max_stops: int = 0
    max_item_count: int = 0
    max_kilograms: float = 0
    avoid_tolls: bool = False
    avoid_u_turns: bool = False
    speed_factor: float = 1
    stop_tasks: Any = ()

    def options(self) -> tuple[object, ...]:
        """Return what a planner decides of it as a whole, beside what has a kind of its own."""
        return tuple(
            getattr(self, name)
            for name in RouteOptions.__struct_fields__
            if name != "scheduled_for"
        )


class RecordedChange(Model):
    """Events that share a payload: one change, as it is kept."""

    id: str
    at: datetime
    actor: Actor
    topics: Mapping[Topic, Collection[str]]
    """The ids of the objects of each topic's events."""

    route: RecordedRoute


_OF_ROUTE = {
    Topic.ROUTE_CREATED: HistoryKind.CREATED,
    Topic.ROUTE_DISPATCHED: HistoryKind.DISPATCHED,
    Topic.ROUTE_STARTED: HistoryKind.STARTED,
    Topic.ROUTE_START_STOP_UPDATED: HistoryKind.START_CHANGED,
    Topic.ROUTE_END_STOP_UPDATED: HistoryKind.END_CHANGED,
    Topic.ROUTE_COMPLETED: HistoryKind.COMPLETED,
}
_OF_STATUS = {
    "READY_FOR_DELIVERY": HistoryKind.STOPS_READY,
    "OUT_FOR_DELIVERY": HistoryKind.STOPS_SENT_OUT,
    "DELIVERED": HistoryKind.STOPS_DELIVERED,
    "ATTEMPTED_DELIVERY": HistoryKind.STOPS_ATTEMPTED,
}
_DONE = {"DELIVERED", "ATTEMPTED_DELIVERY"}
_IMPLIED = {
    HistoryKind.DISPATCHED: HistoryKind.STOPS_READY,
    HistoryKind.STARTED: HistoryKind.STOPS_SENT_OUT,
}
"""What the stops of a route become with each change of it."""


def derive_changes(
    change: RecordedChange, before: RecordedRoute | None, stop_id: str = ""
) -> tuple[HistoryChange, ...]:
    """Return what a change was; `before` is the route as the change before left it.

    With `stop_id` only what concerns that stop, which may be nothing.
    """
    if stop_id:
        after = replace(change, route=_only(change.route, stop_id))
        if Topic.ROUTE_UPDATED not in change.topics or before is None:
            return tuple(_list_stop_changes(after, before))
        planned = _compare_stops(_only(before, stop_id), after.route)
        return (*planned, *_list_stop_changes(after, before))
    changes = [
        HistoryChange(kind=kind) for topic, kind in _OF_ROUTE.items() if topic in change.topics
    ]
    if Topic.ROUTE_UPDATED in change.topics and before is not None:
        known = {one.kind for one in changes}
        changes += (one for one in _compare(before, change.route) if one.kind not in known)
    changes += _list_stop_changes(change, before)
    implied = {_IMPLIED.get(one.kind) for one in changes}
    changes = [one for one in changes if one.kind not in implied]
    return tuple(changes) or (HistoryChange(kind=HistoryKind.OTHER),)


def _only(route: RecordedRoute, stop_id: str) -> RecordedRoute:
    return replace(route, stops=tuple(stop for stop in route.stops if stop.id == stop_id))


def _of_stops(kind: HistoryKind, stops: Sequence[RecordedStop], after: str = "") -> HistoryChange:
    named = tuple(stop.called() for stop in stops[:MOST_NAMED])
    return HistoryChange(kind=kind, stops=named, stop_count=len(stops), after=after)


def _compare(before: RecordedRoute, after: RecordedRoute) -> Iterator[HistoryChange]:
    values = (
        (HistoryKind.RENAMED, before.name, after.name),
        (HistoryKind.DRIVER_CHANGED, _called(before.driver), _called(after.driver)),
        (HistoryKind.VEHICLE_CHANGED, _called(before.vehicle), _called(after.vehicle)),
        (HistoryKind.DEPARTURE_CHANGED, before.scheduled_for, after.scheduled_for),
    )
    for kind, was, is_now in values:
        if was != is_now:
            yield HistoryChange(kind=kind, before=was, after=is_now)
    plans = (
        (HistoryKind.START_CHANGED, before.start, after.start),
        (HistoryKind.END_CHANGED, before.end, after.end),
        (HistoryKind.OPTIONS_CHANGED, before.options(), after.options()),
    )
    for kind, planned, is_planned in plans:
        if planned != is_planned:
            yield HistoryChange(kind=kind)
    if before.dispatched_until and not after.dispatched_until:
        yield HistoryChange(kind=HistoryKind.UNDISPATCHED)
    if bool(before.archived_at) != bool(after.archived_at):
        is_archived = bool(after.archived_at)
        yield HistoryChange(kind=HistoryKind.ARCHIVED if is_archived else HistoryKind.UNARCHIVED)
    yield from _compare_stops(before, after)


def _called(named: _Named | UnsetType) -> str:
    return "" if isinstance(named, UnsetType) else named.called()


def _compare_stops(before: RecordedRoute, after: RecordedRoute) -> Iterator[HistoryChange]:
    were = {stop.id: stop for stop in before.stops}
    are = {stop.id: stop for stop in after.stops}
    added = [stop for stop in after.stops if stop.id not in were]
    removed = [stop for stop in before.stops if stop.id not in are]
    stayed = [stop.id for stop in before.stops if stop.id in are]
    changed = [are[id_] for id_ in stayed if are[id_].plan() != were[id_].plan()]
    if added:
        yield _of_stops(HistoryKind.STOPS_ADDED, added)
    if removed:
        yield _of_stops(HistoryKind.STOPS_REMOVED, removed)
    if stayed != [stop.id for stop in after.stops if stop.id in were]:
        yield HistoryChange(kind=HistoryKind.STOPS_REORDERED)
    if changed:
        yield _of_stops(HistoryKind.STOPS_CHANGED, changed)


def _list_stop_changes(
    change: RecordedChange, before: RecordedRoute | None
) -> Iterator[HistoryChange]:
    """Yield what became of stops, as their own events have it."""
    were = {stop.id: stop for stop in before.stops} if before else {}
    with_status = set(change.topics.get(Topic.STOP_STATUS_UPDATED, ()))
    with_proof = set(change.topics.get(Topic.STOP_UPDATED, ())) - with_status
    by_kind: dict[tuple[HistoryKind, str], list[RecordedStop]] = {}
    for stop in change.route.stops:
        if stop.id in with_status:
            by_kind.setdefault((_kind_of(stop, were.get(stop.id)), _reason(stop)), []).append(stop)
        elif stop.id in with_proof:
            was = were.get(stop.id)
            comes = was is not None and stop.arrived_at and not was.arrived_at
            kind = HistoryKind.STOPS_ARRIVED if comes else HistoryKind.PROOF_CHANGED
            by_kind.setdefault((kind, ""), []).append(stop)
    for (kind, reason), stops in by_kind.items():
        yield _of_stops(kind, stops, reason)


def _reason(stop: RecordedStop) -> str:
    return stop.attempted_reason if stop.delivery_status == "ATTEMPTED_DELIVERY" else ""


def _kind_of(stop: RecordedStop, was: RecordedStop | None) -> HistoryKind:
    if stop.break_status == "COMPLETED":
        return HistoryKind.BREAK_COMPLETED
    if was is not None and was.delivery_status in _DONE and stop.delivery_status not in _DONE:
        return HistoryKind.STOPS_REOPENED
    return _OF_STATUS.get(stop.delivery_status, HistoryKind.OTHER)
