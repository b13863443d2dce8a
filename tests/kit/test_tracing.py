"""Spans cost nothing while nobody traces, and tell only what is listed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind
from tests.spans import recorded

import roundsman
from roundsman.kit.otlp import make_provider
from roundsman.kit.tracing import ATTRIBUTES, SPANS, begin_trace, describe_span, span

SOURCES = sorted(Path(roundsman.__file__).parent.rglob("*.py"))
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "monitor.md"


def test_while_nobody_traces_nothing_is_recorded() -> None:
    with begin_trace("request", SpanKind.SERVER), span("search", stops=3):
        assert not trace.get_current_span().is_recording()


def test_a_part_is_recorded_beneath_what_is_under_way_and_beneath_nothing_not_at_all() -> None:
    with recorded() as spans:
        with begin_trace("request", SpanKind.SERVER), span("search"):
            pass
        with span("matrix"):
            pass
        [request] = spans.named("request")
        assert spans.beneath(request) == ["search"]
        assert not spans.named("matrix")


def test_what_is_not_listed_is_not_told() -> None:
    with recorded() as spans:
        with begin_trace("request", SpanKind.SERVER, street="Main Street"):
            describe_span(phone="+14105559876", status=200)
        [request] = spans.all()
    assert dict(request.attributes or {}) == {"http.response.status_code": 200}


def test_a_process_names_itself_and_the_operator_may_name_it_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with recorded() as spans:
        with begin_trace("request", SpanKind.SERVER):
            pass
        told = spans.all()[0].resource.attributes
    assert told["service.name"] == "roundsman"
    assert told["service.version"]
    assert told["process.pid"]
    monkeypatch.setenv("OTEL_SERVICE_NAME", "routes-of-acme")
    exporter = InMemorySpanExporter()
    provider = make_provider(SimpleSpanProcessor(exporter))
    provider.get_tracer("roundsman").start_span("request").end()
    assert exporter.get_finished_spans()[0].resource.attributes["service.name"] == "routes-of-acme"
    provider.shutdown()


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="span" | "begin_trace")) if node.args:
                    assert isinstance(node.args[0], ast.Constant), f"{path}: name the span"
                    yield str(node.args[0].value), node
                case ast.Call(func=ast.Name(id="describe_span")):
                    yield "", node


def test_every_span_and_attribute_is_listed_recorded_and_on_the_page() -> None:
    used = list(calls())
    assert {name for name, _ in used} - {""} == set(SPANS)
    given = {keyword.arg for _, call in used for keyword in call.keywords}
    assert given - {"traceparent"} == set(ATTRIBUTES)
    page = PAGE.read_text(encoding="utf-8")
    for name in (*SPANS, *ATTRIBUTES.values()):
        assert f"`{name}`" in page, name
