"""Serving over HTTP: a readiness line when up, a drain on SIGTERM, exit code 0 after it."""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import typer
import uvicorn
from starlette.types import ASGIApp

from roundsman.endpoints.connections import ConnectionLimits, limited
from roundsman.kit.lan import lan_addresses

_DRAIN_SECONDS = 30
_WAITING_CONNECTIONS = 2048
_LAST_ACCEPTED_SECONDS = 0.2
_ONLY_HTTPS = ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
"""Under its own name, and names below it, a server answers HTTPS alone, and says so for a year."""
_EVERY_IPV4, _EVERY_IPV6 = "0.0.0.0", "::"  # noqa: S104 -- recognized here, chosen by nobody


class Server(uvicorn.Server):
    """uvicorn, but it tells when it listens and ends well when asked to stop."""

    def __init__(
        self,
        config: uvicorn.Config,
        when_ready: Callable[[], None],
        when_stopping: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._when_ready = when_ready
        self._when_stopping = when_stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            self._when_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, hear out who was accepted a moment ago, then drain."""
        self._when_stopping()
        for server in self.servers:
            server.close()
        # A drain closes connections on which no request has been read; a client that has just been
        # accepted has sent one that is still on its way here.
        await asyncio.sleep(_LAST_ACCEPTED_SECONDS)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on signals without raising them again: who has drained has not failed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, self._stop, number)
        yield

    def _stop(self, number: int) -> None:
        # Only a person presses a key twice. Supervisors may signal a process and its parent, which
        # signals it again, and neither means that requests under way should be cut short.
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise OSError when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server(
        (host, port),
        family=family,
        backlog=_WAITING_CONNECTIONS,
        dualstack_ipv6=host == _EVERY_IPV6 and socket.has_dualstack_ipv6(),
    )
    listener.set_inheritable(True)
    return listener


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, or end the command with a line that says why there is none."""
    try:
        return open_listener(host, port)
    except OSError as error:
        where = _written(host, port)
        typer.echo(f"roundsman: cannot listen on {where}: {error.strerror}", err=True)
        raise typer.Exit(1) from error


KEEP_ALIVE_SECONDS = 75
"""Longer than the 60 s that load balancers keep a connection: they must be first to close it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """PEM files that a server proves with who it is; without a key's, the key is beside it."""

    chain: Path
    key: Path | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Serving:
    """How connections are held: with what certificate, how long, and how many."""

    certificate: Certificate | None = None
    is_only_https: bool = False
    """Whether browsers are told never to ask this name over plain HTTP."""

    keep_alive_seconds: int = KEEP_ALIVE_SECONDS
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)


@dataclass(frozen=True, slots=True)
class Reached:
    """Under which addresses a listener is reached."""

    here: str
    """The one that works on this machine."""

    elsewhere: tuple[str, ...] = ()
    """Those of other machines' users, where it listens on all addresses."""

    def in_links(self) -> str:
        """Return the address for links: a phone's, where the server is made for phones."""
        is_secure = self.here.startswith("https")
        return self.elsewhere[0] if is_secure and self.elsewhere else self.here


def reach(
    listener: socket.socket,
    certificate: Certificate | None = None,
    find_addresses: Callable[[], Sequence[str]] = lan_addresses,
) -> Reached:
    """Return the addresses that a listener is reached at, none of which is a wildcard."""
    host, port = listener.getsockname()[:2]
    scheme = "https" if certificate else "http"
    if host not in {_EVERY_IPV4, _EVERY_IPV6}:
        return Reached(f"{scheme}://{_written(host, port)}")
    elsewhere = [one for one in find_addresses() if host == _EVERY_IPV6 or ":" not in one]
    return Reached(
        f"{scheme}://localhost:{port}",
        tuple(f"{scheme}://{_written(one, port)}" for one in elsewhere),
    )


def _written(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def serve_app(
    app: ASGIApp,
    listener: socket.socket,
    when_ready: Callable[[], None],
    serving: Serving | None = None,
    when_stopping: Callable[[], None] = lambda: None,
) -> None:
    """Serve until asked to stop; requests under way are finished first."""
    Server(make_config(app, serving), when_ready, when_stopping).run([listener])


def make_config(app: ASGIApp, serving: Serving | None = None) -> uvicorn.Config:
    """Return how uvicorn is to serve: silently, and with our own way to refuse what is no HTTP."""
    serving = serving or Serving()
    certificate = serving.certificate
    return uvicorn.Config(
        app,
        ssl_certfile=certificate.chain if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
        http=limited(serving.limits),
        timeout_keep_alive=serving.keep_alive_seconds,
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        headers=[_ONLY_HTTPS] if serving.is_only_https else [],
        timeout_graceful_shutdown=_DRAIN_SECONDS,
    )


def wait_for_signal() -> None:
    """Return when the process is asked to stop."""
    stop_requested = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop_requested.set())
    stop_requested.wait()
