"""A terminal as a reader has one: a shell that lives from one block of a page to the next."""

import os
import select
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_WITHIN_SECONDS = 120
_OUTPUT = "block.txt"
_ERRORS = "errors.txt"


class Shell:
    """Runs blocks one after the other; the first command that fails ends it."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process = process
        self._folder = folder

    def run(self, text: str) -> str:
        """Run a block and return what it printed."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{{\n{text}\n}} > {_OUTPUT}\necho done\n")
        self._process.stdin.flush()
        said = _next_line(self._process)
        printed = (self._folder / _OUTPUT).read_text(encoding="utf-8")
        errors = (self._folder / _ERRORS).read_text(encoding="utf-8")
        assert said == "done", f"{text}\nfailed: {printed}\n{errors}\n{self._last_answer()}"
        return printed

    def _last_answer(self) -> str:
        """Return what the page's newest file has: an answer that was refused is kept in one."""
        files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        return f"{files[-1].name}: {files[-1].read_text()[:2_000]}" if files else ""


@contextmanager
def shell(folder: Path, environment: Mapping[str, str]) -> Iterator[Shell]:
    """Open a terminal in a folder."""
    with (
        (folder / _ERRORS).open("w") as errors,
        subprocess.Popen(
            ["bash", "-euo", "pipefail"],  # noqa: S607 -- whichever the reader has
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        yield Shell(process, folder)
        assert process.stdin is not None
        process.stdin.close()


@contextmanager
def other_terminal(command: str, folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Run a command that stays, from its first line on, and end it as Ctrl-C does."""
    with subprocess.Popen(  # noqa: S603 -- what a page of ours says
        ["bash", "-c", f"exec env {command}"],  # noqa: S607 -- whichever the reader has
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            yield _next_line(process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(_WITHIN_SECONDS)
    assert process.returncode == 0


def _next_line(process: subprocess.Popen[str]) -> str:
    """Return the one line that is waited for; nothing when the process ends or takes too long."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], _WITHIN_SECONDS)
    return process.stdout.readline().strip() if ready else ""
