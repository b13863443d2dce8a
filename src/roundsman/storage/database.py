"""Transactions on either database; only operations open them."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from roundsman.domain.errors import Unavailable
from roundsman.kit import metrics
from roundsman.kit.tracing import span
from roundsman.storage.dialects import (
    MOST_CONNECTIONS,
    describe_outage,
    free_connections,
    is_away,
    is_refused_by_disk,
    open_engine,
    without_limits,
)
from roundsman.storage.lookups import Lookup, Lookups, Row
from roundsman.storage.presence import Presence
from roundsman.storage.time_limits import FOR_CHECKS, USUAL, TimeLimits

_PATIENT_SECONDS = 3_600.0
"""How long who migrates waits for another that does."""

_BUSY = "database is busy; nothing was changed"
_READ_SECONDS = metrics.TRANSACTION_SECONDS.labels("read")
_WRITE_SECONDS = metrics.TRANSACTION_SECONDS.labels("write")

type Transaction = Connection
"""An open transaction; whoever holds one may query, and must not commit."""


@dataclass(frozen=True, slots=True)
class DiskRefusal:
    """The last change that the database's disk had no room for; at first there is none."""

    reason: str = ""
    at: float = -math.inf
    """By the machine's monotonic clock."""

    def is_within(self, seconds: float) -> bool:
        """Say whether it was not longer ago than that."""
        return time.monotonic() - self.at <= seconds


class Database:
    """One SQLite file or one PostgreSQL database."""

    def __init__(self, url: str, limits: TimeLimits = USUAL) -> None:
        self._engine = open_engine(url, limits)
        self._checks = open_engine(url, FOR_CHECKS, 1)
        self._limits = limits
        self._lookups = Lookups(self._engine, limits.queue)
        self.presence = Presence(self._engine)
        self.is_in_doubt = False
        """Whether a change could not be written since somebody last proved that one can be."""
        self.disk_refusal = DiskRefusal()
        # SQLite has one writer. Waiting here is fair and exact; its own wait polls.
        self._writer = threading.Lock() if self._engine.dialect.name == "sqlite" else None

    @property
    def dialect_name(self) -> str:
        """Return `sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @property
    def engine_url(self) -> URL:
        """Return the address, its password hidden when shown."""
        return self._engine.url

    def lacks_connections(self, processes: int) -> str:
        """Say what is wrong where so many processes may ask for more connections than there are."""
        with self.reading() as tx:
            free = free_connections(tx)
        needed = processes * MOST_CONNECTIONS
        if free is None or needed <= free:
            return ""
        return (
            f"{processes} processes may need {needed} connections to the database, which allows"
            f" {free}; raise its max_connections or lower ROUNDSMAN_WORKERS"
        )

    def look_up(self, lookup: Lookup, **parameters: Any) -> Row | None:
        """Return the one row that a lookup finds, or None; for what every request asks."""
        return self._lookups.run(lookup, parameters)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Open a transaction that sees one state of the database and changes nothing."""
        with self._reading(self._engine) as connection:
            yield connection

    @contextmanager
    def reading_for_long(self) -> Iterator[Transaction]:
        """Open the same for what looks at very many rows."""
        with self._reading(self._engine) as connection, without_limits(connection):
            yield connection

    @contextmanager
    def checking(self) -> Iterator[Transaction]:
        """Open the same for a check: on a connection of its own, and not for long."""
        with self._reading(self._checks) as connection:
            yield connection

    @contextmanager
    def trying_to_write(self) -> Iterator[Transaction]:
        """Open a transaction that shows whether changes can be written now."""
        with self._writing(self._checks, FOR_CHECKS) as connection:
            yield connection

    @contextmanager
    def _reading(self, engine: Engine) -> Iterator[Transaction]:
        with (
            span("transaction", access="read"),
            _unavailable_when_away(),
            engine.connect() as connection,
            connection.begin(),
            _READ_SECONDS.time(),
        ):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Open a transaction that commits when the block ends well, and otherwise undoes all."""
        with self._writing(self._engine, self._limits) as connection:
            yield connection

    @contextmanager
    def writing_for_long(self) -> Iterator[Transaction]:
        """Open the same for a migration or a copy, which others of the kind are waited for."""
        with (
            self._writing(self._engine, self._limits, lock_seconds=_PATIENT_SECONDS) as connection,
            without_limits(connection),
        ):
            yield connection

    @contextmanager
    def _writing(
        self, engine: Engine, limits: TimeLimits, lock_seconds: float | None = None
    ) -> Iterator[Transaction]:
        try:
            with (
                span("transaction", access="write"),
                _unavailable_when_away(),
                self._in_turn(limits) as waited,
                engine.connect() as connection,
                connection.execution_options(
                    writes=True, lock_seconds=lock_seconds or limits.lock_after(waited)
                ).begin(),
                _WRITE_SECONDS.time(),
            ):
                yield connection
        except Unavailable as error:
            self.is_in_doubt = True
            if engine is self._engine and is_refused_by_disk(error.__cause__ or error):
                self.disk_refusal = DiskRefusal(error.message, time.monotonic())
            raise

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no change of this process begin meanwhile, on SQLite."""
        with self._in_turn(self._limits):
            yield

    @contextmanager
    def _in_turn(self, limits: TimeLimits) -> Iterator[float]:
        """Wait for the changes of this process before; the seconds that this took."""
        if self._writer is None:
            yield 0.0
            return
        began = time.monotonic()
        if not self._writer.acquire(timeout=limits.queue):
            metrics.DATABASE_AWAY.inc()
            raise Unavailable(_BUSY)
        try:
            yield time.monotonic() - began
        finally:
            self._writer.release()

    def close(self) -> None:
        """Close all connections."""
        self._lookups.close()
        self.presence.close()
        self._checks.dispose()
        self._engine.dispose()


@contextmanager
def _unavailable_when_away() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if is_away(error):
            metrics.DATABASE_AWAY.inc()
            raise Unavailable(describe_outage(error)) from error
        raise
    except PoolTimeout as error:
        metrics.DATABASE_AWAY.inc()
        raise Unavailable(_BUSY) from error
