"""Webhook subscriptions: registered, listed, removed and tested."""

from msgspec.structs import asdict

from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.events import tested
from roundsman.domain.principal import Principal
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.domain.subscription import Subscription, SubscriptionDraft, require_room
from roundsman.kit.ids import new_id
from roundsman.operations.work import Request, Tools, begin_work
from roundsman.storage import subscriptions as stored
from roundsman.webhooks.address_guard import RefusedUrl


def add_subscription(tools: Tools, request: Request, draft: SubscriptionDraft) -> Subscription:
    """Register a receiver, when events may be sent there and there is room for one more."""
    _require_receiver(tools, draft.url)
    with begin_work(tools, request) as work:
        require_room(len(stored.select_subscriptions(work.tx, work.organization_id)))
        subscription = Subscription(**asdict(draft), id=new_id(work.ids, "sub"))
        stored.insert_subscription(work.tx, work.organization_id, subscription, work.now)
        details = SecurityEventDetails(webhook_id=subscription.id)
        work.record_security(SecurityEventKind.WEBHOOK_CREATED, details)
        return work.done(subscription)


def list_subscriptions(tools: Tools, organization_id: str) -> list[Subscription]:
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
    tools: Tools, _caller: Principal, draft: SubscriptionDraft
) -> list[FieldViolation]:
    """Return what else is wrong with a subscription of which some could not be read."""
    return _refusals(tools, draft.url) if draft.url else []


def _require_receiver(tools: Tools, url: str) -> None:
    violations = _refusals(tools, url)
    if violations:
        raise InvalidArgument(f"url {violations[0].description}", violations)


def _refusals(tools: Tools, url: str) -> list[FieldViolation]:
    try:
        tools.address_guard.check(url)
    except RefusedUrl as error:
        return [FieldViolation(field="url", description=str(error))]
    return []
