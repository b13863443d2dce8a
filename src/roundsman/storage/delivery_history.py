"""What became of deliveries: every attempt with its answer, kept as long as the event."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, insert, select

from roundsman.domain.delivery import Attempt, DeliveryReport, DeliveryState, Ended
from roundsman.domain.noun import UNSET
from roundsman.domain.topics import Topic
from roundsman.storage.database import Transaction
from roundsman.storage.tables import delivery_attempts, events, outbox

_MICROSECOND = timedelta(microseconds=1)


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
            }
            for one in ended
        ],
    )


def list_deliveries(
    tx: Transaction, organization_id: str, subscription_id: str, count: int
) -> list[DeliveryReport]:
    """Return a receiver's latest deliveries, whatever their state, newest event first."""
    # Three walks along an index instead of a sort of everything ever sent.
    reports = [
        report
        for state in DeliveryState
        for report in _fetch(
            tx,
            organization_id,
            (outbox.c.subscription_id == subscription_id) & (outbox.c.state == state.value),
            count,
        )
    ]
    reports.sort(key=lambda report: report.event_timestamp, reverse=True)
    return reports[:count]


def find_deliveries(
    tx: Transaction, organization_id: str, subscription_id: str, event_id: str
) -> list[DeliveryReport]:
    """Return what became of one event at one receiver, if it was ever sent there."""
    wanted = (outbox.c.subscription_id == subscription_id) & (outbox.c.event_id == event_id)
    return _fetch(tx, organization_id, wanted, 1)


def _fetch(
    tx: Transaction, organization_id: str, wanted: ColumnElement[bool], count: int
) -> list[DeliveryReport]:
    rows = tx.execute(
        select(outbox, events.c.topic, events.c.timestamp)
        .join(events, events.c.id == outbox.c.event_id)
        .where(wanted, events.c.organization_id == organization_id)
        .order_by(outbox.c.due_at.desc())
        .limit(count)
    )
    return [
        DeliveryReport(
            event_id=row.event_id,
            topic=Topic(row.topic),
            event_timestamp=row.timestamp,
            state=DeliveryState(row.state),
            attempts=tuple(_attempts(tx, row.event_id, row.subscription_id)),
            due_at=row.due_at if row.state == DeliveryState.PENDING.value else UNSET,
        )
        for row in rows.fetchall()
    ]


def _attempts(tx: Transaction, event_id: str, subscription_id: str) -> list[Attempt]:
    rows = tx.execute(
        select(delivery_attempts)
        .where(
            delivery_attempts.c.event_id == event_id,
            delivery_attempts.c.subscription_id == subscription_id,
        )
        .order_by(delivery_attempts.c.number)
    )
    return [
        Attempt(
            started_at=row.started_at,
            duration=timedelta(microseconds=row.duration_micros),
            status=row.status,
            answer=row.answer,
            error=row.error,
        )
        for row in rows
    ]
