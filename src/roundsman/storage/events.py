"""Events and their frozen payloads.

The payload is stored once per change however many events and subscriptions share it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Row, and_, delete, exists, func, insert, select

from roundsman.domain.event import Actor, Event, EventSummary, RenderedEvent
from roundsman.domain.model import UNSET
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import event_payloads, events, outbox

_IN_ONE_QUERY = 500


def latest_timestamps(tx: Transaction, object_ids: Sequence[str]) -> dict[str, datetime]:
    """Return when each object last had an event; objects without one are missing."""
    latest: dict[str, datetime] = {}
    for start in range(0, len(object_ids), _IN_ONE_QUERY):
        rows = tx.execute(
            select(events.c.object_id, func.max(events.c.timestamp).label("latest"))
            .where(events.c.object_id.in_(object_ids[start : start + _IN_ONE_QUERY]))
            .group_by(events.c.object_id)
        )
        latest |= {row.object_id: row.latest for row in rows}
    return latest


def latest_timestamp(tx: Transaction, organization_id: str) -> datetime | None:
    """Return when an organization last had an event."""
    latest: datetime | None = tx.execute(
        select(func.max(events.c.timestamp)).where(events.c.organization_id == organization_id)
    ).scalar_one()
    return latest


def add_events(tx: Transaction, recorded: Sequence[Event], payloads: Mapping[str, bytes]) -> None:
    """Store events and the payloads that they name by id."""
    if payloads:
        tx.execute(
            insert(event_payloads),
            [{"id": id_, "body": body.decode()} for id_, body in payloads.items()],
        )
    tx.execute(
        insert(events),
        [
            {
                "id": event.id,
                "organization_id": event.organization_id,
                "topic": event.topic.value,
                "object_id": event.object_id,
                "timestamp": event.timestamp,
                "actor": msgspec.json.encode(event.actor).decode(),
                "payload_id": event.payload_id or None,
                "summary": (
                    msgspec.json.encode(event.summary).decode()
                    if isinstance(event.summary, EventSummary)
                    else None
                ),
            }
            for event in recorded
        ],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFilter:
    """Which events to list: `starting` is inclusive, `ending` exclusive.

    An empty `object_id` asks for those of every object.
    """

    topic: Topic | None
    object_id: str = ""
    starting: datetime | None
    ending: datetime | None


def select_events(
    tx: Transaction,
    organization_id: str,
    wanted: EventFilter,
    after: Position | None,
    count: int,
) -> list[tuple[Position, RenderedEvent]]:
    """Return a page of events, oldest first."""
    statement = (
        select(events, event_payloads.c.body)
        .join(event_payloads, event_payloads.c.id == events.c.payload_id, isouter=True)
        .where(_belongs_to(organization_id, wanted))
    )
    if wanted.topic is not None:
        statement = statement.where(events.c.topic == wanted.topic.value)
    if wanted.starting is not None:
        statement = statement.where(events.c.timestamp >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(events.c.timestamp < wanted.ending)
    sort = (events.c.timestamp, events.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, _read_event(row)) for position, row in rows]


def _belongs_to(organization_id: str, wanted: EventFilter) -> ColumnElement[bool]:
    """Return what holds for the events of an organization, or of one object of it.

    An object has few events: they are found by its own index, not by the organization's.
    """
    if not wanted.object_id:
        return events.c.organization_id == organization_id
    is_of_organization = without_index(events.c.organization_id) == organization_id
    return and_(events.c.object_id == wanted.object_id, is_of_organization)


_read_summary = msgspec.json.Decoder(EventSummary).decode


def _read_event(row: Row[Any]) -> RenderedEvent:
    event = Event(
        id=row.id,
        organization_id=row.organization_id,
        topic=Topic(row.topic),
        object_id=row.object_id,
        timestamp=row.timestamp,
        actor=msgspec.json.decode(row.actor, type=Actor),
        payload_id=row.payload_id or UNSET,
        summary=UNSET if row.summary is None else _read_summary(row.summary),
    )
    return RenderedEvent(event=event, payload=None if row.body is None else row.body.encode())


def load_events(tx: Transaction, event_ids: Sequence[str]) -> dict[str, RenderedEvent]:
    """Return events by id, with their payloads."""
    rows = tx.execute(
        select(events, event_payloads.c.body)
        .join(event_payloads, event_payloads.c.id == events.c.payload_id, isouter=True)
        .where(events.c.id.in_(event_ids))
    )
    return {row.id: _read_event(row) for row in rows}


def find_event_ids(tx: Transaction, organization_id: str, event_ids: Sequence[str]) -> set[str]:
    """Return which of these events are the organization's."""
    return set(
        tx.execute(
            select(events.c.id).where(
                without_index(events.c.organization_id) == organization_id,
                events.c.id.in_(event_ids),
            )
        ).scalars()
    )


class PastEvent(NamedTuple):
    """An event by what a replay chooses it by."""

    id: str
    timestamp: datetime
    tags: tuple[str, ...]


def list_events_since(
    tx: Transaction,
    organization_id: str,
    topics: Sequence[Topic],
    starting: datetime,
    most: int,
) -> list[PastEvent]:
    """Return events with these topics, at or after an instant, oldest first."""
    rows = tx.execute(
        select(events.c.id, events.c.timestamp, events.c.summary)
        .where(
            events.c.organization_id == organization_id,
            events.c.timestamp >= starting,
            events.c.topic.in_([topic.value for topic in topics]),
        )
        .order_by(events.c.timestamp, events.c.id)
        .limit(most)
    )
    return [
        PastEvent(id_, timestamp, () if summary is None else _read_summary(summary).tags)
        for id_, timestamp, summary in rows
    ]


def remove_old_events(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove the oldest events, what became of them, and payloads that nobody shows any more."""
    rows = tx.execute(
        select(events.c.id, events.c.payload_id)
        .where(events.c.organization_id == organization_id, events.c.timestamp < before)
        .order_by(events.c.timestamp)
        .limit(most)
    ).fetchall()
    event_ids = [row.id for row in rows]
    payload_ids = {row.payload_id for row in rows if row.payload_id is not None}
    tx.execute(delete(outbox).where(outbox.c.event_id.in_(event_ids)))
    tx.execute(delete(events).where(events.c.id.in_(event_ids)))
    tx.execute(
        delete(event_payloads).where(
            event_payloads.c.id.in_(payload_ids),
            ~exists().where(events.c.payload_id == event_payloads.c.id),
        )
    )
    return len(rows)
