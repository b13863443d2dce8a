"""What a process does whose kernels another one is compiling.

Until they are there, short routes are searched by interpreted kernels, which takes seconds instead
of milliseconds; whoever asks for more waits. A search that gives up waiting returns what it began
with, interpreted. A process that has not said that it does without kernels compiles what it needs.
"""

import threading
from typing import Any

from roundsman.kit.loading import load
from roundsman.planning.budget import Cancelled
from roundsman.planning.interpretation import interpret

MOST_INTERPRETED = 12
"""Visits of a route: as many as are proved optimal, in some five seconds when interpreted."""

_LEAST_SECONDS = 5.0
"""What an interpreted search may take, where it would be given less."""

_LOOK_EVERY_SECONDS = 0.2
_COMPILED = "roundsman.planning.compiled"

_are_there = threading.Event()
_are_there.set()
_ends = threading.Event()


def do_without_kernels() -> bool:
    """Compile nothing in this process until `use_kernels`; say whether that was needed.

    It is not where all are compiled, or nobody wants them compiled, nor does it help where they
    cannot be kept.
    """
    has_cache = bool(load(f"{_COMPILED}:cache_folder")())
    is_interpreting = load(f"{_COMPILED}:is_interpreting")()
    if not has_cache or is_interpreting or load(f"{_COMPILED}:are_kernels_compiled")():
        _are_there.set()
    else:
        _are_there.clear()
    return not _are_there.is_set()


def use_kernels() -> None:
    """Load the kernels from the cache from now on, or compile what is missing."""
    _are_there.set()


def stop_waiting() -> None:
    """Have nobody wait for kernels any more, because the process ends."""
    _ends.set()


def run_search(
    place: str, visits: int, *args: Any, cancelled: Cancelled | None, **kwargs: Any
) -> Any:
    """Search in this process, where the kernels are there or come, or interpreted."""
    if not _are_there.is_set():
        is_short = visits <= MOST_INTERPRETED
        if is_short or not await_kernels(cancelled):
            seconds = max(_LEAST_SECONDS, kwargs.pop("seconds"))
            given_up = None if is_short else has_given_up
            return interpret(place, *args, seconds=seconds, cancelled=given_up, **kwargs)
    return load(place)(*args, cancelled=cancelled, **kwargs)


def has_given_up() -> bool:
    """Say that nobody waits any more; unlike most, it can be sent to another process."""
    return True


def has_kernels() -> bool:
    """Say whether this process may call kernels."""
    return _are_there.is_set()


def await_kernels(cancelled: Cancelled | None) -> bool:
    """Wait for the kernels; say whether they are there, not that nobody waits any more."""
    has_gone = cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled
    while not _are_there.wait(_LOOK_EVERY_SECONDS):
        if _ends.is_set() or (has_gone is not None and has_gone()):
            return False
    return True
