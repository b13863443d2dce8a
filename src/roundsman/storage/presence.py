"""Which processes are alive: each holds a lock of the database that ends with its connection.

On PostgreSQL the lock is a session's, so the server lets it go the moment a killed process's socket
closes. SQLite is one process's database: whoever asks is the only one alive.
"""

import threading
import time
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import TimeoutError as PoolTimeout

from roundsman.domain.errors import Unavailable
from roundsman.storage.dialects import DRIVER_ERRORS, describe_outage, is_away, open_for_lookups

_MOST_NUMBER = 2**63 - 1
_BELIEVED_SECONDS = 1.0
"""How long a connection that was alive is taken for alive: it may die with a restarted server."""


class Presence:
    """Shows that this process is alive, and says of another process whether it is."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._number = 0
        self._lock = threading.Lock()
        self._connection: Any = None
        self._seen_at = 0.0

    def show(self, number: int) -> None:
        """Be known under a number from now on; cheap to repeat, and to be repeated before use."""
        with self._lock:
            self._number = number
            if self._engine.dialect.name != "postgresql":
                return
            if self._connection is not None and not self._is_alive():
                self._connection.close()
                self._connection = None
            if self._connection is None:
                self._connection = self._open()

    def is_shown(self, tx: Connection, number: int) -> bool:
        """Say whether a process known under this number is alive."""
        if number == self._number:
            return True
        if tx.dialect.name != "postgresql":
            return False
        # Shared, so that two who ask at once do not take each other for the one asked about.
        return not tx.exec_driver_sql(
            "SELECT pg_try_advisory_xact_lock_shared(%(number)s)", {"number": number}
        ).scalar_one()

    def close(self) -> None:
        """Be gone."""
        if self._connection is not None:
            self._connection.close()

    def _is_alive(self) -> bool:
        now = time.monotonic()
        if now - self._seen_at < _BELIEVED_SECONDS:
            return True
        try:
            self._connection.execute("SELECT 1")
        except DRIVER_ERRORS:
            return False
        self._seen_at = now
        return True

    def _open(self) -> Any:
        try:
            connection = open_for_lookups(self._engine)
            # Not waited for: where a connection of ours is lost but not yet missed, it shows us.
            connection.execute("SELECT pg_try_advisory_lock(%s)", [self._number])
        except (*DRIVER_ERRORS, PoolTimeout) as error:
            if isinstance(error, PoolTimeout) or is_away(error):
                raise Unavailable(describe_outage(error)) from error
            raise
        self._seen_at = time.monotonic()
        return connection


def presence_number(drawn: bytes) -> int:
    """Return a number that no other process will have, of eight random bytes."""
    return int.from_bytes(drawn, "big") & _MOST_NUMBER
