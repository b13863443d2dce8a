"""What reads HTTP off a connection, and how it refuses what it cannot read.

uvicorn parses; this room answers what is no request in the form of every other error, with an id
that the log has too. What was sent stands neither in the answer nor in the log. A connection that
was refused is closed, but the client gets the time to read why.
"""

from typing import Any

import httptools
import structlog
from starlette.responses import Response
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from roundsman.domain.errors import InvalidArgument
from roundsman.doors.errors import HeadTooLarge, error_response
from roundsman.kit import metrics
from roundsman.kit.ids import IdSource, RandomIds, new_request_id

MOST_HEAD_BYTES = 64 * 1024
"""Request line and headers; the longest path of the interface, 200 ids, has 9 kB."""

_VERSIONS = ("1.0", "1.1")
_LINGER_SECONDS = 2.0
"""Closed at once, a connection with unread bytes takes an unread answer with it."""

_log = structlog.get_logger("roundsman.doors")


class Connection(HttpToolsProtocol):
    """One client's connection."""

    ids: IdSource = RandomIds()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._is_refused = False
        self._is_in_body = False
        self._unheard_bytes = 0
        self._reason: InvalidArgument | None = None

    def data_received(self, data: bytes) -> None:
        """Read on; refuse what is no HTTP, and a head without end."""
        self._unset_keepalive_if_required()
        if self._is_refused:
            return
        self._unheard_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # There is nothing to change over to: the request is answered, and was the last.
            self.cycle.keep_alive = False
        except httptools.HttpParserError as error:
            self._refuse(self._reason or _told(error))
        else:
            if self._unheard_bytes > MOST_HEAD_BYTES:
                self._refuse(_head_too_large())

    def on_headers_complete(self) -> None:
        """Look at the head as a whole, then have the request answered."""
        self._unheard_bytes = 0
        if self.parser.get_http_version() not in _VERSIONS:
            self._reason = InvalidArgument("HTTP version must be 1.0 or 1.1")
        elif _size_of(self.url, self.headers) > MOST_HEAD_BYTES:
            self._reason = _head_too_large()
        if self._reason is not None:
            raise self._reason
        super().on_headers_complete()
        self._is_in_body = True

    def on_body(self, body: bytes) -> None:
        """Hand on a part of the body."""
        self._unheard_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that what comes next is another request."""
        self._unheard_bytes = 0
        self._is_in_body = False
        super().on_message_complete()

    def _refuse(self, error: InvalidArgument) -> None:
        """Answer what cannot be read, unless that would look like the answer to another request."""
        self._is_refused = True
        request_id = new_request_id(self.ids)
        _log.info("request_unreadable", request_id=request_id, reason=error.message)
        newest: RequestResponseCycle | None = self.cycle
        is_answered = newest is None or newest.response_complete
        if newest and not is_answered and (newest.response_started or not self._is_in_body):
            newest.keep_alive = False
            self.flow.pause_reading()
        elif self._is_in_body and (self.pipeline or is_answered):
            self.transport.close()
        else:
            self._answer(error_response(error), request_id)

    def _answer(self, response: Response, request_id: str) -> None:
        metrics.REQUESTS.labels("none", response.status_code).inc()
        response.headers["X-Request-Id"] = request_id
        response.headers["Connection"] = "close"
        headers = [*self.server_state.default_headers, *response.raw_headers]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[response.status_code] + head + b"\r\n" + response.body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        linger = self.loop.call_later(_LINGER_SECONDS, self.timeout_keep_alive_handler)
        self.timeout_keep_alive_task = linger


def _head_too_large() -> HeadTooLarge:
    return HeadTooLarge(f"request line and headers must be at most {MOST_HEAD_BYTES} bytes")


def _size_of(url: bytes, headers: list[tuple[bytes, bytes]]) -> int:
    return len(url) + sum(len(name) + len(value) for name, value in headers)


def _told(error: httptools.HttpParserError) -> InvalidArgument:
    # The parser's words name a place in the grammar; only those about URLs would quote the client.
    if isinstance(error, httptools.HttpParserCallbackError | httptools.HttpParserInvalidURLError):
        return InvalidArgument("request is not valid HTTP: its URL cannot be read")
    return InvalidArgument(f"request is not valid HTTP: {str(error)[:100].lower()}")
