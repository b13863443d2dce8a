"""Answers that go on while things happen: server-sent events (WHATWG HTML, section 9.2).

A stream is an async generator on the event loop: 500 threads that wait would cost more memory than
all the rest of a server. What it asks the database it asks in a thread, of those that all reads
share. A stream ends when its generator does, when its client leaves or may not ask any more, after
ten minutes, and when the server stops. Its client asks again, with the id of the last event, and
misses nothing.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import structlog
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from roundsman.domain.errors import ResourceExhausted, RoundsmanError, Unavailable
from roundsman.endpoints.shared_log import SharedLogs
from roundsman.kit.signal import Signal

MEDIA_TYPE = "text/event-stream"

_HEADERS = [
    (b"content-type", MEDIA_TYPE.encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # or nginx would collect events before it hands them on
]
_HEARTBEAT = b":\n\n"
"""A comment, which readers skip; what comes to nobody makes the connection fail, and is noticed."""

_log = structlog.get_logger("roundsman.endpoints")


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerSentEvent:
    """One event of a stream."""

    name: str
    data: bytes
    """JSON, in one line."""

    id: str = ""
    """What a client sends as `Last-Event-ID` to go on after this event; none changes nothing."""

    def encode(self) -> bytes:
        """Return the event as it is sent."""
        head = f"event: {self.name}\n" + (f"id: {self.id}\n" if self.id else "")
        return b"%bdata: %b\n\n" % (head.encode(), self.data)


class RunInThread(Protocol):
    """Has a thread do what waits, such as for the database, and returns what that returns."""

    async def __call__[*Given, T](self, work: Callable[[*Given], T], *given: *Given) -> T:
        """Wait for the work without keeping the event loop from anything."""
        ...


@dataclass(frozen=True, slots=True)
class EventStream:
    """What a handler returns that answers with a stream."""

    events: Callable[["Streams"], AsyncGenerator[ServerSentEvent]]
    """Called once; closed when the stream ends, so that a `finally` in it is run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamLimits:
    """How many streams may be open, and for how long."""

    most: int = 20
    """Of one principal, in one process (decisions §14)."""

    heartbeat_seconds: float = 15.0
    longest_seconds: float = 600.0
    """Nobody else would end the stream of a client that no longer reads what seldom comes."""


class Streams:
    """The open streams of a process."""

    def __init__(self, run_in_thread: RunInThread, limits: StreamLimits) -> None:
        self.run_in_thread = run_in_thread
        self.limits = limits
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        self._ends: set[Callable[[], object]] = set()
        self._is_ending = False
        self._logs: dict[str, SharedLogs[Any]] = {}

    def shared_logs(self, name: str, growing: Signal) -> SharedLogs[Any]:
        """Return the logs of a name, which all streams of this process follow together."""
        return self._logs.setdefault(name, SharedLogs(growing))

    def enter(self, owner: str) -> None:
        """Count a stream that begins; refuse one too many."""
        with self._lock:
            if self._is_ending:
                raise Unavailable("the server is stopping")
            if self._open[owner] >= self.limits.most:
                wait = max(1, round(self.limits.heartbeat_seconds))
                told = f"at most {self.limits.most} streams may be open at the same time"
                raise ResourceExhausted(told, wait)
            self._open[owner] += 1

    def leave(self, owner: str) -> None:
        """Count one less, which had entered."""
        with self._lock:
            self._open[owner] -= 1
            if not self._open[owner]:
                del self._open[owner]

    def end_all(self) -> None:
        """End what is open and let nothing begin; called on the event loop."""
        with self._lock:
            self._is_ending = True
        for end in tuple(self._ends):
            end()

    @contextmanager
    def ending_by(self, end: Callable[[], object]) -> Iterator[None]:
        """Have `end` called when all streams are to end."""
        self._ends.add(end)
        if self._is_ending:
            end()
        try:
            yield
        finally:
            self._ends.remove(end)


class StreamResponse(Response):
    """Sends a stream to a client who has entered `streams`, and leaves for it in the end."""

    media_type = MEDIA_TYPE

    def __init__(
        self,
        stream: EventStream,
        streams: Streams,
        owner: str,
        is_still_admitted: Callable[[], bool],
    ) -> None:
        self.status_code = 200
        self.background = None
        self.raw_headers = [*_HEADERS]
        self._stream = stream
        self._streams = streams
        self._owner = owner
        self._is_still_admitted = is_still_admitted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the stream is over."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        try:
            await send(start)
            if scope["method"] != "HEAD":
                await self._send_until_over(receive, send)
            await send(_part(b"", is_last=True))
        finally:
            self._streams.leave(self._owner)

    async def _send_until_over(self, receive: Receive, send: Send) -> None:
        leaving = asyncio.create_task(_wait_for_departure(receive))
        tasks = [
            leaving,
            asyncio.create_task(self._send_events(send)),
            asyncio.create_task(self._send_heartbeats(send)),
        ]
        ended = []
        with self._streams.ending_by(leaving.cancel):
            try:
                longest = self._streams.limits.longest_seconds
                await asyncio.wait(tasks, timeout=longest, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                ended = await asyncio.gather(*tasks, return_exceptions=True)
        for bug in ended:
            # What is expected, such as a database that is away, the client is told when it asks
            # again.
            if isinstance(bug, Exception) and not isinstance(bug, RoundsmanError):
                request_id = self.headers.get("x-request-id", "")
                _log.error("request_failed", request_id=request_id, exc_info=bug)

    async def _send_events(self, send: Send) -> None:
        async with aclosing(self._stream.events(self._streams)) as events:
            async for event in events:
                await send(_part(event.encode()))
                # What need not wait to be sent would let nobody else on, not even who would end it.
                await asyncio.sleep(0)

    async def _send_heartbeats(self, send: Send) -> None:
        """Show the client that the stream lives, and look whether the client may still have it."""
        while True:
            await send(_part(_HEARTBEAT))
            await asyncio.sleep(self._streams.limits.heartbeat_seconds)
            if not await self._streams.run_in_thread(self._is_still_admitted):
                return


async def _wait_for_departure(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _part(body: bytes, *, is_last: bool = False) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": not is_last}
