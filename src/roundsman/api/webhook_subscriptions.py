"""Webhook subscriptions at the door."""

from datetime import datetime

import msgspec

from roundsman.domain.event_delivery import DeliveryReport
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListDeliveries, Query
from roundsman.domain.webhook_subscription import WebhookSubscription, WebhookSubscriptionDraft
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations, Pool
from roundsman.operations import signing_secrets, webhook_subscriptions
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.webhook_subscriptions import Replay
from roundsman.wire.current_version import (
    DeliveriesAnswer,
    EmptyAnswer,
    ReplayBody,
    WebhooksAnswer,
    WebhookSecretAnswer,
    WebhookTestAnswer,
    encode_deliveries,
)

OPERATIONS = Operations("Webhooks", ApiClient(), Scope.SETTINGS)


def _encode_nothing(_: None) -> bytes:
    return msgspec.json.encode(EmptyAnswer())


def _encode_test(event_id: str) -> bytes:
    return msgspec.json.encode(WebhookTestAnswer(event_id=event_id))


def _encode_deliveries(page: Page[DeliveryReport]) -> bytes:
    return encode_deliveries(page.rows, page.next_cursor)


@OPERATIONS.add(
    "POST",
    "/webhooks",
    summary="Add a webhook subscription, at most 5",
    review=webhook_subscriptions.review_subscription,
    pool=Pool.OUTBOUND,
)
def add_webhook(
    tools: Tools, request: Request, body: WebhookSubscriptionDraft
) -> WebhookSubscription:
    """Have events sent to an address as they happen, signed and until they are acknowledged. A
    private or plain address is refused unless the operator allows it.
    """
    return webhook_subscriptions.add_subscription(tools, request, body)


@OPERATIONS.add("GET", "/webhooks", summary="List all webhook subscriptions")
def list_webhooks(tools: Tools, request: Request) -> WebhooksAnswer:
    """See where events are sent, and which of these are failing or were deactivated."""
    found = webhook_subscriptions.list_subscriptions(tools, request.organization_id)
    return WebhooksAnswer(webhooks=tuple(found))


@OPERATIONS.add("DELETE", "/webhooks/{webhookId}", summary="Remove a webhook subscription")
def remove_webhook(tools: Tools, request: Request, webhook_id: str) -> None:
    """Stop sending events to an address. What waits for it is dropped."""
    webhook_subscriptions.remove_subscription(tools, request, webhook_id)


@OPERATIONS.add(
    "POST",
    "/webhooks/{webhookId}/test",
    summary="Send a TEST event to one webhook subscription",
    answer=Answer(WebhookTestAnswer, _encode_test),
)
def test_webhook(tools: Tools, request: Request, webhook_id: str) -> str:
    """Send an example event at once and see what the receiver answers."""
    return webhook_subscriptions.send_test(tools, request, webhook_id)


@OPERATIONS.add(
    "GET",
    "/webhooks/{webhookId}/deliveries",
    summary="List a webhook subscription's event deliveries, attempt by attempt, newest first",
    answer=Answer(DeliveriesAnswer, _encode_deliveries),
)
def list_webhook_deliveries(
    tools: Tools, request: Request, webhook_id: str, query: Query[ListDeliveries]
) -> Page[DeliveryReport]:
    """Walk the deliveries to an address, the newest first, with each attempt and its answer."""
    return webhook_subscriptions.list_deliveries(tools, request.organization_id, webhook_id, query)


@OPERATIONS.add(
    "POST",
    "/webhooks/{webhookId}/replays",
    summary="Send events to one webhook again: these, or all since a time, 10,000 at most",
)
def replay_webhook_events(
    tools: Tools, request: Request, webhook_id: str, body: ReplayBody
) -> Replay:
    """Send events again, since a time or by their ids. An unknown event refuses the whole."""
    if isinstance(body.since, datetime):
        return webhook_subscriptions.replay_since(tools, request, webhook_id, body.since)
    return webhook_subscriptions.replay_events(tools, request, webhook_id, body.event_ids)


def _encode_secret(secrets: signing_secrets.SigningSecrets) -> bytes:
    answer = WebhookSecretAnswer(own=secrets.is_own, next_secret=secrets.following or UNSET)
    return msgspec.json.encode(answer)


def _encode_signing(secrets: signing_secrets.SigningSecrets) -> bytes:
    return msgspec.json.encode(WebhookSecretAnswer(own=secrets.is_own))


@OPERATIONS.add(
    "POST",
    "/webhooks/{webhookId}/secret/rotate",
    summary="Begin to give a webhook a signing secret of its own, or to replace it",
    answer=Answer(WebhookSecretAnswer, _encode_secret),
    keeps_answers=False,
)
def rotate_webhook_secret(
    tools: Tools, request: Request, webhook_id: str
) -> signing_secrets.SigningSecrets:
    """Make a secret for one receiver alone, which no other receiver of the organization knows. It
    is answered this once. Events carry a signature of it beside that of the secret that the
    receiver knows, until the rotation is finished or cancelled; while one is under way another is
    refused.
    """
    return signing_secrets.rotate_signing_secret(tools, request, webhook_id)


@OPERATIONS.add(
    "POST",
    "/webhooks/{webhookId}/secret/finish",
    summary="Sign what is sent to a webhook with its new secret alone",
    answer=Answer(WebhookSecretAnswer, _encode_signing),
)
def finish_webhook_rotation(
    tools: Tools, request: Request, webhook_id: str
) -> signing_secrets.SigningSecrets:
    """Finish a rotation once the receiver knows the new secret. Refused where none is under way."""
    return signing_secrets.finish_signing_rotation(tools, request, webhook_id)


@OPERATIONS.add(
    "POST",
    "/webhooks/{webhookId}/secret/cancel",
    summary="Sign what is sent to a webhook as before its rotation began",
    answer=Answer(WebhookSecretAnswer, _encode_signing),
)
def cancel_webhook_rotation(
    tools: Tools, request: Request, webhook_id: str
) -> signing_secrets.SigningSecrets:
    """Forget the new secret. Refused where no rotation is under way."""
    return signing_secrets.cancel_signing_rotation(tools, request, webhook_id)
