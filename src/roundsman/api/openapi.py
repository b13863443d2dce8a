"""The interface description (OpenAPI 3.1), made from the operations and the types they name."""

from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.api.operation import Operation
from roundsman.domain.errors import FieldViolation, PreconditionViolation
from roundsman.domain.noun import Noun
from roundsman.wire.field_mask import MASK, UpdateShape

BASE_PATH = "/api/2024-07"

_REFERENCE = "#/components/schemas/{name}"
_RATE_HEADERS = {
    "RateLimit-Limit": "Bucket size.",
    "RateLimit-Remaining": "Requests left before rejection.",
    "RateLimit-Reset": "Seconds until the bucket is full.",
}


class ErrorDetail(Noun):
    """One detail of an error, in a google.rpc shape named by its @type."""

    type_url: str = msgspec.field(name="@type")
    field_violations: tuple[FieldViolation, ...] = ()
    violations: tuple[PreconditionViolation, ...] = ()
    request_id: str = ""


class Error(Noun):
    """Every failed request answers this."""

    code: int
    message: str
    details: tuple[ErrorDetail, ...] = ()


def describe(operations: Sequence[Operation]) -> bytes:
    """Return the description as JSON."""
    answers = [operation.answer for operation in operations]
    bodies = [_body_type(operation) for operation in operations if operation.body is not None]
    schemas, components = msgspec.json.schema_components(
        [Error, *answers, *bodies], ref_template=_REFERENCE
    )
    of_error, rest = schemas[0], schemas[1:]
    of_answers, of_bodies = rest[: len(answers)], iter(rest[len(answers) :])
    paths: dict[str, dict[str, Any]] = {}
    for operation, answer in zip(operations, of_answers, strict=True):
        body = None if operation.body is None else next(of_bodies)
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(
            operation, answer, body, of_error
        )
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
            "schemas": components,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }
    return msgspec.json.encode(document)


def _operation(
    operation: Operation, answer: dict[str, Any], body: dict[str, Any] | None, error: dict[str, Any]
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": _parameters(operation),
        "responses": _responses(operation, answer, error),
    }
    if operation.is_public:
        described["security"] = []
    if body is not None:
        described["requestBody"] = {
            "required": not operation.body_may_be_absent,
            "content": {"application/json": {"schema": _body_schema(operation, body)}},
        }
    return described


def _body_type(operation: Operation) -> Any:
    body = operation.body
    return body.shape if isinstance(body, UpdateShape) else body


def _body_schema(operation: Operation, shape: dict[str, Any]) -> dict[str, Any]:
    body = operation.body
    if not isinstance(body, UpdateShape):
        return shape
    mask = {
        "type": "string",
        "description": f"Which fields apply, comma-separated, of {', '.join(body.updatable)}.",
        "examples": [body.updatable[0]],
    }
    return {
        "type": "object",
        "properties": {body.name: shape, MASK: mask},
        "required": [MASK],
        "additionalProperties": False,
    }


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    described: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in operation.parameters
    ]
    if operation.query is not None:
        (schema,), components = msgspec.json.schema_components([operation.query])
        properties = components[schema["$ref"].rpartition("/")[2]]["properties"]
        described += [
            {"name": f"query.{name}", "in": "query", "schema": _inline(part, components)}
            for name, part in properties.items()
        ]
        described.append({"name": "cursor", "in": "query", "schema": {"type": "string"}})
    if operation.changes and not operation.is_public:
        key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}
        described.append({"name": "Idempotency-Key", "in": "header", "schema": key})
    return described


def _inline(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references: query arguments are scalars."""
    if "$ref" not in schema:
        return schema
    referred: dict[str, Any] = components[schema["$ref"].rpartition("/")[2]]
    return referred


def _responses(
    operation: Operation, answer: dict[str, Any], error: dict[str, Any]
) -> dict[str, Any]:
    meanings = {
        "400": "Bad request, invalid input, or wrong state.",
        "401": "Invalid or expired token, or rejected credentials.",
        "404": "Not found.",
        "409": "Changed at the same time.",
        "413": "Body too large.",
        "415": "Body is not JSON.",
        "429": "Rate limited.",
        "500": "Server error.",
        "503": "A dependency is away; nothing was changed.",
    }
    success = {
        "description": "Success.",
        "headers": _headers(operation),
        "content": {"application/json": {"schema": answer}},
    }
    failures = {
        status: {"description": meaning, "content": {"application/json": {"schema": error}}}
        for status, meaning in meanings.items()
    }
    return {"200": success, **failures}


def _headers(operation: Operation) -> dict[str, Any]:
    shown = {"X-Request-Id": "Names this request in the log."}
    if not operation.is_public:
        shown |= _RATE_HEADERS
    return {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in shown.items()
    }
