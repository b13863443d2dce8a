"""What happens to every request to an operation, in one hop to a worker thread.

Who asks, whether the bucket lets them in, what they sent, the operation, its answer. The event loop
only moves bytes; everything that waits for a database, a lock or a core waits in a thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.responses import Response

from roundsman.api.authentication import NOBODY, identify
from roundsman.api.errors import UnsupportedMediaType, error_response
from roundsman.api.operation import Call, Operation
from roundsman.api.rate_limiting import PUBLIC_RATE, micros, rate_headers
from roundsman.domain.caller import Caller
from roundsman.domain.errors import InvalidArgument, ResourceExhausted, RoundsmanError
from roundsman.kit.leaky_bucket import Buckets
from roundsman.operations.work import Tools
from roundsman.wire.reading import read_body


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """A request as it came in, its body whole."""

    operation: Operation
    path: Mapping[str, str]
    headers: Mapping[str, str]
    query: str
    body: bytes
    cancelled: Callable[[], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipeline:
    """The steps from an arrived request to its response."""

    tools: Tools
    buckets: Buckets

    def run(self, arrived: Arrived) -> Response:
        """Answer a request; only bugs raise."""
        headers: dict[str, str] = {}
        try:
            caller = self._admit(arrived, headers)
            response = self._perform(arrived, caller)
        except RoundsmanError as error:
            response = error_response(error)
        response.headers.update(headers)
        return response

    def _admit(self, arrived: Arrived, headers: dict[str, str]) -> Caller:
        if arrived.operation.is_public:
            return NOBODY
        caller = identify(self.tools, arrived.headers.get("authorization"))
        now = micros(self.tools.clock.now())
        verdict = self.buckets.take(f"client:{caller.client_id}", now, PUBLIC_RATE)
        headers.update(rate_headers(verdict))
        if not verdict.is_allowed:
            raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
        return caller

    def _perform(self, arrived: Arrived, caller: Caller) -> Response:
        operation = arrived.operation
        call = Call(
            tools=self.tools,
            caller=caller,
            path=arrived.path,
            body=_read(arrived),
            cancelled=arrived.cancelled,
        )
        return Response(operation.render(operation.handle(call)), media_type="application/json")


def _read(arrived: Arrived) -> object:
    operation = arrived.operation
    if operation.body is None:
        return None
    if not arrived.body.strip():
        if operation.body_may_be_absent:
            return read_body(b"{}", operation.body)
        raise InvalidArgument("body is missing; send JSON")
    media_type = arrived.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType("Content-Type must be application/json")
    return read_body(arrived.body, operation.body)
