"""Spans cost nothing while nobody traces, and tell only what is listed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.spans import recorded

import roundsman
from roundsman.kit.otlp import OtlpTracer
from roundsman.kit.tracing import (
    ATTRIBUTES,
    NOTHING,
    SPANS,
    Side,
    begin_trace,
    carry,
    current_span,
    span,
)

SOURCES = sorted(Path(roundsman.__file__).parent.rglob("*.py"))
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "monitor.md"


def test_while_nobody_traces_there_are_no_spans_and_work_is_left_as_it_is() -> None:
    assert span("search", stops=3) is NOTHING
    assert begin_trace("request", Side.ANSWERING) is NOTHING
    assert current_span() is NOTHING
    assert carry(len) is len


def test_carried_work_belongs_to_the_span_that_it_was_carried_from() -> None:
    with recorded() as spans:
        with begin_trace("request", Side.ANSWERING):

            def work(name: str) -> None:
                with span(name):
                    pass

            carried = carry(work)
        carried("search")
        work("matrix")
    [request] = spans.named("request")
    assert spans.beneath(request) == ["search"]
    assert not spans.named("matrix")


def test_what_is_not_listed_is_not_told() -> None:
    with recorded() as spans, begin_trace("request", Side.ANSWERING, street="Main Street"):
        current_span().tell(phone="+14105559876", status=200)
    [request] = spans.all()
    assert dict(request.attributes or {}) == {"http.response.status_code": 200}


def test_a_process_names_itself_and_the_operator_may_name_it_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with recorded() as spans, begin_trace("request", Side.ANSWERING):
        pass
    told = spans.all()[0].resource.attributes
    assert told["service.name"] == "roundsman"
    assert told["service.version"]
    assert told["process.pid"]
    monkeypatch.setenv("OTEL_SERVICE_NAME", "routes-of-acme")
    exporter = InMemorySpanExporter()
    tracer = OtlpTracer(SimpleSpanProcessor(exporter))
    with tracer.begin("request", Side.ANSWERING, "", {}):
        pass
    assert exporter.get_finished_spans()[0].resource.attributes["service.name"] == "routes-of-acme"
    tracer.close()


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="span" | "begin_trace")) if node.args:
                    assert isinstance(node.args[0], ast.Constant), f"{path}: name the span"
                    yield str(node.args[0].value), node
                case ast.Call(func=ast.Attribute(attr="tell")) if node.keywords:
                    yield "", node


def test_every_span_and_attribute_is_listed_recorded_and_on_the_page() -> None:
    used = list(calls())
    assert {name for name, _ in used} - {""} == set(SPANS)
    given = {keyword.arg for _, call in used for keyword in call.keywords}
    assert given - {"traceparent"} == set(ATTRIBUTES) - {"error"}
    page = PAGE.read_text(encoding="utf-8")
    for name in (*SPANS, *ATTRIBUTES.values()):
        assert f"`{name}`" in page, name
