"""A client of Roundsman: routes, stops, plans, events, and webhooks that are verified."""

from roundsman_client.async_client import AsyncRoundsman
from roundsman_client.calls import Answered
from roundsman_client.client import Roundsman
from roundsman_client.errors import (
    Aborted,
    ApiError,
    ChangedMeanwhile,
    ConnectionFailed,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    RoundsmanError,
    Unauthenticated,
    Unavailable,
    WebhookRefused,
)
from roundsman_client.webhooks import unwrap

__all__ = [
    "Aborted",
    "Answered",
    "ApiError",
    "AsyncRoundsman",
    "ChangedMeanwhile",
    "ConnectionFailed",
    "FailedPrecondition",
    "InvalidArgument",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "Roundsman",
    "RoundsmanError",
    "Unauthenticated",
    "Unavailable",
    "WebhookRefused",
    "unwrap",
]
