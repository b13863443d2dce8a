"""Events, their frozen payloads, and the outbox rows that ask for each to be sent.

The payload is stored once per change however many events and subscriptions share it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, func, insert, select

from roundsman.domain.events import Actor, Event, ToldEvent
from roundsman.domain.noun import UNSET
from roundsman.domain.subscription import Subscription
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
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
            }
            for event in recorded
        ],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFilter:
    """Which events to list: `starting` is inclusive, `ending` exclusive."""

    topic: Topic | None
    starting: datetime | None
    ending: datetime | None


def list_events(
    tx: Transaction,
    organization_id: str,
    wanted: EventFilter,
    after: Position | None,
    count: int,
) -> list[tuple[Position, ToldEvent]]:
    """Return a page of events, oldest first."""
    statement = (
        select(events, event_payloads.c.body)
        .join(event_payloads, event_payloads.c.id == events.c.payload_id, isouter=True)
        .where(events.c.organization_id == organization_id)
    )
    if wanted.topic is not None:
        statement = statement.where(events.c.topic == wanted.topic.value)
    if wanted.starting is not None:
        statement = statement.where(events.c.timestamp >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(events.c.timestamp < wanted.ending)
    sort = (events.c.timestamp, events.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, _told(row)) for position, row in rows]


def _told(row: Row[Any]) -> ToldEvent:
    event = Event(
        id=row.id,
        organization_id=row.organization_id,
        topic=Topic(row.topic),
        object_id=row.object_id,
        timestamp=row.timestamp,
        actor=msgspec.json.decode(row.actor, type=Actor),
        payload_id=row.payload_id or UNSET,
    )
    return ToldEvent(event=event, payload=None if row.body is None else row.body.encode())


def add_to_outbox(tx: Transaction, due: Iterable[tuple[Event, Subscription]]) -> None:
    """Ask for events to be sent to subscriptions, at once."""
    rows = [
        {
            "event_id": event.id,
            "subscription_id": subscription.id,
            "state": "PENDING",
            "attempts": 0,
            "due_at": event.timestamp,
        }
        for event, subscription in due
    ]
    if rows:
        tx.execute(insert(outbox), rows)


def count_waiting(tx: Transaction) -> tuple[int, datetime | None]:
    """Return how many deliveries wait, and since when the one due longest is due."""
    statement = select(func.count(), func.min(outbox.c.due_at)).where(outbox.c.state == "PENDING")
    waiting, oldest = tx.execute(statement).one()
    return waiting, oldest
