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
from starlette.types import ASGIApp


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
                app, raise_app_exceptions=False, client=(address, 50_000)
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


def _run[T](sending: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(sending, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="in-process clients", daemon=True).start()
    return loop
