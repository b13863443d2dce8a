"""Webhook subscriptions: adding, testing and activating them, and replaying their events."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import asdict, replace

from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.event import tested
from roundsman.domain.event_delivery import DeliveryReport
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.principal import Principal
from roundsman.domain.queries import ListDeliveries, Query
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import (
    SubscriptionHealth,
    WebhookSubscription,
    WebhookSubscriptionDraft,
    require_room,
)
from roundsman.kit.ids import new_id
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.retention import find_events_start
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import event_deliveries, events
from roundsman.storage import webhook_subscriptions as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.outbox import requeue_deliveries
from roundsman.storage.webhook_subscriptions import (
    LockedSubscription,
    lock_subscriptions,
    update_health,
)
from roundsman.webhooks.address_guard import RefusedUrl


def add_subscription(
    tools: Tools, request: Request, draft: WebhookSubscriptionDraft
) -> WebhookSubscription:
    """Add a subscription when its address is allowed and the organization may have one more."""
    _require_allowed_url(tools, draft.url)
    with begin_work(tools, request) as work:
        require_room(len(stored.select_subscriptions(work.tx, work.organization_id)))
        subscription = WebhookSubscription(**asdict(draft), id=new_id(work.ids, "sub"))
        stored.insert_subscription(work.tx, work.organization_id, subscription, work.now)
        details = SecurityEventDetails(webhook_id=subscription.id)
        work.record_security(SecurityEventKind.WEBHOOK_CREATED, details)
        return work.done(subscription)


def list_subscriptions(tools: Tools, organization_id: str) -> list[WebhookSubscription]:
    """Return every subscription of an organization, oldest first."""
    with tools.database.reading() as tx:
        return stored.select_subscriptions(tx, organization_id)


def remove_subscription(tools: Tools, request: Request, subscription_id: str) -> None:
    """Remove a subscription; what was not sent to it yet is not sent any more."""
    with begin_work(tools, request) as work:
        if not stored.delete_subscription(work.tx, work.organization_id, subscription_id):
            raise NotFound("webhook not found")
        details = SecurityEventDetails(webhook_id=subscription_id)
        work.record_security(SecurityEventKind.WEBHOOK_REMOVED, details)
        return work.done(None)


def send_test(tools: Tools, request: Request, subscription_id: str) -> str:
    """Have a test event sent to one subscription, whatever its topics; return the event's id."""
    with begin_work(tools, request) as work:
        subscription = stored.find_subscription(work.tx, work.organization_id, subscription_id)
        if subscription is None:
            raise NotFound("webhook not found")
        subscription.require_active()
        event_id = new_id(work.ids, "evt")
        work.record(tested(subscription, event_id))
        return work.done(event_id)


def review_subscription(
    tools: Tools, _caller: Principal, draft: WebhookSubscriptionDraft
) -> list[FieldViolation]:
    """Return what else is wrong with a subscription of which some could not be read."""
    return _refusals(tools, draft.url) if draft.url else []


def _require_allowed_url(tools: Tools, url: str) -> None:
    violations = _refusals(tools, url)
    if violations:
        raise InvalidArgument(f"url {violations[0].description}", violations)


def _refusals(tools: Tools, url: str) -> list[FieldViolation]:
    try:
        tools.address_guard.check(url)
    except RefusedUrl as error:
        return [FieldViolation(field="url", description=str(error))]
    return []


MOST_REPLAYED = 10_000
"""How many events one replay looks through: about a second's work for a database."""


def find_owner(tools: Tools, subscription_id: str) -> str:
    """Return the organization that a subscription belongs to."""
    with tools.database.reading() as tx:
        organization_id = stored.find_organization_of(tx, subscription_id)
    if organization_id is None:
        raise NotFound("webhook not found")
    return organization_id


def activate_subscription(
    tools: Tools, request: Request, subscription_id: str
) -> WebhookSubscription:
    """Send to a subscription again; what waited is sent, what was missed can be replayed."""
    with begin_work(tools, request) as work:
        locked = _hold(work.tx, work.organization_id, subscription_id)
        activated = work.done(replace(locked.subscription, active=True))
        if not locked.subscription.active:
            stored.update_subscription(work.tx, work.organization_id, activated)
            fresh = SubscriptionHealth(answered_at=tools.clock.now())
            update_health(work.tx, [(subscription_id, fresh)])
    tools.outbox_signal.send()
    return activated


def list_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, query: Query[ListDeliveries]
) -> Page[DeliveryReport]:
    """Return a page of what became of a subscription's events, newest first, with every attempt."""

    def fetch(
        tx: Transaction, arguments: ListDeliveries, after: Position | None, count: int
    ) -> list[tuple[Position, DeliveryReport]]:
        if stored.find_subscription(tx, organization_id, subscription_id) is None:
            raise NotFound("webhook not found")
        state = arguments.status or None
        return event_deliveries.select_deliveries(
            tx, organization_id, subscription_id, state, after, count
        )

    name = f"deliveries of {subscription_id}"
    return list_page(tools, organization_id, name, query, fetch)


def find_deliveries(
    tools: Tools, organization_id: str, subscription_id: str, event_id: str
) -> list[DeliveryReport]:
    """Return the deliveries of one event to one subscription."""
    with tools.database.reading() as tx:
        return event_deliveries.select_deliveries_of_event(
            tx, organization_id, subscription_id, event_id
        )


class Replay(Model):
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
    tools.outbox_signal.send()
    return replay


def replay_since(
    tools: Tools, request: Request, subscription_id: str, starting: datetime
) -> Replay:
    """Send again the events since `starting` that the subscription wants, oldest first.

    As far back as events are kept, and of MOST_REPLAYED events at most; what is left begins at
    `next_since`.
    """
    with begin_work(tools, request) as work:
        now = tools.clock.now()
        subscription = _hold(work.tx, work.organization_id, subscription_id).subscription
        subscription.require_active()
        # A test belongs to one subscription and one time, so it is not sent again.
        topics = [topic for topic in subscription.topics if topic is not Topic.TEST]
        found = events.list_events_since(
            work.tx,
            work.organization_id,
            topics,
            max(starting, find_events_start(tools, work.tx, work.organization_id)),
            MOST_REPLAYED + 1,
        )
        wanted = [one.id for one in found[:MOST_REPLAYED] if subscription.lets_pass(one.tags)]
        left = found[MOST_REPLAYED:]
        count = requeue_deliveries(work.tx, subscription_id, wanted, now)
        replay = work.done(Replay(replayed=count, next_since=left[0].timestamp if left else UNSET))
    tools.outbox_signal.send()
    return replay


def _hold(tx: Transaction, organization_id: str, subscription_id: str) -> LockedSubscription:
    found = lock_subscriptions(tx, [subscription_id])
    if not found or found[0].organization_id != organization_id:
        raise NotFound("webhook not found")
    return found[0]
