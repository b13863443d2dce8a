import sqlite3
from queue import SimpleQueue
from threading import Barrier, Thread

import pytest

from roundsman.domain.errors import Unavailable
from roundsman.storage.dialects import MOST_LOOKUPS
from roundsman.storage.idle_connections import IdleConnections


class Connection:
    """A connection that notes how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def echo(_connection: Connection, statement: str, bound: str) -> str:
    return statement + bound


@pytest.mark.parametrize("error", [sqlite3.OperationalError, ValueError, KeyboardInterrupt])
def test_a_place_comes_back_whatever_went_wrong(error: type[BaseException]) -> None:
    connections = IdleConnections(Connection)

    def fail(_connection: Connection, _statement: str, _bound: str) -> str:
        raise error

    for _ in range(2 * MOST_LOOKUPS):
        with pytest.raises(error):
            connections.use(fail, "a", "b")
    assert connections.use(echo, "a", "b") == "ab"


def test_a_place_comes_back_when_there_is_no_connection() -> None:
    away = sqlite3.OperationalError("unable to open database file")
    away.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    refusals = [away] * 2 * MOST_LOOKUPS

    def connect() -> Connection:
        if refusals:
            raise refusals.pop()
        return Connection()

    connections = IdleConnections(connect)
    for _ in range(2 * MOST_LOOKUPS):
        with pytest.raises(Unavailable):
            connections.use(echo, "a", "b")
    assert connections.use(echo, "a", "b") == "ab"


def test_as_many_are_opened_as_are_used_at_once_and_no_more_than_there_are_places() -> None:
    opened: SimpleQueue[Connection] = SimpleQueue()
    all_at_work = Barrier(MOST_LOOKUPS)

    def connect() -> Connection:
        opened.put(Connection())
        return Connection()

    def work(_connection: Connection, _statement: str, _bound: str) -> None:
        all_at_work.wait(60)

    connections = IdleConnections(connect)
    for _ in range(3):
        assert connections.use(echo, "a", "b") == "ab"
    assert opened.qsize() == 1
    threads = [
        Thread(target=connections.use, args=[work, "a", "b"]) for _ in range(3 * MOST_LOOKUPS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert opened.qsize() == MOST_LOOKUPS
    assert not all_at_work.broken
