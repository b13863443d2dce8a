"""Webhooks: whether one is from the service, and what it says."""

import base64
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from roundsman_client.errors import WebhookRefused
from roundsman_client.models import WebhookEvent

TOLERANCE_SECONDS = 300
"""How much older or newer than this clock a webhook may be."""


def unwrap(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    now: float | None = None,
) -> WebhookEvent:
    """Return the event of a webhook; raise WebhookRefused for one that is not from the service.

    `body` is what arrived, byte for byte. Several secrets are tried while one is replaced. The
    signature covers id and time (Standard Webhooks), so an old webhook sent again is refused. An
    event may come twice: its `eventId` says so.
    """
    named = {name.lower(): value for name, value in headers.items()}
    id_, timestamp = named.get("webhook-id", ""), named.get("webhook-timestamp", "")
    signatures = named.get("webhook-signature", "").split()
    if not (id_ and timestamp.isascii() and timestamp.isdigit() and signatures):
        raise WebhookRefused("webhook-id, webhook-timestamp or webhook-signature is missing")
    signed = f"{id_}.{timestamp}.".encode() + body
    known = [secrets] if isinstance(secrets, str) else secrets
    keys = [_key_of(secret) for secret in known]
    if not any(_is_signed(signed, signatures, key) for key in keys if key):
        if not all(keys):
            problem = f"secret {keys.index(b'') + 1} of {len(keys)} is empty or no base64"
            raise WebhookRefused(f"{problem}; copy it anew")
        raise WebhookRefused("the signature is not of any of the secrets")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookRefused("the webhook is too old, or this clock is wrong")
    event: Any = json.loads(body)
    return event  # type: ignore[no-any-return]


def _key_of(secret: str) -> bytes:
    """Return what a secret signs with; nothing where it was mistyped or left out."""
    try:
        return base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except ValueError:
        return b""


def _is_signed(signed: bytes, signatures: Sequence[str], key: bytes) -> bool:
    right = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return any(hmac.compare_digest(right.encode(), one.encode()) for one in signatures)
