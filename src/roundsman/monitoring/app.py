"""`/healthz`, `/readyz` and `/metrics`: what load balancers, supervisors and Prometheus ask.

Health says only that the process answers; readiness that it can do its work, so a process without
its database is alive but not ready. Metrics tell how much business an installation does, so they
are shown to this machine and to the subnets that the operator names, and unknown to anyone else.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from roundsman.domain.errors import Unavailable
from roundsman.endpoints.responses import harden
from roundsman.kit.metrics import render_metrics
from roundsman.kit.peers import read_peer
from roundsman.kit.software import software_version
from roundsman.operations.readiness import check_readiness, count_backlog
from roundsman.operations.tools import Tools

PATHS = ("/healthz", "/readyz", "/metrics")
_FORWARDED = ("forwarded", "via", "x-real-ip")
_FORWARDED_PREFIX = "x-forwarded-"


@dataclass(slots=True)
class Monitoring:
    """Answers the operator's machines; it has a thread of its own, so that load cannot hide it."""

    tools: Tools
    allowed: Sequence[IPv4Network | IPv6Network]
    of_all_processes: bool = False
    warn: Callable[[], Sequence[str]] = tuple
    """Says what an operator should mend though requests are served."""

    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "monitoring"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        if request.url.path == "/healthz":  # waits for nobody, not even for another check
            response = self._answer(request)
        else:
            loop = asyncio.get_running_loop()
            response = await loop.run_in_executor(self._thread, self._answer, request)
        harden(response)
        await response(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in {"GET", "HEAD"}:
            return JSONResponse({"status": "wrong method"}, 405, {"Allow": "GET, HEAD"})
        match request.url.path:
            case "/healthz":
                return JSONResponse({"status": "alive", "version": software_version()})
            case "/readyz":
                return self._readiness()
            case "/metrics" if self._may_see_metrics(request):
                return self._metrics()
        return JSONResponse({"status": "no such path"}, 404)

    def _readiness(self) -> Response:
        try:
            check_readiness(self.tools)
        except Unavailable as error:
            return JSONResponse({"status": "not ready", "reason": error.message}, 503)
        warnings = list(self.warn())
        optional = {"warnings": warnings} if warnings else {}
        return JSONResponse({"status": "ready", **optional})

    def _metrics(self) -> Response:
        # Metrics are worth most while the database is away; its own counter says that it is.
        with suppress(Unavailable):
            count_backlog(self.tools)
        rendered = render_metrics(of_all_processes=self.of_all_processes)
        return Response(rendered, media_type=CONTENT_TYPE_LATEST)

    def _may_see_metrics(self, request: Request) -> bool:
        # A stranger behind a proxy on this machine comes from this machine; the proxy says so.
        if request.client is None or any(
            name in _FORWARDED or name.startswith(_FORWARDED_PREFIX) for name in request.headers
        ):
            return False
        peer = read_peer(request.client.host)
        if peer is None:
            return False
        return peer.is_loopback or any(peer in subnet for subnet in self.allowed)

    def close(self) -> None:
        """Let the thread go."""
        self._thread.shutdown()
