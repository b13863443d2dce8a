"""Webhook subscriptions in the interface: lists, tests, event deliveries and replays."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from roundsman.domain.event_delivery import Attempt, DeliveryReport, DeliveryState
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscription


class DeliveryAttempt(Model):
    """When an event was sent; the receiver's status, or why there is none."""

    at: datetime
    status: int | UnsetType = UNSET
    error: str | UnsetType = UNSET
    """Why there is no status, in English."""

    type: IssueType | UnsetType = UNSET
    """What the error says, in a form that programs know; attempts of older versions have none."""


class Delivery(Model):
    """One event on its way to one webhook: PENDING, DELIVERED, or DROPPED after the last retry."""

    event_id: str
    topic: Topic
    status: DeliveryState
    attempts: tuple[DeliveryAttempt, ...] = ()

    next_attempt_at: datetime | UnsetType = UNSET
    """When it is tried next, while it is PENDING and its webhook is active."""


class DeliveriesAnswer(Model):
    """A page of deliveries."""

    deliveries: tuple[Delivery, ...] = ()
    next_cursor: str = ""


def encode_deliveries(reports: tuple[DeliveryReport, ...], next_cursor: str) -> bytes:
    """Return a page of deliveries as JSON."""
    shown = tuple(
        Delivery(
            event_id=report.event_id,
            topic=report.topic,
            status=report.state,
            attempts=tuple(map(_show_attempt, report.attempts)),
            next_attempt_at=report.due_at,
        )
        for report in reports
    )
    return msgspec.json.encode(DeliveriesAnswer(deliveries=shown, next_cursor=next_cursor))


def _show_attempt(attempt: Attempt) -> DeliveryAttempt:
    return DeliveryAttempt(
        at=attempt.started_at,
        status=attempt.status or UNSET,
        error=attempt.error or UNSET,
        type=attempt.error_type,
    )


def _judge_choice(body: Any) -> Iterator[str]:
    """Find a replay that names nothing, or two things that may differ."""
    if not body.since and not body.event_ids:
        yield "is required when eventIds is not given"
    if body.since and body.event_ids:
        yield "must not be given with eventIds"


class ReplayBody(Model):
    """Which events to send again: all since an instant that the webhook wants, or these."""

    rules: ClassVar = (Rule(_judge_choice, ("since", "event_ids")),)

    since: datetime | UnsetType = UNSET
    event_ids: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=255)], ...], Meta(max_length=200)
    ] = ()

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class WebhooksAnswer(Model):
    """Every subscription of an organization, oldest first."""

    webhooks: tuple[WebhookSubscription, ...] = ()


class WebhookSecretAnswer(Model):
    """What signs the events that are sent to a webhook."""

    own: bool
    """Whether the webhook has a secret of its own; otherwise the organization's signs."""

    next_secret: str | UnsetType = UNSET
    """The secret that was made, in base64, shown this once."""


class WebhookTestAnswer(Model):
    """Which event was made to test a webhook."""

    event_id: str
