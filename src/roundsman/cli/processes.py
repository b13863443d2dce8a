"""Several processes that serve one address: started together, replaced when one dies.

The parent holds the listening socket and does no work, so it has nothing to die of; every child
accepts on that socket. SIGTERM ends all of them well. SIGHUP replaces them one after the other,
each new one serving before the old one drains, so that an upgraded package comes into use without
a request refused. A child whose parent is gone ends by itself: the pipe between them says so.
"""

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType

import structlog

type Child = Callable[[socket.socket, Callable[[], None]], None]
"""Serves on a socket until asked to stop, and calls back once it is ready; must be importable."""

_SPAWN = multiprocessing.get_context("spawn")
_SHORTEST_LIFE_SECONDS = 5.0
"""Who dies sooner than this is not replaced at once: it would only die again."""

_log = structlog.get_logger("roundsman.processes")


@dataclass(slots=True)
class _Running:
    process: SpawnProcess
    lifeline: Connection
    born: float


@dataclass(slots=True)
class Processes:
    """A parent's view of its children."""

    count: int
    listener: socket.socket
    child: Child
    _running: list[_Running] = field(default_factory=list)
    _signals: tuple[Connection, Connection] = field(
        default_factory=lambda: _SPAWN.Pipe(duplex=False)
    )

    def run(self, when_ready: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT; `when_ready` is called when every child serves.

        Returns early, without having called it, when a child cannot start.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._note)
        for _ in range(self.count):
            self._running.append(self._start())
        if all(one.process.is_alive() for one in self._running):
            when_ready()
            while self._go_on():
                pass
        for one in self._running:
            one.process.terminate()
        for one in self._running:
            one.process.join()

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._signals[1].send(number)

    def _go_on(self) -> bool:
        """Wait for the next thing to happen; False when it is the order to stop."""
        heard = self._signals[0]
        ended = wait([heard, *(one.process.sentinel for one in self._running)])
        if heard in ended:
            if heard.recv() != signal.SIGHUP:
                return False
            self._replace_all()
            return True
        for place, one in enumerate(self._running):
            if one.process.sentinel in ended:
                self._revive(place, one)
        return True

    def _revive(self, place: int, dead: _Running) -> None:
        dead.process.join()
        _log.error("process_died", pid=dead.process.pid, exit_code=dead.process.exitcode)
        lived = time.monotonic() - dead.born
        # An order that comes meanwhile is obeyed first; the dead are found again after it.
        if self._signals[0].poll(max(0.0, _SHORTEST_LIFE_SECONDS - lived)):
            return
        self._running[place] = self._start()

    def _replace_all(self) -> None:
        for place, old in enumerate(self._running):
            self._running[place] = self._start()
            old.process.terminate()
            old.process.join()

    def _start(self) -> _Running:
        """Start a child; return when it serves, or when it has died before that."""
        theirs, lifeline = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=_be_child, args=(self.child, self.listener, theirs), name="roundsman-serve"
        )
        process.start()
        theirs.close()
        wait([lifeline, process.sentinel])
        return _Running(process=process, lifeline=lifeline, born=time.monotonic())


def _be_child(child: Child, listener: socket.socket, lifeline: Connection) -> None:
    # The terminal sends SIGINT to the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=[lifeline], daemon=True).start()
    child(listener, lambda: lifeline.send(None))


def _end_with_parent(lifeline: Connection) -> None:
    try:
        lifeline.recv()
    except (EOFError, ConnectionResetError):
        os.kill(os.getpid(), signal.SIGTERM)
