"""Which command of the command line is running, and how the next one is called."""

import sys
from contextvars import ContextVar
from pathlib import Path
from typing import Any

_PATH: ContextVar[str] = ContextVar("running_command", default="")


def note_running(context: Any) -> None:
    """Note what was called, such as `credentials create`, without the program's own name."""
    names: list[str] = []
    while context.parent is not None:
        names.insert(0, context.info_name)
        context = context.parent
    _PATH.set(" ".join(names))


def running_command() -> str:
    """Return what was called; nothing in a program that calls the functions of commands."""
    return _PATH.get()


def program_name() -> str:
    """Return what a shell starts this program by, as it was started now."""
    program = Path(sys.argv[0])
    return f"{sys.executable} -m roundsman" if program.name == "__main__.py" else str(program)
