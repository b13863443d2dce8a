"""Links that prove by themselves that we made them: parts, and a signature over them."""

import base64
import hashlib
import hmac


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
