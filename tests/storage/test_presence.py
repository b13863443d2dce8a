import psycopg
import pytest
from tests.support.databases import only_on_postgresql
from tests.support.waiting import wait_until

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.presence import presence_number

pytestmark = pytest.mark.both_databases

OURS, THEIRS = 7, 2**63 - 1


def is_shown(database: Database, number: int) -> bool:
    with database.reading() as tx:
        return database.presence.is_shown(tx, number)


def test_a_process_is_present_until_its_connections_end(database_url: str) -> None:
    here, there = Database(database_url), Database(database_url)
    here.presence.show(OURS)
    assert is_shown(here, OURS)
    assert not is_shown(here, THEIRS)
    there.presence.show(THEIRS)
    # SQLite is one process's database, so whoever asks is the only one alive.
    assert is_shown(here, THEIRS) == database_url.startswith("postgresql")
    there.close()
    # PostgreSQL lets go of a closed connection's locks when it gets to it.
    wait_until(lambda: not is_shown(here, THEIRS))
    here.close()


@only_on_postgresql
def test_a_process_whose_database_restarts_is_shown_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundsman.storage.presence._BELIEVED_SECONDS", 0)
    here, there = Database(database_url), Database(database_url)
    here.presence.show(OURS)
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert not is_shown(there, OURS)
    here.presence.show(OURS)
    assert is_shown(there, OURS)
    here.close()
    there.close()


def test_a_database_that_is_away_is_unavailable() -> None:
    database = Database("postgresql://x@127.0.0.1:1/x")
    with pytest.raises(Unavailable, match="nothing was changed"):
        database.presence.show(OURS)
    database.close()


def test_any_eight_bytes_make_a_number_that_postgresql_can_lock() -> None:
    for drawn in (b"\0" * 8, b"\xff" * 8):
        assert 0 <= presence_number(drawn) < 2**63
