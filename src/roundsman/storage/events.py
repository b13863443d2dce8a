"""Events, their frozen payloads, and the outbox rows that ask for each to be sent.

The payload is stored once per change however many events and subscriptions share it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import func, insert, select

from roundsman.domain.events import Event
from roundsman.domain.subscription import Subscription
from roundsman.storage.database import Transaction
from roundsman.storage.tables import event_payloads, events, outbox, subscriptions

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


def list_active_subscriptions(tx: Transaction, organization_id: str) -> list[Subscription]:
    """Return the subscriptions that are to be told of events."""
    bodies = tx.execute(
        select(subscriptions.c.body).where(
            subscriptions.c.organization_id == organization_id, subscriptions.c.active
        )
    ).scalars()
    return [msgspec.json.decode(body, type=Subscription) for body in bodies]


def add_subscription(
    tx: Transaction, organization_id: str, subscription: Subscription, now: datetime
) -> None:
    """Store a new subscription."""
    tx.execute(
        insert(subscriptions).values(
            id=subscription.id,
            organization_id=organization_id,
            active=subscription.active,
            created_at=now,
            body=msgspec.json.encode(subscription).decode(),
        )
    )


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
