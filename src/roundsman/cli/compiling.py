"""Compiling the planner beside a server that serves already, where the machine has not done so.

A process of low priority does what `make install` does, in a group of its own that ends with the
server: its standard input is a pipe that the server holds, and nobody writes to.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import structlog
import typer

from roundsman.planning import use_kernels

_SAY_EVERY_SECONDS = 30.0
_NICENESS = 10
COMMAND = (sys.executable, "-P", "-m", "roundsman.cli.preparing", "--beside")

_log = structlog.get_logger()


class Compilation:
    """The process that compiles, and what is said of it."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_stopped = False

    def run(self) -> None:
        """Compile every kernel, then have this process use them; without, it compiles itself."""
        with self._lock:
            if self._is_stopped:
                return
            try:
                self._process = self._start()
            except OSError as error:  # such as no memory, or too many processes
                _log.error("planner_not_compiled", reason=str(error))
                use_kernels()
                return
        with self._process as process:
            self._report(process)
        if self._is_stopped:
            return
        if process.returncode:
            _log.error("planner_not_compiled", exit_code=process.returncode)
        else:
            typer.echo("The planner is compiled")
        use_kernels()

    def stop(self) -> None:
        """End the process, and those that it has started."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None and self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603 -- our own code
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def _report(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None  # noqa: S101 -- a pipe, as asked for
        said_at = float("-inf")
        for line in process.stdout:
            now = time.monotonic()
            if now - said_at >= _SAY_EVERY_SECONDS:
                said_at = now
                typer.echo(
                    "Planning is slower for some minutes, until the planner is compiled for this "
                    f"machine ({line.strip()})"
                )


def end_with_parent(end: Callable[[], None]) -> None:
    """Give way to other processes, and end when standard input does: when the server has ended."""
    os.nice(_NICENESS)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # a thread that waits in Python's own reader aborts the exit
        end()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def end_group() -> None:
    """End this process and those that it has started."""
    os.killpg(0, signal.SIGKILL)
