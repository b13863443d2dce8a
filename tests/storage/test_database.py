import threading
from datetime import UTC, datetime

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from roundsman.domain.errors import Unavailable
from roundsman.domain.organization import Organization
from roundsman.storage.database import Database
from roundsman.storage.migrate import known_revisions, migrate
from roundsman.storage.organizations import add_organization, count_route, select_organizations
from roundsman.storage.tables import metadata
from roundsman.storage.upgrading import read_scripts

pytestmark = pytest.mark.both_databases

NOW = datetime(2024, 7, 1, tzinfo=UTC)
ACME = Organization(id="acme-0001", name="Acme", timezone="UTC", webhook_secret="x")


def test_migrations_leave_the_schema_that_the_tables_describe(database: Database) -> None:
    with database.reading() as tx:
        context = MigrationContext.configure(tx, opts={"compare_type": False})
        assert compare_metadata(context, metadata) == []


def test_migrating_twice_changes_nothing(database: Database) -> None:
    migrate(database)
    with database.reading() as tx:
        assert tx.exec_driver_sql("SELECT version_num FROM alembic_version").fetchall() == [
            (known_revisions()[-1],)
        ]


def test_the_migrations_are_known_by_their_files() -> None:
    # They are counted without the library that applies them.
    scripts = read_scripts()
    in_order = [script.revision for script in scripts.walk_revisions()][::-1]
    assert known_revisions() == in_order


def test_a_failed_write_leaves_nothing(database: Database) -> None:
    def add_twice() -> None:
        with database.writing() as tx:
            add_organization(tx, ACME, NOW)
            add_organization(tx, ACME, NOW)

    with pytest.raises(IntegrityError):
        add_twice()
    with database.reading() as tx:
        assert select_organizations(tx) == []


def test_concurrent_counts_never_repeat(database: Database) -> None:
    with database.writing() as tx:
        add_organization(tx, ACME, NOW)
    counted: list[int] = []

    def count() -> None:
        for _ in range(10):
            with database.writing() as tx:
                counted.append(count_route(tx, "acme-0001"))

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(counted) == list(range(1, 81))


def test_a_database_that_is_away_is_unavailable() -> None:
    away = Database("postgresql://roundsman@127.0.0.1:1/none")
    with pytest.raises(Unavailable), away.reading():
        pass


def test_checks_and_long_transactions_see_and_write_what_others_do(database: Database) -> None:
    with database.writing_for_long() as tx:
        add_organization(tx, ACME, NOW)
    with database.reading_for_long() as tx:
        assert select_organizations(tx) == [ACME]
    with database.checking() as tx:
        assert select_organizations(tx) == [ACME]
    with database.trying_to_write() as tx:
        assert count_route(tx, ACME.id) == 1
    with database.writing() as tx:
        assert count_route(tx, ACME.id) == 2
