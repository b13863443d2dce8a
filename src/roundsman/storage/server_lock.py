"""One server at a time on a SQLite database.

A second one would write beside the first, whose rate buckets and claims are in its memory alone.
Commands and workers may work beside a server; they do not take this lock. The system lets go of it
when its holder ends, however it ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from roundsman.domain.errors import FailedPrecondition, Unavailable


@contextmanager
def only_server(database: Path | None) -> Iterator[None]:
    """Be the one server of a SQLite database; None is a database that several may serve."""
    if database is None:
        yield
        return
    lock = database.with_name(f"{database.name}.lock")
    try:
        held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unavailable(f"{lock} cannot be made: {(error.strerror or '').lower()}") from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        raise FailedPrecondition(
            f"another server works on {database}; stop it first, or serve another --data"
        ) from error
    try:
        yield
    finally:
        os.close(held)
