"""What is noted of every request: a line in the log, its share in the metrics, its span."""

from contextlib import AbstractContextManager
from functools import lru_cache

import structlog
from opentelemetry import trace
from opentelemetry.trace import SpanKind
from prometheus_client import Counter, Histogram
from starlette.types import Scope

from roundsman.domain.principal import Principal
from roundsman.kit import metrics
from roundsman.kit.tracing import begin_trace, describe_span

_METHODS = frozenset(
    ("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY")
)
_log = structlog.get_logger("roundsman.endpoints")


def trace_request(scope: Scope) -> AbstractContextManager[None]:
    """Open the span of a request, from its first byte to the last of its answer."""
    # Whatever else is sent as a method is the sender's own word, and not to be recorded.
    method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
    callers = [value for name, value in scope["headers"] if name == b"traceparent"]
    caller = callers[0].decode("latin-1") if len(callers) == 1 else ""
    return begin_trace("request", SpanKind.SERVER, traceparent=caller, method=method)


def note_request(request_id: str, operation: str, status: int, seconds: float) -> None:
    """Note that a request was answered; `none` is the operation of unknown paths."""
    count, duration = _series_of(operation, status)
    count.inc()
    duration.observe(seconds)
    trace.get_current_span().update_name(operation)
    describe_span(operation=operation, request_id=request_id, status=status)
    _log.info(
        "request",
        request_id=request_id,
        operation=operation,
        status=status,
        milliseconds=round(seconds * 1000, 1),
    )


def note_not_allowed(operation: str, address: str, principal: Principal | None = None) -> None:
    """Note who asked for what they may not; nobody where it is not known who asks."""
    who = {} if principal is None else {"principal": principal.kind, "principal_id": principal.id}
    _log.warning("request_not_allowed", operation=operation, address=address, **who)


def note_unavailable(operation: str, reason: str) -> None:
    """Note why a request was answered 503: what was away, full or busy."""
    _log.warning("request_unavailable", operation=operation, reason=reason)


@lru_cache(maxsize=1024)  # looking a series up by its labels takes longer than counting in it
def _series_of(operation: str, status: int) -> tuple[Counter, Histogram]:
    return (
        metrics.REQUESTS.labels(operation, status),
        metrics.REQUEST_SECONDS.labels(operation),
    )
