"""A database that hangs is given up: locked, slow, silent, or without a connection left."""

import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from sqlalchemy import bindparam, select, text

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.dialects import MOST_TRANSACTIONS
from roundsman.storage.lookups import Lookup
from roundsman.storage.migrate import migrate
from roundsman.storage.tables import installation_keys
from roundsman.storage.time_limits import TimeLimits

KEY = Lookup(
    select(installation_keys.c.secret).where(installation_keys.c.name == bindparam("wanted"))
)
QUICK = TimeLimits(connect=3, statement=1, queue=1, sqlite_lock=0.5)
"""Soon over, and yet long enough for what is to be answered on a busy machine."""


@pytest.fixture
def postgres(new_postgres_url: str) -> str:
    database = Database(new_postgres_url)
    migrate(database)
    database.close()
    return new_postgres_url


@contextmanager
def opened(url: str, limits: TimeLimits = QUICK) -> Iterator[Database]:
    database = Database(url, limits)
    try:
        yield database
    finally:
        database.close()


def refused(ask: Callable[[], object]) -> str:
    with pytest.raises(Unavailable) as refusal:
        ask()
    assert refusal.value.message.endswith("; nothing was changed")
    return refusal.value.message.removesuffix("; nothing was changed")


def read(database: Database, statement: str = "SELECT 1") -> None:
    with database.reading() as tx:
        tx.execute(text(statement))


def write(database: Database, statement: str) -> None:
    with database.writing() as tx:
        tx.execute(text(statement))


def test_a_change_that_waits_for_what_a_forgotten_session_holds_is_given_up(postgres: str) -> None:
    with opened(postgres) as database, psycopg.connect(postgres) as forgotten:
        forgotten.execute("INSERT INTO installation_keys VALUES ('held', 'x')")
        insert = "INSERT INTO installation_keys VALUES ('held', 'y')"
        assert "another change holds" in refused(lambda: write(database, insert))
        read(database)
        forgotten.rollback()
        write(database, insert)
        forgotten.execute("LOCK TABLE installation_keys")
        asked = "SELECT name FROM installation_keys"
        assert "another change holds" in refused(lambda: read(database, asked))


def test_a_statement_that_takes_too_long_is_ended_and_a_migration_is_not(postgres: str) -> None:
    with opened(postgres) as database:
        long = "SELECT pg_sleep(1.5)"
        assert "took too long" in refused(lambda: read(database, long))
        with database.writing_for_long() as tx:
            tx.execute(text(long))
        assert "took too long" in refused(lambda: read(database, long)), "for one transaction only"


def test_a_transaction_that_does_nothing_is_ended(postgres: str) -> None:
    def idle() -> None:
        with database.writing() as tx, psycopg.connect(postgres, autocommit=True) as watching:
            tx.execute(text("INSERT INTO installation_keys VALUES ('idle', 'x')"))
            ask = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
            while watching.execute(ask).fetchone() != (0,):
                watching.execute("SELECT pg_sleep(0.05)")
            tx.execute(text("SELECT 1"))

    with opened(postgres) as database:
        refused(idle)
        read(database)


class Relay:
    """Passes bytes on, until it is told to fall silent: its host is there, and answers nothing."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.url = url.replace(f":{parts.port}/", f":{port}/")
        self.speaks = threading.Event()
        self.speaks.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError), source, target:
            while sent := source.recv(65536):
                self.speaks.wait()
                target.sendall(sent)


def test_a_server_that_falls_silent_is_given_up_on_every_connection(postgres: str) -> None:
    relay = Relay(postgres)
    with opened(relay.url) as database:
        ask: tuple[Callable[[], object], ...] = (
            lambda: read(database),
            lambda: database.look_up(KEY, wanted="a"),
            lambda: database.presence.show(7),
        )
        for one in ask:
            assert one() is None
        relay.speaks.clear()
        for one in ask[:2]:
            assert refused(one) == "database does not answer"
        relay.speaks.set()
        for one in ask:
            assert one() is None
    relay.close()


def test_a_host_that_takes_connections_and_is_silent_is_given_up() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        opened(f"postgresql://x@127.0.0.1:{silent.getsockname()[1]}/x") as database,
    ):
        assert refused(lambda: read(database)) == "database does not answer"


def test_a_connection_is_waited_for_so_long_and_a_check_has_one_of_its_own(postgres: str) -> None:
    with opened(postgres) as database, ExitStack() as taken:
        for _ in range(MOST_TRANSACTIONS):
            taken.enter_context(database.reading())
        assert refused(lambda: read(database)) == "database is busy"
        with database.checking() as tx:
            tx.execute(text("SELECT 1"))


def test_a_database_locked_by_another_program_is_told_so_and_read_on(tmp_path: Path) -> None:
    file = tmp_path / "roundsman.db"
    change = "INSERT INTO installation_keys VALUES ('a', 'x')"
    with opened(f"sqlite:///{file}") as database, ThreadPoolExecutor(1) as others:
        migrate(database)
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        locked = "database is locked by another program"
        assert refused(lambda: write(database, change)) == locked
        read(database)
        # Who is in the way here is waited for as long as one that migrates needs.
        patient = others.submit(lambda: _write_for_long(database, change))
        with pytest.raises(TimeoutError):
            patient.result(timeout=1)
        other.execute("COMMIT")
        patient.result(timeout=60)
        other.execute("BEGIN IMMEDIATE")
        assert refused(lambda: write(database, change)) == locked, "once only"
        other.close()


def _write_for_long(database: Database, statement: str) -> None:
    with database.writing_for_long() as tx:
        tx.execute(text(statement))


def test_changes_of_one_process_wait_for_each_other_so_long(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path / 'a.db'}") as database, ThreadPoolExecutor(1) as others:
        migrate(database)
        with database.writing():
            refusal = others.submit(refused, lambda: write(database, "SELECT 1"))
            assert refusal.result(timeout=60) == "database is busy"


def test_queue_and_lock_are_waited_for_no_longer_together_than_the_queue_alone() -> None:
    limits = TimeLimits(queue=8, sqlite_lock=5)
    assert [limits.lock_after(waited) for waited in (0, 3, 6, 8, 9)] == [5, 5, 2, 0, 0]
