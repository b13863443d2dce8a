"""What an operator does about a webhook: see what became of its events, replay, activate it."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.delivery import RETENTION, DeliveryReport
from roundsman.domain.errors import NotFound
from roundsman.domain.noun import UNSET, Noun, UnsetType
from roundsman.domain.queries import ListDeliveries, Query
from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.domain.subscription import Subscription
from roundsman.domain.topics import Topic
from roundsman.operations.paging import Page, list_page
from roundsman.operations.work import Request, Tools, begin_work
from roundsman.storage import delivery_history, events
from roundsman.storage import subscriptions as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.outbox import requeue_deliveries
from roundsman.storage.receivers import Receiver, hold_receivers_of, update_health

MOST_REPLAYED = 10_000
"""How many events one replay looks through: about a second's work for a database."""


def find_owner(tools: Tools, subscription_id: str) -> str:
    """Return the organization that a webhook belongs to."""
    with tools.database.reading() as tx:
        organization_id = stored.find_organization_of(tx, subscription_id)
    if organization_id is None:
        raise NotFound("webhook not found")
    return organization_id


def activate_receiver(tools: Tools, request: Request, subscription_id: str) -> Subscription:
    """Send to a receiver again; what waited for it is sent, what it missed can be replayed."""
    with begin_work(tools, request) as work:
        receiver = _hold(work.tx, work.organization_id, subscription_id)
        activated = work.done(replace(receiver.subscription, active=True))
        if not receiver.subscription.active:
            stored.update_subscription(work.tx, work.organization_id, activated)
            fresh = ReceiverHealth(answered_at=tools.clock.now())
            update_health(work.tx, [(subscription_id, fresh)])
    tools.outbox_bell.ring()
    return activated


def list_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, query: Query[ListDeliveries]
) -> Page[DeliveryReport]:
    """Return a page of what became of a receiver's events, newest first, with every attempt."""

    def fetch(
        tx: Transaction, asked: ListDeliveries, after: Position | None, count: int
    ) -> list[tuple[Position, DeliveryReport]]:
        if stored.find_subscription(tx, organization_id, subscription_id) is None:
            raise NotFound("webhook not found")
        state = asked.status or None
        return delivery_history.select_deliveries(
            tx, organization_id, subscription_id, state, after, count
        )

    name = f"deliveries of {subscription_id}"
    return list_page(tools, organization_id, name, query, fetch)


def find_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, event_id: str
) -> list[DeliveryReport]:
    """Return what became of one event at a receiver."""
    with tools.database.reading() as tx:
        return delivery_history.select_deliveries_of_event(
            tx, organization_id, subscription_id, event_id
        )


class Replay(Noun):
    """How many events are sent again, and from when on there are more than one call may send."""

    replayed: int
    next_since: datetime | UnsetType = UNSET


def replay_events(
    tools: Tools, request: Request, subscription_id: str, event_ids: Sequence[str]
) -> Replay:
    """Send events again, all or none; what still waits to be sent is not sent twice."""
    with begin_work(tools, request) as work:
        _hold(work.tx, work.organization_id, subscription_id).subscription.require_active()
        known = events.find_event_ids(work.tx, work.organization_id, event_ids)
        unknown = [id_ for id_ in event_ids if id_ not in known]
        if unknown:
            raise NotFound(f'event not found: "{unknown[0]}"')
        count = requeue_deliveries(work.tx, subscription_id, sorted(known), tools.clock.now())
        replay = work.done(Replay(replayed=count))
    tools.outbox_bell.ring()
    return replay


def replay_since(
    tools: Tools, request: Request, subscription_id: str, starting: datetime
) -> Replay:
    """Send again what the webhook asks for of all that happened since a moment, oldest first.

    Up to 30 days back, and of MOST_REPLAYED events at most; what is left begins at `next_since`.
    """
    with begin_work(tools, request) as work:
        now = tools.clock.now()
        subscription = _hold(work.tx, work.organization_id, subscription_id).subscription
        subscription.require_active()
        # A test was of its moment and of one receiver, so it is not told again.
        topics = [topic for topic in subscription.topics if topic is not Topic.TEST]
        found = events.list_events_since(
            work.tx,
            work.organization_id,
            topics,
            max(starting, now - RETENTION),
            MOST_REPLAYED + 1,
        )
        wanted = [one.id for one in found[:MOST_REPLAYED] if subscription.lets_pass(one.tags)]
        left = found[MOST_REPLAYED:]
        count = requeue_deliveries(work.tx, subscription_id, wanted, now)
        replay = work.done(Replay(replayed=count, next_since=left[0].timestamp if left else UNSET))
    tools.outbox_bell.ring()
    return replay


def _hold(tx: Transaction, organization_id: str, subscription_id: str) -> Receiver:
    found = hold_receivers_of(tx, [subscription_id])
    if not found or found[0].organization_id != organization_id:
        raise NotFound("webhook not found")
    return found[0]
