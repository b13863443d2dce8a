"""The description of a door (OpenAPI 3.1), made from its operations and the types they name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from roundsman.domain.advice import Combination, SuggestedChange, WindowConflict
from roundsman.domain.errors import FieldViolation, PreconditionViolation
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.principal import SCOPE_MEANINGS, Scope
from roundsman.endpoints.access import MemberAccess
from roundsman.endpoints.meanings import PARAMETER_MEANINGS, TAG_MEANINGS
from roundsman.endpoints.operation import Operation
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.operations.tools import USUAL_ADDRESS
from roundsman.wire.field_mask import MASK, UpdateShape
from roundsman.wire.query import argument_name, is_list

_CONVENTIONS = (
    "A field that is null counts as left out. Unknown fields of a request are refused; answers may "
    "gain fields, and enumerations with `x-extensible-enum` values, that clients keep and ignore."
)
_RATE_HEADERS = {
    "RateLimit-Limit": "Bucket size.",
    "RateLimit-Remaining": "Requests left before rejection.",
    "RateLimit-Reset": "Seconds until the bucket is full.",
}
_IDEMPOTENCY_HEADERS = {
    "Idempotency-Key": "The key that was sent, if one was.",
    "Idempotency-Replayed": "Whether this answer was earned by an earlier request.",
}


class ErrorDetail(Model):
    """One detail of an error, in a google.rpc shape named by its @type, or our Advice."""

    type_url: str = msgspec.field(name="@type")
    """Which of the fields are there: `…BadRequest` has `fieldViolations`,
    `…PreconditionFailure` `violations`, `…RequestInfo` `requestId`, and `…Advice` the others."""

    field_violations: tuple[FieldViolation, ...] | UnsetType = UNSET
    """Everything that is wrong with the request; past a hundred the last entry counts the rest."""

    violations: tuple[PreconditionViolation, ...] | UnsetType = UNSET
    """What in the present state stands in the way."""

    request_id: str | UnsetType = UNSET
    """Names the request in the log, as the header `X-Request-Id` does."""

    changes: tuple[SuggestedChange, ...] | UnsetType = UNSET
    """Changes that are each enough alone to let the same request pass; every one was tried."""

    combinations: tuple[Combination, ...] | UnsetType = UNSET
    """Changes that are enough together where none is alone."""

    conflicts: tuple[WindowConflict, ...] | UnsetType = UNSET
    """Stops whose windows exclude each other."""


class Error(Model):
    """Every failed request answers this."""

    code: Annotated[int, Meta(ge=3, le=16)]
    """The canonical RPC status code: 3 for input that is wrong, 5 for what is not there, 9 for
    a state that forbids it."""

    message: str
    """What went wrong, for people: programs decide by `code` and `details`."""

    details: tuple[ErrorDetail, ...] | UnsetType = UNSET
    """The same for programs: each field, object or remedy by itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Description:
    """What the description of a door says beside its operations."""

    title: str
    version: str
    summary: str
    base_path: str
    operations: Sequence[Operation]
    examples: Mapping[str, object] = field(default_factory=dict)
    """A body for each operation that takes one."""

    token_path: str = ""
    """Where access tokens are got as OAuth 2.0 says, if anywhere."""

    session_cookie: str = ""
    """The name of the cookie by which clients are known, instead of a token, if any."""

    links: Callable[[Operation], dict[str, Any]] = lambda _operation: {}

    webhooks: Mapping[str, Any] = field(default_factory=dict)
    """The type of the body that is sent of each topic."""

    def render(self, server: str = USUAL_ADDRESS) -> bytes:
        """Return the description as JSON, of an interface at this address."""
        requests, answers = Schemas(of_requests=True), Schemas(of_requests=False)
        error = answers.of(Error)
        paths: dict[str, Schema] = {}
        for operation in self.operations:
            if operation.answer is None and not operation.answers_files:
                continue
            described = self._operation(operation, requests, answers, error)
            described["responses"]["200"] |= self.links(operation)
            paths.setdefault(operation.path, {})[operation.method.lower()] = described
        document = {
            "openapi": "3.1.0",
            "info": {
                "title": self.title,
                "version": self.version,
                "description": f"{self.summary}\n\n{_CONVENTIONS}",
                "contact": {"name": "Whoever runs this installation", "url": server},
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": server + self.base_path, "description": "This installation."}],
            "security": self._security(()),
            "tags": [
                {"name": tag, "description": TAG_MEANINGS.get(tag, "")}
                for tag in dict.fromkeys(one.tag for one in self.operations)
            ],
            "paths": paths,
            **self._webhooks(answers),
            "components": {
                "schemas": dict(sorted({**requests.components, **answers.components}.items())),
                "securitySchemes": self._security_schemes(server),
            },
        }
        return msgspec.json.encode(document)

    def _operation(
        self, operation: Operation, requests: Schemas, answers: Schemas, error: Schema
    ) -> dict[str, Any]:
        answer = answers.of(operation.answer.shape) if operation.answer else {}
        refusal = {"anyOf": [answers.of(operation.refusal), error]} if operation.refusal else error
        described: dict[str, Any] = {
            "operationId": operation.id,
            "summary": operation.summary,
            "description": _describe(operation),
            "tags": [operation.tag],
            "parameters": _parameters(operation, requests),
            "responses": _responses(operation, answer, error, refusal),
        }
        if operation.query is not None and is_list(operation.query):
            described["x-pagination"] = _pagination(operation)
        if not operation.access.has_credentials:
            described["security"] = []
        elif operation.scope is not None:
            described["security"] = self._security([operation.scope])
        if operation.describe_body is not None:
            content = operation.describe_body(requests)
            described["requestBody"] = {"required": True, "content": content}
        elif operation.body is not None:
            shown: dict[str, Any] = {"schema": _body_schema(operation, requests)}
            if operation.id in self.examples:
                shown["examples"] = {"one": {"value": self.examples[operation.id]}}
            files: Schema = {media_type: {"schema": {}} for media_type in operation.files}
            described["requestBody"] = {
                "required": not operation.body_may_be_absent,
                "content": {"application/json": shown, **files},
            }
        return described

    def _webhooks(self, answers: Schemas) -> Schema:
        if not self.webhooks:
            return {}
        return {
            "webhooks": {
                topic: _webhook(topic, answers.of(shape)) for topic, shape in self.webhooks.items()
            }
        }

    def _security(self, scopes: Sequence[Scope]) -> list[Schema]:
        if self.session_cookie:
            return [{"session": []}]
        ways: list[Schema] = [{"bearer": []}]
        if self.token_path:
            ways.append({"oauth2": [scope.lower() for scope in scopes]})
        return ways

    def _security_schemes(self, server: str) -> Schema:
        if self.session_cookie:
            return {"session": {"type": "apiKey", "in": "cookie", "name": self.session_cookie}}
        schemes: Schema = {"bearer": {"type": "http", "scheme": "bearer"}}
        if self.token_path:
            scopes = {scope.lower(): meaning for scope, meaning in SCOPE_MEANINGS.items()}
            flow = {"tokenUrl": server + self.base_path + self.token_path, "scopes": scopes}
            schemes["oauth2"] = {"type": "oauth2", "flows": {"clientCredentials": flow}}
        return schemes


def _body_schema(operation: Operation, requests: Schemas) -> Schema:
    body = operation.body
    if not isinstance(body, UpdateShape):
        return requests.of(body)
    paths = "|".join(body.updatable)
    mask = {
        "type": "string",
        "description": f"Which fields apply, comma-separated, of {', '.join(body.updatable)}.",
        "pattern": f"^ *({paths}) *(, *({paths}) *)*$",
        "examples": [body.updatable[0]],
    }
    return {
        "type": "object",
        "properties": {body.name: requests.of(body.shape), MASK: mask},
        "required": [MASK],
        "additionalProperties": False,
    }


def _describe(operation: Operation) -> str:
    """Return what the handler says of itself, and what it takes to call it."""
    said = " ".join((operation.handle.__doc__ or "").split())
    if operation.scope is None or not operation.access.has_credentials:
        return said
    return f"{said} Takes the scope {operation.scope}."


def _parameters(operation: Operation, requests: Schemas) -> list[Schema]:
    text: Schema = {"type": "string"}
    described: list[Schema] = [
        _parameter(name, "path", text) | {"required": True} for name in operation.parameters
    ]
    if operation.query is not None:
        described += [
            # An empty value counts as absent (decisions §12).
            _parameter(argument_name(operation.query, name), "query", schema)
            | {"allowEmptyValue": True}
            for name, schema in requests.properties_of(operation.query).items()
        ]
        if is_list(operation.query):
            described.append(_parameter("cursor", "query", text))
    if operation.takes_idempotency_key:
        key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}
        described.append(_parameter("Idempotency-Key", "header", key))
    if operation.heeds_if_match:
        described.append(_parameter("If-Match", "header", text))
    if operation.changes and isinstance(operation.access, MemberAccess):
        described.append(_parameter("X-CSRF-Token", "header", text) | {"required": True})
    return described


def _parameter(name: str, where: str, schema: Schema) -> Schema:
    return {
        "name": name,
        "in": where,
        "description": PARAMETER_MEANINGS.get(name, ""),
        "schema": schema,
    }


def _pagination(operation: Operation) -> Schema:
    """Return how the pages of a list are walked, for generators of clients."""
    rows = next(
        part.encode_name
        for part in msgspec.structs.fields(operation.answer.shape)  # type: ignore[union-attr]  # a list answers
        if part.encode_name != "nextCursor"
    )
    return {"cursor": "cursor", "nextCursor": "nextCursor", "items": rows}


def _webhook(topic: str, body: Schema) -> Schema:
    """Return what is sent of a topic, and what the receiver is to answer."""
    return {
        "post": {
            "operationId": f"on{topic.title().replace('_', '')}",
            "summary": f"{topic} happened",
            "description": "Sent to subscriptions that name the topic, until it is answered with "
            "a status of 200 to 299; it may come twice.",
            "security": [],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                "200": {"description": "The event was taken."},
                "401": {"description": "The signature is not ours."},
            },
        }
    }


_OF_REFUSAL = ("400", "401")
_FAILURES = {
    "400": "Bad request, invalid input, or wrong state.",
    "401": "Invalid or expired token, or rejected credentials.",
    "403": "The credentials lack the scope.",
    "404": "Not found.",
    "405": "Known path, wrong method.",
    "409": "The same thing is being changed at the same time.",
    "413": "Body too large.",
    "415": "Body is of a media type that is not taken here.",
    "429": "Rate limited.",
    "500": "Server error.",
    "503": "A dependency is away; nothing was changed.",
}


def _responses(
    operation: Operation, answer: Schema, error: Schema, refusal: Schema
) -> dict[str, Any]:
    media_type = operation.answer.media_type if operation.answer else "application/json"
    content: Schema = {media_type: {"schema": answer}}
    if operation.answers_files:
        files: Schema = {one: {"schema": _file_schema(one)} for one in operation.answers_files}
        content = files if operation.answer is None else {**content, **files}
    success = {
        "description": "Success.",
        "headers": _headers(operation),
        "content": content,
    }
    failures = {
        status: {
            "description": meaning,
            "content": {
                "application/json": {"schema": refusal if status in _OF_REFUSAL else error}
            },
        }
        for status, meaning in _FAILURES.items()
    }
    if operation.heeds_if_match:
        failures["412"] = {
            "description": "What is changed has another version than `If-Match` names.",
            "headers": {"ETag": {"description": "The present tag.", "schema": {"type": "string"}}},
            "content": {"application/json": {"schema": error}},
        }
    return {"200": success, **failures}


def _headers(operation: Operation) -> Schema:
    shown = {"X-Request-Id": "Names this request in the log."}
    if operation.access.has_credentials:
        shown |= _RATE_HEADERS
    if operation.takes_idempotency_key:
        shown |= _IDEMPOTENCY_HEADERS
    if operation.answer is not None:
        shown |= operation.answer.described_headers
    return {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in shown.items()
    }


def _file_schema(media_type: str) -> Schema:
    """Return what a file is to a program: GeoJSON is JSON, all else is text or bytes."""
    return {"type": "object"} if media_type.endswith("json") else {"type": "string"}
