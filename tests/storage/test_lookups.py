from contextlib import nullcontext
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import bindparam, create_engine, insert, select
from tests.support.databases import only_on_postgresql

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.dialects import open_for_lookups
from roundsman.storage.installation import add_key
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import installation_keys, rate_buckets

pytestmark = pytest.mark.both_databases

SECRET = select(installation_keys.c.secret).where(installation_keys.c.name == bindparam("wanted"))
KEY = Lookup(SECRET)
NUMBER = Lookup(select(rate_buckets.c.full_at).where(rate_buckets.c.key == bindparam("wanted")))


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


@only_on_postgresql
def test_a_connection_that_died_while_idle_is_replaced(database_url: str) -> None:
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


def test_a_text_is_looked_up_whatever_stands_in_it(database: Database) -> None:
    names = [
        "plain",
        '{"a",b}',
        "NULL",
        "back\\slash",
        "Zürich 東京",
        "",
        "a'b",
        "%s",
        "%(wanted)s",
    ]
    with database.writing() as tx:
        for name in names:
            add_key(tx, name, name[::-1].encode())
    for name in names:
        assert database.look_up(KEY, wanted=name) == (name[::-1].encode(),)
    assert database.look_up(KEY, wanted="nobody's") is None


def test_a_lookup_that_fails_leaves_the_next_one_a_connection(database: Database) -> None:
    with database.writing() as tx:
        add_key(tx, "k", b"1")
    # PostgreSQL's texts hold no NUL; SQLite's do.
    with nullcontext() if database.dialect_name == "sqlite" else pytest.raises(psycopg.DataError):
        assert database.look_up(KEY, wanted="\0") is None
    assert database.look_up(KEY, wanted="k") == (b"1",)


def test_whole_numbers_are_read_as_they_are(database: Database) -> None:
    numbers = (0, -1, 2**62, -(2**62))
    with database.writing() as tx:
        for number in numbers:
            tx.execute(insert(rate_buckets).values(key=str(number), full_at=number))
    for number in numbers:
        assert database.look_up(NUMBER, wanted=str(number)) == (number,)


@only_on_postgresql
def test_a_row_is_looked_up_by_its_key(database_url: str) -> None:
    """The plan is made once, when there may be few rows: it must not be one that reads them all."""
    database = Database(database_url)
    engine = create_engine(database.engine_url)
    connection = open_for_lookups(engine)
    sql = "EXPLAIN SELECT secret FROM installation_keys WHERE name = %s"
    plan = connection.execute(sql, ["k"], prepare=True).fetchall()
    assert "Index Scan using pk_installation_keys" in str(plan)
    connection.close()
    engine.dispose()
    database.close()
