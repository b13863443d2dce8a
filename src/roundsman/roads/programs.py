"""OSRM's programs as the `osrm-bindings` wheel brings them, and starting one on a leash.

A program on a leash ends with us and is not reached by the terminal's Ctrl-C, which is ours to
handle. The wheel's own Python module is never imported: it would load the whole engine.
"""

import os
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from roundsman.roads import leash


def start_program(
    name: str, *arguments: str, output: IO[bytes] | int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start a program; on Linux the calling thread must outlive it, its end would end it too."""
    command = [str(_wheel() / "bin" / name), *arguments]
    leashed = [sys.executable, "-I", "-S", str(Path(leash.__file__)), str(os.getpid()), *command]
    return subprocess.Popen(  # noqa: S603 -- a program of the wheel
        leashed,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output if output == subprocess.DEVNULL else subprocess.STDOUT,
        process_group=0,
    )


def car_profile() -> Path:
    """Return the wheel's car profile; toll roads, motorways and ferries can be excluded in it."""
    return _wheel() / "share" / "profiles" / "car.lua"


def osrm_version() -> str:
    """Return the version of the programs; graphs are read by the version that made them."""
    return version("osrm-bindings")


@cache
def _wheel() -> Path:
    spec = find_spec("osrm")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the osrm-bindings wheel is not installed")
    return Path(next(iter(spec.submodule_search_locations)))
