"""Ctrl-C at moments in which nothing but loading goes on."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from roundsman.cli.interrupts import leaving_at_once

PATIENCE_SECONDS = 120


@pytest.mark.parametrize("module", ["typer", "starlette.requests", "numpy"])
def test_who_interrupts_a_start_that_still_loads_reads_no_trace(
    tmp_path: Path, module: str
) -> None:
    serve = ["-X", "importtime", "-m", "roundsman", "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(  # noqa: S603 -- our own command
        [sys.executable, *serve], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        watchdog = threading.Timer(PATIENCE_SECONDS, process.kill)  # one that is never interrupted
        watchdog.start()
        loaded = (line.rpartition("|")[2].strip() for line in process.stderr)
        assert module in loaded  # read up to the line that says so
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        watchdog.cancel()
    assert process.returncode == 130
    assert out == ""
    assert [line for line in err.splitlines() if not line.startswith("import time:")] == []


def test_who_is_deaf_to_interrupts_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "_exit", lambda code: pytest.fail(f"left with {code}"))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with leaving_at_once():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_once_it_is_loaded_a_command_decides_itself_what_an_interrupt_means() -> None:
    with leaving_at_once():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_thread_changes_nothing_of_what_an_interrupt_means() -> None:
    handlers = []

    def load() -> None:
        with leaving_at_once():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]
