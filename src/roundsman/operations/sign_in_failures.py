"""Failed sign-ins: written down in a thread of their own, after they were answered.

Whose sign-in failed is looked up there too. So an answer takes as long whether there is such a
client or not, and the disk never makes anybody wait for it. Failures that wait are counted
together; of more than a thousand different ones the further are not written down.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock, Thread

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.domain.principal import Principal
from roundsman.domain.security_event import RequestOrigin, SecurityEventKind
from roundsman.kit.peers import counted_as
from roundsman.operations.security_events import record_hourly
from roundsman.storage.database import Database, Transaction

_MOST_WAITING = 1_000
_log = structlog.get_logger("roundsman.operations")

type FindPrincipals = Callable[[Transaction], Sequence[Principal]]


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedSignIn:
    """A sign-in that failed, and how to find out whose it would have been."""

    kind: SecurityEventKind
    claimed: str
    """The client ID or the e-mail that was sent, whatever it is."""

    find: FindPrincipals
    """Returns who is called so: nobody, or one principal for each organization."""

    at: datetime
    address: str
    user_agent: str
    times: int = 1
    follow_up: Callable[[Principal], None] | None = None
    """What else happens where somebody is called so: here, so that no answer waits for it."""

    def key(self) -> tuple[str, ...]:
        """Return what failures have in common that are counted together."""
        return self.kind, self.claimed, counted_as(self.address), f"{self.at:%Y%m%d%H}"


class SignInFailures:
    """Writes failures down, one thread at a time, which ends when nothing waits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._waiting: dict[tuple[str, ...], FailedSignIn] = {}
        self._thread: Thread | None = None

    def note(self, failed: FailedSignIn) -> None:
        """Have a failure written down soon."""
        key = failed.key()
        with self._lock:
            earlier = self._waiting.get(key)
            if earlier is not None:
                failed = replace(earlier, times=earlier.times + failed.times)
            elif len(self._waiting) >= _MOST_WAITING:
                return
            self._waiting[key] = failed
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._write_all, name="sign-in-failures")
                self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until what was noted is written down, or for so long."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _write_all(self) -> None:
        while waiting := self._take():
            written = 0
            try:
                for failed in waiting:
                    self._write(failed)
                    written += 1
            except Unavailable:
                # Each would wait as long for a database that is away.
                _log.warning("sign_in_failures_not_recorded", count=len(waiting) - written)

    def _take(self) -> list[FailedSignIn]:
        """Return what waits; where nothing does, this thread ends and the next failure has one."""
        with self._lock:
            waiting = list(self._waiting.values())
            self._waiting = {}
            if not waiting:
                self._thread = None
        return waiting

    def _write(self, failed: FailedSignIn) -> None:
        with self._database.reading() as tx:
            principals = failed.find(tx)
        _log.info(
            "sign_in_failed",
            kind=failed.kind,
            address=failed.address,
            times=failed.times,
            known=bool(principals),
        )
        for principal in principals:
            origin = RequestOrigin(
                principal=principal, address=failed.address, user_agent=failed.user_agent
            )
            # One row a transaction: several processes that write cannot wait for each other.
            with self._database.writing() as tx:
                record_hourly(tx, origin, failed.kind, failed.at, failed.times)
        if failed.follow_up is not None and principals:
            failed.follow_up(principals[0])
