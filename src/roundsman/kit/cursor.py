"""Opaque cursors that nobody but us can make or change.

A cursor is a MessagePack value and the first half of its HMAC-SHA256, in URL-safe base64.
"""

import base64
import binascii
import hashlib
import hmac
from typing import Any

import msgspec

_MARK_BYTES = 16


class WrongCursor(ValueError):
    """A cursor that was not made here, or was changed since."""


def seal_cursor(value: Any, key: bytes) -> str:
    """Return a value as a cursor."""
    content = msgspec.msgpack.encode(value)
    return _written(_mark(content, key) + content)


def open_cursor[T](cursor: str, shape: type[T], key: bytes) -> T:
    """Return the value of a cursor; raise WrongCursor when it is not one of ours."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise WrongCursor from error
    mark, content = raw[:_MARK_BYTES], raw[_MARK_BYTES:]
    # Its last character may have bits to spare, and padding may follow: those are changed too.
    if not hmac.compare_digest(mark, _mark(content, key)) or cursor != _written(raw):
        raise WrongCursor
    try:
        return msgspec.msgpack.decode(content, type=shape)
    except msgspec.MsgspecError as error:
        raise WrongCursor from error


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _mark(content: bytes, key: bytes) -> bytes:
    return hmac.digest(key, content, hashlib.sha256)[:_MARK_BYTES]
