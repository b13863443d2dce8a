"""The body of an event, the same bytes in every attempt, and its headers with signatures.

Both signatures are HMAC-SHA256 with the organization's secret, base64-decoded. The interface's own
covers the raw body (specification, Signature). Standard Webhooks' covers id and time too, so that
receivers can refuse replayed events.

While secrets are rotated, `X-Service-Hmac-Sha256` has one value, made with the secret that
receivers know already; `webhook-signature` has one for each secret.
"""

import base64
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from roundsman.domain.event_delivery import ClaimedDelivery
from roundsman.kit.timestamps import format_timestamp
from roundsman.wire.current_version import API_VERSION, encode_event
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias


def sign_body(secret: str, body: bytes) -> str:
    """Return the value of `X-Service-Hmac-Sha256`."""
    return _sign(secret, body)


def sign_message(secrets: Sequence[str], id_: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: one signature for each secret."""
    message = f"{id_}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_sign(secret, message)}" for secret in secrets)


def _sign(secret: str, message: bytes) -> str:
    digest = hmac.digest(base64.b64decode(secret), message, "sha256")
    return base64.b64encode(digest).decode()


_OWN_PREFIX = "X-Service-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Envelope:
    """Makes bodies and headers, with the operator's further names for headers and fields."""

    header_alias: str = ""
    """A prefix such as `X-Example`: every `X-Service-` header is sent under it as well."""

    field_alias: FieldAlias = NO_ALIAS

    def encode_body(self, delivery: ClaimedDelivery) -> bytes:
        """Return the body of an event, full or thin as the webhook takes it."""
        return self.field_alias.add(encode_event(delivery.event, delivery.payload_form))

    def make_headers(
        self, delivery: ClaimedDelivery, body: bytes, now: datetime
    ) -> Mapping[str, str]:
        """Return the headers of one attempt (specification, Events, Headers)."""
        event = delivery.event.event
        timestamp = int(now.timestamp())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Roundsman",
            "X-Service-Event-Id": event.id,
            "X-Service-Topic": event.topic.value,
            "X-Service-Event-Timestamp": format_timestamp(event.timestamp),
            "X-Service-Version": API_VERSION,
            "X-Service-Organization": event.organization_id,
            "X-Service-Object-Id": event.object_id,
            "X-Service-Hmac-Sha256": sign_body(delivery.secrets[0], body),
            "webhook-id": event.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign_message(delivery.secrets, event.id, timestamp, body),
        }
        return headers | self._further(headers)

    def _further(self, headers: Mapping[str, str]) -> dict[str, str]:
        if not self.header_alias:
            return {}
        return {
            f"{self.header_alias}-{name.removeprefix(_OWN_PREFIX)}": value
            for name, value in headers.items()
            if name.startswith(_OWN_PREFIX)
        }


PLAIN = Envelope()
"""No further names."""
