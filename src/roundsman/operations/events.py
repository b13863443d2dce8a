"""Writes what happened into the event log and the outbox, in the transaction of the change.

Timestamps strictly increase per object (decisions §9), and those of one work never go back. Events
of a work that share a moment have ids in the order in which they are written, so that the log,
sorted by moment and id, tells them in that order. Each distinct subject is rendered and stored
once, however many happenings show it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import (
    Actor,
    Event,
    EventSummary,
    Happening,
    Subject,
    subjects_of,
    summarize,
)
from roundsman.domain.model import UNSET
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.ids import IdSource, new_id
from roundsman.storage.database import Transaction
from roundsman.storage.events import add_events, latest_timestamps
from roundsman.storage.outbox import add_to_outbox
from roundsman.storage.webhook_subscriptions import hold_active_subscriptions

TICK = timedelta(microseconds=1)
"""The least difference between two event times of an organization."""


@dataclass(frozen=True, slots=True)
class EventTime:
    """When something happens: after whatever has happened in the organization."""

    now: datetime
    clock: datetime
    """What the clock says, which those go by who send what happened."""

    is_latest: bool = True
    """Whether nothing in the organization is recorded as later; the clock may be far behind."""


@dataclass(frozen=True, slots=True)
class RecordedEvents:
    """What became of happenings: whether any is to be sent, and how many bytes they take."""

    is_to_be_sent: bool
    size: int


_ROW_BYTES = 200
"""Of an event beside its payload, and of each of its deliveries."""


def record_events(  # noqa: PLR0913 -- the keywords say what the events share
    tx: Transaction,
    organization_id: str,
    happenings: Sequence[Happening],
    *,
    actor: Actor,
    event_time: EventTime,
    ids: IdSource,
    render: Callable[[Subject], bytes],
) -> RecordedEvents:
    """Store happenings as events, with their payloads as `render` writes them."""
    subjects = {id(subject): subject for subject in subjects_of(happenings)}
    stops = {key: _stops_by_id(subject) for key, subject in subjects.items()}
    # Several happenings of a change may show the same body, each as a subject of its own.
    id_of: dict[bytes, str] = {}
    payload_ids: dict[int, str] = {}
    for key, subject in subjects.items():
        payload_ids[key] = id_of.setdefault(render(subject), ids.new_uuid())
    latest: dict[str, datetime] = {}
    if not event_time.is_latest:
        latest = latest_timestamps(tx, sorted({happening.object_id for happening in happenings}))
    event_ids = sorted(new_id(ids, "evt") for _ in happenings)
    recorded = []
    due_at: dict[str, datetime] = {}
    next_due: dict[str, datetime] = {}
    timestamp = event_time.now
    for event_id, happening in zip(event_ids, happenings, strict=True):
        last = latest.get(happening.object_id)
        timestamp = timestamp if last is None else max(timestamp, last + TICK)
        latest[happening.object_id] = timestamp
        event = Event(
            id=happening.event_id or event_id,
            organization_id=organization_id,
            topic=happening.topic,
            object_id=happening.object_id,
            timestamp=timestamp,
            actor=actor,
            payload_id=payload_ids.get(id(happening.subject), UNSET),
            summary=summarize(happening, stops.get(id(happening.subject), {})),
        )
        recorded.append(event)
        # Due by the clock, whatever the event's date: that may be far ahead, where the clock was.
        due_at[event.id] = next_due.get(happening.object_id, event_time.clock)
        next_due[happening.object_id] = due_at[event.id] + TICK
    add_events(tx, recorded, {id_: body for body, id_ in id_of.items()})
    subscriptions = hold_active_subscriptions(tx, organization_id)
    due = [
        (event, subscription, due_at[event.id])
        for event in recorded
        for subscription in subscriptions
        if subscription.wants(event.topic, event.object_id, _tags(event))
    ]
    add_to_outbox(tx, due)
    size = sum(map(len, id_of)) + _ROW_BYTES * (len(recorded) + len(due))
    return RecordedEvents(is_to_be_sent=bool(due), size=size)


def _stops_by_id(subject: Subject) -> dict[str, RouteStop]:
    if not isinstance(subject, AssignedRoute):
        return {}
    return {stop.id: stop for stop in subject.route.stops}


def _tags(event: Event) -> tuple[str, ...]:
    return event.summary.tags if isinstance(event.summary, EventSummary) else ()
