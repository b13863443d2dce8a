"""What happens to a request that has found its operation: who asks, what was sent, the answer.

All of it runs in one worker thread. The event loop only moves bytes; whatever waits for a database,
a lock or a core waits in a thread.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace
from starlette.responses import Response

from roundsman.domain.errors import (
    InvalidArgument,
    NotAllowed,
    ResourceExhausted,
    RoundsmanError,
    Unavailable,
)
from roundsman.domain.principal import Principal
from roundsman.endpoints.access import Admitted, HttpRequest, session_token_of
from roundsman.endpoints.access_log import note_not_allowed, note_unavailable
from roundsman.endpoints.bodies import SentFile, media_type_of_body, require_json
from roundsman.endpoints.compression import compress
from roundsman.endpoints.conditional import expected_versions
from roundsman.endpoints.delayed import Delayed, DelayedResponse
from roundsman.endpoints.idempotency import HEADER, REPLAYED, claim_of
from roundsman.endpoints.operation import Answer, Call, Operation
from roundsman.endpoints.responses import JsonResponse
from roundsman.endpoints.streams import EventStream, StreamResponse, Streams
from roundsman.operations.idempotency import (
    AnswerRecorder,
    Claim,
    claim_or_replay,
    keep_result,
    release_claim,
)
from roundsman.operations.request import Receipt, Request
from roundsman.operations.tools import Tools
from roundsman.wire.field_alias import NO_ALIAS, FieldAlias
from roundsman.wire.field_mask import UpdateShape, read_update
from roundsman.wire.json_text import parse_json
from roundsman.wire.query import read_query, refuse_arguments
from roundsman.wire.reading import UnreadableBody, read_value


@dataclass(frozen=True, kw_only=True, slots=True)
class Pipeline:
    """The steps from a request to its response, at a door whose fields may have aliases."""

    tools: Tools
    streams: Streams
    alias: FieldAlias = NO_ALIAS

    def admit(self, operation: Operation, http: HttpRequest) -> Admitted | Response:
        """Say who asks; answer who may not, or not now."""
        try:
            admitted = operation.access.admit(self.tools, http)
        except RoundsmanError as error:
            _note_refusal(operation, http, error)
            return operation.show_error(http, error)
        if admitted.verdict is not None and not admitted.verdict.is_allowed:
            wait = admitted.verdict.retry_after_seconds
            return refuse(operation, http, admitted, ResourceExhausted("rate limit exceeded", wait))
        return admitted

    def answer(
        self, operation: Operation, http: HttpRequest, known: Admitted | None = None
    ) -> Response:
        """Answer a request, whose client may be known already; only bugs raise."""
        admitted = known or self.admit(operation, http)
        if isinstance(admitted, Response):
            return admitted
        try:
            if operation.scope is not None:
                admitted.principal.require(operation.scope)
            response = self._perform(operation, http, admitted)
        except RoundsmanError as error:
            _note_refusal(operation, http, error, admitted.principal)
            response = operation.show_error(http, error)
        response.raw_headers += admitted.rate_headers()
        compress(response, http.headers.get("accept-encoding", ""))
        return response

    def _perform(self, operation: Operation, http: HttpRequest, admitted: Admitted) -> Response:
        sent = _Sent(operation=operation, http=http, alias=self.alias)
        body, query = self._read(sent, admitted)
        call = Call(
            tools=self.tools,
            http=http,
            request=_request(http, admitted),
            body=body,
            query=query,
        )
        claim = self._claim(sent, admitted)
        if claim is not None:
            return self._perform_once(operation, call, admitted, claim)
        result = operation.call(call)
        if isinstance(result, EventStream):
            return self._open(result, operation, http, admitted)
        if operation.answer is None or isinstance(result, Response):
            response: Response = result
            return response
        if isinstance(result, Delayed):
            respond = partial(self._respond_late, operation, http, result)
            return DelayedResponse(result, respond, self.streams)
        return self._respond(operation.answer.encode(result), operation.answer.headers(result))

    def _respond_late(
        self, operation: Operation, http: HttpRequest, delayed: Delayed[object]
    ) -> Response:
        """Return what a delayed answer has become."""
        assert operation.answer is not None  # noqa: S101 -- asked before it was delayed
        try:
            result = delayed.make()
            response: Response = self._respond(
                operation.answer.encode(result), operation.answer.headers(result)
            )
        except RoundsmanError as error:
            _note_refusal(operation, http, error)
            response = operation.show_error(http, error)
        compress(response, http.headers.get("accept-encoding", ""))
        return response

    def _read(self, sent: "_Sent", admitted: Admitted) -> tuple[object, object]:
        """Return body and query arguments; raise InvalidArgument with what is wrong with both."""
        query: object = None
        wrong: InvalidArgument | None = None
        try:
            query = sent.read_query()
        except InvalidArgument as error:
            wrong = error
        try:
            body = self._read_body(sent, admitted)
        except InvalidArgument as error:
            if wrong is None or not error.violations:
                raise
            violations = [*error.violations, *wrong.violations]
            raise InvalidArgument(error.message, violations, error.more + wrong.more) from error
        if wrong is not None:
            raise wrong
        return body, query

    def _read_body(self, sent: "_Sent", admitted: Admitted) -> object:
        try:
            return sent.read_body()
        except UnreadableBody as error:
            review = sent.operation.review
            if review is None or error.readable is None:
                raise
            further = review(self.tools, admitted.principal, error.readable)
            raise error.and_also(further) from error

    def _claim(self, sent: "_Sent", admitted: Admitted) -> Claim | None:
        operation, http = sent.operation, sent.http
        if not operation.takes_idempotency_key or HEADER not in http.headers:
            return None
        path = f"{http.path}?{http.query}" if http.query else http.path
        return claim_of(
            http.headers,
            admitted.idempotency_owner,
            (operation.method, path, sent.identity),
            self.tools,
        )

    def _perform_once(
        self, operation: Operation, call: Call, admitted: Admitted, claim: Claim
    ) -> Response:
        earned = claim_or_replay(self.tools, claim)
        if earned is not None:
            headers = {HEADER: claim.key, REPLAYED: "true", **earned.headers}
            return self._respond(earned.body, headers)
        answer: Answer[Any] | None = operation.answer
        if answer is None:
            raise RuntimeError(f"{operation.id} answers by itself and cannot keep its answer")
        keeper = AnswerRecorder(claim=claim, render=answer.encode, head=answer.headers)
        try:
            result = operation.call(replace(call, request=_request(call.http, admitted, keeper)))
            # What changed something has kept it in its own transaction.
            kept = keeper.answer or keep_result(self.tools, keeper, result)
        except BaseException:
            release_claim(self.tools, claim)
            raise
        headers = {HEADER: claim.key, REPLAYED: "false", **kept.headers}
        return self._respond(kept.body, headers)

    def _open(
        self, stream: EventStream, operation: Operation, http: HttpRequest, admitted: Admitted
    ) -> Response:
        owner = admitted.principal.id or http.address
        self.streams.enter(owner)
        is_still_admitted = partial(self._is_still_admitted, operation, http)
        return StreamResponse(stream, self.streams, owner, is_still_admitted)

    def _is_still_admitted(self, operation: Operation, http: HttpRequest) -> bool:
        """Ask again who opened a stream, which counts as a request: a right may have ended."""
        try:
            admitted = operation.access.admit(self.tools, http)
            if operation.scope is not None:
                admitted.principal.require(operation.scope)
        except Unavailable:
            return True  # nobody can say so now
        except RoundsmanError:
            return False
        return True

    def _respond(self, answer: bytes, headers: Mapping[str, str]) -> Response:
        return JsonResponse(self.alias.add(answer), headers=headers)


def _note_refusal(
    operation: Operation,
    http: HttpRequest,
    error: RoundsmanError,
    principal: Principal | None = None,
) -> None:
    match error:
        case NotAllowed():
            note_not_allowed(operation.id, http.address, principal)
        case Unavailable():
            note_unavailable(operation.id, error.message)


def refuse(
    operation: Operation, http: HttpRequest, admitted: Admitted, error: RoundsmanError
) -> Response:
    """Return the answer to who was let in, but whose request is not performed."""
    response = operation.show_error(http, error)
    response.raw_headers += admitted.rate_headers()
    return response


def _request(http: HttpRequest, admitted: Admitted, receipt: Receipt | None = None) -> Request:
    return Request(
        principal=admitted.principal,
        receipt=receipt,
        cancelled=http.has_left,
        expected_versions=expected_versions(http.headers),
        address=http.address,
        user_agent=http.headers.get("user-agent", ""),
        session_token=session_token_of(http),
    )


@dataclass(frozen=True, kw_only=True)
class _Sent:
    """What was sent, parsed at most once."""

    operation: Operation
    http: HttpRequest
    alias: FieldAlias

    @cached_property
    def value(self) -> object:
        """Return the JSON value of the body under the interface's own names; None without one."""
        text = self.http.body
        return self.alias.accept(parse_json(text) if text.strip() else None)

    @property
    def is_file(self) -> bool:
        """Say whether the body is one of the files that the operation takes."""
        files = self.operation.files
        return bool(files) and media_type_of_body(self.http.headers) in files

    @property
    def identity(self) -> object:
        """Return what makes a repeated body the same."""
        return hashlib.sha256(self.http.body).hexdigest() if self.is_file else self.value

    def read_body(self) -> object:
        """Return the body as the operation's type; raise UnreadableBody."""
        shape = self.operation.body
        if shape is None:
            return None
        if self.is_file:
            media_type = media_type_of_body(self.http.headers)
            return SentFile(content=bytes(self.http.body), media_type=media_type)
        if not self.http.body.strip():
            if self.operation.body_may_be_absent:
                return read_value({}, shape)
            raise InvalidArgument("body is missing; send JSON")
        require_json(self.http.headers, self.operation.files)
        if isinstance(shape, UpdateShape):
            return read_update(self.value, shape)
        return read_value(self.value, shape)

    def read_query(self) -> object:
        """Return the query arguments."""
        is_free = self.operation.answer is None and self.operation.query is None
        if is_free or self.operation.ignores_query:
            return None  # pages and files read what they want of it
        if self.operation.query is None:
            refuse_arguments(self.http.query)
            return None
        return read_query(self.http.query, self.operation.query)
