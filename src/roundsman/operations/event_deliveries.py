"""Sending events, seen from the database: what ended is recorded, what is due is claimed.

One transaction does both, so that a worker which finishes a hundred attempts and begins a hundred
others pays for one commit. The attempt is counted when it is claimed: an event that brings its
worker down is not tried for ever.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from msgspec.structs import replace

from roundsman.domain.event_delivery import (
    Attempt,
    ClaimedDelivery,
    DeliveryClaim,
    DeliveryState,
    Ended,
)
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.webhook_subscription import SubscriptionHealth
from roundsman.kit.ids import IdSource
from roundsman.operations.owner_letters import OwnerLetterKind, Subject, write_owner_letters
from roundsman.operations.tools import Tools
from roundsman.storage import outbox, webhook_subscriptions
from roundsman.storage.database import Transaction
from roundsman.storage.event_deliveries import add_attempts
from roundsman.storage.events import load_events
from roundsman.storage.leases import LEASE
from roundsman.storage.sealed_columns import WEBHOOK_SECRET, sealing_purpose
from roundsman.storage.webhook_subscriptions import LockedSubscription, update_subscription
from roundsman.webhooks.retries import delay_after

MOST_IN_LINE = 40
"""How many attempts may wait behind those in flight to a subscription: enough for a transaction."""

_WORTH_NOTING = timedelta(minutes=1)
_LOST = "the worker was lost before it said how this went"

_log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """What a worker hands over, and how much it can take."""

    worker_id: str
    ended: Sequence[Ended] = ()
    given_back: Sequence[DeliveryClaim] = ()
    """Claims of attempts that were not begun and will not be."""

    under_way: Sequence[DeliveryClaim] = ()
    """Claims whose leases are to be extended."""

    room: int = 0
    """How many more attempts the worker can take."""

    spare: int = 0
    """How many of those may wait in line behind attempts in flight to the same locked."""

    room_for_failing: int = 0
    """How many of those may go to subscriptions that are failing."""

    among: Collection[str] | UnsetType = UNSET
    """The only subscriptions to claim for; unset, all."""


def is_anything_due(tools: Tools) -> bool:
    """Say whether a round would claim anything; locks nothing."""
    with tools.database.reading() as tx:
        return webhook_subscriptions.has_due_deliveries(tx, tools.clock.now())


def advance(tools: Tools, round_: Round) -> list[ClaimedDelivery]:
    """Record what ended, extend what goes on, and claim what is due and fits."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        if round_.ended:
            _record(tools, tx, round_.ended, now)
        if round_.given_back:
            outbox.give_back(tx, round_.given_back, round_.worker_id, now)
        if round_.under_way:
            outbox.extend_claims(tx, round_.under_way, round_.worker_id, now + LEASE)
        return _claim(tools, tx, round_, now) if round_.room else []


def _open_secrets(tools: Tools, locked: LockedSubscription) -> tuple[str, ...]:
    return tuple(
        tools.secret_box.unseal(sealing_purpose(WEBHOOK_SECRET, one.row_id), one.text)
        for one in locked.secrets
    )


def _record(tools: Tools, tx: Transaction, ended: Sequence[Ended], now: datetime) -> None:
    # Subscriptions first, then their deliveries: the order in which removing a webhook locks them.
    concerned = sorted({one.claim.subscription_id for one in ended})
    held = {
        locked.subscription.id: locked
        for locked in webhook_subscriptions.lock_subscriptions(tx, concerned)
    }
    ours = outbox.hold_claims(tx, [one.claim for one in ended])
    ended = [one for one in ended if one.claim.key in ours]
    add_attempts(tx, ended)
    outbox.settle(tx, [_settled(one, tools.ids, now) for one in ended])
    by_subscription = defaultdict(list)
    for one in ended:
        by_subscription[one.claim.subscription_id].append(one)
    changed = []
    for subscription_id, its_own in by_subscription.items():
        locked = held[subscription_id]
        health = _health_after(locked.health, its_own, now)
        if _is_worth_writing(locked.health, health):
            changed.append((subscription_id, health))
        is_gone = any(one.attempt.is_gone() for one in its_own)
        if locked.subscription.active:
            _judge(tools, tx, replace(locked, health=health), now, is_gone=is_gone)
    webhook_subscriptions.update_health(tx, changed)


def _settled(one: Ended, ids: IdSource, now: datetime) -> outbox.Settlement:
    state, due_at = DeliveryState.DROPPED, now
    if one.attempt.is_success():
        state = DeliveryState.DELIVERED
    elif not one.attempt.is_gone():
        delay = delay_after(one.claim.tries, ids, one.attempt.retry_after)
        if delay is not None:
            state, due_at = DeliveryState.PENDING, now + delay
    return outbox.Settlement(claim=one.claim, state=state, due_at=due_at)


def _health_after(
    health: SubscriptionHealth, ended: Sequence[Ended], now: datetime
) -> SubscriptionHealth:
    for one in ended:
        if one.attempt.is_success():
            health = health.answered(now)
        else:
            health = health.failed(now, is_dropped=one.claim.is_last())
    return health


def _is_worth_writing(before: SubscriptionHealth, after: SubscriptionHealth) -> bool:
    """Say whether to store it: the health of who always answers is stored once a minute."""
    return (
        before.is_failing()
        or after.is_failing()
        or after.answered_at - before.answered_at >= _WORTH_NOTING
    )


def _judge(
    tools: Tools, tx: Transaction, locked: LockedSubscription, now: datetime, *, is_gone: bool
) -> None:
    """Deactivate a subscription that is given up; have its owners warned a day before or more."""
    health = locked.health
    subject = Subject(organization_id=locked.organization_id, id=locked.subscription.id)
    failing_since = health.failing_since or now
    if is_gone or health.is_hopeless(now):
        update_subscription(tx, locked.organization_id, replace(locked.subscription, active=False))
        _log.warning(
            "webhook_deactivated",
            webhook=locked.subscription.id,
            reason="410" if is_gone else "failing",
        )
        kind = OwnerLetterKind.WEBHOOK_GONE if is_gone else OwnerLetterKind.WEBHOOK_DEACTIVATED
        write_owner_letters(tools, tx, subject, kind, since=failing_since, at=now)
    elif due := health.warns_of(now):
        kind = OwnerLetterKind.WEBHOOK_FAILING
        write_owner_letters(tools, tx, subject, kind, since=failing_since, at=due)


def _claim(tools: Tools, tx: Transaction, round_: Round, now: datetime) -> list[ClaimedDelivery]:
    # Subscriptions that answer come first: the failing ones cannot take all the room.
    found = sorted(
        webhook_subscriptions.lock_due_subscriptions(tx, now, round_.among),
        key=lambda locked: locked.health.is_failing(),
    )
    if not found:
        return []
    claimed = outbox.count_claimed(tx, [one.subscription.id for one in found], now, LEASE)
    share = min(MOST_IN_LINE, round_.spare // len(found))
    room, room_for_failing = round_.room, round_.room_for_failing
    chosen: list[tuple[LockedSubscription, outbox.DueDelivery]] = []
    for locked in found:
        is_failing = locked.health.is_failing()
        free = _free_at(locked, claimed, round_.worker_id, share)
        count = min(free, room, room_for_failing if is_failing else room)
        if count <= 0:
            continue
        due = outbox.list_due(tx, locked.subscription.id, now, count)
        chosen += [(locked, delivery) for delivery in due]
        room -= len(due)
        room_for_failing -= len(due) if is_failing else 0
    _note_lost(tx, [delivery for _, delivery in chosen if delivery.was_claimed], now)
    return _begin(tools, tx, round_.worker_id, chosen, now)


def _free_at(
    locked: LockedSubscription, claimed: Mapping[tuple[str, str], int], worker_id: str, share: int
) -> int:
    """Return how many more attempts a worker may take for a locked.

    Two workers share what may be in flight. A worker that has a subscription for itself may
    queue more; no other worker joins it then, so that what is in flight stays within the limit.
    """
    subscription_id = locked.subscription.id
    mine = claimed.get((subscription_id, worker_id), 0)
    in_all = sum(count for (id_, _), count in claimed.items() if id_ == subscription_id)
    is_shared = in_all > mine
    in_line = 0 if is_shared or locked.health.is_failing() else share
    return locked.health.room() + in_line - in_all


def _note_lost(tx: Transaction, lost: Sequence[outbox.DueDelivery], now: datetime) -> None:
    add_attempts(
        tx,
        [
            Ended(
                claim=delivery.lost_claim(),
                attempt=Attempt(
                    started_at=delivery.due_at - LEASE,
                    duration=LEASE,
                    error=_LOST,
                    error_type=IssueType.SENDER_STOPPED,
                ),
            )
            for delivery in lost
        ],
    )
    outbox.settle(
        tx,
        [
            outbox.Settlement(claim=delivery.lost_claim(), state=DeliveryState.DROPPED, due_at=now)
            for delivery in lost
            if delivery.lost_claim().is_last()
        ],
    )


def _begin(
    tools: Tools,
    tx: Transaction,
    worker_id: str,
    chosen: Sequence[tuple[LockedSubscription, outbox.DueDelivery]],
    now: datetime,
) -> list[ClaimedDelivery]:
    begun = [
        (locked, delivery.next_claim())
        for locked, delivery in chosen
        if not (delivery.was_claimed and delivery.lost_claim().is_last())
    ]
    outbox.claim(tx, [claim.key for _, claim in begun], worker_id, now + LEASE)
    events = load_events(tx, sorted({claim.event_id for _, claim in begun}))
    secrets = {locked.subscription.id: _open_secrets(tools, locked) for locked, _ in begun}
    return [
        ClaimedDelivery(
            claim=claim,
            url=locked.subscription.url,
            event=events[claim.event_id],
            secrets=secrets[locked.subscription.id],
            payload_form=locked.subscription.payload,
            is_to_failing=locked.health.is_failing(),
        )
        for locked, claim in begun
    ]
