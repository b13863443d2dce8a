"""Real servers send their spans over OTLP: the last at their end, and each process its own."""

import itertools
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from tests.acceptance.test_main_job import roundsman, serving
from tests.support.waiting import wait_until
from tests.webhooks.receiver import Receiver

HOUR_MILLISECONDS = "3600000"
A_MOMENT_MILLISECONDS = "50"
COUNT = 2
PARTS = {"listVehicles": {"transaction"}, "authenticate": {"transaction"}}


@dataclass(frozen=True, kw_only=True)
class SubmittedAction:
    """A span, and which process sent it."""

    process: int
    span: Span

    @property
    def trace(self) -> str:
        return self.span.trace_id.hex()


def all_told(collector: Receiver) -> Iterator[SubmittedAction]:
    for one in list(collector.received):
        for sender in ExportTraceServiceRequest.FromString(one.body).resource_spans:
            about = {given.key: given.value for given in sender.resource.attributes}
            for scope in sender.scope_spans:
                for span in scope.spans:
                    yield SubmittedAction(process=about["process.pid"].int_value, span=span)


def test_a_server_sends_its_last_spans_before_it_ends(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    with Receiver().listening() as collector:
        # Nothing is sent in between, so whatever arrives was sent by the end.
        asked = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url("").rstrip("/"),
            "OTEL_BSP_SCHEDULE_DELAY": HOUR_MILLISECONDS,
        }
        with serving(tmp_path, url, **asked) as address:
            request = urllib.request.Request(f"{address}/api/2024-07/routes")  # noqa: S310 -- our own
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(request)  # noqa: S310 -- our own
            assert not collector.received
        [sent] = collector.received
    assert sent.path == "/v1/traces"
    [process] = ExportTraceServiceRequest.FromString(sent.body).resource_spans
    named = {one.key: one.value.string_value for one in process.resource.attributes}
    assert named["service.name"] == "roundsman"
    assert [span.name for span in process.scope_spans[0].spans] == ["listRoutes"]


@pytest.mark.full
def test_each_of_several_processes_sends_the_requests_that_it_answered_a_trace_each(
    tmp_path: Path, new_postgres_url: str
) -> None:
    made = roundsman(tmp_path, new_postgres_url, "organization", "create", "Acme Foods")
    create = ("credentials", "create", "--organization", made["organization"])
    key = roundsman(tmp_path, new_postgres_url, *create, "--email", "dev@example.com")
    with Receiver().listening() as collector:
        asked = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url("").rstrip("/"),
            "OTEL_BSP_SCHEDULE_DELAY": A_MOMENT_MILLISECONDS,
            "ROUNDSMAN_WORKERS": str(COUNT),
        }
        with serving(tmp_path, new_postgres_url, **asked) as address:
            caller = Principal(f"{address}/api/2024-07")
            wait_until(
                lambda: caller.asks("/openapi.json") and len(processes_in(collector)) == COUNT
            )
            caller.sign_in(key)
            with ThreadPoolExecutor(8) as callers:
                assert all(callers.map(caller.asks, ["/vehicles"] * 40))
    by_trace = defaultdict(list)
    for told in all_told(collector):
        by_trace[told.trace].append(told)
    assert by_trace.keys() == caller.asked.keys()
    for trace, spans in by_trace.items():
        [request] = [one.span for one in spans if one.span.kind == Span.SPAN_KIND_SERVER]
        assert request.parent_span_id.hex() == caller.asked[trace]
        parts = [one.span for one in spans if one.span is not request]
        assert {part.parent_span_id for part in parts} <= {request.span_id}
        assert {part.name for part in parts} >= PARTS.get(request.name, set())
        assert len({one.process for one in spans}) == 1


def processes_in(collector: Receiver) -> set[int]:
    return {told.process for told in all_told(collector)}


class Principal:
    """Asks on connections and traces of its own, so that any of the processes may answer."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._header: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self.asked: dict[str, str] = {}
        """The span in which each trace was begun."""

    def sign_in(self, key: dict[str, str]) -> None:
        secret = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        answer = httpx.post(
            f"{self._base}/authenticate", json=secret, headers=self._begin_trace(), timeout=60
        )
        self._header = {"Authorization": f"Bearer {answer.json()['accessToken']}"}

    def asks(self, path: str) -> bool:
        """Ask for something that is there; return whether it was given."""
        header = {**self._header, **self._begin_trace()}
        return httpx.get(f"{self._base}{path}", headers=header, timeout=60).status_code == 200

    def _begin_trace(self) -> dict[str, str]:
        number = next(self._numbers)
        trace, span = f"{number:032x}", f"{number:016x}"
        self.asked[trace] = span
        return {"traceparent": f"00-{trace}-{span}-01"}
