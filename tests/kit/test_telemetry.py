import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from roundsman.kit.telemetry import configure_logs


class Stderr(io.BytesIO):
    """Standard error's bytes, on a disk that may be full."""

    is_full = False

    def write(self, line: Any) -> int:
        if self.is_full:
            raise OSError(28, "No space left on device")
        return super().write(line)

    def told(self) -> dict[str, Any]:
        """Return what the one line that was written tells."""
        (line,) = self.getvalue().splitlines()
        told: dict[str, Any] = json.loads(line)
        return told


@contextmanager
def logging_to(stderr: Stderr) -> Iterator[Any]:
    # Within the test: between a fixture and its test, pytest puts a standard error of its own.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", SimpleNamespace(buffer=stderr))
        configure_logs(logging.INFO)
        try:
            yield structlog.get_logger("roundsman.test")
        finally:
            structlog.reset_defaults()


def test_a_line_is_json_with_its_event_level_and_time() -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        log.info("request", status=200, milliseconds=1.5)
    told = stderr.told()
    assert told.pop("timestamp").endswith("Z")
    assert told == {"event": "request", "level": "info", "status": 200, "milliseconds": 1.5}


def test_a_trace_is_told_in_its_line() -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        try:
            json.loads("{")
        except ValueError:
            log.exception("request_failed", request_id="1")
    told = stderr.told()
    assert told["level"] == "error"
    assert "json.decoder.JSONDecodeError: " in told["exception"]


@pytest.mark.parametrize("name", ["log", "level", "timestamp"])
def test_what_is_told_may_have_any_name(name: str) -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        log.info("named", **{name: "x"}, status=200)
    told = stderr.told()
    assert (told["event"], told["level"], told["status"]) == ("named", "info", 200)
    assert told["timestamp"].endswith("Z")


def test_what_is_no_unicode_is_escaped() -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        log.warning("settings_unknown", names=["ROUNDSMAN_\udcff"])
    assert stderr.told()["names"] == ["ROUNDSMAN_\udcff"]


def test_what_is_below_the_level_is_not_written() -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        log.debug("request", status=200)
    assert stderr.getvalue() == b""


def test_a_full_disk_stops_nobody() -> None:
    stderr = Stderr()
    with logging_to(stderr) as log:
        stderr.is_full = True
        log.info("request", status=200)
        stderr.is_full = False
        log.info("request", status=201)
    assert stderr.told()["status"] == 201
