"""What happens to every request to an operation, in one hop to a worker thread.

Who asks, whether the bucket lets them in, what they sent, the operation, its answer. The event loop
only moves bytes; everything that waits for a database, a lock or a core waits in a thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from roundsman.api.authentication import NOBODY, claimed_client, read_token
from roundsman.api.brake import Brake
from roundsman.api.idempotency import HEADER, REPLAYED, claim_of
from roundsman.api.operation import Call, Operation
from roundsman.domain.caller import Caller
from roundsman.domain.errors import (
    InvalidArgument,
    PermissionDenied,
    ResourceExhausted,
    RoundsmanError,
    Unauthenticated,
)
from roundsman.doors.bodies import require_json
from roundsman.doors.compression import compress
from roundsman.doors.errors import STATUS_OF, error_response
from roundsman.doors.rate_limiting import micros, rate_headers
from roundsman.doors.responses import JsonResponse, RawHeaders
from roundsman.doors.route_headers import route_headers
from roundsman.kit.leaky_bucket import Buckets
from roundsman.operations.admission import Admission
from roundsman.operations.idempotency import Claim, Keeper, claim_or_replay, release_claim
from roundsman.operations.work import Tools
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias
from roundsman.wire.field_mask import UpdateShape, read_update
from roundsman.wire.json_text import parse_json
from roundsman.wire.query import read_query, refuse_arguments
from roundsman.wire.reading import UnreadableBody, read_body


class Arrived(Struct, frozen=True, kw_only=True):
    """A request as it came in, its body whole."""

    operation: Operation
    raw_path: str
    path: Mapping[str, str]
    headers: Mapping[str, str]
    query: str
    body: bytes
    cancelled: Callable[[], bool] | None
    address: str


class Admitted(Struct, frozen=True):
    """Who was let in, and what their answer says of the rate limit."""

    caller: Caller
    headers: RawHeaders

    def refuse(self, error: RoundsmanError) -> Response:
        """Return the answer to a request that is not performed."""
        response = error_response(error)
        response.raw_headers += self.headers
        return response


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipeline:
    """The steps from an arrived request to its response."""

    tools: Tools
    admission: Admission
    buckets: Buckets
    alias: FieldAlias = NO_ALIAS

    def run(self, arrived: Arrived, admitted: Admitted | None = None) -> Response:
        """Answer a request, which may have been let in already; only bugs raise."""
        response = self._run(arrived, admitted)
        compress(response, arrived.headers.get("accept-encoding", ""))
        return response

    def _run(self, arrived: Arrived, known: Admitted | None) -> Response:
        if arrived.operation.is_public:
            return _answered(self._perform_guarded, arrived)
        admitted = known or self.admit(arrived.headers.get("authorization"))
        if isinstance(admitted, Response):
            return admitted
        return self._perform_admitted(arrived, admitted)

    def turn_away(self, authorization: str, refusal: Response) -> Response:
        """Answer a request that reaches no operation; a client pays for it all the same."""
        admitted = self.admit(authorization)
        if isinstance(admitted, Response):
            # Whoever has no token is told of the path, not of the token.
            return refusal if admitted.status_code == STATUS_OF[Unauthenticated] else admitted
        refusal.raw_headers += admitted.headers
        return refusal

    def admit(self, authorization: str | None) -> Admitted | Response:
        """Find out who asks and whether they may ask now; answer who may not."""
        try:
            held = self.admission.admit(read_token(authorization))
            if held is None:
                raise Unauthenticated("access token is invalid or expired")
        except RoundsmanError as error:
            return error_response(error)
        caller, verdict = held
        admitted = Admitted(caller, rate_headers(verdict))
        if verdict.is_allowed:
            return admitted
        return admitted.refuse(
            ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
        )

    def perform(self, arrived: Arrived, admitted: Admitted) -> Response:
        """Answer a request that was let in; only bugs raise."""
        response = self._perform_admitted(arrived, admitted)
        compress(response, arrived.headers.get("accept-encoding", ""))
        return response

    def _perform_admitted(self, arrived: Arrived, admitted: Admitted) -> Response:
        response = _answered(self._perform, arrived, admitted.caller)
        response.raw_headers += admitted.headers
        return response

    def _perform_guarded(self, arrived: Arrived) -> Response:
        """Exchange credentials, unless somebody has guessed or signed in too often."""
        client_id = claimed_client(arrived.body)
        now = micros(self.tools.clock.now())
        brake = Brake(self.buckets)
        brake.check(arrived.address, client_id, now)
        try:
            response = self._perform(arrived, NOBODY)
        except PermissionDenied:
            brake.count_failure(arrived.address, client_id, now)
            raise
        brake.count_success(arrived.address, client_id, now)
        return response

    def _perform(self, arrived: Arrived, caller: Caller) -> Response:
        body, query = self._read(arrived, caller)
        authorization = arrived.headers.get("authorization")
        call = Call(
            tools=self.tools,
            caller=caller,
            path=arrived.path,
            body=body,
            query=query,
            cancelled=arrived.cancelled,
            address=arrived.address,
            token="" if arrived.operation.is_public else read_token(authorization),
        )
        claim = self._claim(arrived, caller)
        if claim is None:
            result = arrived.operation.handle(call)
            return self._respond(arrived.operation.render(result), route_headers(result))
        return self._perform_once(arrived.operation, call, claim)

    def _read(self, arrived: Arrived, caller: Caller) -> tuple[object, object]:
        """Return body and query arguments; raise InvalidArgument with what is wrong with both."""
        query: object = None
        wrong: InvalidArgument | None = None
        try:
            query = _read_query(arrived)
        except InvalidArgument as error:
            wrong = error
        try:
            body = self._read_whole_body(arrived, caller)
        except InvalidArgument as error:
            if wrong is None or not error.violations:
                raise
            violations = [*error.violations, *wrong.violations]
            raise InvalidArgument(error.message, violations, error.more + wrong.more) from error
        if wrong is not None:
            raise wrong
        return body, query

    def _read_whole_body(self, arrived: Arrived, caller: Caller) -> object:
        try:
            return _read_body(replace(arrived, body=self.alias.accept(arrived.body)))
        except UnreadableBody as error:
            review = arrived.operation.review
            if review is None or error.readable is None:
                raise
            raise error.and_also(review(self.tools, caller, error.readable)) from error

    def _perform_once(self, operation: Operation, call: Call, claim: Claim) -> Response:
        earned = claim_or_replay(self.tools, claim)
        if earned is not None:
            return self._respond(
                earned.body, {HEADER: claim.key, REPLAYED: "true", **earned.headers}
            )
        keeper = Keeper(claim=claim, render=operation.render, head=route_headers)
        try:
            operation.handle(replace(call, receipt=keeper))
        except BaseException:
            release_claim(self.tools, claim)
            raise
        answer = keeper.answer
        if answer is None:
            raise RuntimeError(f"{operation.id} kept no answer for its idempotency key")
        return self._respond(answer.body, {HEADER: claim.key, REPLAYED: "false", **answer.headers})

    def _respond(self, answer: bytes, headers: Mapping[str, str]) -> Response:
        return JsonResponse(self.alias.add(answer), headers=headers)

    def _claim(self, arrived: Arrived, caller: Caller) -> Claim | None:
        operation = arrived.operation
        if not operation.changes or operation.is_public or HEADER not in arrived.headers:
            return None
        content = parse_json(arrived.body) if arrived.body.strip() else None
        path = f"{arrived.raw_path}?{arrived.query}" if arrived.query else arrived.raw_path
        request = (operation.method, path, content)
        return claim_of(arrived.headers, caller, request, self.tools)


def _answered[**P](answer: Callable[P, Response], *given: P.args, **named: P.kwargs) -> Response:
    try:
        return answer(*given, **named)
    except RoundsmanError as error:
        return error_response(error)


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
