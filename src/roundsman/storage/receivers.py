"""Receivers as the sender sees them: where they are, whether they answer, what is due to them."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, exists, select, update

from roundsman.domain.delivery import DeliveryState
from roundsman.domain.noun import UNSET, Noun, UnsetType
from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.domain.subscription import Subscription
from roundsman.storage.database import Transaction
from roundsman.storage.subscriptions import read_subscription
from roundsman.storage.tables import organizations, outbox, subscriptions


class Receiver(Noun):
    """An active subscription, locked, with the secrets its organization signs with."""

    organization_id: str
    subscription: Subscription
    health: ReceiverHealth
    secrets: tuple[str, ...]


def _has_due(now: datetime) -> ColumnElement[bool]:
    return subscriptions.c.active & exists().where(
        outbox.c.subscription_id == subscriptions.c.id,
        outbox.c.state == DeliveryState.PENDING.value,
        outbox.c.due_at <= now,
    )


def has_due_deliveries(tx: Transaction, now: datetime) -> bool:
    """Say whether any receiver waits for anything."""
    return tx.execute(select(subscriptions.c.id).where(_has_due(now)).limit(1)).first() is not None


def hold_due_receivers(
    tx: Transaction, now: datetime, among: Collection[str] | UnsetType = UNSET
) -> list[Receiver]:
    """Lock the receivers that something is due to, save those that another worker looks after."""
    wanted = _has_due(now)
    if not isinstance(among, UnsetType):
        wanted &= subscriptions.c.id.in_(among)
    return _hold(tx, wanted, skip_locked=True)


def hold_receivers_of(tx: Transaction, subscription_ids: Collection[str]) -> list[Receiver]:
    """Lock these receivers, waiting for whoever has them."""
    return _hold(tx, subscriptions.c.id.in_(subscription_ids), skip_locked=False)


def _hold(tx: Transaction, wanted: ColumnElement[bool], *, skip_locked: bool) -> list[Receiver]:
    # Recording an event holds its receivers with KEY SHARE, which this lock lets pass.
    rows = tx.execute(
        select(
            subscriptions,
            organizations.c.webhook_secret,
            organizations.c.next_webhook_secret,
        )
        .join(organizations, organizations.c.id == subscriptions.c.organization_id)
        .where(wanted)
        .order_by(subscriptions.c.id)
        .with_for_update(of=subscriptions, key_share=True, skip_locked=skip_locked)
    )
    return [
        Receiver(
            organization_id=row.organization_id,
            subscription=read_subscription(row),
            health=ReceiverHealth(
                answered_at=row.answered_at or row.created_at,
                failing_since=row.failing_since or UNSET,
                dropped_in_row=row.dropped_in_row,
            ),
            secrets=tuple(
                secret for secret in (row.webhook_secret, row.next_webhook_secret) if secret
            ),
        )
        for row in rows
    ]


def update_health(tx: Transaction, changed: Sequence[tuple[str, ReceiverHealth]]) -> None:
    """Write what receivers' latest attempts say of them."""
    if not changed:
        return
    tx.execute(
        update(subscriptions)
        .where(subscriptions.c.id == bindparam("of_subscription"))
        .values(
            answered_at=bindparam("to_answered_at"),
            failing_since=bindparam("to_failing_since"),
            dropped_in_row=bindparam("to_dropped"),
        ),
        [
            {
                "of_subscription": subscription_id,
                "to_answered_at": health.answered_at,
                "to_failing_since": health.failing_since or None,
                "to_dropped": health.dropped_in_row,
            }
            for subscription_id, health in changed
        ],
    )
