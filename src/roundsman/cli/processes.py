"""Several processes that serve one address: started together, replaced when one dies.

The parent holds the listening socket and does no work, so it has nothing to die of; every child
accepts on that socket. The first children are forked: they start at once, and share what the parent
has loaded. Whoever comes later loads what is installed by then. SIGTERM ends all of them well.
SIGHUP replaces them one after the other, each new one serving before the old one drains, so that an
upgraded package comes into use without a request refused; one that cannot start replaces nobody.
The parent never waits for one child alone: whatever happens to any of them next is what it deals
with. A child whose parent is gone ends by itself: the pipe between them says so.
"""

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType

import structlog

type Child = Callable[[socket.socket, Callable[[], None]], None]
"""Serves on a socket until asked to stop, and calls back once it is ready; must be importable."""

_SPAWN = multiprocessing.get_context("spawn")
_FORK = multiprocessing.get_context("fork")
_MAY_FORK = sys.platform == "linux"
"""Elsewhere the system's own libraries may have threads, which do not outlive a fork."""

_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_SHORTEST_LIFE_SECONDS = 5.0
"""Who dies sooner than this is not replaced at once: it would only die again."""

_log = structlog.get_logger("roundsman.processes")


class _Stage(Enum):
    STARTING = auto()
    SERVING = auto()
    LEAVING = auto()


@dataclass(slots=True, eq=False)
class _Running:
    process: BaseProcess
    pipe: Connection
    started_at: float
    stage: _Stage = _Stage.STARTING
    is_outdated: bool = False

    def leave(self) -> None:
        """Ask it to finish what is under way."""
        self.stage = _Stage.LEAVING
        self.process.terminate()


@dataclass(slots=True)
class Processes:
    """A parent's view of its children."""

    count: int
    listener: socket.socket
    child: Child
    successor: Child
    """Whoever comes later, in another's place."""

    _running: list[_Running] = field(default_factory=list)
    _has_begun: bool = False
    """Whether what is loaded here may be older by now than what is installed."""
    _no_start_before: float = 0.0
    _signals: tuple[Connection, Connection] = field(
        default_factory=lambda: _SPAWN.Pipe(duplex=False)
    )

    def run(self, when_ready: Callable[[], None]) -> bool:
        """Serve until SIGTERM or SIGINT; `when_ready` is called when the first child serves.

        Returns early, and False, when that one cannot start. The others are started after it, so
        that they do not keep each other from being the first.
        """
        for number in _SIGNALS:
            signal.signal(number, self._note)
        self._start()
        is_wanted = self._wait_for_first()
        could_start = bool(self._running)
        if is_wanted and could_start:
            when_ready()
            self._keep_up()
            self._has_begun = True
            while self._go_on():
                self._keep_up()
        # As long as it is open here, clients are connected to it whom no child accepts any more.
        self.listener.close()
        for one in self._running:
            one.process.terminate()
        for one in self._running:
            one.process.join()
        return could_start

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._signals[1].send(number)

    def _wait_for_first(self) -> bool:
        """Wait until the first child serves or has died; False when the order to stop came."""
        while self._at(_Stage.STARTING):
            if not self._go_on():
                return False
        return True

    def _go_on(self) -> bool:
        """Wait for the next thing to happen; False when it is the order to stop."""
        heard = self._signals[0]
        awaited = {one.pipe: one for one in self._at(_Stage.STARTING)}
        mortal = {one.process.sentinel: one for one in self._running}
        happened = wait([heard, *awaited, *mortal], self._seconds_until_start())
        for sign, one in awaited.items():
            if sign in happened and sign.poll():
                self._hear_from(one)
        for sentinel, one in mortal.items():
            if sentinel in happened:
                self._reap(one)
        if heard in happened:
            if heard.recv() != signal.SIGHUP:
                return False
            for one in self._running:
                one.is_outdated = True
        return True

    def _hear_from(self, one: _Running) -> None:
        try:
            one.pipe.recv()
        except (EOFError, ConnectionResetError):
            return  # it died; its sentinel says so too
        one.stage = _Stage.SERVING

    def _reap(self, dead: _Running) -> None:
        dead.process.join()
        dead.pipe.close()
        self._running.remove(dead)
        if dead.stage is _Stage.LEAVING:
            return
        _log.error("process_died", pid=dead.process.pid, exit_code=dead.process.exitcode)
        again_at = dead.started_at + _SHORTEST_LIFE_SECONDS
        self._no_start_before = max(self._no_start_before, again_at)

    def _keep_up(self) -> None:
        """Start whoever is missing, and go on with replacing whoever is outdated."""
        serving = self._at(_Stage.SERVING)
        outdated = [one for one in serving if one.is_outdated]
        if outdated and len(serving) > self.count:
            outdated[0].leave()
        if self._seconds_until_start():
            return
        starting = self._at(_Stage.STARTING)
        for _ in range(self.count - len(serving) - len(starting)):
            self._start()
        is_settled = len(serving) == self.count and len(self._running) == self.count
        if outdated and is_settled:
            self._start()

    def _seconds_until_start(self) -> float | None:
        """Return for how many seconds nobody may be started; None when somebody may be."""
        left = self._no_start_before - time.monotonic()
        return left if left > 0 else None

    def _at(self, stage: _Stage) -> list[_Running]:
        return [one for one in self._running if one.stage is stage]

    def _start(self) -> None:
        is_forked = _MAY_FORK and not self._has_begun
        theirs, pipe = _SPAWN.Pipe()
        # While a fork of ours holds our end of a pipe, who waits at the other end of it does not
        # notice that we are gone.
        ours = [pipe, *self._signals, *(one.pipe for one in self._running)]
        make: type[BaseProcess] = _FORK.Process if is_forked else _SPAWN.Process
        process = make(
            target=_be_child,
            args=(
                self.successor if self._has_begun else self.child,
                self.listener,
                theirs,
                ours if is_forked else [],
            ),
            name="roundsman-serve",
        )
        if not is_forked:
            # The first process that is spawned would start this, which unblocks what is blocked.
            resource_tracker.ensure_running()
        # A signal that reached a child before it could be a child would be told as the parent's, or
        # tell where it was importing.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        theirs.close()
        self._running.append(_Running(process=process, pipe=pipe, started_at=time.monotonic()))


def _be_child(
    child: Child, listener: socket.socket, pipe: Connection, parents: list[Connection]
) -> None:
    # The terminal sends SIGINT to the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for end in parents:
        end.close()
    threading.Thread(target=_end_with_parent, args=[pipe], daemon=True).start()
    child(listener, lambda: pipe.send(None))


def _end_with_parent(pipe: Connection) -> None:
    try:
        pipe.recv()
    except (EOFError, ConnectionResetError):
        os.kill(os.getpid(), signal.SIGTERM)
