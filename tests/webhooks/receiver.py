"""A receiver of events on loopback: keeps what it gets, and behaves as the path says."""

import asyncio
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote

STEPS = 0.05
"""Seconds between the bytes of a receiver that dribbles."""


@dataclass(frozen=True, kw_only=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Receiver:
    """Listens until closed; `/status/503` answers that status, and so on: see `_answer`."""

    tls: ssl.SSLContext | None = None
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    port: int = 0
    hold: bool = False
    """While set, `/held` is not answered."""

    def __post_init__(self) -> None:
        self._changed = threading.Condition()
        self._up = threading.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def wait_until(self, holds: Callable[[Self], bool], seconds: float = 30) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: holds(self), seconds), (
                f"in vain: {len(self.received)} received"
            )

    def wait_for(self, count: int, seconds: float = 30) -> list[Received]:
        self.wait_until(lambda receiver: len(receiver.received) >= count, seconds)
        return self.received[:]

    def release(self) -> None:
        with self._changed:
            self.hold = False
        self._loop.call_soon_threadsafe(self._released.set)

    @contextmanager
    def listening(self) -> Iterator[Self]:
        thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        thread.start()
        assert self._up.wait(30)
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._closing.set)
            thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._released = asyncio.Event()
        server = await asyncio.start_server(
            self._connected, "127.0.0.1", self.port, ssl=self.tls, backlog=1024
        )
        self.port = server.sockets[0].getsockname()[1]
        self._up.set()
        await self._closing.wait()
        server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._serve_one(reader, writer):
                    pass
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        path = head[0].split(" ")[1]
        with self._changed:
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            got = Received(path=path, headers=headers, body=body, at=time.time())  # noqa: TID251 -- compared with another process
            self.received.append(got)
            self._changed.notify_all()
        try:
            return await self._answer(path, writer)
        finally:
            with self._changed:
                self.in_flight -= 1
                self._changed.notify_all()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> bool:
        """Do as the path says; say whether to go on with the connection."""
        kind, _, rest = path.strip("/").partition("/")
        if kind == "silent":
            await self._closing.wait()
        if kind in {"silent", "reset"}:
            return False
        if kind in _ENDLESS:
            head, pause = _ENDLESS[kind]
            await _go_on_and_on(writer, head, pause)
        if kind == "held" and self.hold:
            await self._released.wait()
        writer.write(_status(unquote(rest)) if kind == "status" else _ANSWERS.get(kind, _FINE))
        await writer.drain()
        return True


_FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_ANSWERS = {
    "nonsense": b"220 mail.example.com ESMTP\r\n\r\n",
    "long": b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100_000,
    "binary": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\x00\xff\xc3\xa9",
}
_ENDLESS = {
    "dribble": (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", STEPS),
    "slow-head": (b"HTTP/1.1 200 OK\r\nX-Slow: ", STEPS),
    "endless": (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", 0),
    "endless-head": (b"HTTP/1.1 200 OK\r\nX-Long: ", 0),
}


def _status(rest: str) -> bytes:
    status, _, header = rest.partition("/")
    line = f"{header.replace('=', ': ', 1)}\r\n" if header else ""
    return f"HTTP/1.1 {status} Said So\r\n{line}Content-Length: 5\r\n\r\nsaid.".encode()


async def _go_on_and_on(writer: asyncio.StreamWriter, head: bytes, pause: float) -> None:
    writer.write(head)
    while True:
        writer.write(b"x" if pause else b"x" * 65_536)
        await writer.drain()
        await asyncio.sleep(pause)
