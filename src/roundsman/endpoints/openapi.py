"""The description of a door (OpenAPI 3.1), made from its operations and the types they name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from roundsman.domain.advice import Combination, SuggestedChange, WindowConflict
from roundsman.domain.errors import FieldViolation, PreconditionViolation
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.principal import SCOPE_MEANINGS, Scope
from roundsman.endpoints.operation import Operation
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.wire.field_mask import MASK, UpdateShape
from roundsman.wire.query import argument_name, is_list

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
    field_violations: tuple[FieldViolation, ...] | UnsetType = UNSET
    violations: tuple[PreconditionViolation, ...] | UnsetType = UNSET
    request_id: str | UnsetType = UNSET
    changes: tuple[SuggestedChange, ...] | UnsetType = UNSET
    combinations: tuple[Combination, ...] | UnsetType = UNSET
    conflicts: tuple[WindowConflict, ...] | UnsetType = UNSET


class Error(Model):
    """Every failed request answers this."""

    code: int
    message: str
    details: tuple[ErrorDetail, ...] | UnsetType = UNSET


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

    links: Callable[[Operation], dict[str, Any]] = lambda _operation: {}

    def render(self) -> bytes:
        """Return the description as JSON."""
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
                "description": self.summary,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": self.base_path}],
            "security": self._security(()),
            "paths": paths,
            "components": {
                "schemas": dict(sorted({**requests.components, **answers.components}.items())),
                "securitySchemes": self._security_schemes(),
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
            "tags": [operation.tag],
            "parameters": _parameters(operation),
            "responses": _responses(operation, answer, error, refusal),
        }
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

    def _security(self, scopes: Sequence[Scope]) -> list[Schema]:
        ways: list[Schema] = [{"bearer": list(scopes)}]
        if self.token_path:
            ways.append({"oauth2": [scope.lower() for scope in scopes]})
        return ways

    def _security_schemes(self) -> Schema:
        schemes: Schema = {"bearer": {"type": "http", "scheme": "bearer"}}
        if self.token_path:
            scopes = {scope.lower(): meaning for scope, meaning in SCOPE_MEANINGS.items()}
            flow = {"tokenUrl": self.base_path + self.token_path, "scopes": scopes}
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


def _parameters(operation: Operation) -> list[Schema]:
    described: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in operation.parameters
    ]
    if operation.query is not None:
        queries = Schemas(of_requests=False)
        queries.of(operation.query)
        (shape,) = queries.components.values()
        described += [
            {
                "name": argument_name(operation.query, name),
                "in": "query",
                "schema": _or_empty(schema),
            }
            for name, schema in shape["properties"].items()
        ]
        if is_list(operation.query):
            described.append({"name": "cursor", "in": "query", "schema": {"type": "string"}})
    if operation.takes_idempotency_key:
        key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}
        described.append({"name": "Idempotency-Key", "in": "header", "schema": key})
    if operation.heeds_if_match:
        described.append({"name": "If-Match", "in": "header", "schema": {"type": "string"}})
    return described


def _or_empty(schema: Schema) -> Schema:
    """An empty value counts as absent (decisions §12)."""
    return {"anyOf": [schema, {"type": "string", "maxLength": 0}]}


_OF_REFUSAL = ("400", "401")
_FAILURES = {
    "400": "Bad request, invalid input, or wrong state.",
    "401": "Invalid or expired token, or rejected credentials.",
    "403": "The credentials lack the scope.",
    "404": "Not found.",
    "405": "Known path, wrong method.",
    "409": "The same thing is being changed at the same time.",
    "413": "Body too large.",
    "415": "Body is not JSON.",
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
        content = {one: {"schema": {"type": "string"}} for one in operation.answers_files}
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
            "description": "The route has another version than `If-Match` names.",
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
