"""What became of deliveries: every attempt with its answer, kept as long as the event."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, exists, insert, select

from roundsman.domain.event_delivery import Attempt, DeliveryReport, DeliveryState, Ended
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.tables import delivery_attempts, events, outbox, webhook_subscriptions

_MICROSECOND = timedelta(microseconds=1)
_PENDING = DeliveryState.PENDING.value
_RARE_STATES = (DeliveryState.PENDING, DeliveryState.DROPPED)


def add_attempts(tx: Transaction, ended: Sequence[Ended]) -> None:
    """Store how attempts went."""
    if not ended:
        return
    tx.execute(
        insert(delivery_attempts),
        [
            {
                "event_id": one.claim.event_id,
                "subscription_id": one.claim.subscription_id,
                "number": one.claim.number,
                "started_at": one.attempt.started_at,
                "duration_micros": one.attempt.duration // _MICROSECOND,
                "status": one.attempt.status,
                "answer": one.attempt.answer,
                "error": one.attempt.error,
                "error_type": one.attempt.error_type or None,
            }
            for one in ended
        ],
    )


def select_deliveries(
    tx: Transaction,
    organization_id: str,
    subscription_id: str,
    state: DeliveryState | None,
    after: Position | None,
    count: int,
) -> list[tuple[Position, DeliveryReport]]:
    """Return a page of a receiver's deliveries, the newest event first."""
    theirs = outbox.c.subscription_id == subscription_id
    statement = select(events.c.id, events.c.topic, events.c.timestamp)
    if state in _RARE_STATES:
        # These few are looked up and sorted: no walk through all events in their order.
        statement = statement.join(outbox, outbox.c.event_id == events.c.id).where(
            without_index(events.c.organization_id) == organization_id,
            theirs,
            outbox.c.state == state.value,
        )
    else:
        among = theirs & (outbox.c.event_id == events.c.id)
        wanted = among if state is None else among & (outbox.c.state == state.value)
        statement = statement.where(
            events.c.organization_id == organization_id, exists().where(wanted)
        )
    sort = (events.c.timestamp, events.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=True, count=count)
    reports = _report(tx, subscription_id, [row for _, row in rows])
    return [(position, reports[row.id]) for position, row in rows]


def select_deliveries_of_event(
    tx: Transaction, organization_id: str, subscription_id: str, event_id: str
) -> list[DeliveryReport]:
    """Return what became of one event at one receiver, if it was ever sent there."""
    is_sent_there = exists().where(
        outbox.c.subscription_id == subscription_id, outbox.c.event_id == events.c.id
    )
    rows = tx.execute(
        select(events.c.id, events.c.topic, events.c.timestamp).where(
            events.c.organization_id == organization_id, events.c.id == event_id, is_sent_there
        )
    ).all()
    return list(_report(tx, subscription_id, rows).values())


def _report(
    tx: Transaction, subscription_id: str, shown: Sequence[Row[*tuple[Any, ...]]]
) -> dict[str, DeliveryReport]:
    """Return what became of these events at a receiver, by their ids."""
    event_ids = [row.id for row in shown]
    attempts = _attempts(tx, subscription_id, event_ids)
    rows = tx.execute(
        select(outbox.c.event_id, outbox.c.state, outbox.c.due_at, webhook_subscriptions.c.active)
        .join(webhook_subscriptions, webhook_subscriptions.c.id == outbox.c.subscription_id)
        .where(outbox.c.event_id.in_(event_ids), outbox.c.subscription_id == subscription_id)
    )
    delivered = {row.event_id: row for row in rows}
    return {
        row.id: DeliveryReport(
            event_id=row.id,
            topic=Topic(row.topic),
            event_timestamp=row.timestamp,
            state=DeliveryState(delivered[row.id].state),
            attempts=tuple(attempts[row.id]),
            due_at=_due_at(delivered[row.id]),
        )
        for row in shown
    }


def _due_at(delivered: Row[*tuple[Any, ...]]) -> datetime | UnsetType:
    """Return when it is tried next: what waits for a webhook to be activated, at no known time."""
    is_tried = delivered.active and delivered.state == _PENDING
    return delivered.due_at if is_tried else UNSET


def _attempts(
    tx: Transaction, subscription_id: str, event_ids: Sequence[str]
) -> dict[str, list[Attempt]]:
    rows = tx.execute(
        select(delivery_attempts)
        .where(
            delivery_attempts.c.event_id.in_(event_ids),
            delivery_attempts.c.subscription_id == subscription_id,
        )
        .order_by(delivery_attempts.c.event_id, delivery_attempts.c.number)
    )
    attempts: dict[str, list[Attempt]] = {event_id: [] for event_id in event_ids}
    for row in rows:
        attempts[row.event_id].append(
            Attempt(
                started_at=row.started_at,
                duration=timedelta(microseconds=row.duration_micros),
                status=row.status,
                answer=row.answer,
                error=row.error,
                error_type=IssueType(row.error_type) if row.error_type else UNSET,
            )
        )
    return attempts
