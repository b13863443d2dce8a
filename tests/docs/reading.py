"""A page, read and typed block by block as its reader does, against a real service."""

import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.docs.pages import ROOT, Block, assert_shown
from tests.docs.shell import other_terminal, shell
from tests.support.ports import free_port

_USUAL_PORT, _RECEIVERS_PORT = "8000", "9000"


class Reader:
    """Sits in a folder with a terminal, and with another one when a page asks for it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        (folder / ".venv").symlink_to(sys.prefix)
        for name in ("docs", "examples", "scripts", "sdk"):
            (folder / name).symlink_to(ROOT / name)
        self._folder = folder
        self._environment = environment
        # Somebody may be listening on the usual ones here.
        self._port, self._receivers_port = str(free_port()), str(free_port())
        self._terminals = ExitStack()
        self._shell = self._terminals.enter_context(shell(folder, environment))
        self._said = ""
        self.typed = 0

    def __enter__(self) -> Self:
        """Sit down."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every terminal."""
        self._terminals.__exit__(kind, error, trace)

    def do(self, block: Block) -> None:
        """Do what a block is for: type it, start what stays, or compare what was said."""
        text = re.sub(rf"\b{_USUAL_PORT}\b", self._port, block.text)
        text = re.sub(rf"\b{_RECEIVERS_PORT}\b", self._receivers_port, text)
        self.typed += block.language == "sh"
        match block.title:
            case "Set up":
                # The environment stands: the tests run in it. That the target is there is left.
                subprocess.run(["make", "-n", *text.split()[1:]], cwd=ROOT, check=True)  # noqa: S603, S607 -- a target of ours
            case "The service's terminal":
                command = f"{text.strip()} --port {self._port}"
                terminal = other_terminal(command, self._folder, self._environment)
                first_line = self._terminals.enter_context(terminal)
                assert first_line == f"listening on http://127.0.0.1:{self._port}"
            case "Answer":
                assert_shown(block, self._said)
            case _ if block.language == "sh":
                self._said = self._shell.run(text)
