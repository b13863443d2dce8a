"""Who wants to be told of events."""

from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Row, delete, func, insert, select, update

from roundsman.domain.noun import UNSET
from roundsman.domain.subscription import PayloadForm, Subscription, WebhookFilter
from roundsman.storage.database import Transaction
from roundsman.storage.tables import subscriptions

_decoder = msgspec.json.Decoder(Subscription)
_filter_decoder = msgspec.json.Decoder(WebhookFilter)
_SHOWN = (subscriptions.c.body, subscriptions.c.payload_form, subscriptions.c.filter)


def read_subscription(row: Row[*tuple[Any, ...]]) -> Subscription:
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
            payload_form=subscription.payload.value,
            filter=(
                msgspec.json.encode(subscription.filter).decode() if subscription.filter else None
            ),
        )
    )


def select_subscriptions(tx: Transaction, organization_id: str) -> list[Subscription]:
    """Return an organization's subscriptions, oldest first."""
    rows = tx.execute(
        select(*_SHOWN)
        .where(subscriptions.c.organization_id == organization_id)
        .order_by(subscriptions.c.created_at, subscriptions.c.id)
    )
    return [read_subscription(row) for row in rows]


def hold_receivers(tx: Transaction, organization_id: str) -> list[Subscription]:
    """Return the active subscriptions; until the transaction ends, none of them can be removed.

    Otherwise an event could be addressed to a receiver that has just gone.
    """
    rows = tx.execute(
        select(*_SHOWN)
        .where(subscriptions.c.organization_id == organization_id, subscriptions.c.active)
        .with_for_update(read=True, key_share=True)
    )
    return [read_subscription(row) for row in rows]


def find_subscription(
    tx: Transaction, organization_id: str, subscription_id: str
) -> Subscription | None:
    """Return one of the organization's subscriptions."""
    row = tx.execute(
        select(*_SHOWN).where(
            subscriptions.c.organization_id == organization_id,
            subscriptions.c.id == subscription_id,
        )
    ).one_or_none()
    return None if row is None else read_subscription(row)


def delete_subscription(tx: Transaction, organization_id: str, subscription_id: str) -> bool:
    """Remove a subscription and what was still to be sent to it; say whether it was there."""
    removed = tx.execute(
        delete(subscriptions).where(
            subscriptions.c.organization_id == organization_id,
            subscriptions.c.id == subscription_id,
        )
    )
    return removed.rowcount > 0


def find_organization_of(tx: Transaction, subscription_id: str) -> str | None:
    """Return the organization that a subscription belongs to."""
    return tx.execute(
        select(subscriptions.c.organization_id).where(subscriptions.c.id == subscription_id)
    ).scalar_one_or_none()


def update_subscription(tx: Transaction, organization_id: str, subscription: Subscription) -> None:
    """Replace a subscription."""
    tx.execute(
        update(subscriptions)
        .where(
            subscriptions.c.organization_id == organization_id,
            subscriptions.c.id == subscription.id,
        )
        .values(active=subscription.active, body=msgspec.json.encode(subscription).decode())
    )


def count_by_state(tx: Transaction) -> dict[str, int]:
    """Return how many receivers of all organizations answer, fail, and are not active."""
    is_failing = subscriptions.c.failing_since.is_not(None)
    rows = tx.execute(
        select(subscriptions.c.active, is_failing, func.count()).group_by(
            subscriptions.c.active, is_failing
        )
    )
    counted = {"answering": 0, "failing": 0, "inactive": 0}
    for is_active, fails, count in rows:
        counted[("failing" if fails else "answering") if is_active else "inactive"] += count
    return counted
