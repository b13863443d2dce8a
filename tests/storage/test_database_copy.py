"""A whole database moves in either direction; `tests/cli` moves one by its commands."""

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.storage.rows import (
    ACME,
    NOW,
    OTHER,
    STRANGE,
    add_drivers,
    add_subscriptions,
    event,
    imported_stop,
    organization,
    route,
    stop,
    subscription,
)
from tests.support.databases import copy_sqlite

from roundsman.domain.errors import FailedPrecondition
from roundsman.storage.database import Database
from roundsman.storage.database_copy import copy_database, write_backup
from roundsman.storage.events import add_events
from roundsman.storage.imported_stops import save_imported_stops
from roundsman.storage.installation import add_key, find_key
from roundsman.storage.organizations import add_organization, select_organizations
from roundsman.storage.outbox import add_to_outbox
from roundsman.storage.routes import StoredRoute, add_route, save_route
from roundsman.storage.schema import metadata
from roundsman.storage.tables import unrouted_stops

pytestmark = pytest.mark.both_databases

MANY = 501
"""One more than are copied at once."""


@pytest.fixture
def full(shared: Database) -> Database:
    """Rows of most kinds; one of two imported stops is on a route."""
    plain = route("rte-1", archived_at=NOW)
    routed = route("rte-1", stops=(stop("stp-1", imported_stop_id="ist-1", note=STRANGE),))
    with shared.writing() as tx:
        add_drivers(tx, drv_1=ACME, drv_2=OTHER)
        stops = [imported_stop("ist-1"), imported_stop("ist-2", note=STRANGE)]
        save_imported_stops(tx, ACME, stops, NOW)
        add_route(tx, ACME, plain)
        save_route(tx, ACME, routed, read=StoredRoute(route=plain, version=1))
        add_subscriptions(tx, subscription("s"))
        add_events(tx, [event("e", payload_id="p")], {"p": STRANGE.encode()})
        add_to_outbox(tx, [(event("e"), subscription("s"), event("e").timestamp)])
        for number in range(MANY):
            add_key(tx, f"key {number}", bytes([number % 256, 0]))
    return shared


def rows(database: Database) -> dict[str, set[tuple[object, ...]]]:
    with database.reading() as tx:
        return {
            table.name: {tuple(row) for row in tx.execute(select(table))}
            for table in metadata.sorted_tables
        }


def test_a_copy_in_another_database_has_every_row_as_it_was(
    full: Database, migrated_sqlite: Path, tmp_path: Path
) -> None:
    told: list[tuple[str, int]] = []
    target = Database(copy_sqlite(migrated_sqlite, tmp_path / "copy.db"))
    copied = copy_database(full, target, lambda table, count: told.append((table, count)))
    assert copied["installation_keys"] == MANY
    assert [count for table, count in told if table == "installation_keys"] == [500, MANY]
    assert rows(target) == rows(full)
    assert {name: len(found) for name, found in rows(target).items()} == copied
    with target.reading() as tx:
        assert tx.execute(select(unrouted_stops.c.stop_id)).scalars().all() == ["ist-2"]
    with pytest.raises(FailedPrecondition, match="the target is not empty: it has rows in "):
        copy_database(full, target, lambda *_: None)
    target.close()


def test_a_copy_from_sqlite_has_every_row_as_it_was(
    database: Database, migrated_sqlite: Path, tmp_path: Path
) -> None:
    source = Database(copy_sqlite(migrated_sqlite, tmp_path / "source.db"))
    with source.writing() as tx:
        add_organization(tx, organization(ACME, name=STRANGE), NOW)
        add_key(tx, STRANGE, bytes(range(256)))
        save_imported_stops(tx, ACME, [imported_stop("ist-1")], NOW)
    copied = copy_database(source, database, lambda *_: None)
    assert {name: count for name, count in copied.items() if count} == {
        "organizations": 1, "installation_keys": 1, "imported_stops": 1, "unrouted_stops": 1,
    }  # fmt: skip
    assert rows(database) == rows(source)
    source.close()


def test_a_copy_that_fails_leaves_the_target_as_empty_as_it_was(
    full: Database, migrated_sqlite: Path, tmp_path: Path
) -> None:
    class Broken(Exception):
        pass

    def break_off(table: str, _count: int) -> None:
        if table == "outbox":
            raise Broken

    target = Database(copy_sqlite(migrated_sqlite, tmp_path / "copy.db"))
    with pytest.raises(Broken):
        copy_database(full, target, break_off)
    assert not any(rows(target).values())
    target.close()


def test_a_backup_is_one_whole_file_of_sqlite_alone(full: Database, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    if full.dialect_name == "postgresql":
        with pytest.raises(FailedPrecondition, match="use pg_dump"):
            write_backup(full, file)
        assert not file.exists()
        return
    assert write_backup(full, file) == file.stat().st_size
    with pytest.raises(FailedPrecondition, match="exists already; name a new file"):
        write_backup(full, file)
    restored = Database(f"sqlite:///{file}")
    assert rows(restored) == rows(full)
    with restored.reading() as tx:
        assert [one.id for one in select_organizations(tx)] == [ACME, OTHER]
        assert find_key(tx, "key 500") == b"\xf4\0"
    restored.close()
    with pytest.raises(FailedPrecondition, match="no folder that can be written to"):
        write_backup(full, tmp_path / "nowhere" / "backup.db")
