"""A connection to a service that loses requests on their way, and answers after the effect."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OF_ONE_EXCHANGE = {"connection", "content-length", "date", "server", "transfer-encoding"}


class LossyConnection(ThreadingHTTPServer):
    """Passes on what it gets, but for one request in ten, and one answer in ten."""

    daemon_threads = False
    request_queue_size = 100

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.port = port
        self.lost_requests = self.lost_answers = 0
        self._draw = random.Random(seed)  # noqa: S311 -- repeatable losses
        self._lock = threading.Lock()

    def loses_request(self) -> bool:
        """Say whether this request is lost."""
        with self._lock:
            is_lost = self._draw.random() < 0.1
            self.lost_requests += is_lost
        return is_lost

    def loses_answer(self) -> bool:
        """Say whether this answer is lost."""
        with self._lock:
            is_lost = self._draw.random() < 0.1
            self.lost_answers += is_lost
        return is_lost


class _Passing(BaseHTTPRequestHandler):
    server: LossyConnection
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.service = HTTPConnection("127.0.0.1", self.server.port, timeout=60)

    def finish(self) -> None:
        self.service.close()
        super().finish()

    def do_GET(self) -> None:
        self.pass_on(None)

    def do_POST(self) -> None:
        self.pass_on(self.rfile.read(int(self.headers["content-length"])))

    def pass_on(self, body: bytes | None) -> None:
        if self.server.loses_request():
            self.close_connection = True
            return
        sent = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        self.service.request(self.command, self.path, body, sent)
        answer = self.service.getresponse()
        content = answer.read()
        if self.server.loses_answer():
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in OF_ONE_EXCHANGE:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def lossy_connection(port: int, seed: int) -> Iterator[LossyConnection]:
    """Listen on a port of its own, and pass on to the service's."""
    with LossyConnection(port, seed) as connection:
        thread = threading.Thread(target=connection.serve_forever, args=[0.01])
        thread.start()
        try:
            yield connection
        finally:
            connection.shutdown()
            thread.join()
