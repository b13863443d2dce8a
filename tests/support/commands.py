"""Starts `python -m roundsman …` as a fork of a process that has imported it already.

Importing what a command needs takes most of a command's processor time, and tests start hundreds.
What is started is a process like any other: with its own pid, environment, folder and streams, and
a child of the test that waits for it. That a bare interpreter can start the command is held by
whoever calls `subprocess` itself: `tests/cli/test_interrupts.py` and the pages in `tests/docs`.
"""

import array
import atexit
import ctypes
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

SERVER = Path(__file__).with_name("command_server.py")
COMMAND = [sys.executable, "-m", "roundsman"]
_SET_CHILD_SUBREAPER = 36  # of prctl(2): orphans of our descendants become children of ours
_NO_FILE = -1


class CommandProcess(subprocess.Popen[Any]):
    """A `subprocess.Popen` whose process is forked where it is one of our commands."""

    def _execute_child(self, args: Any, *parts: Any) -> None:
        """Have the server fork, instead of forking and importing everything anew."""
        _executable, before, _close, passed, folder, environment, *rest = parts
        _startup, _flags, shell, p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite = rest[:9]
        _signals, _gid, _gids, _uid, umask, *_ = rest[9:]
        is_ours = isinstance(args, list) and args[: len(COMMAND)] == COMMAND
        if not is_ours or before or passed or shell or sys.platform != "linux":
            super()._execute_child(args, *parts)  # type: ignore[misc]  # of the standard library
            return
        request = {
            "umask": umask,
            "arguments": [os.fspath(one) for one in args[len(COMMAND) :]],
            "folder": os.fspath(folder or Path.cwd()),
            "environment": dict(os.environ if environment is None else environment),
        }
        streams = [
            number if stream == _NO_FILE else stream
            for number, stream in enumerate((p2cread, c2pwrite, errwrite))
        ]
        self.pid = _fork(request, streams)
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]  # of the standard library


def run(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, as `subprocess.run` does."""
    timeout, check = options.pop("timeout", None), options.pop("check", False)
    if options.pop("capture_output", False):
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with CommandProcess(arguments, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess[str](arguments, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def run_on(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of our commands on a data folder; what it prints is kept."""
    return run([*COMMAND, *arguments, "--data", str(data)], capture_output=True, text=True)


def run_json(data: Path, *arguments: str) -> Any:
    """Run one of our commands on a data folder; return the JSON that it prints."""
    done = run_on(data, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _fork(request: dict[str, Any], streams: list[int]) -> int:
    files = array.array("i", streams)
    server = _server()
    server.sendmsg(
        [json.dumps(request).encode()],
        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)],
    )
    return int(server.recv(64))


@cache
def _server() -> socket.socket:
    """Start the process that forks, once for each process of the test run."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    with theirs:
        server = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, str(SERVER), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a fork has no threads but one
        )
    atexit.register(_end, ours, server)
    return ours


def _end(ours: socket.socket, server: subprocess.Popen[bytes]) -> None:
    ours.close()
    server.wait()
