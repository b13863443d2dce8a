"""The interface description (OpenAPI 3.1), made from the operations and the types they name."""

from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.api.examples import EXAMPLES
from roundsman.api.links import links_of
from roundsman.api.operation import Operation
from roundsman.api.schemas import Schema, Schemas
from roundsman.domain.advice import Combination, SuggestedChange, WindowConflict
from roundsman.domain.errors import FieldViolation, PreconditionViolation
from roundsman.domain.noun import UNSET, Noun, UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.route_views import RoutePath, Timetable
from roundsman.doors.route_headers import ESTIMATED, GAP
from roundsman.wire.field_mask import MASK, UpdateShape
from roundsman.wire.query import is_list
from roundsman.wire.v2024_07.routes import RouteAnswer, RouteListAnswer, RoutesAnswer

BASE_PATH = "/api/2024-07"

_RATE_HEADERS = {
    "RateLimit-Limit": "Bucket size.",
    "RateLimit-Remaining": "Requests left before rejection.",
    "RateLimit-Reset": "Seconds until the bucket is full.",
}
_IDEMPOTENCY_HEADERS = {
    "Idempotency-Key": "The key that was sent, if one was.",
    "Idempotency-Replayed": "Whether this answer was earned by an earlier request.",
}


class ErrorDetail(Noun):
    """One detail of an error, in a google.rpc shape named by its @type, or our Advice."""

    type_url: str = msgspec.field(name="@type")
    field_violations: tuple[FieldViolation, ...] | UnsetType = UNSET
    violations: tuple[PreconditionViolation, ...] | UnsetType = UNSET
    request_id: str | UnsetType = UNSET
    changes: tuple[SuggestedChange, ...] | UnsetType = UNSET
    combinations: tuple[Combination, ...] | UnsetType = UNSET
    conflicts: tuple[WindowConflict, ...] | UnsetType = UNSET


class Error(Noun):
    """Every failed request answers this."""

    code: int
    message: str
    details: tuple[ErrorDetail, ...] | UnsetType = UNSET


def describe(operations: Sequence[Operation]) -> bytes:
    """Return the description as JSON."""
    requests, answers = Schemas(of_requests=True), Schemas(of_requests=False)
    error = answers.of(Error)
    paths: dict[str, Schema] = {}
    for operation in operations:
        described = _operation(operation, requests, answers, error)
        described["responses"]["200"] |= links_of(operation, operations)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Roundsman",
            "version": "2024-07",
            "description": "Stops in, best route out, proof at the door.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": BASE_PATH}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted({**requests.components, **answers.components}.items())),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }
    return msgspec.json.encode(document)


def _operation(
    operation: Operation, requests: Schemas, answers: Schemas, error: Schema
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": _parameters(operation),
        "responses": _responses(operation, answers.of(operation.answer), error),
    }
    if operation.is_public:
        described["security"] = []
    if operation.body is not None:
        described["requestBody"] = {
            "required": not operation.body_may_be_absent,
            "content": {
                "application/json": {
                    "schema": _body_schema(operation, requests),
                    "examples": {"one": {"value": EXAMPLES[operation.id]}},
                }
            },
        }
    return described


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
        asked = Schemas(of_requests=False)
        asked.of(operation.query)
        (shape,) = asked.components.values()
        described += [
            {"name": f"query.{name}", "in": "query", "schema": _or_empty(schema)}
            for name, schema in shape["properties"].items()
        ]
        if is_list(operation.query):
            described.append({"name": "cursor", "in": "query", "schema": {"type": "string"}})
    if operation.changes and not operation.is_public:
        key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}
        described.append({"name": "Idempotency-Key", "in": "header", "schema": key})
    return described


def _or_empty(schema: Schema) -> Schema:
    """An empty value counts as absent (decisions §12)."""
    return {"anyOf": [schema, {"type": "string", "maxLength": 0}]}


_FAILURES = {
    "400": "Bad request, invalid input, or wrong state.",
    "401": "Invalid or expired token, or rejected credentials.",
    "404": "Not found.",
    "405": "Known path, wrong method.",
    "409": "The same thing is being changed at the same time.",
    "413": "Body too large.",
    "415": "Body is not JSON.",
    "429": "Rate limited.",
    "500": "Server error.",
    "503": "A dependency is away; nothing was changed.",
}


def _responses(operation: Operation, answer: Schema, error: Schema) -> dict[str, Any]:
    success = {
        "description": "Success.",
        "headers": _headers(operation),
        "content": {"application/json": {"schema": answer}},
    }
    failures = {
        status: {"description": meaning, "content": {"application/json": {"schema": error}}}
        for status, meaning in _FAILURES.items()
    }
    return {"200": success, **failures}


def _headers(operation: Operation) -> Schema:
    shown = {"X-Request-Id": "Names this request in the log."}
    if not operation.is_public:
        shown |= _RATE_HEADERS
        if operation.changes:
            shown |= _IDEMPOTENCY_HEADERS
    if operation.answer in {RouteAnswer, RouteStop, Timetable, RoutePath}:
        shown[ESTIMATED] = "true when some times or distances of the route are not from roads."
    if operation.answer in {RoutesAnswer, RouteListAnswer}:
        shown[ESTIMATED] = (
            "Which routes have times or distances that are not from roads: their places in the "
            "list, the first being 0, separated by commas; true when over 200 have."
        )
    if operation.answer is RouteAnswer:
        shown[GAP] = "0.02 when no order in time could travel over 2 % less than the optimized one."
    return {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in shown.items()
    }
