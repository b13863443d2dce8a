"""Receiving bodies: whole, bounded, and JSON where JSON is asked for."""

from collections.abc import Mapping

from starlette.requests import Request

from roundsman.doors.errors import PayloadTooLarge, UnsupportedMediaType


async def receive_body(request: Request, most_bytes: int) -> bytes:
    """Return the whole body; refuse one that is too long as soon as it is."""
    parts = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most_bytes:
            raise PayloadTooLarge(f"body must be at most {most_bytes} bytes")
        parts.append(part)
    return b"".join(parts)


def require_json(headers: Mapping[str, str]) -> None:
    """Refuse a body that does not say that it is JSON."""
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType("Content-Type must be application/json")
