"""Exchanges with a real server, recorded once and answered again on loopback.

A file holds one exchange a line, after a first line that says what was recorded. With the address
of a real server at hand the same tests run through to it, and the file is written anew: so what is
replayed is what that server said, and the tests hold against the server itself.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from roundsman.kit.http import HttpClient, OutgoingRequest

type Json = Any


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What was asked, and what came back."""

    method: str
    path: str
    query: dict[str, str]
    body: Json
    status: int
    answer: Json

    def key(self) -> str:
        """Return what makes two requests the same."""
        return json.dumps([self.method, self.path, self.query, self.body], sort_keys=True)


@dataclass(kw_only=True)
class Replay:
    """A server that knows some exchanges: where it is, and what it was asked."""

    url: str = ""
    known: dict[str, Exchange] = field(default_factory=dict)
    asked: list[Exchange] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def forget_asked(self) -> None:
        """Begin a test of its own on a shared server."""
        self.asked.clear()


def load_exchanges(file: Path) -> list[Exchange]:
    """Read the exchanges of a file, without its first line."""
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    return [Exchange(**json.loads(line)) for line in lines]


@contextmanager
def replaying(file: Path, real: str = "", **recorded_from: str) -> Iterator[Replay]:
    """Serve what a file holds; with the address of a real server ask that, and write the file."""
    replay = Replay()
    if not real:
        replay.known = {one.key(): one for one in load_exchanges(file)}
    with _serving(replay, real):
        yield replay
    if real:
        lines = [recorded_from, *(vars(one) for one in replay.known.values())]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        file.write_text(text, encoding="utf-8")
    assert not replay.unknown, "asked for what was never recorded; record again (see README.md)"


@contextmanager
def _serving(replay: Replay, real: str) -> Iterator[None]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer("GET", None)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            self._answer("POST", json.loads(content))

        def _answer(self, method: str, body: Json) -> None:
            parts = urlsplit(self.path)
            asked = Exchange(
                method=method,
                path=parts.path,
                query=dict(parse_qsl(parts.query)),
                body=body,
                status=0,
                answer=None,
            )
            found = _ask(real, self.path, asked) if real else replay.known.get(asked.key())
            with lock:
                if found is None:
                    replay.unknown.append(asked.key())
                    found = asked
                else:
                    replay.known[found.key()] = found
                replay.asked.append(found)
            content = json.dumps(found.answer).encode()
            self.send_response(found.status or 599)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    replay.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _ask(real: str, path: str, asked: Exchange) -> Exchange:
    request = OutgoingRequest(url=real + path, method=asked.method, body=asked.body)
    client = HttpClient("Roundsman/recording")
    try:
        response = client.exchange(request)
    finally:
        client.close()
    answer = json.loads(response.body)
    return Exchange(**{**vars(asked), "status": response.status, "answer": answer})
