"""A database that does not die but hangs: what is answered meanwhile, and how soon it goes on."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

import httpx2 as httpx
import psycopg
from tests.torture.installation import Installation, installed
from tests.torture.planners import VAN, Answered, ask, percentile, sign_in

_CHANGES_AT_ONCE = 12
_PATIENCE_SECONDS = 60
_LONGEST_REFUSAL_SECONDS = 10.0
_SLOWEST_READ_SECONDS = 1.0
_SLOWEST_CHECK_SECONDS = 2.0
_PAUSE_SECONDS = 0.15
"""A client may ask ten times a second."""

_READ = "/vehicles?query.limit=1"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hanging:
    """What clients were answered while another session held what every change waits for."""

    changes: int
    refused: int
    """How many of the changes were answered 503."""

    last_refusal: float
    """Seconds until the last of them was answered."""

    reads: int
    answered: int
    """How many of the reads were answered as usual."""

    slow_read: float
    """Seconds within which 95 of 100 of them were answered."""

    slowest_check: float
    """Seconds until `/readyz` said whether the server is ready, at most."""

    recovery: float
    """Seconds from the release to the first change that was made."""

    def bound(self) -> str:
        """Say when it holds."""
        return (
            f"every change answered 503 within {_LONGEST_REFUSAL_SECONDS:g} s, every read as usual,"
            f" 95 of 100 within {_SLOWEST_READ_SECONDS:g} s, /readyz within"
            f" {_SLOWEST_CHECK_SECONDS:g} s"
        )

    def holds(self) -> bool:
        return (
            (self.refused, self.answered) == (self.changes, self.reads)
            and self.last_refusal <= _LONGEST_REFUSAL_SECONDS
            and self.slow_read <= _SLOWEST_READ_SECONDS
            and self.slowest_check <= _SLOWEST_CHECK_SECONDS
        )

    def __str__(self) -> str:
        return (
            f"{self.refused} of {self.changes} changes answered 503 within"
            f" {self.last_refusal:.1f} s, {self.answered} of {self.reads} reads answered meanwhile,"
            f" 95 of 100 within {self.slow_read:.2f} s, /readyz within {self.slowest_check:.2f} s;"
            f" changes again {self.recovery:.2f} s after the release"
        )


def hang_database(kind: str, *, port: int) -> Hanging:
    """Hold what changes wait for, send changes and reads, let go, and see when it goes on."""
    with (
        installed(kind, port, clients=1) as installation,
        (installation.data / "log").open("wb") as log,
        httpx.Client(base_url=installation.address, timeout=_PATIENCE_SECONDS) as http,
    ):
        (server,) = installation.processes(log, workers=0)
        with server.serving():
            sign_in(http, installation.client_ids[0])
            assert _change(http).status == 200
            with _held(installation):
                changes, reads, checks = _send_meanwhile(http, installation.port)
            released = time.monotonic()
            while _change(http).status != 200:
                assert time.monotonic() - released < _PATIENCE_SECONDS, "does not go on"
            recovery = time.monotonic() - released
    return Hanging(
        changes=len(changes),
        refused=sum(one.status == 503 for one in changes),
        last_refusal=max(one.seconds for one in changes),
        reads=len(reads),
        answered=sum(one.status == 200 for one in reads),
        slow_read=percentile([one.seconds for one in reads], 0.95),
        slowest_check=max(one.seconds for one in checks),
        recovery=recovery,
    )


def _change(http: httpx.Client) -> Answered:
    return ask(http, "POST", "/vehicles", VAN)


def _send_meanwhile(
    http: httpx.Client, port: int
) -> tuple[list[Answered], list[Answered], list[Answered]]:
    """Send changes at once; until all are answered, read and ask whether the server is ready."""
    reads: list[Answered] = []
    checks: list[Answered] = []
    with ThreadPoolExecutor(_CHANGES_AT_ONCE) as clients:
        sent = [clients.submit(_change, http) for _ in range(_CHANGES_AT_ONCE)]
        while not all(one.done() for one in sent):
            reads.append(ask(http, "GET", _READ))
            checks.append(ask(http, "GET", f"http://127.0.0.1:{port}/readyz"))
            time.sleep(_PAUSE_SECONDS)
    return [one.result() for one in sent], reads, checks


@contextmanager
def _held(installation: Installation) -> Iterator[None]:
    """Hold the file of SQLite, or the rows of organizations, as a forgotten session does."""
    if installation.postgres is None:
        file = installation.url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    with psycopg.connect(installation.url) as other:
        other.execute("SELECT id FROM organizations FOR UPDATE")
        yield
        other.rollback()
