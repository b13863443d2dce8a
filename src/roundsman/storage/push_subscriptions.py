"""Where drivers' phones are told by push, and which of them are to be told that something changed.

Claims are leases (`storage.leases`). A claim takes what is new with it; what is noted while a phone
is told makes it due again, whichever clock is ahead.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, delete, false, func, null, select, true, update

from roundsman.domain.driver import DriverStatus
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.driver_tables import push_subscriptions as subscriptions
from roundsman.storage.leases import Leases
from roundsman.storage.tables import Instant, drivers

_LEASES = Leases(subscriptions, subscriptions.c.due_at.is_not(None))
_IS_NAMED = subscriptions.c.session_id == bindparam("of_session")


def save_push_subscription(
    tx: Transaction, organization_id: str, driver_id: str, session_id: str, endpoint: str
) -> None:
    """Keep where a device is told, sealed, in place of what it said before."""
    row = {
        "session_id": session_id,
        "organization_id": organization_id,
        "driver_id": driver_id,
        "endpoint": endpoint,
        "has_news": False,
        "due_at": None,
        "attempts": 0,
        "claimed_by": None,
    }
    upsert(tx, subscriptions, [row], keys=["session_id"])


def has_push_subscription(tx: Transaction, organization_id: str, session_id: str) -> bool:
    """Say whether a device is told by push."""
    return (
        tx.execute(
            select(subscriptions.c.session_id).where(_is_of(organization_id, session_id))
        ).first()
        is not None
    )


def remove_push_subscription(tx: Transaction, organization_id: str, session_id: str) -> None:
    """Tell a device nothing more."""
    tx.execute(delete(subscriptions).where(_is_of(organization_id, session_id)))


def _is_of(organization_id: str, session_id: str) -> Any:
    return (subscriptions.c.organization_id == organization_id) & (
        subscriptions.c.session_id == session_id
    )


def note_change_for_drivers(
    tx: Transaction, organization_id: str, driver_ids: Collection[str], due_at: datetime
) -> None:
    """Have the devices of these drivers told by then, if they drive; what is due stays so."""
    may_drive = select(drivers.c.id).where(
        drivers.c.organization_id == organization_id,
        drivers.c.id.in_(driver_ids),
        drivers.c.status == DriverStatus.ACTIVE.value,
    )
    tx.execute(
        update(subscriptions)
        .where(
            subscriptions.c.organization_id == organization_id,
            subscriptions.c.driver_id.in_(may_drive),
        )
        .values(
            has_news=true(),
            due_at=func.coalesce(subscriptions.c.due_at, bindparam("due", due_at, Instant())),
        )
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class DuePush:
    """A device to be told, as one worker has claimed it."""

    organization_id: str
    session_id: str
    endpoint: str
    """Sealed."""

    worker_id: str
    attempt: int
    """The number of this attempt, from 1."""


def is_any_push_due(tx: Transaction, now: datetime) -> bool:
    """Say whether a device is to be told."""
    due = select(subscriptions.c.session_id).where(subscriptions.c.due_at <= now).limit(1)
    return tx.execute(due).first() is not None


def claim_due_pushes(
    tx: Transaction, worker_id: str, now: datetime, until: datetime, count: int
) -> list[DuePush]:
    """Claim the devices that have waited longest."""
    rows = tx.execute(
        select(subscriptions)
        .where(subscriptions.c.due_at <= now)
        .order_by(subscriptions.c.due_at, subscriptions.c.session_id)
        .limit(count)
        .with_for_update(skip_locked=True)
    ).all()
    if rows:
        claimed = subscriptions.c.session_id.in_([row.session_id for row in rows])
        _LEASES.claim(tx, claimed, worker_id, until)
        tx.execute(update(subscriptions).where(claimed).values(has_news=false()))
    return [
        DuePush(
            organization_id=row.organization_id,
            session_id=row.session_id,
            endpoint=row.endpoint,
            worker_id=worker_id,
            attempt=row.attempts + 1,
        )
        for row in rows
    ]


def settle_push(tx: Transaction, push: DuePush, again_at: datetime) -> None:
    """Note that a device was told; what changed meanwhile is due again then."""
    again = bindparam("again", again_at, Instant())
    due_at = case((subscriptions.c.has_news.is_(true()), again), else_=null())
    _settle(tx, push, due_at=due_at, attempts=0)


def retry_push(tx: Transaction, push: DuePush, due_at: datetime | None) -> None:
    """Have a device told later; None gives it up until something else changes."""
    _settle(tx, push, due_at=due_at, attempts=push.attempt if due_at else 0)


def _settle(tx: Transaction, push: DuePush, **values: Any) -> None:
    tx.execute(
        update(subscriptions).where(_IS_NAMED, _LEASES.is_held()).values(claimed_by=None, **values),
        _named(push),
    )


def end_push_subscription(tx: Transaction, push: DuePush) -> None:
    """Forget a device that cannot be told any more, unless it has subscribed anew meanwhile."""
    tx.execute(delete(subscriptions).where(_IS_NAMED, _LEASES.is_held()), _named(push))


def _named(push: DuePush) -> dict[str, Any]:
    return {
        "of_session": push.session_id,
        "of_worker": push.worker_id,
        "of_number": push.attempt,
    }
