"""Errors as the interface shows them; the only place that knows their HTTP statuses."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from roundsman.domain.advice import Advice
from roundsman.domain.errors import (
    MOST_VIOLATIONS,
    Aborted,
    ChangedMeanwhile,
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotAllowed,
    NotFound,
    PermissionDenied,
    PreconditionViolation,
    ResourceExhausted,
    RoundsmanError,
    Unauthenticated,
    Unavailable,
    count_of_rest,
)
from roundsman.domain.model import UNSET, Model
from roundsman.endpoints.responses import JsonResponse

_TYPES = "type.googleapis.com/google.rpc."
_LONGEST_MESSAGE = 1_000
_MOST_BYTES_OF_VIOLATIONS = 48 * 1024
"""An answer to what was refused has at most 64 KiB, whatever was sent (design, Budgets)."""

_ADVICE = "type.googleapis.com/roundsman.Advice"
"""An addition of ours beside the violations; readers of google.rpc skip a type they do not know."""

STATUS_OF: Mapping[type[RoundsmanError], int] = {
    InvalidArgument: 400,
    NotFound: 404,
    PermissionDenied: 401,
    NotAllowed: 403,
    ResourceExhausted: 429,
    FailedPrecondition: 400,
    ChangedMeanwhile: 412,
    Aborted: 409,
    Unavailable: 503,
    Unauthenticated: 401,
}
"""Decisions §2."""

UNIMPLEMENTED = 12
"""A known path, another method; `Allow` names the right ones."""


INTERNAL = 13
"""A bug: nothing leaks but the id under which the log has the trace."""


class PayloadTooLarge(InvalidArgument):
    """A body over the limit (decisions §1)."""


class HeadTooLarge(InvalidArgument):
    """A request line and headers over the limit."""


class RequestTimeout(InvalidArgument):
    """A request that comes too slowly."""


class UnsupportedMediaType(InvalidArgument):
    """A body that is not JSON (decisions §1)."""


_STATUS_OF_DOOR_ERROR: Mapping[type[RoundsmanError], int] = {
    PayloadTooLarge: 413,
    HeadTooLarge: 431,
    RequestTimeout: 408,
    UnsupportedMediaType: 415,
}


def error_response(error: RoundsmanError) -> Response:
    """Return the answer to a request that failed as expected."""
    body: dict[str, Any] = {"code": error.code, "message": error.message[:_LONGEST_MESSAGE]}
    if details := _details(error):
        body["details"] = details
    return json_response(body, _status(error), _headers(error))


def method_not_allowed(allowed: str) -> Response:
    """Return the answer to a known path with another method."""
    body = {"code": UNIMPLEMENTED, "message": f"method not allowed; use {allowed}"}
    return json_response(body, 405, {"Allow": allowed})


def internal_error(request_id: str) -> Response:
    """Return the answer to a bug: nothing leaks but the id under which the log has the trace."""
    details = [{"@type": f"{_TYPES}RequestInfo", "requestId": request_id}]
    return json_response(
        {"code": INTERNAL, "message": "internal error", "details": details}, 500, {}
    )


def json_response(body: object, status: int, headers: Mapping[str, str]) -> Response:
    """Return an object as a JSON response."""
    return JsonResponse(msgspec.json.encode(body), status, headers)


def _status(error: RoundsmanError) -> int:
    statuses = {**STATUS_OF, **_STATUS_OF_DOOR_ERROR}
    for kind in type(error).__mro__:
        if issubclass(kind, RoundsmanError) and kind in statuses:
            return statuses[kind]
    raise TypeError(f"no HTTP status for {type(error).__name__}")


def _details(error: RoundsmanError) -> list[dict[str, Any]]:
    match error:
        case InvalidArgument(violations=violations, more=more) if violations:
            listed = _list_violations(violations, more)
            return [{"@type": f"{_TYPES}BadRequest", "fieldViolations": listed}]
        case NotFound(violations=missing) if missing:
            listed = _list_violations(missing[:MOST_VIOLATIONS], len(missing[MOST_VIOLATIONS:]))
            return [{"@type": f"{_TYPES}BadRequest", "fieldViolations": listed}]
        case FailedPrecondition(violations=conditions, advice=advice) if conditions:
            fitting = _fitting(conditions)
            # What they name is for answers of this service's own; the error's form has no place
            # for it (decisions §1, Error details).
            listed_conditions = [replace(one, values=UNSET) for one in conditions[:fitting]]
            if left := len(conditions) - fitting:
                message = f"and {left} more"
                listed_conditions.append(
                    PreconditionViolation(type="", subject="", description=message)
                )
            failure = {"@type": f"{_TYPES}PreconditionFailure", "violations": listed_conditions}
            return [failure] if advice is None else [failure, _advice(advice)]
        case _:
            return []


def _list_violations(violations: Sequence[FieldViolation], more: int) -> list[FieldViolation]:
    """Return what an answer lists: as many as fit, then how many are left."""
    fitting = _fitting(violations)
    return [*violations[:fitting], *count_of_rest(more + len(violations) - fitting)]


def _fitting(violations: Sequence[Model]) -> int:
    """Return how many of them fit into an answer."""
    sizes = accumulate(len(msgspec.json.encode(violation)) for violation in violations)
    return sum(size <= _MOST_BYTES_OF_VIOLATIONS for size in sizes)


def _advice(advice: Advice) -> dict[str, Any]:
    return {"@type": _ADVICE, **msgspec.to_builtins(advice)}


def _headers(error: RoundsmanError) -> dict[str, str]:
    match error:
        case Unauthenticated():
            return {"WWW-Authenticate": "Bearer"}
        case ResourceExhausted():
            return {"Retry-After": str(error.retry_after_seconds)}
        case ChangedMeanwhile():
            return {"ETag": f'"{error.tag}"'}
        case _:
            return {}
