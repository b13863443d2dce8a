"""Connections for statements that are each a transaction; kept open between them, a few at most."""

from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol

from sqlalchemy.exc import TimeoutError as PoolTimeout

from roundsman.domain.errors import Unavailable
from roundsman.storage.dialects import DRIVER_ERRORS, MOST_LOOKUPS, describe_outage, is_away


class Closable(Protocol):
    """A connection."""

    def close(self) -> None:
        """Let go of it."""
        ...


class IdleConnections[Connection: Closable]:
    """Holds as many connections as ever were used at the same moment, eight at most."""

    def __init__(self, connect: Callable[[], Connection], timeout: float = 10.0) -> None:
        self._connect = connect
        self._timeout = timeout
        self._idle: deque[Connection] = deque()
        # A queue of places does what a semaphore does: 0.06 microseconds instead of 1.5.
        self._places: SimpleQueue[None] = SimpleQueue()
        for _ in range(MOST_LOOKUPS):
            self._places.put(None)

    def use[Statement, Bound, Answer](
        self,
        work: Callable[[Connection, Statement, Bound], Answer],
        statement: Statement,
        bound: Bound,
    ) -> Answer:
        """Return what `work` returns; raise Unavailable when the database is away."""
        try:
            self._places.get(timeout=self._timeout)
        except Empty:
            raise Unavailable("database is busy; nothing was changed") from None
        try:
            while (idle := self._take_idle()) is not None:
                try:
                    return self._use(idle, work, statement, bound)
                except DRIVER_ERRORS as error:
                    # A connection that idled may have died with a restarted server: ask another.
                    if not is_away(error):
                        raise
            try:
                return self._use(self._connect(), work, statement, bound)
            except (*DRIVER_ERRORS, PoolTimeout) as error:
                if isinstance(error, PoolTimeout) or is_away(error):
                    raise Unavailable(describe_outage(error)) from error
                raise
        finally:
            self._places.put(None)

    def close(self) -> None:
        while (idle := self._take_idle()) is not None:
            idle.close()

    def _take_idle(self) -> Connection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _use[Statement, Bound, Answer](
        self,
        connection: Connection,
        work: Callable[[Connection, Statement, Bound], Answer],
        statement: Statement,
        bound: Bound,
    ) -> Answer:
        try:
            answer = work(connection, statement, bound)
        except DRIVER_ERRORS:
            connection.close()
            raise
        self._idle.append(connection)
        return answer
