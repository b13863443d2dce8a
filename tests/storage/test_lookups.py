import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, create_engine, insert, select
from tests.support.databases import only_on_postgresql

from roundsman.domain.errors import Unavailable
from roundsman.doors.hop import Hop
from roundsman.kit.asking import Inquiry
from roundsman.storage.database import Database
from roundsman.storage.dialects import open_for_lookups
from roundsman.storage.installation import add_key
from roundsman.storage.lookups import Lookup
from roundsman.storage.prepared import LookupOfMany
from roundsman.storage.tables import installation_keys, rate_buckets

pytestmark = pytest.mark.both_databases

SECRET = select(installation_keys.c.secret).where(installation_keys.c.name == bindparam("wanted"))
KEY = Lookup(SECRET)
NUMBER = Lookup(select(rate_buckets.c.full_at).where(rate_buckets.c.key == bindparam("wanted")))


def answer_together(inquiries: Sequence[Inquiry[Any]]) -> list[Any]:
    """Return the answers to inquiries with one question each, or the errors in their place."""

    async def inquire() -> list[Any]:
        asking = (hop.inquire(inquiry) for inquiry in inquiries)
        return await asyncio.gather(*asking, return_exceptions=True)

    hop = Hop(1, "asking")
    answers = asyncio.run(inquire())
    hop.close()
    return answers


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


def test_questions_are_answered_together_each_in_its_place(database: Database) -> None:
    """Whatever stands in a text: nothing of it is taken for a list's own punctuation."""
    names = ["plain", '{"a",b}', "NULL", "back\\slash", "Zürich 東京", "", "a'b"]
    with database.writing() as tx:
        for name in names:
            add_key(tx, name, name[::-1].encode())
    asked = [*names, "nobody's", "plain"]
    answers = answer_together([database.ask(KEY, wanted=name) for name in asked])
    assert answers == [(name[::-1].encode(),) for name in names] + [None, (b"nialp",)]


def test_a_question_that_cannot_be_asked_is_the_only_one_to_fail(database: Database) -> None:
    with database.writing() as tx:
        add_key(tx, "k", b"1")
    answers = answer_together([database.ask(KEY, wanted=name) for name in ("k", "\0", "k")])
    assert [answers[0], answers[2]] == [(b"1",), (b"1",)]
    # PostgreSQL's texts hold no NUL; SQLite's do.
    assert answers[1] is None or isinstance(answers[1], psycopg.DataError)
    assert database.look_up(KEY, wanted="k") == (b"1",)


def test_whole_numbers_are_read_as_they_are(database: Database) -> None:
    numbers = (0, -1, 2**62, -(2**62))
    with database.writing() as tx:
        for number in numbers:
            tx.execute(insert(rate_buckets).values(key=str(number), full_at=number))
    asked = [database.ask(NUMBER, wanted=str(number)) for number in numbers]
    assert answer_together(asked) == [(number,) for number in numbers]
    assert database.look_up(NUMBER, wanted="-1") == (-1,)


def test_all_rows_of_a_statement_are_listed_in_its_order(database: Database) -> None:
    every = Lookup(select(rate_buckets.c.key, rate_buckets.c.full_at).order_by(rate_buckets.c.key))
    assert database.list_rows(every) == []
    with database.writing() as tx:
        for key in ("b", "a", "東"):
            tx.execute(insert(rate_buckets).values(key=key, full_at=-(2**62)))
    for _ in range(2):
        assert database.list_rows(every) == [(key, -(2**62)) for key in ("a", "b", "東")]
    assert database.look_up(every) == ("a", -(2**62))


@only_on_postgresql
def test_a_connection_that_died_while_idle_is_replaced_for_all_who_ask(database_url: str) -> None:
    database = Database(database_url)
    answer_together([database.ask(KEY, wanted="k")])
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert answer_together([database.ask(KEY, wanted="k") for _ in range(3)]) == [None] * 3
    database.close()


def test_all_who_ask_a_database_that_is_away_are_told(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path / 'none' / 'x.db'}", "postgresql://x@127.0.0.1:1/x"):
        database = Database(url)
        answers = answer_together([database.ask(KEY, wanted="k") for _ in range(3)])
        assert [type(answer) for answer in answers] == [Unavailable] * 3
        database.close()


@only_on_postgresql
def test_rows_are_looked_up_by_their_keys_however_many_are_asked_for(database_url: str) -> None:
    """The plan is made once, when there may be few rows: it must not be one that reads them all."""
    prepared = LookupOfMany(SECRET)
    database = Database(database_url)
    engine = create_engine(database.engine_url)
    connection = open_for_lookups(engine)
    connection.pgconn.prepare(b"planned", prepared.sql, prepared.numbers)
    plan = connection.execute(b"EXPLAIN EXECUTE planned(NULL)").fetchall()
    assert "Index Scan using pk_installation_keys" in str(plan)
    assert "Seq Scan" not in str(plan)
    connection.close()
    engine.dispose()
    database.close()
