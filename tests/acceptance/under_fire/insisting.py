"""A client that asks again when the process it talked to has died, as the specification has it.

A change goes out with an idempotency key, so that asking again has one effect. Where the test gave
no key of its own, one is added, and its echo is taken off the answer: the test sees what it asked.
"""

import uuid
from dataclasses import dataclass

import httpx2 as httpx

KEY = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MOST_TRIES = 12


@dataclass
class Count:
    """How often a connection broke and the request was sent again."""

    retries: int = 0
    replays: int = 0
    """How many of those answered what a process had done before it died."""


class InsistingTransport(httpx.BaseTransport):
    """Sends a request until it is answered; what is answered, refusals too, is believed."""

    def __init__(self, transport: httpx.BaseTransport, count: Count) -> None:
        self._transport = transport
        self._count = count

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        has_own_key = KEY in request.headers
        is_keyed = request.method != "GET" and "Authorization" in request.headers
        if is_keyed and not has_own_key:
            request.headers[KEY] = uuid.uuid4().hex  # noqa: TID251 -- a client's own
        response, tries = self._insist(request)
        if tries > 1 and response.headers.get(REPLAYED) == "true":
            # The test sent it once: what a process did before it died was done for that.
            self._count.replays += 1
            response.headers[REPLAYED] = "false"
        if is_keyed and not has_own_key:
            response.headers.pop(REPLAYED, None)
            response.headers.pop(KEY, None)
        return response

    def _insist(self, request: httpx.Request) -> tuple[httpx.Response, int]:
        for tried in range(1, MOST_TRIES + 1):
            try:
                response = self._transport.handle_request(request)
                response.read()
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                # A time-out is not among them: who hangs instead of dying fails the test.
                if tried == MOST_TRIES:
                    raise
                self._count.retries += 1
            else:
                return response, tried
        raise AssertionError("the loop returns or raises")

    def close(self) -> None:
        self._transport.close()
