"""The process that `tests.support.commands` forks commands from; it ends with its socket."""

import array
import atexit
import gc
import json
import os
import random
import runpy
import socket
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from roundsman.app import prepare
from roundsman.cli.main import COMMANDS
from roundsman.planning.compiled import cache_folder

LOADED = (
    *(one.target.partition(":")[0] for one in COMMANDS.values()),
    "roundsman.cli.serving",
    "roundsman.cli.plan_run",
    "alembic.command",  # for a new database
    "pydantic",  # which Typer loads when it reads the first option
)
"""Every command, and what is loaded later by many of them."""


def load_everything() -> None:
    """Load what commands need: modules, the gazetteer, and kernels where they are compiled.

    Where they are not, each command compiles what it needs: all take minutes.
    """
    for name in LOADED:
        import_module(name)
    if any(Path(cache_folder()).glob("*/*.nbi")):
        prepare()
    gc.freeze()


def main(place: int) -> None:
    """Fork a process for each request, until nobody asks any more."""
    load_everything()
    with socket.socket(fileno=place) as requests:
        while True:
            files = array.array("i", [0] * 3)
            message, details, *_ = requests.recvmsg(1 << 20, socket.CMSG_SPACE(3 * files.itemsize))
            if not message:
                return
            for _level, _kind, data in details:
                files.frombytes(data)
            streams = list(files)[-3:]
            if fork_twice(requests):
                for stream in streams:
                    os.close(stream)
                continue
            requests.close()
            become(json.loads(message), streams)
            leave()


def fork_twice(requests: socket.socket) -> bool:
    """Fork a process that is nobody's child here and answer its pid; say whether this is not it.

    It is answered when the process between has gone: from then on it is the test's own child.
    """
    ready, told = os.pipe()
    middle = os.fork()
    if middle:
        os.close(told)
        answer = os.read(ready, 64)
        os.close(ready)
        os.waitpid(middle, 0)
        requests.send(answer)
        return True
    os.close(ready)
    pid = os.fork()
    if pid:
        os.write(told, str(pid).encode())
        os._exit(0)
    os.close(told)
    return False


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Run the command as the interpreter would have."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    if request["umask"] >= 0:
        os.umask(request["umask"])
    random.seed()
    sys.path[0] = request["folder"]
    sys.argv = ["roundsman", *request["arguments"]]
    try:
        runpy.run_module("roundsman", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, int) or ended.code is None:
            leave(ended.code or 0)
        raise


def leave(code: int = 0) -> NoReturn:
    """End as the interpreter does, but for taking everything down that was loaded."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
