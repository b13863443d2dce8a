import re
from pathlib import Path

import pytest
from sqlalchemy import make_url, select, text
from sqlalchemy.exc import DBAPIError
from tests.storage.rows import ACME, OTHER, at

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.dialects import (
    describe_outage,
    free_connections,
    insert_all_missing,
    insert_missing,
    is_away,
    is_refused_by_disk,
    lock_installation,
    open_engine,
    open_for_lookups,
    sqlite_file,
    upsert,
    without_index,
)
from roundsman.storage.tables import installation_keys, organizations

pytestmark = pytest.mark.both_databases


def test_an_address_names_one_of_two_databases(database: Database) -> None:
    engine = open_engine(database.engine_url.render_as_string(hide_password=False))
    assert engine.dialect.name == database.dialect_name
    connection = open_for_lookups(engine)
    # Every statement is a transaction of its own: there is nothing that could be undone.
    connection.execute("INSERT INTO installation_keys (name, secret) VALUES ('k', '1')")
    connection.close()
    engine.dispose()
    with database.reading() as tx:
        assert tx.execute(select(installation_keys.c.name)).scalars().all() == ["k"]
    with pytest.raises(ValueError, match=re.escape('not "mysql:"')):
        open_engine("mysql://x@127.0.0.1/x")
    assert sqlite_file(make_url("sqlite:////x/y.db")) == Path("/x/y.db")
    assert sqlite_file(make_url("sqlite://")) is None
    assert sqlite_file(make_url("postgresql://x@y/z")) is None


def test_a_wrong_question_is_no_database_that_is_away(database: Database) -> None:
    wrong = (
        "SELECT nothing FROM nowhere",
        "INSERT INTO organizations (id) VALUES ('x')",
        "SELECT 1 +",
    )
    for statement in wrong:
        with pytest.raises(DBAPIError) as caught, database.writing() as tx:
            tx.execute(text(statement))
        assert not is_away(caught.value)
        assert not is_away(caught.value.orig or caught.value)
    assert not database.is_in_doubt


def test_a_database_that_takes_no_changes_is_away_and_says_that_nothing_was_changed(
    database: Database,
) -> None:
    refuse = {
        "sqlite": "PRAGMA query_only = ON",
        "postgresql": "SET TRANSACTION READ ONLY",
    }[database.dialect_name]

    def change() -> None:
        with database.writing() as tx:
            tx.exec_driver_sql(refuse)
            tx.execute(installation_keys.insert().values(name="k", secret=b"1"))

    with pytest.raises(Unavailable, match="database is away; nothing was changed") as caught:
        change()
    assert isinstance(caught.value.__cause__, DBAPIError)
    assert is_away(caught.value.__cause__)
    assert describe_outage(caught.value.__cause__) == str(caught.value)
    assert not is_refused_by_disk(caught.value.__cause__)
    assert database.is_in_doubt


def test_a_full_disk_is_said(database: Database) -> None:
    fill = {
        "sqlite": "INSERT INTO installation_keys VALUES ('k', zeroblob(1000000))",
        "postgresql": "DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$",
    }[database.dialect_name]

    def change() -> None:
        with database.writing() as tx:
            if database.dialect_name == "sqlite":
                tx.exec_driver_sql("PRAGMA max_page_count = 1")  # what there is, and no more
            tx.exec_driver_sql(fill)

    assert not database.disk_refusal.is_within(3_600)
    with pytest.raises(Unavailable, match="database's disk is full; nothing was changed") as caught:
        change()
    assert is_refused_by_disk(caught.value.__cause__ or caught.value)
    assert database.disk_refusal.is_within(3_600)
    assert database.disk_refusal.reason == str(caught.value)


def test_a_row_takes_the_place_of_the_one_with_its_keys_and_of_no_other(shared: Database) -> None:
    written = {
        "name": "written",
        "timezone": "Europe/Zurich",
        "webhook_secret": "1",
        "next_webhook_secret": "2",
        "routes_counted": 3,
        "created_at": at(4),
    }
    again = {**written, "name": "again", "next_webhook_secret": None, "created_at": at(5)}
    with shared.writing() as tx:
        untouched = tx.execute(select(organizations).where(organizations.c.id == OTHER)).one()
        for some in (written, again):
            rows = [{"id": ACME, **some}, {"id": "new", **some}]
            upsert(tx, organizations, rows, ["id"])
            found = tx.execute(select(organizations).order_by(organizations.c.id)).all()
            for row, wrote in zip(found, rows, strict=False):
                assert wrote.items() <= dict(row._mapping).items()
            assert found[2] == untouched


def test_a_column_that_no_index_serves_is_the_same_text(shared: Database) -> None:
    with shared.reading() as tx:
        column = without_index(organizations.c.id)
        found = tx.execute(select(organizations.c.id).where(column == ACME)).scalars().all()
        assert found == [ACME]


def test_a_server_says_how_many_connections_it_gives_and_who_sets_it_up(
    database: Database,
) -> None:
    with database.writing() as tx:
        lock_installation(tx)
        lock_installation(tx)
        assert free_connections(tx) == {"sqlite": None, "postgresql": 97}[database.dialect_name]


def test_a_row_is_inserted_where_there_is_none_with_its_key(shared: Database) -> None:
    row = {
        "id": ACME,
        "name": "again",
        "timezone": "UTC",
        "webhook_secret": "1",
        "routes_counted": 0,
        "created_at": at(1),
    }
    with shared.writing() as tx:
        before = tx.execute(select(organizations).where(organizations.c.id == ACME)).one()
        assert not insert_missing(tx, organizations, row, ["id"])
        assert tx.execute(select(organizations).where(organizations.c.id == ACME)).one() == before
        assert insert_missing(tx, organizations, {**row, "id": "new"}, ["id"])
        insert_all_missing(tx, organizations, [], ["id"])
        several = [{**row, "id": name, "name": "later"} for name in ("new", "third", "fourth")]
        insert_all_missing(tx, organizations, several, ["id"])
        found = tx.execute(select(organizations.c.id).where(organizations.c.name == "later"))
        assert sorted(found.scalars()) == ["fourth", "third"]
