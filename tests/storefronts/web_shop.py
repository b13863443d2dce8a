"""A shop's interface on a port of its own: a function answers what is asked of it."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

type Json = Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Json
    raw: bytes
    """The body as it was sent, by which a signature goes."""


@dataclass(frozen=True)
class Answer:
    """A status, JSON, and headers."""

    body: Json
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def serve(answer: Callable[[Asked], Answer]) -> Iterator[str]:
    """Serve a shop on a free port; return its address."""

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            given = answer(
                Asked(
                    method=self.command,
                    path=parts.path,
                    query={name: value[0] for name, value in parse_qs(parts.query).items()},
                    headers={name.lower(): value for name, value in self.headers.items()},
                    body=json.loads(raw) if raw else None,
                    raw=raw,
                )
            )
            data = json.dumps(given.body).encode()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_OPTIONS = _handle  # noqa: N815 -- as the library calls them

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
