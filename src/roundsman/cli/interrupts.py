"""Ctrl-C before anything has begun: the process is gone, without a trace.

Loading a command takes a second, and longer on a busy machine. Whoever changes their mind meanwhile
interrupts an import, and reads of its insides; some libraries even make another error of it.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""What shells say of a program that Ctrl-C ended."""


@contextmanager
def leaving_at_once(tidy: Callable[[], None] = lambda: None) -> Iterator[None]:
    """End the process when it is interrupted in this block; what it leaves behind is tidied up."""
    usual = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if usual is not signal.default_int_handler or not is_main:
        yield  # whoever runs in the background is deaf to it, and stays so
        return

    def leave(*_: object) -> None:
        tidy()
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
