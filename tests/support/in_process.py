"""A client that asks an ASGI application in this process, all of them on one event loop.

Starlette's own test client starts a thread and a loop a request, which takes longer than most
requests do.
"""

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from functools import cache
from typing import Any

import httpx2
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class InProcessClient:
    """Sends requests as `address`; may be used by several threads at once."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        base_url: str = "https://roundsman.test",
        address: str = "203.0.113.7",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        named = {"user-agent": "testclient", **(headers or {})}
        self._http = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(
                _left_when_streaming(app), raise_app_exceptions=False, client=(address, 50_000)
            ),
            base_url=base_url,
            headers=named,
        )

    @property
    def cookies(self) -> httpx2.Cookies:
        """Return what the client was told to keep."""
        return self._http.cookies

    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return _run(self._http.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("GET", path, **options)

    def head(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("HEAD", path, **options)

    def post(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("DELETE", path, **options)

    def options(self, path: str, **options: Any) -> httpx2.Response:
        return self.request("OPTIONS", path, **options)


def _left_when_streaming(app: ASGIApp) -> ASGIApp:
    """Have the client leave a stream as soon as it has begun: this client reads whole answers."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        is_streaming = False

        async def look(message: Message) -> None:
            nonlocal is_streaming
            headers = dict(message.get("headers", ()))
            is_streaming |= headers.get(b"content-type") == b"text/event-stream"
            await send(message)

        async def leave() -> Message:
            return {"type": "http.disconnect"} if is_streaming else await receive()

        await app(scope, leave, look)

    return run


def _run[T](sending: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(sending, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="in-process clients", daemon=True).start()
    return loop
