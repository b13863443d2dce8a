from pathlib import Path

import psycopg
import pytest
from sqlalchemy import bindparam, select

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.installation import add_key
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import installation_keys

KEY = Lookup(
    select(installation_keys.c.secret).where(installation_keys.c.name == bindparam("wanted"))
)


def test_a_lookup_finds_what_was_committed_a_moment_ago(database: Database) -> None:
    assert database.look_up(KEY, wanted="k") is None
    for secret in (b"1", b"2"):
        with database.writing() as tx:
            add_key(tx, f"k{secret.decode()}", secret)
        assert database.look_up(KEY, wanted=f"k{secret.decode()}") == (secret,)


def test_a_lookup_leaves_no_snapshot_behind_that_would_hold_up_the_log(database: Database) -> None:
    database.look_up(KEY, wanted="k")
    with database.writing() as tx:
        add_key(tx, "k", b"1")
    if database.dialect_name == "sqlite":
        with database.reading() as tx:
            tx.exec_driver_sql("COMMIT")
            busy, *_ = tx.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            tx.exec_driver_sql("BEGIN")
        assert busy == 0


def test_a_connection_that_died_while_idle_is_replaced(database_url: str) -> None:
    if not database_url.startswith("postgresql"):
        return
    database = Database(database_url)
    with database.writing() as tx:
        add_key(tx, "k", b"1")
    assert database.look_up(KEY, wanted="k") == (b"1",)
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert database.look_up(KEY, wanted="k") == (b"1",)
    database.close()


def test_a_database_that_is_away_is_unavailable(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path / 'none' / 'x.db'}", "postgresql://x@127.0.0.1:1/x"):
        database = Database(url)
        with pytest.raises(Unavailable, match="nothing was changed"):
            database.look_up(KEY, wanted="k")
        database.close()
