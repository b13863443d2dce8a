"""Waiting for what another thread or process does and has no other way to say."""

import threading
from collections.abc import Callable

PATIENCE_SECONDS = 60.0
"""Long, because a busy machine is no failure."""


def wait_until(
    holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS, *, every: float = 0.02
) -> None:
    """Look again and again until it holds; fail when it does not in time."""
    pause = threading.Event()
    for _ in range(round(seconds / every)):
        if holds():
            return
        pause.wait(every)
    raise AssertionError(f"it did not happen within {seconds} s")
