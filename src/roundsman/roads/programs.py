"""Starts OSRM's programs, which the `osrm-bindings` package brings.

A program ends with this process (`die_with_parent`) and does not get the terminal's Ctrl-C, which
this process handles. The package's own Python module is never imported: it would load the whole
engine.
"""

import os
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from roundsman.roads import die_with_parent


def start_program(
    name: str, *arguments: str, output: IO[bytes] | int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start a program; on Linux it ends with the calling thread."""
    command = [str(_bindings_folder() / "bin" / name), *arguments]
    command_line = [
        sys.executable,
        "-I",
        "-S",
        str(Path(die_with_parent.__file__)),
        str(os.getpid()),
        *command,
    ]
    return subprocess.Popen(  # noqa: S603 -- a program of the wheel
        command_line,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output if output == subprocess.DEVNULL else subprocess.STDOUT,
        process_group=0,
    )


def car_profile() -> Path:
    """Return the package's car profile; it can exclude toll roads, motorways and ferries."""
    return _bindings_folder() / "share" / "profiles" / "car.lua"


def osrm_version() -> str:
    """Return the version of the programs."""
    return version("osrm-bindings")


@cache
def _bindings_folder() -> Path:
    spec = find_spec("osrm")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the osrm-bindings wheel is not installed")
    return Path(next(iter(spec.submodule_search_locations)))
