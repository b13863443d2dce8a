"""Webhook subscriptions at the door."""

from datetime import datetime

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.delivery import DeliveryReport
from roundsman.domain.queries import ListDeliveries
from roundsman.domain.subscription import Subscription, SubscriptionDraft
from roundsman.operations import receivers, subscriptions
from roundsman.operations.paging import Page
from roundsman.operations.receivers import Replay
from roundsman.wire.v2024_07.answers import Nothing, WebhooksAnswer, WebhookTestAnswer
from roundsman.wire.v2024_07.deliveries import DeliveriesAnswer, ReplayBody, encode_deliveries

_TAG = "Webhooks"


def _add_webhook(call: Call) -> Subscription:
    return subscriptions.add_subscription(call.tools, call.request, call.body)


def _list_webhooks(call: Call) -> WebhooksAnswer:
    found = subscriptions.list_subscriptions(call.tools, call.organization_id)
    return WebhooksAnswer(webhooks=tuple(found))


def _remove_webhook(call: Call) -> None:
    subscriptions.remove_subscription(call.tools, call.request, call.path["webhookId"])


def _encode_nothing(_: None) -> bytes:
    return msgspec.json.encode(Nothing())


def _test_webhook(call: Call) -> str:
    return subscriptions.send_test(call.tools, call.request, call.path["webhookId"])


def _encode_test(event_id: str) -> bytes:
    return msgspec.json.encode(WebhookTestAnswer(event_id=event_id))


def _list_deliveries(call: Call) -> Page[DeliveryReport]:
    return receivers.list_deliveries(
        call.tools, call.organization_id, call.path["webhookId"], call.query
    )


def _encode_deliveries(page: Page[DeliveryReport]) -> bytes:
    return encode_deliveries(page.rows, page.next_cursor)


def _replay(call: Call) -> Replay:
    body: ReplayBody = call.body
    webhook = call.path["webhookId"]
    if isinstance(body.since, datetime):
        return receivers.replay_since(call.tools, call.request, webhook, body.since)
    return receivers.replay_events(call.tools, call.request, webhook, body.event_ids)


OPERATIONS = (
    Operation(
        id="addWebhook",
        method="POST",
        path="/webhooks",
        summary="Register a receiver of events, at most 5",
        tag=_TAG,
        handle=_add_webhook,
        body=SubscriptionDraft,
        review=subscriptions.review_subscription,
        answer=Subscription,
    ),
    Operation(
        id="listWebhooks",
        method="GET",
        path="/webhooks",
        summary="List all receivers of events",
        tag=_TAG,
        handle=_list_webhooks,
        answer=WebhooksAnswer,
    ),
    Operation(
        id="removeWebhook",
        method="DELETE",
        path="/webhooks/{webhookId}",
        summary="Remove a receiver of events",
        tag=_TAG,
        handle=_remove_webhook,
        answer=Nothing,
        render=_encode_nothing,
    ),
    Operation(
        id="testWebhook",
        method="POST",
        path="/webhooks/{webhookId}/test",
        summary="Send a TEST event to one receiver",
        tag=_TAG,
        handle=_test_webhook,
        answer=WebhookTestAnswer,
        render=_encode_test,
    ),
    Operation(
        id="listWebhookDeliveries",
        method="GET",
        path="/webhooks/{webhookId}/deliveries",
        summary="List what became of a receiver's events, attempt by attempt, newest first",
        tag=_TAG,
        handle=_list_deliveries,
        query=ListDeliveries,
        answer=DeliveriesAnswer,
        render=_encode_deliveries,
    ),
    Operation(
        id="replayWebhookEvents",
        method="POST",
        path="/webhooks/{webhookId}/replays",
        summary="Send events to one receiver again: these, or all since a moment, 10,000 at most",
        tag=_TAG,
        handle=_replay,
        body=ReplayBody,
        answer=Replay,
    ),
)
