"""Runs one step of the set-up and says how far it is; `make` calls it before anything is installed.

    python scripts/step.py TITLE [OPTIONS] -- COMMAND

What the command prints is kept back, and shown whole when it fails. Every few seconds a line says
how far it is: the number of lines that match `--count`, then of the files that match `--files`, or
the last piece of a line that matched `--show`; without these, how long it has taken. Plain lines,
so that a log reads like a terminal.
"""

import argparse
import glob
import queue
import re
import signal
import subprocess
import sys
import threading
import time


class Progress:
    """How far a step is, as far as its lines and files tell."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self._asked = asked
        self._counted = 0
        self._shown = ""
        self._files_before = self._count_files()

    def read(self, line: str) -> None:
        """Take in a line that the command printed."""
        if self._asked.count and re.search(self._asked.count, line):
            self._counted += 1
        if self._asked.show and (found := re.search(self._asked.show, line)):
            self._shown = found.group()

    def tell(self, seconds: float) -> str:
        """Return how far it is after so many seconds."""
        made = self._count_files() - self._files_before
        reached = self._shown
        if made:
            reached = f"{made}{self._asked.of} installed"
        elif self._counted:
            reached = f"{self._counted}{self._asked.of} found"
        return f"{reached}, {seconds:.0f} s" if reached else f"{seconds:.0f} s"

    def _count_files(self) -> int:
        return len(glob.glob(self._asked.files))  # noqa: PTH207 -- the pattern may be absolute


def main() -> int:
    """Run the step; return the command's exit status."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parser = argparse.ArgumentParser()
    parser.add_argument("title")
    parser.add_argument("--count", default="", help="pattern of lines to count")
    parser.add_argument("--files", default="", help="pattern of files to count once there are any")
    parser.add_argument("--show", default="", help="pattern of what to repeat")
    parser.add_argument("--of", default="", type=" of {}".format, help="how many there will be")
    parser.add_argument("--every", default=3.0, type=float, help="seconds from line to line")
    split = sys.argv.index("--")
    asked = parser.parse_args(sys.argv[1:split])
    print(asked.title, flush=True)
    begun = time.monotonic()
    status, output = _run(sys.argv[split + 1 :], Progress(asked), asked.every)
    ending = "".join(output) if status else f"  done in {time.monotonic() - begun:.0f} s\n"
    print(ending, end="", flush=True)
    return status


def _run(command: list[str], progress: Progress, every: float) -> tuple[int, list[str]]:
    process = subprocess.Popen(  # noqa: S603 -- what make names
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_read, args=[process, lines], daemon=True).start()
    output: list[str] = []
    begun = said = time.monotonic()
    while True:
        try:
            line = lines.get(timeout=max(0.0, said + every - time.monotonic()))
        except queue.Empty:
            said = time.monotonic()
            print(f"  {progress.tell(said - begun)}", flush=True)
            continue
        if line is None:
            return process.wait(), output
        output.append(line)
        progress.read(line)


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    for line in process.stdout or ():
        lines.put(line)
    lines.put(None)


if __name__ == "__main__":
    sys.exit(main())
