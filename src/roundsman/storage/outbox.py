"""The outbox: one row a delivery, claimed for one attempt after the other (`storage/leases.py`)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    exists,
    func,
    insert,
    literal,
    select,
    tuple_,
    update,
)

from roundsman.domain.event import Event
from roundsman.domain.event_delivery import DeliveryClaim, DeliveryState
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.webhook_subscription import WebhookSubscription
from roundsman.storage.database import Transaction
from roundsman.storage.leases import Leases
from roundsman.storage.tables import Instant, events, outbox, webhook_subscriptions

type Key = tuple[str, str]

_IS_PENDING = outbox.c.state == DeliveryState.PENDING.value
_LEASES = Leases(outbox, _IS_PENDING)


class DueDelivery(Model):
    """A delivery whose time has come; `was_claimed` by a worker that never came back."""

    event_id: str
    subscription_id: str
    attempts: int
    attempts_before: int
    was_claimed: bool
    due_at: datetime

    def next_claim(self) -> DeliveryClaim:
        """Return the claim of its next attempt."""
        return DeliveryClaim(
            event_id=self.event_id,
            subscription_id=self.subscription_id,
            number=self.attempts + 1,
            tries=self.attempts + 1 - self.attempts_before,
        )

    def lost_claim(self) -> DeliveryClaim:
        """Return the claim that was not heard of again."""
        return DeliveryClaim(
            event_id=self.event_id,
            subscription_id=self.subscription_id,
            number=self.attempts,
            tries=self.attempts - self.attempts_before,
        )


class Settlement(Model):
    """What becomes of a delivery after an attempt."""

    claim: DeliveryClaim
    state: DeliveryState
    due_at: datetime
    """When it is tried again, or when it was done with."""


def add_to_outbox(
    tx: Transaction, due: Iterable[tuple[Event, WebhookSubscription, datetime]]
) -> None:
    """Ask for events to be sent to subscriptions, each as soon as it is due."""
    rows = [
        {
            "event_id": event.id,
            "subscription_id": subscription.id,
            "state": DeliveryState.PENDING.value,
            "attempts": 0,
            "due_at": due_at,
        }
        for event, subscription, due_at in due
    ]
    if rows:
        tx.execute(insert(outbox), rows)


def count_claimed(
    tx: Transaction, subscription_ids: Collection[str], now: datetime, lease: timedelta
) -> dict[tuple[str, str], int]:
    """Return how many attempts each worker of any process has claimed for each subscription."""
    rows = tx.execute(
        select(outbox.c.subscription_id, outbox.c.claimed_by, func.count())
        .where(
            outbox.c.subscription_id.in_(subscription_ids),
            _LEASES.is_running(now, lease),
        )
        .group_by(outbox.c.subscription_id, outbox.c.claimed_by)
    )
    return {(row.subscription_id, row.claimed_by): int(row[2]) for row in rows}


_DUE = (
    select(
        outbox.c.event_id,
        outbox.c.attempts,
        outbox.c.attempts_before,
        outbox.c.claimed_by,
        outbox.c.due_at,
    )
    .where(
        outbox.c.subscription_id == bindparam("subscription_id"),
        _IS_PENDING,
        outbox.c.due_at <= bindparam("now"),
    )
    .order_by(outbox.c.due_at)
    .limit(bindparam("count"))
)


def list_due(tx: Transaction, subscription_id: str, now: datetime, count: int) -> list[DueDelivery]:
    """Return what is due to one subscription, longest due first."""
    rows = tx.execute(_DUE, {"subscription_id": subscription_id, "now": now, "count": count})
    return [
        DueDelivery(
            event_id=row.event_id,
            subscription_id=subscription_id,
            attempts=row.attempts,
            attempts_before=row.attempts_before,
            was_claimed=row.claimed_by is not None,
            due_at=row.due_at,
        )
        for row in rows
    ]


def _is_one_of(keys: Collection[Key]) -> ColumnElement[bool]:
    # The list of events alone is what both databases walk the primary key by.
    event_ids = sorted({event_id for event_id, _ in keys})
    return outbox.c.event_id.in_(event_ids) & tuple_(
        outbox.c.event_id, outbox.c.subscription_id
    ).in_(keys)


def claim(tx: Transaction, keys: Collection[Key], worker_id: str, until: datetime) -> None:
    """Begin an attempt of each of these deliveries."""
    if keys:
        _LEASES.claim(tx, _is_one_of(keys), worker_id, until)


_IS_NAMED = (outbox.c.event_id == bindparam("of_event")) & (
    outbox.c.subscription_id == bindparam("of_subscription")
)


def _named(claims: Collection[DeliveryClaim], worker_id: str) -> list[dict[str, str | int]]:
    return [
        {
            "of_worker": worker_id,
            "of_event": claim.event_id,
            "of_subscription": claim.subscription_id,
            "of_number": claim.number,
        }
        for claim in claims
    ]


def extend_claims(
    tx: Transaction, claims: Collection[DeliveryClaim], worker_id: str, until: datetime
) -> None:
    """Keep a worker's claims that it still has; an attempt that has ended is left as it is."""
    _LEASES.extend(tx, _IS_NAMED, _named(claims, worker_id), until)


def give_back(
    tx: Transaction, claims: Collection[DeliveryClaim], worker_id: str, now: datetime
) -> None:
    """End claims of a worker whose attempts were not begun, as if they had not been made."""
    _LEASES.release(tx, _IS_NAMED, _named(claims, worker_id), now)


def hold_claims(tx: Transaction, claims: Collection[DeliveryClaim]) -> set[Key]:
    """Lock the deliveries of claims that nobody else has taken over, and name them."""
    numbers = {claim.key: claim.number for claim in claims}
    rows = tx.execute(
        select(outbox.c.event_id, outbox.c.subscription_id, outbox.c.attempts)
        .where(_is_one_of(list(numbers)), _IS_PENDING, outbox.c.claimed_by.is_not(None))
        .with_for_update()
    )
    held = {(row.event_id, row.subscription_id): row.attempts for row in rows}
    return {key for key, number in numbers.items() if held.get(key) == number}


def settle(tx: Transaction, settlements: Sequence[Settlement]) -> None:
    """Write what becomes of deliveries; their claims end."""
    if not settlements:
        return
    tx.execute(
        update(outbox)
        .where(_IS_NAMED)
        .values(state=bindparam("to_state"), due_at=bindparam("to_due_at"), claimed_by=None),
        [
            {
                "of_event": settlement.claim.event_id,
                "of_subscription": settlement.claim.subscription_id,
                "to_state": settlement.state.value,
                "to_due_at": settlement.due_at,
            }
            for settlement in settlements
        ],
    )


def requeue_deliveries(
    tx: Transaction, subscription_id: str, event_ids: Sequence[str], now: datetime
) -> int:
    """Send events once more, or for the first time, to one subscription; return how many.

    What is still to be sent is left as it is: it will be.
    """
    if not event_ids:
        return 0
    again = tx.execute(
        update(outbox)
        .where(
            outbox.c.subscription_id == subscription_id,
            ~_IS_PENDING,
            outbox.c.event_id.in_(event_ids),
        )
        .values(state=DeliveryState.PENDING.value, attempts_before=outbox.c.attempts, due_at=now)
    )
    missed = (
        select(
            events.c.id,
            literal(subscription_id),
            literal(DeliveryState.PENDING.value),
            literal(0),
            literal(now, Instant),
        )
        .where(
            events.c.id.in_(event_ids),
            ~exists().where(
                outbox.c.event_id == events.c.id, outbox.c.subscription_id == subscription_id
            ),
        )
        .order_by(events.c.timestamp, events.c.id)  # those of one timestamp are sent in this order
    )
    columns = ["event_id", "subscription_id", "state", "attempts", "due_at"]
    first = tx.execute(
        insert(outbox).from_select(columns, missed), execution_options={"preserve_rowcount": True}
    )
    return again.rowcount + first.rowcount


class Dropped(Model):
    """How many deliveries were given up, and when the earliest of their events happened."""

    count: int
    earliest: datetime | UnsetType = UNSET


def sum_up_dropped(tx: Transaction, subscription_id: str, since: datetime) -> Dropped:
    """Sum up what was given up since a moment, as far as its events are still kept."""
    row = tx.execute(
        select(func.count(), func.min(events.c.timestamp))
        .join_from(outbox, events, events.c.id == outbox.c.event_id)
        .where(
            outbox.c.subscription_id == subscription_id,
            outbox.c.state == DeliveryState.DROPPED.value,
            outbox.c.due_at >= since,
        )
    ).one()
    return Dropped(count=row[0], earliest=row[1] or UNSET)


def bring_forward(tx: Transaction, latest: datetime, now: datetime) -> int:
    """Make due now whatever is due later than it can be: the clock was ahead when that was said."""
    return _LEASES.bring_forward(tx, latest, now)


def count_waiting(tx: Transaction) -> tuple[int, datetime | None]:
    """Return how many deliveries to active subscriptions wait, and the earliest due time.

    The time is that of subscriptions that answer: failing ones are retried at their own pace.
    """
    answers = webhook_subscriptions.c.failing_since.is_(None)
    waiting, oldest = tx.execute(
        select(func.count(), func.min(case((answers, outbox.c.due_at))))
        .join(webhook_subscriptions, webhook_subscriptions.c.id == outbox.c.subscription_id)
        .where(_IS_PENDING, webhook_subscriptions.c.active)
    ).one()
    return waiting, oldest
