"""What is noted of every request: a line in the log, its share in the metrics, its span."""

from functools import lru_cache

import structlog
from prometheus_client import Counter, Histogram

from roundsman.kit import metrics
from roundsman.kit.tracing import current_span, is_tracing

_log = structlog.get_logger("roundsman.endpoints")


def note_request(request_id: str, operation: str, status: int, seconds: float) -> None:
    """Note that a request was answered; `none` is the operation of unknown paths."""
    count, duration = _series_of(operation, status)
    count.inc()
    duration.observe(seconds)
    if is_tracing():
        span = current_span()
        span.rename(operation)
        span.tell(operation=operation, request_id=request_id, status=status)
    _log.info(
        "request",
        request_id=request_id,
        operation=operation,
        status=status,
        milliseconds=round(seconds * 1000, 1),
    )


@lru_cache(maxsize=1024)  # looking a series up by its labels takes longer than counting in it
def _series_of(operation: str, status: int) -> tuple[Counter, Histogram]:
    return (
        metrics.REQUESTS.labels(operation, status),
        metrics.REQUEST_SECONDS.labels(operation),
    )
