"""Webhook subscriptions at the door."""

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.subscription import Subscription, SubscriptionDraft
from roundsman.operations import subscriptions
from roundsman.wire.v2024_07.answers import Nothing, WebhooksAnswer, WebhookTestAnswer

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
)
