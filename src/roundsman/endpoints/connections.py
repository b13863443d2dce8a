"""What reads HTTP off a connection, and how it refuses what it cannot read.

uvicorn parses; this room answers what is no request in the form of every other error, with an id
that the log has too. What was sent stands neither in the answer nor in the log. A connection that
was refused is closed, but the client gets the time to read why.
"""

import asyncio
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, cast

import httptools
import structlog
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from roundsman.domain.errors import InvalidArgument
from roundsman.endpoints.connection_counts import ConnectionCounts
from roundsman.endpoints.errors import HeadTooLarge, RequestTimeout, error_response
from roundsman.kit import metrics
from roundsman.kit.ids import IdSource, RandomIds, new_request_id

MOST_HEAD_BYTES = 64 * 1024
"""Request line and headers; the longest path of the interface, 200 ids, has 9 kB."""

_VERSIONS = ("1.0", "1.1")
_ONLY_ONCE = {
    b"host": "Host",
    b"authorization": "Authorization",
    b"transfer-encoding": "Transfer-Encoding",
}
"""Of two lines one reader would take the first and another the last."""

_log = structlog.get_logger("roundsman.endpoints")


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionTimeouts:
    """How many seconds a connection waits for its client."""

    head: float = 10.0
    """For the first byte of a new connection, and for all of a request's head."""

    body: float = 30.0
    """For a body, and as much longer as the bytes that came take at the least pace."""

    least_pace: int = 16 * 1024
    """Bytes a second."""

    answer: float = 60.0
    """For a client that takes nothing of its answer."""

    linger: float = 10.0
    """For a client to read why it was refused: a connection that is closed with bytes unread takes
    an unread answer with it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionLimits:
    """What one client's connections may cost."""

    timeouts: ConnectionTimeouts = field(default_factory=ConnectionTimeouts)
    counts: ConnectionCounts = field(default_factory=ConnectionCounts)


class _Waiting(Enum):
    """What a connection waits for."""

    NOTHING = auto()
    HEAD = auto()
    BODY = auto()


class _Transport:
    """A transport whose `close` is the connection's, which knows what is still unread."""

    def __init__(self, transport: asyncio.Transport, connection: "Connection") -> None:
        self._transport = transport
        self.write = transport.write
        self.close = connection.leave

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Connection(HttpToolsProtocol):
    """One client's connection."""

    ids: IdSource = RandomIds()
    limits = ConnectionLimits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._is_over = False
        self._is_in_head = False
        self._is_in_body = False
        self._unheard_bytes = 0
        self._reason: InvalidArgument | None = None
        self._address = ""
        self._bare_transport: asyncio.Transport
        self._waiting = _Waiting.NOTHING
        self._waiting_since = 0.0
        self._body_bytes = 0
        self._clock: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a request, unless the client has too many connections already."""
        self._bare_transport = transport
        super().connection_made(cast("asyncio.Transport", _Transport(transport, self)))
        address = self.client[0] if self.client else ""
        if not self.limits.counts.enter(address):
            self._drop("crowd")
            return
        self._address = address
        self._await(_Waiting.HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._await(_Waiting.NOTHING)
        self.resume_writing()
        if self._address:
            self.limits.counts.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse what is no HTTP, and a head without end."""
        if self._is_over:
            return
        self._unset_keepalive_if_required()
        self._unheard_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # There is nothing to change over to: the request is answered, and was the last.
            self.cycle.keep_alive = False
        except httptools.HttpParserError as error:
            self._refuse(self._reason or _parser_error(error))
        else:
            if self._unheard_bytes > MOST_HEAD_BYTES:
                self._refuse(_head_too_large())
        self._await(self._what_is_missing())

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        self._is_in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Look at the head as a whole, then have the request answered."""
        self._unheard_bytes = 0
        self._reason = self._find_fault()
        if self._reason is not None:
            raise self._reason
        super().on_headers_complete()
        self._is_in_head = False
        self._is_in_body = True
        self._body_bytes = 0
        self._await(_Waiting.NOTHING)

    def on_body(self, body: bytes) -> None:
        """Hand on a part of the body."""
        self._unheard_bytes = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that what comes next is another request."""
        self._unheard_bytes = 0
        self._is_in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, but not for the rest of a body that nobody wanted."""
        if self._is_over:
            return
        super().on_response_complete()
        self._await(self._what_is_missing())

    def pause_writing(self) -> None:
        """Note that the client does not take its answer as fast as it is written."""
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        """Note that it does."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def shutdown(self) -> None:
        """Finish what is being answered; a stream is at its end, unless nobody takes it."""
        super().shutdown()
        newest: RequestResponseCycle | None = self.cycle
        if self._stalled is not None and newest is not None and newest.chunked_encoding:
            self._drop("answer")

    def leave(self) -> None:
        """Close the connection; where bytes are unread, let the client read its answer first."""
        if self._is_over or not self._is_in_body:
            self._bare_transport.close()
            return
        self._linger()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_on(message: Message) -> None:
                if cycle.more_body and message["type"] == "http.response.start":
                    # Whoever answers early does not want the rest, however much it is.
                    cycle.keep_alive = False
                await send(message)

            await app(scope, receive, send_on)

        super()._start_asgi_task(cycle, cast("Any", answer))

    def _find_fault(self) -> InvalidArgument | None:
        """Return what is wrong with a head that could be read."""
        version = self.parser.get_http_version()
        if version not in _VERSIONS:
            return InvalidArgument("HTTP version must be 1.0 or 1.1")
        if _size_of(self.url, self.headers) > MOST_HEAD_BYTES:
            return _head_too_large()
        given = [name for name, _ in self.headers if name in _ONLY_ONCE]
        for name in given:
            if given.count(name) > 1:
                return InvalidArgument(f"{_ONLY_ONCE[name]} must be sent once")
        if version == "1.1" and b"host" not in given:
            return InvalidArgument("Host is missing (RFC 9112, section 3.2)")
        return None

    def _what_is_missing(self) -> _Waiting:
        if self._is_over:
            return _Waiting.NOTHING
        if self._is_in_body:
            return _Waiting.BODY
        if self._is_in_head or (self._unheard_bytes and not self._is_answering()):
            return _Waiting.HEAD
        return _Waiting.NOTHING

    def _is_answering(self) -> bool:
        newest: RequestResponseCycle | None = self.cycle
        return newest is not None and not newest.response_complete

    def _await(self, waiting: _Waiting) -> None:
        """Have a clock run while something is missing of a request."""
        if waiting is self._waiting:
            return
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        self._waiting = waiting
        if waiting is not _Waiting.NOTHING:
            self._waiting_since = self.loop.time()
            self._clock = self.loop.call_later(self._allowed_seconds(), self._look)

    def _allowed_seconds(self) -> float:
        timeouts = self.limits.timeouts
        if self._waiting is _Waiting.HEAD:
            return timeouts.head
        return timeouts.body + self._body_bytes / timeouts.least_pace

    def _look(self) -> None:
        """Give a client up that has had its time; wait on for one that was not read meanwhile."""
        now = self.loop.time()
        if self.flow.read_paused:
            self._waiting_since = now
        left = self._waiting_since + self._allowed_seconds() - now
        if left > 0:
            self._clock = self.loop.call_later(left, self._look)
        elif self._waiting is _Waiting.HEAD and not self._unheard_bytes:
            self._drop("idle")
        else:
            what = self._waiting.name.lower()
            metrics.CONNECTIONS_DROPPED.labels(what).inc()
            self._refuse(RequestTimeout(f"the {what} of the request did not come in time"))
            self._await(_Waiting.NOTHING)

    def _watch_writing(self) -> None:
        unsent = self._bare_transport.get_write_buffer_size()
        timeouts = self.limits.timeouts.answer

        def look() -> None:
            if self._bare_transport.get_write_buffer_size() >= unsent:
                self._drop("answer")
            else:
                self._watch_writing()

        self._stalled = self.loop.call_later(timeouts, look)

    def _drop(self, why: str) -> None:
        metrics.CONNECTIONS_DROPPED.labels(why).inc()
        self._is_over = True
        self._bare_transport.abort()

    def _refuse(self, error: InvalidArgument) -> None:
        """Answer what cannot be read, unless that would look like the answer to another request."""
        request_id = new_request_id(self.ids)
        _log.info("request_unreadable", request_id=request_id, reason=error.message)
        newest: RequestResponseCycle | None = self.cycle
        is_answered = newest is None or newest.response_complete
        if newest and not is_answered and (newest.response_started or not self._is_in_body):
            newest.keep_alive = False
            self._is_over = True
            self.flow.pause_reading()
        elif self._is_in_body and (self.pipeline or is_answered):
            self._is_over = True
            self._bare_transport.close()
        else:
            self._answer(error_response(error), request_id)

    def _answer(self, response: Response, request_id: str) -> None:
        metrics.REQUESTS.labels("none", response.status_code).inc()
        response.headers["X-Request-Id"] = request_id
        response.headers["Connection"] = "close"
        headers = [*self.server_state.default_headers, *response.raw_headers]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        status_line = STATUS_LINE[response.status_code]
        self._bare_transport.write(status_line + head + b"\r\n" + bytes(response.body))
        self._linger()

    def _linger(self) -> None:
        """Say that nothing more is read, and throw away what comes until the client has gone."""
        self._is_over = True
        if self._bare_transport.can_write_eof():
            self._bare_transport.write_eof()
        self.flow.resume_reading()
        self._unset_keepalive_if_required()
        linger = self.loop.call_later(self.limits.timeouts.linger, self._bare_transport.close)
        self.timeout_keep_alive_task = linger


def limited(limits: ConnectionLimits) -> type[Connection]:
    """Return the connections of one server, which have these limits together."""
    return type("LimitedConnection", (Connection,), {"limits": limits})


def _head_too_large() -> HeadTooLarge:
    return HeadTooLarge(f"request line and headers must be at most {MOST_HEAD_BYTES} bytes")


def _size_of(url: bytes, headers: list[tuple[bytes, bytes]]) -> int:
    return len(url) + sum(len(name) + len(value) for name, value in headers)


def _parser_error(error: httptools.HttpParserError) -> InvalidArgument:
    # The parser's words name a place in the grammar; only those about URLs would quote the client.
    if isinstance(error, httptools.HttpParserCallbackError | httptools.HttpParserInvalidURLError):
        return InvalidArgument("request is not valid HTTP: its URL cannot be read")
    return InvalidArgument(f"request is not valid HTTP: {str(error)[:100].lower()}")
