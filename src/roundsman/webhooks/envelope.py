"""What travels to a receiver: an event's body, byte for byte the same each time, and its headers.

During a rotation `X-Service-Hmac-Sha256` holds one value, made with the secret that receivers
already know; `webhook-signature` has room for both.
"""

from collections.abc import Mapping
from datetime import datetime

from roundsman.domain.delivery import Errand
from roundsman.kit.timestamps import format_timestamp
from roundsman.webhooks.signature import sign_body, sign_message
from roundsman.wire.v2024_07.events import API_VERSION, encode_event


def encode_body(errand: Errand) -> bytes:
    """Return the body of an event, full or thin as the webhook takes it."""
    return encode_event(errand.event, errand.payload_form)


def make_headers(errand: Errand, body: bytes, now: datetime) -> Mapping[str, str]:
    """Return the headers of one attempt (specification, Events, Headers)."""
    event = errand.event.event
    timestamp = int(now.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": "Roundsman",
        "X-Service-Event-Id": event.id,
        "X-Service-Topic": event.topic.value,
        "X-Service-Event-Timestamp": format_timestamp(event.timestamp),
        "X-Service-Version": API_VERSION,
        "X-Service-Organization": event.organization_id,
        "X-Service-Object-Id": event.object_id,
        "X-Service-Hmac-Sha256": sign_body(errand.secrets[0], body),
        "webhook-id": event.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign_message(errand.secrets, event.id, timestamp, body),
    }
