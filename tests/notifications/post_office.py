"""A real SMTP server and a real HTTP gateway on loopback, which keep what they are given."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from tests.support.ports import free_port


@dataclass
class PostOffice:
    """What letters were handed in; `refusals` are answers to RCPT, by recipient."""

    letters: list[EmailMessage] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    port: int = 0
    unanswered: int = 0
    """How many letters are taken before the server hangs up instead of an answer."""

    taken: Callable[[], None] = lambda: None
    """Called when a letter is taken, before its sender hears of it."""

    async def handle_RCPT(  # noqa: N802 -- the name that the library calls
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 -- as above
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.letters.append(message)
        await asyncio.to_thread(self.taken)
        if self.unanswered:
            self.unanswered -= 1
            server.transport.abort()
        return "250 OK"


@contextmanager
def open_post_office(**options: Any) -> Iterator[PostOffice]:
    """Open a server on a free port; the options are those of the library's `Controller`."""
    office = PostOffice()
    office.port = free_port()  # the library connects to it once to see that it listens
    controller = Controller(office, hostname="127.0.0.1", port=office.port, **options)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()


def _set_event() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass
class Gateway:
    """What text messages were asked for; `answers` are used up one a request, 200 after them."""

    port: int
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """0 takes the message and hangs up without an answer."""

    may_answer: threading.Event = field(default_factory=_set_event)
    """While it is cleared, requests wait for their answer."""


@contextmanager
def open_gateway() -> Iterator[Gateway]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            gateway.requests.append((self.path, dict(self.headers), json.loads(body)))
            assert gateway.may_answer.wait(60)
            status = gateway.answers.pop(0) if gateway.answers else 200
            if status:
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
            self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    gateway = Gateway(port=server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield gateway
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
