from pathlib import Path

import psycopg
import pytest
from tests.storage.rows import ACME, HERE, route

from roundsman.domain.errors import Unavailable
from roundsman.storage import removed_rows
from roundsman.storage.database import Database
from roundsman.storage.removed_rows import purge_removed_rows
from roundsman.storage.routes import add_route, find_route

pytestmark = pytest.mark.both_databases

MARKER = "a marker that nobody else writes"


def samples_of(database: Database) -> str:
    """Return what PostgreSQL shows of columns' values; SQLite takes no samples."""
    if database.dialect_name == "sqlite":
        return ""
    with database.reading() as tx:
        query = "SELECT * FROM pg_stats WHERE tablename IN ('routes', 'route_search')"
        return str(tx.exec_driver_sql(query).all())


def add_routes(database: Database, *names: str) -> None:
    with database.writing() as tx:
        for name in names:
            add_route(tx, ACME, route(name, note=f"{name}, {MARKER}", stops=()))
    if database.dialect_name == "postgresql":
        with database.writing() as tx:
            tx.exec_driver_sql("ANALYZE routes")
        assert MARKER in samples_of(database)


def remove(database: Database, *names: str) -> None:
    with database.writing() as tx:
        for name in names:
            tx.exec_driver_sql(f"DELETE FROM route_search WHERE route_id = '{name}'")  # noqa: S608 -- our own
            tx.exec_driver_sql(f"DELETE FROM routes WHERE id = '{name}'")  # noqa: S608 -- as above


def check_files(database: Database) -> None:
    if database.dialect_name == "sqlite":
        for ending in ("", "-wal"):
            held = Path(f"{database.engine_url.database}{ending}").read_bytes()
            assert MARKER.encode() not in held


def test_nothing_of_a_removed_row_is_left_beside_rows_that_stay(shared: Database) -> None:
    add_routes(shared, "rte-1", "rte-2", "rte-3")
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-4", note=str(HERE)))
    remove(shared, "rte-1", "rte-2", "rte-3")
    with shared.alone():
        pass
    purge_removed_rows(shared)
    with shared.reading() as tx:
        assert find_route(tx, ACME, "rte-4") is not None
    assert MARKER not in samples_of(shared)
    check_files(shared)


def test_nothing_of_the_last_rows_of_a_table_is_left(shared: Database) -> None:
    add_routes(shared, "rte-1", "rte-2")
    remove(shared, "rte-1", "rte-2")
    purge_removed_rows(shared)
    assert MARKER not in samples_of(shared)
    check_files(shared)
    add_routes(shared, "rte-1", "rte-2")  # as before
    with shared.reading() as tx:
        assert find_route(tx, ACME, "rte-1") is not None


def test_who_cannot_be_purged_is_tried_again_later(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removed_rows, "_CHECKPOINT_MILLIS", 50)
    if database_url.startswith("sqlite"):
        database = Database(database_url)
        reader = Database(database_url)
        with reader.reading() as tx:
            tx.exec_driver_sql("SELECT * FROM routes").all()
            with pytest.raises(Unavailable):
                purge_removed_rows(database)
    else:
        with psycopg.connect(database_url) as connection:
            name = connection.info.dbname
        database = Database(database_url.replace(f"/{name}", "/nobody_has_made_this"))
        reader = database
        with pytest.raises(Unavailable):
            purge_removed_rows(database)
    reader.close()
    database.close()


def test_an_account_with_a_time_limit_is_purged_as_well(shared: Database) -> None:
    if shared.dialect_name == "postgresql":
        with shared.writing() as tx:
            tx.exec_driver_sql("ALTER ROLE CURRENT_USER SET statement_timeout = '1ms'")
    try:
        add_routes(shared, "rte-1", "rte-2")
        remove(shared, "rte-1", "rte-2")
        purge_removed_rows(shared)
        assert MARKER not in samples_of(shared)
    finally:
        if shared.dialect_name == "postgresql":
            with shared.writing() as tx:
                tx.exec_driver_sql("ALTER ROLE CURRENT_USER RESET statement_timeout")
