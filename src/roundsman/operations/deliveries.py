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

from roundsman.domain.delivery import Attempt, ClaimedDelivery, DeliveryClaim, DeliveryState, Ended
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.kit.ids import IdSource
from roundsman.operations.work import Tools
from roundsman.storage import outbox, receivers
from roundsman.storage.database import Transaction
from roundsman.storage.delivery_history import add_attempts
from roundsman.storage.events import load_events
from roundsman.storage.leases import LEASE
from roundsman.storage.receivers import Receiver
from roundsman.storage.subscriptions import update_subscription
from roundsman.webhooks.retries import delay_after

MOST_IN_LINE = 40
"""How many attempts may wait behind those in flight to a receiver: enough for a transaction."""

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
    """How many of those may wait in line behind attempts in flight to the same receiver."""

    room_for_failing: int = 0
    """How many of those may go to receivers that are failing."""

    among: Collection[str] | UnsetType = UNSET
    """The only receivers to look at; unset, all are looked at."""


def is_anything_due(tools: Tools) -> bool:
    """Say whether a round would claim anything; asks without locking."""
    with tools.database.reading() as tx:
        return receivers.has_due_deliveries(tx, tools.clock.now())


def advance(tools: Tools, round_: Round) -> list[ClaimedDelivery]:
    """Record what ended, extend what goes on, and claim what is due and fits."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        if round_.ended:
            _record(tx, tools.ids, round_.ended, now)
        if round_.given_back:
            outbox.give_back(tx, round_.given_back, round_.worker_id, now)
        if round_.under_way:
            outbox.extend_claims(tx, round_.under_way, round_.worker_id, now + LEASE)
        return _claim(tx, round_, now) if round_.room else []


def _record(tx: Transaction, ids: IdSource, ended: Sequence[Ended], now: datetime) -> None:
    # Receivers first, then their deliveries: the order in which removing a webhook locks them.
    concerned = sorted({one.claim.subscription_id for one in ended})
    held = {
        receiver.subscription.id: receiver
        for receiver in receivers.hold_receivers_of(tx, concerned)
    }
    ours = outbox.hold_claims(tx, [one.claim for one in ended])
    ended = [one for one in ended if one.claim.key in ours]
    add_attempts(tx, ended)
    outbox.settle(tx, [_settled(one, ids, now) for one in ended])
    by_receiver = defaultdict(list)
    for one in ended:
        by_receiver[one.claim.subscription_id].append(one)
    changed = []
    for subscription_id, its_own in by_receiver.items():
        receiver = held[subscription_id]
        health = _health_after(receiver.health, its_own, now)
        if _is_news(receiver.health, health):
            changed.append((subscription_id, health))
        is_gone = any(one.attempt.is_gone() for one in its_own)
        if receiver.subscription.active and (is_gone or health.is_hopeless(now)):
            _deactivate(tx, receiver, reason="410" if is_gone else "failing")
    receivers.update_health(tx, changed)


def _settled(one: Ended, ids: IdSource, now: datetime) -> outbox.Settlement:
    state, due_at = DeliveryState.DROPPED, now
    if one.attempt.is_success():
        state = DeliveryState.DELIVERED
    elif not one.attempt.is_gone():
        delay = delay_after(one.claim.tries, ids, one.attempt.retry_after)
        if delay is not None:
            state, due_at = DeliveryState.PENDING, now + delay
    return outbox.Settlement(claim=one.claim, state=state, due_at=due_at)


def _health_after(health: ReceiverHealth, ended: Sequence[Ended], now: datetime) -> ReceiverHealth:
    for one in ended:
        if one.attempt.is_success():
            health = health.answered(now)
        else:
            health = health.failed(now, is_dropped=one.claim.is_last())
    return health


def _is_news(before: ReceiverHealth, after: ReceiverHealth) -> bool:
    """Say whether to write: a receiver that answers all the time need not be noted each time."""
    return (
        before.is_failing()
        or after.is_failing()
        or after.answered_at - before.answered_at >= _WORTH_NOTING
    )


def _deactivate(tx: Transaction, receiver: Receiver, *, reason: str) -> None:
    update_subscription(tx, receiver.organization_id, replace(receiver.subscription, active=False))
    _log.warning("webhook_deactivated", webhook=receiver.subscription.id, reason=reason)


def _claim(tx: Transaction, round_: Round, now: datetime) -> list[ClaimedDelivery]:
    # Who answers goes first, so that receivers that fail cannot take what room there is.
    found = sorted(
        receivers.hold_due_receivers(tx, now, round_.among),
        key=lambda receiver: receiver.health.is_failing(),
    )
    if not found:
        return []
    claimed = outbox.count_claimed(tx, [one.subscription.id for one in found], now, LEASE)
    share = min(MOST_IN_LINE, round_.spare // len(found))
    room, room_for_failing = round_.room, round_.room_for_failing
    chosen: list[tuple[Receiver, outbox.DueDelivery]] = []
    for receiver in found:
        is_failing = receiver.health.is_failing()
        free = _free_at(receiver, claimed, round_.worker_id, share)
        count = min(free, room, room_for_failing if is_failing else room)
        if count <= 0:
            continue
        due = outbox.list_due(tx, receiver.subscription.id, now, count)
        chosen += [(receiver, delivery) for delivery in due]
        room -= len(due)
        room_for_failing -= len(due) if is_failing else 0
    _note_lost(tx, [delivery for _, delivery in chosen if delivery.was_claimed], now)
    return _begin(tx, round_.worker_id, chosen, now)


def _free_at(
    receiver: Receiver, claimed: Mapping[tuple[str, str], int], worker_id: str, share: int
) -> int:
    """Return how many more attempts a worker may take for a receiver.

    Two workers share what may be in flight. One that has a receiver for itself may have more in
    line; nobody joins it then, so that what is in flight stays within the limit.
    """
    receiver_id = receiver.subscription.id
    mine = claimed.get((receiver_id, worker_id), 0)
    in_all = sum(count for (id_, _), count in claimed.items() if id_ == receiver_id)
    is_shared = in_all > mine
    in_line = 0 if is_shared or receiver.health.is_failing() else share
    return receiver.health.room() + in_line - in_all


def _note_lost(tx: Transaction, lost: Sequence[outbox.DueDelivery], now: datetime) -> None:
    add_attempts(
        tx,
        [
            Ended(
                claim=delivery.lost_claim(),
                attempt=Attempt(started_at=delivery.due_at - LEASE, duration=LEASE, error=_LOST),
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
    tx: Transaction,
    worker_id: str,
    chosen: Sequence[tuple[Receiver, outbox.DueDelivery]],
    now: datetime,
) -> list[ClaimedDelivery]:
    begun = [
        (receiver, delivery.next_claim())
        for receiver, delivery in chosen
        if not (delivery.was_claimed and delivery.lost_claim().is_last())
    ]
    outbox.claim(tx, [claim.key for _, claim in begun], worker_id, now + LEASE)
    told = load_events(tx, sorted({claim.event_id for _, claim in begun}))
    return [
        ClaimedDelivery(
            claim=claim,
            url=receiver.subscription.url,
            event=told[claim.event_id],
            secrets=receiver.secrets,
            payload_form=receiver.subscription.payload,
            is_to_failing=receiver.health.is_failing(),
        )
        for receiver, claim in begun
    ]
