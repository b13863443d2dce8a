"""Spans: what became of a request on its way, and how long each part took.

They are OpenTelemetry's, whose API does nothing until `kit.otlp` says where spans go. Spans and
attributes are listed, and nothing that is not listed leaves: no address, coordinate, name, token or
body, and of an error only its class.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

from opentelemetry.context import Context
from opentelemetry.trace import (
    Span,
    SpanKind,
    StatusCode,
    get_current_span,
    get_tracer,
    use_span,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

type Value = str | int | float | bool

SPANS: Mapping[str, str] = {
    "request": "A request at a door, named after its operation; `none` is an unknown path.",
    "transaction": "A database transaction, with the waiting for it and its commit.",
    "matrix": "One travel matrix.",
    "search": "Ordering one route.",
    "geocoding": "Locating one batch of addresses.",
    "webhook": "One attempt to deliver an event; a trace of its own.",
}
"""Every span that is ever recorded, with what it tells."""

ATTRIBUTES: Mapping[str, str] = {
    "method": "http.request.method",
    "status": "http.response.status_code",
    "operation": "roundsman.operation",
    "request_id": "roundsman.request_id",
    "access": "roundsman.transaction.access",
    "places": "roundsman.matrix.places",
    "stops": "roundsman.search.stops",
    "moves": "roundsman.search.moves",
    "proven": "roundsman.search.proven",
    "addresses": "roundsman.geocoding.addresses",
    "misses": "roundsman.geocoding.misses",
    "topic": "roundsman.webhook.topic",
    "outcome": "roundsman.webhook.outcome",
    "error": "error.type",
}
"""Every attribute as it is written here, and as it is sent; counts and words of fixed sets."""

_SERVER_ERROR = 500

_tracer = get_tracer("roundsman")
_propagator = TraceContextTextMapPropagator()


def begin_trace(
    name: str, kind: SpanKind, *, traceparent: str = "", **attributes: Value
) -> AbstractContextManager[None]:
    """Open a span that goes on with a caller's trace (W3C Trace Context), or begins one."""
    caller = _propagator.extract({"traceparent": traceparent}, Context())
    return _open(name, caller, kind, attributes)


def span(name: str, **attributes: Value) -> AbstractContextManager[None]:
    """Open a span beneath the one under way; what is done for no request records none."""
    if not get_current_span().is_recording():
        return nullcontext()
    return _open(name, None, SpanKind.INTERNAL, attributes)


def describe_span(**attributes: Value) -> None:
    """Add what is known by now of the span under way; a server's error makes the span one."""
    under_way = get_current_span()
    under_way.set_attributes(_listed(attributes))
    status = attributes.get("status", 0)
    if isinstance(status, int) and status >= _SERVER_ERROR:
        under_way.set_status(StatusCode.ERROR)


def _open(
    name: str, parent: Context | None, kind: SpanKind, attributes: Mapping[str, Value]
) -> AbstractContextManager[None]:
    opened = _tracer.start_span(name, parent, kind, _listed(attributes))
    return _under_way(opened) if opened.is_recording() else nullcontext()


@contextmanager
def _under_way(opened: Span) -> Iterator[None]:
    # An error's message may quote a customer.
    with use_span(opened, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield
        except BaseException as error:
            describe_span(error=type(error).__name__)
            opened.set_status(StatusCode.ERROR)
            raise


def _listed(attributes: Mapping[str, Value]) -> dict[str, Value]:
    return {ATTRIBUTES[name]: value for name, value in attributes.items() if name in ATTRIBUTES}
