"""A receiver of events in a process of its own: answers every post, and knows just enough HTTP."""

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import cast

import uvloop

_SPAWN = multiprocessing.get_context("spawn")
_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

type Note = Callable[[bytes], None]
"""Takes the head of a post, in lower case."""

type MakeNote = Callable[[], Note]
"""Makes a note in the receiver's process; must be importable."""


class Answering(asyncio.Protocol):
    """One connection."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._seen = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports write, though they do not inherit from asyncio's.
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        self._seen += data
        while (end := self._seen.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._seen[:end]).lower()
            _, _, length = head.partition(b"content-length: ")
            whole = end + 4 + int(length.partition(b"\r\n")[0])
            if len(self._seen) < whole:
                return
            del self._seen[:whole]
            self._note(head)
            self._transport.write(_ANSWER)


def ignore() -> Note:
    """Return a note that nothing is made of."""
    return lambda _head: None


class Counter:
    """Counts posts; both processes see the number."""

    def __init__(self) -> None:
        self._count = _SPAWN.Value("q", 0)

    def __call__(self) -> Note:
        """Return a note that counts."""
        return self._note

    def _note(self, _head: bytes) -> None:
        with self._count.get_lock():
            self._count.value += 1

    @property
    def count(self) -> int:
        """The number of posts until now."""
        return int(self._count.value)


@contextmanager
def receiving(make_note: MakeNote = ignore) -> Iterator[int]:
    """Run a receiver; yield its port."""
    ours, theirs = multiprocessing.Pipe()
    process = _SPAWN.Process(target=_receive, args=[theirs, make_note])
    process.start()
    try:
        yield int(ours.recv())
    finally:
        process.terminate()
        process.join()


def _receive(told: Connection, make_note: MakeNote) -> None:
    async def serve() -> None:
        note = make_note()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Answering(note), "127.0.0.1", 0, backlog=1024)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())
