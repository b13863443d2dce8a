"""Webhook subscriptions, and their health as the sender keeps it."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Row, bindparam, delete, exists, func, insert, select, update

from roundsman.domain.event_delivery import DeliveryState
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.webhook_subscription import (
    PayloadForm,
    SubscriptionHealth,
    WebhookFilter,
    WebhookSubscription,
)
from roundsman.storage.database import Transaction
from roundsman.storage.tables import organizations, outbox, webhook_subscriptions

_decoder = msgspec.json.Decoder(WebhookSubscription)
_filter_decoder = msgspec.json.Decoder(WebhookFilter)
_SHOWN = (
    webhook_subscriptions.c.body,
    webhook_subscriptions.c.payload_form,
    webhook_subscriptions.c.filter,
)


def read_subscription(row: Row[*tuple[Any, ...]]) -> WebhookSubscription:
    """Return the subscription of a row.

    Payload and filter have columns of their own, which win over the body: the version before this
    one writes the body without them when it switches a webhook off.
    """
    return replace(
        _decoder.decode(row.body),
        payload=PayloadForm(row.payload_form),
        filter=UNSET if row.filter is None else _filter_decoder.decode(row.filter),
    )


def insert_subscription(
    tx: Transaction, organization_id: str, subscription: WebhookSubscription, now: datetime
) -> None:
    """Store a new subscription."""
    tx.execute(
        insert(webhook_subscriptions).values(
            id=subscription.id,
            organization_id=organization_id,
            active=subscription.active,
            created_at=now,
            body=msgspec.json.encode(subscription).decode(),
            payload_form=subscription.payload.value,
            filter=(
                msgspec.json.encode(subscription.filter).decode() if subscription.filter else None
            ),
        )
    )


def select_subscriptions(tx: Transaction, organization_id: str) -> list[WebhookSubscription]:
    """Return an organization's subscriptions, oldest first."""
    rows = tx.execute(
        select(*_SHOWN)
        .where(webhook_subscriptions.c.organization_id == organization_id)
        .order_by(webhook_subscriptions.c.created_at, webhook_subscriptions.c.id)
    )
    return [read_subscription(row) for row in rows]


def hold_active_subscriptions(tx: Transaction, organization_id: str) -> list[WebhookSubscription]:
    """Return the active subscriptions; until the transaction ends, none of them can be removed.

    Otherwise an event could be recorded for a subscription that has just been removed.
    """
    rows = tx.execute(
        select(*_SHOWN)
        .where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.active,
        )
        .with_for_update(read=True, key_share=True)
    )
    return [read_subscription(row) for row in rows]


def find_subscription(
    tx: Transaction, organization_id: str, subscription_id: str
) -> WebhookSubscription | None:
    """Return one of the organization's subscriptions."""
    row = tx.execute(
        select(*_SHOWN).where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription_id,
        )
    ).one_or_none()
    return None if row is None else read_subscription(row)


def delete_subscription(tx: Transaction, organization_id: str, subscription_id: str) -> bool:
    """Remove a subscription and what was still to be sent to it; say whether it was there."""
    removed = tx.execute(
        delete(webhook_subscriptions).where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription_id,
        )
    )
    return removed.rowcount > 0


def find_organization_of(tx: Transaction, subscription_id: str) -> str | None:
    """Return the organization that a subscription belongs to."""
    return tx.execute(
        select(webhook_subscriptions.c.organization_id).where(
            webhook_subscriptions.c.id == subscription_id
        )
    ).scalar_one_or_none()


def update_subscription(
    tx: Transaction, organization_id: str, subscription: WebhookSubscription
) -> None:
    """Replace a subscription."""
    tx.execute(
        update(webhook_subscriptions)
        .where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription.id,
        )
        .values(active=subscription.active, body=msgspec.json.encode(subscription).decode())
    )


def count_by_state(tx: Transaction) -> dict[str, int]:
    """Return how many of all organizations' subscriptions answer, fail, and are not active."""
    is_failing = webhook_subscriptions.c.failing_since.is_not(None)
    rows = tx.execute(
        select(webhook_subscriptions.c.active, is_failing, func.count()).group_by(
            webhook_subscriptions.c.active, is_failing
        )
    )
    counted = {"answering": 0, "failing": 0, "inactive": 0}
    for is_active, fails, count in rows:
        counted[("failing" if fails else "answering") if is_active else "inactive"] += count
    return counted


class SealedSecret(Model):
    """A secret as it is stored, and whose it is: that opens it."""

    row_id: str
    text: str


class LockedSubscription(Model):
    """A subscription locked for sending, with the secrets that sign what is sent."""

    organization_id: str
    subscription: WebhookSubscription
    health: SubscriptionHealth
    secrets: tuple[SealedSecret, ...]
    """The one that the receiver knows comes first."""


def _has_due(now: datetime) -> ColumnElement[bool]:
    return webhook_subscriptions.c.active & exists().where(
        outbox.c.subscription_id == webhook_subscriptions.c.id,
        outbox.c.state == DeliveryState.PENDING.value,
        outbox.c.due_at <= now,
    )


def has_due_deliveries(tx: Transaction, now: datetime) -> bool:
    """Say whether a delivery is due to any active subscription."""
    return (
        tx.execute(select(webhook_subscriptions.c.id).where(_has_due(now)).limit(1)).first()
        is not None
    )


def lock_due_subscriptions(
    tx: Transaction, now: datetime, among: Collection[str] | UnsetType = UNSET
) -> list[LockedSubscription]:
    """Lock the subscriptions with due deliveries, without those that another worker has locked."""
    wanted = _has_due(now)
    if not isinstance(among, UnsetType):
        wanted &= webhook_subscriptions.c.id.in_(among)
    return _hold(tx, wanted, skip_locked=True)


def lock_subscriptions(
    tx: Transaction, subscription_ids: Collection[str]
) -> list[LockedSubscription]:
    """Lock these subscriptions, waiting for transactions that have locked them."""
    return _hold(tx, webhook_subscriptions.c.id.in_(subscription_ids), skip_locked=False)


def _hold(
    tx: Transaction, wanted: ColumnElement[bool], *, skip_locked: bool
) -> list[LockedSubscription]:
    # Recording an event locks its subscriptions with KEY SHARE, which this lock lets pass.
    rows = tx.execute(
        select(
            webhook_subscriptions,
            organizations.c.webhook_secret,
            organizations.c.next_webhook_secret,
        )
        .join(organizations, organizations.c.id == webhook_subscriptions.c.organization_id)
        .where(wanted)
        .order_by(webhook_subscriptions.c.id)
        .with_for_update(of=webhook_subscriptions, key_share=True, skip_locked=skip_locked)
    )
    return [
        LockedSubscription(
            organization_id=row.organization_id,
            subscription=read_subscription(row),
            health=_read_health(row),
            secrets=tuple(_list_secrets(row)),
        )
        for row in rows
    ]


def _list_secrets(row: Row[*tuple[Any, ...]]) -> Iterator[SealedSecret]:
    """Yield what signs: the webhook's own, or else the organization's, and what will replace it."""
    owned = [(row.id, row.secret), (row.id, row.next_secret)]
    if row.secret is None:
        owner = row.organization_id
        owned = [(owner, row.webhook_secret), (owner, row.next_webhook_secret), owned[1]]
    for row_id, text in owned:
        if text:
            yield SealedSecret(row_id=row_id, text=text)


def find_own_secrets(
    tx: Transaction, organization_id: str, subscription_id: str
) -> tuple[str | None, str | None] | None:
    """Return a subscription's own secret and the next one; none where there is no subscription."""
    row = tx.execute(
        select(webhook_subscriptions.c.secret, webhook_subscriptions.c.next_secret)
        .where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription_id,
        )
        .with_for_update()
    ).one_or_none()
    return None if row is None else (row.secret, row.next_secret)


def update_own_secrets(
    tx: Transaction,
    organization_id: str,
    subscription_id: str,
    current: str | None,
    following: str | None,
) -> None:
    """Replace a subscription's own secrets."""
    tx.execute(
        update(webhook_subscriptions)
        .where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription_id,
        )
        .values(secret=current, next_secret=following)
    )


def _read_health(row: Row[*tuple[Any, ...]]) -> SubscriptionHealth:
    return SubscriptionHealth(
        answered_at=row.answered_at or row.created_at,
        failing_since=row.failing_since or UNSET,
        dropped_in_row=row.dropped_in_row,
    )


def find_health(
    tx: Transaction, organization_id: str, subscription_id: str
) -> SubscriptionHealth | None:
    """Return what the latest attempts say of a receiver; locks nothing."""
    row = tx.execute(
        select(
            webhook_subscriptions.c.created_at,
            webhook_subscriptions.c.answered_at,
            webhook_subscriptions.c.failing_since,
            webhook_subscriptions.c.dropped_in_row,
        ).where(
            webhook_subscriptions.c.organization_id == organization_id,
            webhook_subscriptions.c.id == subscription_id,
        )
    ).one_or_none()
    return None if row is None else _read_health(row)


def update_health(tx: Transaction, changed: Sequence[tuple[str, SubscriptionHealth]]) -> None:
    """Store the health of subscriptions."""
    if not changed:
        return
    tx.execute(
        update(webhook_subscriptions)
        .where(webhook_subscriptions.c.id == bindparam("of_subscription"))
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
