"""Secrets and tokens: made once, kept as a hash; and links that are signed with a key."""

import base64
import hashlib
import hmac

from roundsman.kit.ids import IdSource

_SECRET_BYTES = 32

CLIENT_SECRET = "rmsec_"  # noqa: S105 -- how one begins
ACCESS_TOKEN = "rmtok_"  # noqa: S105
DEVICE_TOKEN = "rmdev_"  # noqa: S105


def new_secret(ids: IdSource, prefix: str = "") -> str:
    """Return a secret of 32 random bytes, safe in URLs and shells.

    What lasts has a prefix by which secret scanners find it in code and logs.
    """
    return prefix + _encode(ids.random_bytes(_SECRET_BYTES))


def new_signing_secret(ids: IdSource) -> str:
    """Return a webhook secret: 32 random bytes in base64 (decisions §9)."""
    return base64.b64encode(ids.random_bytes(_SECRET_BYTES)).decode()


def hash_secret(secret: str) -> bytes:
    """Return what is stored of a secret; one with 32 random bytes needs no salt or stretching."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def sign(key: bytes, *parts: str) -> str:
    """Return the signature of parts; the first names the purpose, so that none fits another."""
    text = "\n".join(parts).encode()
    return _encode(hmac.new(key, text, hashlib.sha256).digest())


def is_signed(key: bytes, signature: str, *parts: str) -> bool:
    """Say whether a signature is ours, in constant time."""
    return hmac.compare_digest(sign(key, *parts).encode(), signature.encode("utf-8", "replace"))


def seal(key: bytes, purpose: str, text: str) -> str:
    """Return a token that holds a text and its signature."""
    return f"{_encode(text.encode())}.{sign(key, purpose, text)}"


def unseal(key: bytes, purpose: str, token: str) -> str | None:
    """Return the text of a token that we made for this purpose; None for any other."""
    encoded, _, signature = token.partition(".")
    try:
        text = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
    except ValueError:
        return None
    return text if is_signed(key, signature, purpose, text) else None


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
