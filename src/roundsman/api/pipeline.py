"""What happens to every request to an operation, in one hop to a worker thread.

Who asks, whether the bucket lets them in, what they sent, the operation, its answer. The event loop
only moves bytes; everything that waits for a database, a lock or a core waits in a thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from starlette.responses import Response

from roundsman.api.authentication import NOBODY, claimed_client, identify
from roundsman.api.brake import Brake
from roundsman.api.idempotency import HEADER, REPLAYED, claim_of
from roundsman.api.operation import Call, Operation
from roundsman.domain.caller import Caller
from roundsman.domain.errors import (
    InvalidArgument,
    PermissionDenied,
    ResourceExhausted,
    RoundsmanError,
)
from roundsman.doors.bodies import require_json
from roundsman.doors.errors import error_response
from roundsman.doors.rate_limiting import PUBLIC_RATE, micros, rate_headers
from roundsman.kit.leaky_bucket import Buckets
from roundsman.operations.idempotency import Claim, Keeper, claim_or_replay, release_claim
from roundsman.operations.work import Tools
from roundsman.wire.field_mask import UpdateShape, read_update
from roundsman.wire.json_text import parse_json
from roundsman.wire.query import read_query, refuse_arguments
from roundsman.wire.reading import read_body


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """A request as it came in, its body whole."""

    operation: Operation
    raw_path: str
    path: Mapping[str, str]
    headers: Mapping[str, str]
    query: str
    body: bytes
    cancelled: Callable[[], bool]
    address: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipeline:
    """The steps from an arrived request to its response."""

    tools: Tools
    buckets: Buckets

    def run(self, arrived: Arrived) -> Response:
        """Answer a request; only bugs raise."""
        headers: dict[str, str] = {}
        try:
            if arrived.operation.is_public:
                response = self._perform_guarded(arrived)
            else:
                response = self._perform(arrived, self._admit(arrived, headers))
        except RoundsmanError as error:
            response = error_response(error)
        response.headers.update(headers)
        return response

    def _admit(self, arrived: Arrived, headers: dict[str, str]) -> Caller:
        caller = identify(self.tools, arrived.headers.get("authorization"))
        now = micros(self.tools.clock.now())
        verdict = self.buckets.take(f"client:{caller.client_id}", now, PUBLIC_RATE)
        headers.update(rate_headers(verdict))
        if not verdict.is_allowed:
            raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
        return caller

    def _perform_guarded(self, arrived: Arrived) -> Response:
        """Exchange credentials, unless this address has guessed too often."""
        client_id = claimed_client(arrived.body)
        now = micros(self.tools.clock.now())
        brake = Brake(self.buckets)
        brake.check(arrived.address, client_id, now)
        try:
            return self._perform(arrived, NOBODY)
        except PermissionDenied:
            brake.count_failure(arrived.address, client_id, now)
            raise

    def _perform(self, arrived: Arrived, caller: Caller) -> Response:
        body = _read_body(arrived)
        query = _read_query(arrived)
        call = Call(
            tools=self.tools,
            caller=caller,
            path=arrived.path,
            body=body,
            query=query,
            cancelled=arrived.cancelled,
            address=arrived.address,
        )
        claim = self._claim(arrived, caller)
        if claim is None:
            operation = arrived.operation
            return _respond(operation.render(operation.handle(call)))
        return self._perform_once(arrived.operation, call, claim)

    def _perform_once(self, operation: Operation, call: Call, claim: Claim) -> Response:
        answer = claim_or_replay(self.tools, claim)
        if answer is not None:
            return _respond(answer, {HEADER: claim.key, REPLAYED: "true"})
        keeper = Keeper(claim=claim, render=operation.render)
        try:
            operation.handle(replace(call, receipt=keeper))
        except BaseException:
            release_claim(self.tools, claim)
            raise
        if keeper.answer is None:
            raise RuntimeError(f"{operation.id} kept no answer for its idempotency key")
        return _respond(keeper.answer, {HEADER: claim.key, REPLAYED: "false"})

    def _claim(self, arrived: Arrived, caller: Caller) -> Claim | None:
        operation = arrived.operation
        if not operation.changes or operation.is_public:
            return None
        content = parse_json(arrived.body) if arrived.body.strip() else None
        request = (operation.method, arrived.raw_path, content)
        return claim_of(arrived.headers, caller, request, self.tools.ids)


def _respond(answer: bytes, headers: Mapping[str, str] | None = None) -> Response:
    return Response(answer, headers=headers, media_type="application/json")


def _read_query(arrived: Arrived) -> object:
    shape = arrived.operation.query
    if shape is None:
        refuse_arguments(arrived.query)
        return None
    return read_query(arrived.query, shape)


def _read_body(arrived: Arrived) -> object:
    operation = arrived.operation
    if operation.body is None:
        return None
    if not arrived.body.strip():
        if operation.body_may_be_absent:
            return read_body(b"{}", operation.body)
        raise InvalidArgument("body is missing; send JSON")
    require_json(arrived.headers)
    if isinstance(operation.body, UpdateShape):
        return read_update(arrived.body, operation.body)
    return read_body(arrived.body, operation.body)
