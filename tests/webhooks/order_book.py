"""A receiver as they are found in public: keeps what became of each order of a shop.

It knows the signature's header and the field of an order by the names of another service. A thin
event says which stop has changed; its route is read once to learn whose order each stop is.
"""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

type Json = Any
type Read = Callable[[str], Json]


class OrderBook:
    """What became of each order, by the shop's own id."""

    def __init__(self, secret: str, read: Read) -> None:
        self._key = base64.b64decode(secret)
        self._read = read
        self._writing = threading.Lock()
        self._orders: dict[str, str] = {}
        self._heard: dict[str, tuple[int, str]] = {}
        self.answers: list[int] = []

    @property
    def statuses(self) -> dict[str, str]:
        return {order: status for order, (_, status) in sorted(self._heard.items())}

    def take(self, body: bytes, signature: str) -> int:
        ours = base64.b64encode(hmac.new(self._key, body, hashlib.sha256).digest()).decode()
        if not hmac.compare_digest(ours, signature):
            return 401
        event = json.loads(body)
        with self._writing:
            if event["topic"] == "STOP_STATUS_UPDATED":
                self._note(event["payload"])
        return 200

    def _note(self, thin: Json) -> None:
        if thin["id"] not in self._orders:
            stops = self._read(f"/routes/{thin['routeId']}")["stops"]
            self._orders |= {stop["id"]: stop["exampleOrderId"] for stop in stops}
        order = self._orders[thin["id"]]
        version, _ = self._heard.get(order, (0, ""))
        if order and thin["version"] > version:
            self._heard[order] = (thin["version"], thin["status"])

    @contextmanager
    def listening(self) -> Iterator[str]:
        """Listen on this machine; return where."""
        book = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = book.take(body, self.headers.get("X-Example-Hmac-Sha256", ""))
                book.answers.append(status)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=[0.01])
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/in"
            finally:
                server.shutdown()
                thread.join()
