"""Decodes pictures in a few processes, which may be killed.

A decoder is C code that works on untrusted bytes, and takes as much time and memory as these make
it take. In a thread it could be neither limited nor stopped. Here a picture has a limit of
processor time and of memory; a process that exceeds it is killed, and the next picture gets a new
process. Otherwise a process is used again, so that a picture costs only its decoding. The queue is
bounded: when it is full, the client is told to try again.

A progressive picture is decoded once for each of its scans, and a scan of the whole picture takes
as little as a dozen bytes: a file of 100 kB can need minutes of work. So the scans are counted
before anything is decoded; cameras and programs write about ten.
"""

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from roundsman.domain.errors import InvalidArgument, Unavailable
from roundsman.images.safe_picture import (
    LENGTH_BYTES,
    MEDIA_TYPES,
    REFUSED,
    TOO_LARGE,
    UNDECODABLE,
    WIDTH_BYTES,
    SafePicture,
)

MOST_SCANS = 100
"""Decisions §22, pictures."""

_START_OF_IMAGE = b"\xff\xd8"
_END_OF_IMAGE, _START_OF_SCAN = 0xD9, 0xDA
_ALONE = {0x01, *range(0xD0, 0xD9)}
"""Markers without a segment (ISO/IEC 10918-1, B.1.1.3)."""

_NEXT_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""In coded data 0xFF is followed by a zero or begins a restart marker."""


def count_scans(data: bytes) -> int:
    """Return how many scans a JPEG has; zero for anything else."""
    if not data.startswith(_START_OF_IMAGE):
        return 0
    scans, place = 0, len(_START_OF_IMAGE)
    while found := _NEXT_MARKER.search(data, place):
        marker, place = data[found.start() + 1], found.end()
        if marker == _END_OF_IMAGE:
            break
        if marker in _ALONE:
            continue
        scans += marker == _START_OF_SCAN
        place += max(2, int.from_bytes(data[place : place + 2]))
    return scans


_MODULE = "roundsman.images.decoder_process"
_HEAD_BYTES = LENGTH_BYTES + 1
_CHUNK = 1 << 20
_LOOK_EVERY_MILLIS = 50.0
"""How soon a closed connection or a stopping server is noticed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingLimits:
    """What pictures may cost."""

    processes: int = 2
    """A picture of 50 megapixels takes some 600 MB for a short time."""

    waiting: int = 4
    """Fewer than the threads that answer requests, so that other requests are answered meanwhile.
    """

    processor_seconds: int = 10
    """Decisions §22, pictures."""

    seconds: float = 30.0
    """For a machine that is too busy to give a picture its processor time."""

    stopping_seconds: float = 2.0
    memory_bytes: int = 1 << 30


class _GivenUp(Exception):
    """The client has gone, or the picture has waited too long."""


class _Died(Exception):
    """The process ended before it answered."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


def _never() -> bool:
    return False


@dataclass(slots=True, weakref_slot=True)
class Decoders:
    """A pool of decoder processes; several threads may use it."""

    limits: DecodingLimits = field(default_factory=DecodingLimits)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _under_way: int = 0
    _turns: threading.BoundedSemaphore = field(init=False)
    _idle: list["_Decoder"] = field(default_factory=list)
    _alive: "set[subprocess.Popen[bytes]]" = field(default_factory=set)
    _deadline: float = float("inf")
    """When decoding has to end, once the server stops."""

    def __post_init__(self) -> None:
        """Create the queue; processes start when they are needed."""
        self._turns = threading.BoundedSemaphore(self.limits.processes)
        weakref.finalize(self, _kill_all, self._alive)

    def reencode(self, data: bytes, is_given_up: Callable[[], bool] = _never) -> SafePicture:
        """Return the picture encoded again; raise InvalidArgument if it is none or costs too much.

        Raises Unavailable when the queue is full, the machine is too busy or `is_given_up` says so.
        """
        if count_scans(data) > MOST_SCANS:
            raise InvalidArgument(f"image has more than {MOST_SCANS} scans; save it anew")
        return self._answer(data, 0, is_given_up)

    def shrink(self, data: bytes, width: int) -> SafePicture:
        """Return a copy of this width, in pixels, of a picture that `reencode` returned.

        One that is no wider comes back as it is. Raises as `reencode` does.
        """
        return self._answer(data, width, _never)

    def _answer(self, data: bytes, width: int, is_given_up: Callable[[], bool]) -> SafePicture:
        until = time.monotonic() + self.limits.seconds
        try:
            with self._in_turn(lambda: self._check(until, is_given_up)):
                return self._decode(data, width, lambda: self._check(until, is_given_up))
        except _GivenUp:
            raise Unavailable("image was not decoded in time; nothing was changed") from None

    @property
    def under_way(self) -> int:
        """Return how many pictures are being decoded or wait."""
        return self._under_way

    def process_ids(self) -> list[int]:
        """Return the ids of the processes."""
        return [process.pid for process in self._alive]

    def stop_soon(self) -> None:
        """Refuse new pictures, and give those under way a short time to end."""
        self._deadline = time.monotonic() + self.limits.stopping_seconds

    def close(self) -> None:
        """End every process at once."""
        self._deadline = time.monotonic()
        for process in tuple(self._alive):
            process.kill()  # the thread that waits for a busy process notices, and cleans up
        while self._idle:
            self._discard(self._idle.pop())

    def _check(self, until: float, is_given_up: Callable[[], bool]) -> None:
        if time.monotonic() >= min(until, self._deadline) or is_given_up():
            raise _GivenUp

    @contextmanager
    def _in_turn(self, check: Callable[[], None]) -> Iterator[None]:
        with self._lock:
            if self._under_way == self.limits.processes + self.limits.waiting:
                raise Unavailable("too many images are being decoded; nothing was changed")
            self._under_way += 1
        try:
            check()
            while not self._turns.acquire(timeout=_LOOK_EVERY_MILLIS / 1_000):
                check()
            try:
                yield
            finally:
                self._turns.release()
        finally:
            with self._lock:
                self._under_way -= 1

    def _decode(self, data: bytes, width: int, check: Callable[[], None]) -> SafePicture:
        """Use an idle process, and a new one where that one fails by itself."""
        while True:
            decoder = self._take()
            was_used = decoder.is_used
            try:
                kind, content = decoder.exchange(data, width, check)
            except _Died as death:
                self._discard(decoder)
                if was_used and death.exit_code != -signal.SIGXCPU:
                    continue
                raise InvalidArgument(_why(death, self.limits)) from None
            except BaseException:
                self._discard(decoder)
                raise
            if kind == TOO_LARGE:
                self._discard(decoder)
                if was_used:
                    continue
                raise InvalidArgument("image takes too much memory to decode; send a smaller one")
            self._idle.append(decoder)
            if kind == REFUSED:
                raise InvalidArgument(content.decode())
            return SafePicture(MEDIA_TYPES[kind], content)

    def _take(self) -> "_Decoder":
        while self._idle:
            decoder = self._idle.pop()
            if decoder.process.poll() is None:
                return decoder
            self._discard(decoder)
        decoder = _Decoder(_start(self.limits))
        self._alive.add(decoder.process)
        return decoder

    def _discard(self, decoder: "_Decoder") -> None:
        _kill(decoder.process)
        self._alive.discard(decoder.process)


@dataclass(slots=True)
class _Decoder:
    """One process, used by one thread at a time."""

    process: subprocess.Popen[bytes]
    is_used: bool = False

    def exchange(self, data: bytes, width: int, check: Callable[[], None]) -> tuple[bytes, bytes]:
        """Send a picture, return the answer; `check` raises when nobody waits for it any more."""
        self.is_used = True
        head = len(data).to_bytes(LENGTH_BYTES) + width.to_bytes(WIDTH_BYTES)
        self._send(head + data, check)
        head = self._receive(_HEAD_BYTES, check)
        size = int.from_bytes(head[:LENGTH_BYTES])
        return head[LENGTH_BYTES:], self._receive(size, check)

    def _send(self, content: bytes, check: Callable[[], None]) -> None:
        pipe = _file_number(self.process.stdin)
        left = memoryview(content)
        while left:
            _wait(pipe, select.POLLOUT, check)
            try:
                left = left[os.write(pipe, left[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise _Died(self.process.wait()) from None

    def _receive(self, size: int, check: Callable[[], None]) -> bytes:
        pipe = _file_number(self.process.stdout)
        received = bytearray()
        while len(received) < size:
            _wait(pipe, select.POLLIN, check)
            some = os.read(pipe, min(_CHUNK, size - len(received)))
            if not some:
                raise _Died(self.process.wait())
            received += some
        return bytes(received)


def _file_number(pipe: object) -> int:
    number: int = pipe.fileno()  # type: ignore[attr-defined] # both pipes were asked for
    return number


def _wait(pipe: int, event: int, check: Callable[[], None]) -> None:
    waiting = select.poll()
    waiting.register(pipe, event)
    check()
    while not waiting.poll(_LOOK_EVERY_MILLIS):
        check()


def _start(limits: DecodingLimits) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(  # noqa: S603 -- a module of ours
        # Unbuffered, or pipes would hold bytes that polling does not see.
        [
            *(sys.executable, "-P", "-m", _MODULE),
            *(str(limits.processor_seconds), str(limits.memory_bytes)),
        ],
        bufsize=0,
        pipesize=_CHUNK,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # A Ctrl-C of the terminal is for the server, which says what becomes of this.
        process_group=0,
        env={**os.environ, "MALLOC_ARENA_MAX": "1"},
    )
    os.set_blocking(_file_number(process.stdin), False)
    return process


def _why(death: _Died, limits: DecodingLimits) -> str:
    if death.exit_code == -signal.SIGXCPU:
        return f"image takes more than {limits.processor_seconds} s to decode; save it anew"
    return UNDECODABLE


def _kill_all(processes: "set[subprocess.Popen[bytes]]") -> None:
    for process in tuple(processes):
        _kill(process)
    processes.clear()


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
