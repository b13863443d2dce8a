"""A push to a phone's browser: a signal without content, signed so that it is known to be ours.

Nothing is said but that something has changed, so nothing has to be encrypted (RFC 8030, 5); the
phone asks its server what it is. The signature is a token for the push service's own address
(RFC 8292).
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import msgspec

from roundsman.kit.loading import load

_GOOD_FOR = timedelta(hours=12)
"""At most a day may be asked for (RFC 8292, section 2)."""

_KEPT_SECONDS = 4 * 3600
"""A phone that is off learns of it when it is on again within these; later it asks by itself."""

_TOPIC = "route"
"""Of two signals that wait for a phone the later one replaces the earlier (RFC 8030, 5.4)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PushIdentity:
    """Who sends: a key of this installation alone, and where its operator can be reached."""

    seed: bytes
    contact: str
    """A `mailto:` or `https:` address, for whoever runs the push service; "" without one."""

    def public_key(self) -> str:
        """Return what a browser subscribes with, in base64url."""
        public_key: bytes = load("roundsman.kit.encryption:p256_public_key")(self.seed)
        return _encoded(public_key)


def make_identity(secret: bytes, contact: str) -> PushIdentity:
    """Return the identity that belongs to a secret of the installation."""
    return PushIdentity(seed=hmac.digest(secret, b"web push", "sha512"), contact=contact)


def make_push_headers(identity: PushIdentity, endpoint: str, now: datetime) -> Mapping[str, str]:
    """Return the headers of a push to an endpoint; its body is empty."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + _GOOD_FOR).timestamp()),
    }
    if identity.contact:
        claims["sub"] = identity.contact
    head = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(_encoded(msgspec.json.encode(part)) for part in (head, claims))
    signature: bytes = load("roundsman.kit.encryption:sign_p256")(identity.seed, signed.encode())
    token = f"{signed}.{_encoded(signature)}"
    return {
        "Authorization": f"vapid t={token}, k={identity.public_key()}",
        "TTL": str(_KEPT_SECONDS),
        "Topic": _TOPIC,
        "Urgency": "high",
    }


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
