"""Work in another process, beside what this one does."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def done_beside(work: Callable[[], object]) -> Iterator[None]:
    """Have another process work while the block runs, and wait for it; raise when it fails.

    It begins with nothing loaded, and tells on standard error what went wrong.
    """
    other = multiprocessing.get_context("spawn").Process(target=work)
    other.start()
    try:
        yield
    finally:
        other.join()
    if other.exitcode:
        raise RuntimeError(f"the process beside this one ended with exit code {other.exitcode}")
