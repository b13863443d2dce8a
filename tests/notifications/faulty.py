"""A mail server and a gateway that fail as real ones do, each once a message, drawn from a seed.

What they took they count by message: a gateway with keys has one effect for a key, however often it
is asked; a mail server and a gateway without keys have one effect a request.
"""

import asyncio
import json
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from tests.support.ports import free_port

_LATE_SECONDS = 0.25


class Fault(Enum):
    """What goes wrong with the first request for a message."""

    NONE = auto()
    LATE = auto()
    TWICE = auto()
    FAILS = auto()
    FAILS_AFTER_TAKING = auto()
    DIES_BEFORE_TAKING = auto()
    DIES_AFTER_TAKING = auto()


_FAULTS_IN_TEN = 4


@dataclass
class Taken:
    """What a taker had in effect, by message; asked by many threads at once."""

    faults: Sequence[Fault]
    seed: int
    knows_repeats: bool = False
    effects: Counter[str] = field(default_factory=Counter)
    seen: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    """Every request as it came."""

    made: dict[str, Fault] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fault_of(self, message: str, request: Any) -> Fault:
        """Keep a request; return what goes wrong with it, nothing if it is a repeat."""
        with self._lock:
            self.seen[message].append(request)
            if message in self.made:
                return Fault.NONE
            draw = random.Random(f"{self.seed}/{len(self.made)}")  # noqa: S311 -- repeats itself
            is_fault = draw.randrange(10) < _FAULTS_IN_TEN
            self.made[message] = draw.choice(self.faults) if is_fault else Fault.NONE
            return self.made[message]

    def take(self, message: str) -> None:
        with self._lock:
            if not (self.knows_repeats and self.effects[message]):
                self.effects[message] += 1

    @property
    def requests(self) -> int:
        with self._lock:
            return sum(map(len, self.seen.values()))

    @property
    def doubled(self) -> list[str]:
        return sorted(message for message, count in self.effects.items() if count > 1)


@dataclass
class FaultyPostOffice:
    """Takes letters by Message-ID."""

    port: int
    taken: Taken

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 -- the name that the library calls
        letter = message_from_bytes(envelope.content, policy=policy.default)
        name = str(letter["Message-ID"])
        request = (envelope.rcpt_tos[0], str(letter["Subject"]))
        fault = self.taken.fault_of(name, request)
        if fault is Fault.LATE:
            await asyncio.sleep(_LATE_SECONDS)
        if fault is Fault.FAILS:
            return "451 4.3.0 try again later"
        self.taken.take(name)
        if fault is Fault.DIES_AFTER_TAKING:
            server.transport.abort()
        return "250 OK"


@contextmanager
def open_faulty_post_office(seed: int) -> Iterator[FaultyPostOffice]:
    faults = (Fault.LATE, Fault.FAILS, Fault.DIES_AFTER_TAKING)
    office = FaultyPostOffice(port=free_port(), taken=Taken(faults, seed))
    controller = Controller(office, hostname="127.0.0.1", port=office.port)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()


@dataclass
class FaultyGateway:
    """Takes text messages by the key that they name, or by recipient and text without one."""

    port: int
    taken: Taken


@contextmanager
def open_faulty_gateway(seed: int, *, takes_key: bool) -> Iterator[FaultyGateway]:
    faults = [fault for fault in Fault if fault is not Fault.NONE]
    pause = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name = self.headers["Idempotency-Key"] if takes_key else json.dumps(body)
            fault = gateway.taken.fault_of(name, body)
            if fault is Fault.LATE:
                pause.wait(_LATE_SECONDS)
            if fault not in {Fault.FAILS, Fault.DIES_BEFORE_TAKING}:
                gateway.taken.take(name)
            if fault in {Fault.DIES_BEFORE_TAKING, Fault.DIES_AFTER_TAKING}:
                self.close_connection = True
                return
            for _ in range(2 if fault is Fault.TWICE else 1):
                self.answer(500 if "FAILS" in fault.name else 200)

        def answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            return

    server = _QuietServer(("127.0.0.1", 0), Handler)
    gateway = FaultyGateway(server.server_address[1], Taken(faults, seed, knows_repeats=takes_key))
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield gateway
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _QuietServer(ThreadingHTTPServer):
    """Says nothing of clients that were killed; its threads end with their connections."""

    daemon_threads = True

    def handle_error(self, _request: Any, _address: Any) -> None:
        return
