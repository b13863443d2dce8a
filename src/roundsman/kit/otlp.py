"""Spans to whoever speaks OTLP over HTTP; the one module that knows OpenTelemetry.

Loaded only when the operator asks for traces, because the library is an extra. Errors are told by
the name of their class: their messages may quote what a customer said.
"""

import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

import structlog
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from roundsman.kit.software import software_version
from roundsman.kit.tracing import ATTRIBUTES, NOTHING, Side, Span, Value

_LAST_SECONDS = 5.0
"""How long an end may wait for a collector that does not answer."""

_SERVER_ERROR = 500

_KINDS = {Side.ANSWERING: trace.SpanKind.SERVER, Side.ASKING: trace.SpanKind.CLIENT}
_SCOPE = "roundsman"
_log = structlog.get_logger("roundsman.tracing")


class _Recorded:
    """A span of ours as OpenTelemetry has it."""

    __slots__ = ("_span",)

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def tell(self, **attributes: Value) -> None:
        """Add what is known of it by now; a server's error makes the span one."""
        self._span.set_attributes(_told(attributes))
        status = attributes.get("status", 0)
        if isinstance(status, int) and status >= _SERVER_ERROR:
            self._span.set_status(trace.StatusCode.ERROR)

    def rename(self, name: str) -> None:
        """Give it the name that is known only by now."""
        self._span.update_name(name)


class OtlpTracer:
    """Records spans and hands them to a processor."""

    def __init__(self, processor: SpanProcessor) -> None:
        self._provider = TracerProvider(resource=_describe_process(), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer(_SCOPE)
        self._parents = TraceContextTextMapPropagator()

    def begin(
        self, name: str, side: Side, traceparent: str, attributes: Mapping[str, Value]
    ) -> AbstractContextManager[Span]:
        """Open the first span of this process in a trace; the caller's trace goes on, if any."""
        parent = self._parents.extract({"traceparent": traceparent}, Context())
        return self._open(
            self._tracer.start_span(name, parent, _KINDS[side], attributes=_told(attributes))
        )

    def part(self, name: str, attributes: Mapping[str, Value]) -> AbstractContextManager[Span]:
        """Open a span beneath the one under way; beneath none, nothing is recorded."""
        if not trace.get_current_span().get_span_context().is_valid:
            return NOTHING
        return self._open(self._tracer.start_span(name, attributes=_told(attributes)))

    def current(self) -> Span:
        """Return the span under way here."""
        return _Recorded(trace.get_current_span())

    def close(self) -> None:
        """Send what was recorded, within a few seconds; record nothing more."""
        last = threading.Thread(target=self._provider.shutdown, name="last-spans", daemon=True)
        last.start()
        last.join(_LAST_SECONDS)

    @contextmanager
    def _open(self, opened: trace.Span) -> Iterator[Span]:
        with trace.use_span(
            opened, end_on_exit=True, record_exception=False, set_status_on_exception=False
        ):
            try:
                yield _Recorded(opened)
            except BaseException as error:
                opened.set_attributes(_told({"error": type(error).__name__}))
                opened.set_status(trace.StatusCode.ERROR)
                raise


class _ToOurLog(logging.Handler):
    """Says in our log what the library complains of, such as a collector that is away."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log it without the words that are put into it: some quote a header, with its token."""
        words = record.args if isinstance(record.args, tuple) else ()
        told = record.msg % tuple(map(_without_words, words)) if words else record.msg
        _log.warning("tracing_trouble", reason=told)


def _without_words(value: object) -> object:
    if isinstance(value, BaseException):
        return type(value).__name__
    return value if isinstance(value, int | float) else "…"


def make_exporting_tracer() -> OtlpTracer:
    """Return a tracer that sends where the OTEL_ variables say; a wrong one is a ValueError."""
    library = logging.getLogger("opentelemetry")
    if not any(isinstance(handler, _ToOurLog) for handler in library.handlers):
        library.addHandler(_ToOurLog(logging.WARNING))
        library.propagate = False
    return OtlpTracer(BatchSpanProcessor(OTLPSpanExporter()))


def _describe_process() -> Resource:
    """Name this process; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have the last word."""
    told = {"service.name": "roundsman", "service.version": software_version()}
    return Resource({**told, "process.pid": os.getpid()}).merge(OTELResourceDetector().detect())


def _told(attributes: Mapping[str, Value]) -> dict[str, Value]:
    return {ATTRIBUTES[name]: value for name, value in attributes.items() if name in ATTRIBUTES}
