"""Spans to whoever speaks OTLP over HTTP; the one module that knows OpenTelemetry's SDK.

Loaded only when the operator asks for traces, because the SDK is an extra.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import structlog
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from roundsman.kit.software import software_version

_LAST_SECONDS = 5.0
"""How long an end may wait for a collector that does not answer."""

_log = structlog.get_logger("roundsman.tracing")


def make_provider(processor: SpanProcessor) -> TracerProvider:
    """Return what records this process's spans and hands them to a processor."""
    provider = TracerProvider(resource=_describe_process(), shutdown_on_exit=False)
    provider.add_span_processor(processor)
    return provider


def export_spans() -> AbstractContextManager[None]:
    """Return a block whose spans go where the OTEL_ variables say; a wrong one is a ValueError."""
    report_trouble()
    return _installed(make_provider(BatchSpanProcessor(OTLPSpanExporter())))


@contextmanager
def _installed(provider: TracerProvider) -> Iterator[None]:
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        last = threading.Thread(target=provider.shutdown, name="last-spans", daemon=True)
        last.start()
        last.join(_LAST_SECONDS)


def report_trouble() -> None:
    """Have our log say what the library complains of."""
    library = logging.getLogger("opentelemetry")
    if not any(isinstance(handler, _ToOurLog) for handler in library.handlers):
        library.addHandler(_ToOurLog(logging.WARNING))
        library.propagate = False


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


def _describe_process() -> Resource:
    """Name this process; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have the last word."""
    told = {"service.name": "roundsman", "service.version": software_version()}
    return Resource({**told, "process.pid": os.getpid()}).merge(OTELResourceDetector().detect())
