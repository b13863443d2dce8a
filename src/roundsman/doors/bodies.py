"""Receiving bodies: whole, bounded, and JSON where JSON is asked for."""

from collections.abc import Mapping

from starlette.requests import ClientDisconnect
from starlette.types import Receive

from roundsman.doors.errors import PayloadTooLarge, UnsupportedMediaType

MOST_BODY_BYTES = 8 * 1024 * 1024

MOST_OPEN_BODY_BYTES = 16 * 1024
"""Of whoever shows no credentials, or only brings them (decisions §1, "Body errors")."""


async def receive_body(receive: Receive, most_bytes: int) -> bytes:
    """Return the whole body; refuse one that is too long as soon as it is."""
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


def require_json(headers: Mapping[str, str]) -> None:
    """Refuse a body that does not say that it is JSON."""
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType("Content-Type must be application/json")
