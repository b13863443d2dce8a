"""Spans recorded in memory, as whoever collects them is told them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, Sampler, SamplingResult

from roundsman.kit.otlp import make_provider


@dataclass
class Spans:
    exporter: InMemorySpanExporter

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
        """Everything that would be sent but the times, whose digits are any."""
        sent = "\n".join(span.to_json() for span in self.all())
        return re.sub(r'"\d{4}-\d\d-\d\dT[\d:.]+Z"', '"-"', sent)


class Switch(Sampler):
    """Samples as the provider does by itself, but nothing between tests."""

    def __init__(self, usual: Sampler) -> None:
        self._usual = usual
        self.is_on = False

    def should_sample(self, *arguments: Any, **named: Any) -> SamplingResult:
        sampler = self._usual if self.is_on else ALWAYS_OFF
        return sampler.should_sample(*arguments, **named)

    def get_description(self) -> str:
        return "Switch"


@cache
def install() -> tuple[InMemorySpanExporter, Switch]:
    """Install what records spans: OpenTelemetry takes one provider a process."""
    exporter = InMemorySpanExporter()
    provider = make_provider(SimpleSpanProcessor(exporter))
    switch = provider.sampler = Switch(provider.sampler)
    trace.set_tracer_provider(provider)
    return exporter, switch


@contextmanager
def recorded() -> Iterator[Spans]:
    exporter, switch = install()
    switch.is_on = True
    try:
        yield Spans(exporter)
    finally:
        switch.is_on = False
        exporter.clear()


def told(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})
