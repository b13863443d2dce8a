"""What an operator does about a webhook: see what became of its events, replay, activate it."""

from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.delivery import RETENTION, DeliveryReport
from roundsman.domain.errors import NotFound
from roundsman.domain.receiver_health import ReceiverHealth
from roundsman.domain.subscription import Subscription
from roundsman.domain.topics import Topic
from roundsman.operations.work import Tools
from roundsman.storage import delivery_history, events
from roundsman.storage import subscriptions as stored
from roundsman.storage.database import Transaction
from roundsman.storage.outbox import ask_again
from roundsman.storage.receivers import Receiver, hold_receivers_of, update_health


def find_owner(tools: Tools, subscription_id: str) -> str:
    """Return the organization that a webhook belongs to."""
    with tools.database.reading() as tx:
        organization_id = stored.find_owner(tx, subscription_id)
    if organization_id is None:
        raise NotFound("webhook not found")
    return organization_id


def activate_receiver(tools: Tools, organization_id: str, subscription_id: str) -> Subscription:
    """Send to a receiver again; what waited for it is sent, what it missed can be replayed."""
    with tools.database.writing() as tx:
        receiver = _hold(tx, organization_id, subscription_id)
        activated = replace(receiver.subscription, active=True)
        if not receiver.subscription.active:
            stored.update_subscription(tx, organization_id, activated)
            fresh = ReceiverHealth(answered_at=tools.clock.now())
            update_health(tx, [(subscription_id, fresh)])
    tools.outbox_bell.ring()
    return activated


def list_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, count: int
) -> list[DeliveryReport]:
    """Return what became of a receiver's latest events, with every attempt."""
    with tools.database.reading() as tx:
        return delivery_history.list_deliveries(tx, organization_id, subscription_id, count)


def find_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, event_id: str
) -> list[DeliveryReport]:
    """Return what became of one event at a receiver."""
    with tools.database.reading() as tx:
        return delivery_history.find_deliveries(tx, organization_id, subscription_id, event_id)


def replay_event(tools: Tools, organization_id: str, subscription_id: str, event_id: str) -> int:
    """Send one event again; return how many are sent, 0 when it still waits to be."""
    with tools.database.writing() as tx:
        _hold(tx, organization_id, subscription_id).subscription.require_active()
        told = events.tell_events(tx, [event_id]).get(event_id)
        if told is None or told.event.organization_id != organization_id:
            raise NotFound("event not found")
        wanted = events.one_event(organization_id, event_id)
        count = ask_again(tx, subscription_id, wanted, tools.clock.now())
    tools.outbox_bell.ring()
    return count


def replay_since(
    tools: Tools, organization_id: str, subscription_id: str, starting: datetime
) -> int:
    """Send again what happened since a moment, up to 30 days back; return how many events."""
    with tools.database.writing() as tx:
        now = tools.clock.now()
        subscription = _hold(tx, organization_id, subscription_id).subscription
        subscription.require_active()
        # A test was of its moment and of one receiver, so it is not told again.
        topics = [topic for topic in subscription.topics if topic is not Topic.TEST]
        wanted = events.events_since(organization_id, topics, max(starting, now - RETENTION))
        count = ask_again(tx, subscription_id, wanted, now)
    tools.outbox_bell.ring()
    return count


def _hold(tx: Transaction, organization_id: str, subscription_id: str) -> Receiver:
    found = hold_receivers_of(tx, [subscription_id])
    if not found or found[0].organization_id != organization_id:
        raise NotFound("webhook not found")
    return found[0]
