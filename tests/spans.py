"""Spans recorded in memory, as whoever collects them is told them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from roundsman.kit.otlp import OtlpTracer
from roundsman.kit.tracing import tracing_to


@dataclass
class Spans:
    exporter: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)

    def all(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.all() if span.name == name]

    def beneath(self, parent: ReadableSpan) -> list[str]:
        context = parent.get_span_context()
        return [
            span.name
            for span in self.all()
            if context and span.parent and span.parent.span_id == context.span_id
        ]

    def text(self) -> str:
        """Everything that would be sent."""
        return "\n".join(span.to_json() for span in self.all())


@contextmanager
def recorded() -> Iterator[Spans]:
    spans = Spans()
    with tracing_to(OtlpTracer(SimpleSpanProcessor(spans.exporter))):
        yield spans


def told(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})
