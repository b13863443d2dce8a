"""What travels to a receiver: an event's body, byte for byte the same each time, and its headers.

During a rotation `X-Service-Hmac-Sha256` holds one value, made with the secret that receivers
already know; `webhook-signature` has room for both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from roundsman.domain.delivery import Errand
from roundsman.kit.timestamps import format_timestamp
from roundsman.webhooks.signature import sign_body, sign_message
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias
from roundsman.wire.served import API_VERSION, encode_event

_OWN_PREFIX = "X-Service-"


@dataclass(frozen=True, kw_only=True, slots=True)
class Envelope:
    """How events are sent, with the names that the operator wants beside ours."""

    header_alias: str = ""
    """A prefix such as `X-Example`: every `X-Service-` header is sent once more under it."""

    field_alias: FieldAlias = NO_ALIAS

    def encode_body(self, errand: Errand) -> bytes:
        """Return the body of an event, full or thin as the webhook takes it."""
        return self.field_alias.add(encode_event(errand.event, errand.payload_form))

    def make_headers(self, errand: Errand, body: bytes, now: datetime) -> Mapping[str, str]:
        """Return the headers of one attempt (specification, Events, Headers)."""
        event = errand.event.event
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
            "X-Service-Hmac-Sha256": sign_body(errand.secrets[0], body),
            "webhook-id": event.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign_message(errand.secrets, event.id, timestamp, body),
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
"""Our own names alone, as nothing else is set."""
