"""Ctrl-C before anything has begun: the process is gone, without a trace.

Loading a command takes a second, and longer on a busy machine. Whoever changes their mind meanwhile
interrupts an import, and reads of its insides; some libraries even make another error of it.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""What shells say of a program that Ctrl-C ended."""


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """End the process when it is interrupted in this block, which may leave nothing behind."""
    usual = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if usual is not signal.default_int_handler or not is_main:
        yield  # whoever runs in the background is deaf to it, and stays so
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
