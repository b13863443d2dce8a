from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import select
from tests.storage.rows import ACME, NOW, organization

from roundsman.storage.database import Database
from roundsman.storage.organizations import add_organization
from roundsman.storage.tables import as_micros, from_micros, organizations

pytestmark = pytest.mark.both_databases

MOMENTS = {
    datetime(1, 1, 1, tzinfo=UTC): -62_135_596_800_000_000,
    datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC): -1,
    datetime(1970, 1, 1, tzinfo=UTC): 0,
    datetime(2026, 7, 1, 10, 30, 0, 123_457, tzinfo=timezone(timedelta(hours=2))): (
        1_782_894_600_123_457
    ),
    datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC): 253_402_300_799_999_999,
}


def test_a_moment_is_stored_as_whole_microseconds_and_read_as_utc(database: Database) -> None:
    with database.writing() as tx:
        for number, moment in enumerate(MOMENTS):
            add_organization(tx, organization(f"{ACME}-{number}"), moment)
        written = "SELECT created_at FROM organizations ORDER BY created_at"
        assert tx.exec_driver_sql(written).scalars().all() == list(MOMENTS.values())
        read = tx.execute(
            select(organizations.c.created_at).order_by(organizations.c.created_at)
        ).scalars()
        for found, moment in zip(read, MOMENTS, strict=True):
            assert found == moment
            assert found.utcoffset() == timedelta()
        later = select(organizations.c.id).where(organizations.c.created_at > NOW)
        assert tx.execute(later).scalars().all() == [f"{ACME}-4"]
    assert [as_micros(moment) for moment in MOMENTS] == list(MOMENTS.values())
    assert [from_micros(number) for number in MOMENTS.values()] == list(MOMENTS)
