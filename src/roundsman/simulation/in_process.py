"""Requests to the service's own application, without a network between."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message

_HERE = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class DoorAnswer:
    """What a door answered."""

    status: int
    body: bytes


class InProcessClient:
    """Asks an ASGI application as a client on this machine would."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> DoorAnswer:
        """Send one request and return the whole answer."""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", _HERE.encode()), *_raw(headers, body)],
            "client": (_HERE, 0),
            "server": (_HERE, 80),
        }
        status, parts = 0, []
        is_handed_over = False

        async def receive() -> Message:
            nonlocal is_handed_over
            if is_handed_over:  # whoever watches for a client that leaves waits until the answer
                await asyncio.get_running_loop().create_future()
            is_handed_over = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def take(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        await self._app(scope, receive, take)
        return DoorAnswer(status, b"".join(parts))


def _raw(headers: Mapping[str, str], body: bytes) -> list[tuple[bytes, bytes]]:
    sent: dict[str, Any] = {"content-length": str(len(body)), **headers}
    return [(name.lower().encode(), value.encode()) for name, value in sent.items()]
