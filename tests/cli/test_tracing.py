"""Tracing is asked for by OpenTelemetry's own variables, and otherwise its SDK is not there."""

import io
import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import structlog

from roundsman.cli.tracing import find_export
from roundsman.kit.otlp import report_trouble
from roundsman.kit.telemetry import configure_logs
from roundsman.settings import WrongSetting

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
COLLECTOR = "http://127.0.0.1:4318"


@pytest.mark.parametrize(
    ("environment", "is_asked_for"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "acme"}, False),
        ({ENDPOINT: ""}, False),
        ({ENDPOINT: COLLECTOR}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{COLLECTOR}/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", ENDPOINT: COLLECTOR}, False),
        ({"OTEL_SDK_DISABLED": "true", ENDPOINT: COLLECTOR}, False),
        ({"OTEL_SDK_DISABLED": "TRUE", "OTEL_TRACES_EXPORTER": "otlp"}, False),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", ENDPOINT: COLLECTOR}, True),
    ],
)
def test_traces_are_sent_where_the_environment_asks_for_it(
    environment: Mapping[str, str], *, is_asked_for: bool
) -> None:
    assert (find_export(environment) is not None) == is_asked_for


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, '"zipkin" but must be otlp or none'),
        ({ENDPOINT: "collector:4317"}, f"{ENDPOINT} must be an http:// or https:// address"),
        (
            {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", ENDPOINT: COLLECTOR},
            'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc" but must be http/protobuf',
        ),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(
    environment: Mapping[str, str], message: str
) -> None:
    with pytest.raises(WrongSetting, match=message):
        find_export(environment)


def serve_with(preparation: str, data: Path) -> subprocess.CompletedProcess[str]:
    program = f"""
import os, sys
{preparation}
from roundsman.cli.main import app
sys.argv = ["roundsman", "serve", "--port", "0", "--data", {str(data)!r}]
app()
"""
    return subprocess.run(  # noqa: S603 -- our own interpreter, in a process that has loaded nothing
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=120
    )


def test_without_the_extra_one_line_says_what_to_do(tmp_path: Path) -> None:
    absent = f"sys.modules['opentelemetry.sdk'] = None; os.environ[{ENDPOINT!r}] = {COLLECTOR!r}"
    ended = serve_with(absent, tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == (
        f"roundsman: {ENDPOINT} asks for traces, but OpenTelemetry's SDK is not installed:"
        " install roundsman[otel], or set OTEL_SDK_DISABLED=true\n"
    )


def test_serve_loads_no_sdk_unless_asked(tmp_path: Path) -> None:
    # Ends when it listens, and tells what a serving process has loaded by then.
    preparation = """
from roundsman.cli import server
class Listening(server.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        optional = ("opentelemetry.sdk", "opentelemetry.exporter")
        print("loaded", *(name for name in sys.modules if name.startswith(optional)))
        self.should_exit = True
server.Server = Listening
"""
    ended = serve_with(preparation, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "loaded\n" in ended.stdout


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What our own log tells."""
    lines = io.StringIO()
    configure_logs(logging.DEBUG)
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(lines), cache_logger_on_first_use=False
    )
    yield lines
    structlog.reset_defaults()


def test_trouble_with_a_collector_is_logged_without_what_may_be_secret(
    written: io.StringIO,
) -> None:
    report_trouble()
    library = logging.getLogger("opentelemetry.exporter")
    library.warning("Header format invalid! %s", "authorization token-of-acme")
    library.warning("%s, retrying in %.2fs", ConnectionError("GET /?key=token-of-acme"), 0.5)
    logged = written.getvalue().encode().decode("unicode_escape")
    assert '"event":"tracing_trouble"' in logged
    assert '"reason":"Header format invalid! ' in logged
    assert '"reason":"ConnectionError, retrying in 0.50s"' in logged
    assert "token-of-acme" not in logged
