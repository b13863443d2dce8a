"""Verifies what was received as receivers do: with libraries that others wrote."""

import base64
import json

from linebot.v3.webhook import SignatureValidator  # type: ignore[import-untyped]
from standardwebhooks import Webhook
from tests.webhooks.receiver import Received


def verify(received: Received, secret: str, *, is_new: bool = False) -> None:
    """Raise unless both signatures hold; a secret that `is_new` makes the second one alone."""
    assert Webhook(secret).verify(received.body, received.headers) == json.loads(received.body)
    assert is_signed(received.body, received.headers["x-service-hmac-sha256"], secret) != is_new


def is_signed(body: bytes, signature: str, secret: str) -> bool:
    """Say whether a body has this signature."""
    validator = SignatureValidator("")
    # That library takes its key as text and keeps its bytes; ours is any bytes.
    validator.channel_secret = base64.b64decode(secret)
    return bool(validator.validate(body.decode(), signature))
