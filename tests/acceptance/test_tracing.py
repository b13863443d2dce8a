"""A real server sends its spans over OTLP, the last of them when it is asked to stop."""

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.acceptance.test_main_job import serving
from tests.webhooks.receiver import Receiver

HOUR_MILLISECONDS = "3600000"


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
