"""Receiving bodies: whole, bounded, and JSON where JSON is asked for."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from starlette.requests import ClientDisconnect
from starlette.types import Receive

from roundsman.endpoints.errors import PayloadTooLarge, UnsupportedMediaType

MOST_BODY_BYTES = 8 * 1024 * 1024

MOST_OPEN_BODY_BYTES = 16 * 1024
"""Of whoever shows no credentials, or only brings them (decisions §1, "Body errors")."""


_MOST_AT_ONCE = 64 * 1024


def comes_at_once(headers: Mapping[str, str]) -> bool:
    """Say whether a body is announced as so short that nobody need be asked before it is read."""
    if "transfer-encoding" in headers:
        return False
    return _announced_bytes(headers) <= _MOST_AT_ONCE


def _announced_bytes(headers: Mapping[str, str]) -> int:
    """Return how long a body says that it is; 0 where it does not say so."""
    announced = headers.get("content-length", "")
    return int(announced) if announced.isascii() and announced.isdigit() else 0


async def receive_body(receive: Receive, most_bytes: int, headers: Mapping[str, str]) -> bytes:
    """Return the whole body; refuse one that is too long as soon as it is, or says that it will."""
    if _announced_bytes(headers) > most_bytes:
        raise PayloadTooLarge(f"body must be at most {most_bytes} bytes")
    parts = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        size += len(part)
        if size > most_bytes:
            raise PayloadTooLarge(f"body must be at most {most_bytes} bytes")
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


class SentFile(Struct, frozen=True, kw_only=True):
    """A body that is a file."""

    content: bytes
    media_type: str


def media_type_of_body(headers: Mapping[str, str]) -> str:
    """Return what a body says that it is, without parameters."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def require_json(headers: Mapping[str, str], files: Sequence[str] = ()) -> None:
    """Refuse a body that does not say that it is JSON; `files` are what else would do."""
    require_media_type(headers, "application/json", *files)


def require_media_type(headers: Mapping[str, str], *wanted: str) -> None:
    """Refuse a body that says that it is something else, or nothing."""
    if media_type_of_body(headers) not in wanted:
        *others, last = wanted
        allowed = f"{', '.join(others)} or {last}" if others else last
        raise UnsupportedMediaType(f"Content-Type must be {allowed}")
