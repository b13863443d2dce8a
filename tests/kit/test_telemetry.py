import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from roundsman.kit.telemetry import configure_logs, format_trace


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
        before = logging.lastResort
        configure_logs(logging.INFO)
        try:
            yield structlog.get_logger("roundsman.test")
        finally:
            structlog.reset_defaults()
            logging.lastResort = before


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
    assert told["exception"].endswith("json.decoder.JSONDecodeError")
    assert f'File "{__file__}"' in told["exception"]


def fail(words: str) -> None:
    """Raise a group of errors, the first of which came from another, all of them talkative."""
    try:
        os.environ[words]
    except KeyError as error:
        wrong = ValueError(words)
        wrong.add_note(words)
        wrong.__cause__ = error
        raise ExceptionGroup(words, [wrong, OSError(28, words)]) from None


@pytest.mark.spec("decisions §17")
def test_a_trace_says_which_errors_there_were_and_not_what_they_said() -> None:
    stderr = Stderr()
    words = " ".join(["Zarathustra", "lives", "here"])  # not as it stands in a line of the trace
    with logging_to(stderr) as log:
        try:
            fail(words)
        except ExceptionGroup as error:
            log.exception("request_failed", exc_info=error)
    trace = stderr.told()["exception"]
    for kind in (ExceptionGroup, KeyError, ValueError, OSError):
        assert trace.count(f"builtins.{kind.__name__}") == 1, kind
    assert "The direct cause of" in trace
    assert words not in trace


def test_an_error_that_came_from_itself_has_an_end() -> None:
    first, second = ValueError("a"), KeyError("b")
    first.__context__, second.__context__ = second, first
    assert format_trace(first).count("builtins.ValueError") == 1


def test_what_a_library_warns_of_is_a_line_of_ours_without_its_words() -> None:
    stderr = Stderr()
    library = logging.Logger("uvicorn.error")  # noqa: LOG001 -- nobody has said where it logs to
    with logging_to(stderr):
        library.info("listening for %s", "Zarathustra")
        try:
            int("Zarathustra")
        except ValueError:
            library.exception("Exception with %s", "Zarathustra")
    told = stderr.told()
    assert (told["event"], told["level"]) == ("library_trouble", "error")
    assert told["library"] == "uvicorn.error"
    assert told["place"].startswith("test_telemetry:")
    assert told["exception"].endswith("builtins.ValueError")
    assert "listening" not in stderr.getvalue().decode()


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
