"""Signs events: the interface's own signature, and that of Standard Webhooks.

Both are HMAC-SHA256 with the organization's secret, base64-decoded. The interface's covers the raw
body (specification, Signature). Standard Webhooks' covers id and time too, so that receivers can
refuse replayed events.
"""

import base64
import hmac
from collections.abc import Sequence


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
