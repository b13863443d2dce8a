"""Serving over HTTP: a readiness line when up, a drain on SIGTERM, exit code 0 after it."""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

_DRAIN_SECONDS = 30


class Server(uvicorn.Server):
    """uvicorn, but it tells when it listens and ends well when asked to stop."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell under which address."""
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            self._when_ready(f"http://{shown}:{port}")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and SIGINT without raising them again: who has drained has not failed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        yield

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def serve_app(app: ASGIApp, host: str, port: int, when_ready: Callable[[str], None]) -> None:
    """Serve until asked to stop; requests under way are finished first."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )
    Server(config, when_ready).run()


def wait_for_signal() -> None:
    """Return when the process is asked to stop."""
    asked = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.set())
    asked.wait()
