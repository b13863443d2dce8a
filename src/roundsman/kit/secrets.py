"""Secrets and tokens: made once, shown once, kept as a hash."""

import base64
import hashlib

from roundsman.kit.ids import IdSource

_SECRET_BYTES = 32


def new_secret(ids: IdSource) -> str:
    """Return a secret of 32 random bytes, safe in URLs and shells."""
    return base64.urlsafe_b64encode(ids.random_bytes(_SECRET_BYTES)).rstrip(b"=").decode()


def new_signing_secret(ids: IdSource) -> str:
    """Return a webhook secret: 32 random bytes in base64 (decisions §9)."""
    return base64.b64encode(ids.random_bytes(_SECRET_BYTES)).decode()


def hash_secret(secret: str) -> bytes:
    """Return what is stored of a secret; one with 32 random bytes needs no salt or stretching."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
