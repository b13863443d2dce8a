"""How long the database is waited for, so that one that hangs is given up like one that is gone.

A change that waits for what another one holds is answered within ten seconds, a check within two.

PostgreSQL ends a statement or a wait for a lock by itself, and tells. That says nothing where the
server hangs, or a host takes packets and is silent: then the client gives up a second later.
"""

from dataclasses import dataclass
from typing import Any

import psycopg


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeLimits:
    """Seconds."""

    connect: int = 8
    """To be let in; libpq waits for two at least."""

    statement: float = 8.0
    """For one statement on PostgreSQL, and for a transaction that does nothing."""

    grace: float = 1.0
    """For PostgreSQL to say that it has ended a statement."""

    queue: float = 8.0
    """For a connection of the pool, and on SQLite for this process's other changes to commit."""

    sqlite_lock: float = 5.0
    """For another program to let go of a SQLite database."""

    @property
    def answer(self) -> float:
        """Return how long an answer of PostgreSQL is waited for: it ends its statements itself."""
        return self.statement + self.grace

    def lock_after(self, waited: float) -> float:
        """Return how long SQLite's lock is waited for by a change that has waited in the queue.

        Both together take no longer than the queue alone may.
        """
        return max(0.0, min(self.sqlite_lock, self.queue - waited))

    def settings(self) -> str:
        """Return the statements that set these on PostgreSQL."""
        millis = {name: round(self.statement * 1_000) for name in _SETTINGS}
        # A lock is given up a little sooner than the statement that waits for it, which says why.
        millis[_LOCK] = round(self.statement * 900)
        return "; ".join(f"SET {name} = {value}" for name, value in millis.items())


USUAL = TimeLimits()
FOR_CHECKS = TimeLimits(connect=2, statement=1.5, grace=0.3, queue=1.8, sqlite_lock=1.8)
"""A check that itself takes long is no check."""

_LOCK = "lock_timeout"
_SETTINGS = ("statement_timeout", _LOCK, "idle_in_transaction_session_timeout")
WITHOUT_LIMITS = "; ".join(f"SET LOCAL {name} = 0" for name in _SETTINGS)
"""For one transaction: a migration takes as long as it takes."""


class NoAnswer(psycopg.OperationalError):
    """The server has not answered a statement in time."""


class LimitedConnection(psycopg.Connection[Any]):
    """Gives up when nothing is answered for so long; it is closed then."""

    answer_seconds: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer."""
        given = timeout is not None
        try:
            return super().wait(gen, interval, timeout if given else self.answer_seconds)
        except psycopg.errors._WaitTimeout as error:  # noqa: SLF001 -- the library has no other name for it
            if given:
                raise
            self.pgconn.finish()
            raise NoAnswer("the server does not answer") from error
