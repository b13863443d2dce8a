"""Routes that were dispatched before the driver's side came are open to their drivers after it."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from tests.storage.upgrading import upgrade_to

from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

UNTIL = datetime(2024, 7, 2, 8, 30, 0, 250_000, tzinfo=UTC)
MICROS = int(UNTIL.timestamp()) * 1_000_000 + 250_000


def test_running_dispatches_are_filled_in(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0001")
    until = '"dispatchedUntil":"2024-07-02T08:30:00.250000Z"'
    bodies = {
        "rte-1": f'{{"id":"rte-1",{until},"driverId":"drv-1"}}',
        "rte-2": f'{{"id":"rte-2",{until},"driverId":""}}',
        "rte-3": '{"id":"rte-3","note":"dispatchedUntil","driverId":"drv-1"}',
    }
    route = text(
        "INSERT INTO routes (id, organization_id, version, created_at, updated_at, scheduled_for, "
        "body) VALUES (:id, 'acme-0001', 1, 0, 0, 0, :body)"
    )
    with database.writing() as tx:
        tx.exec_driver_sql("INSERT INTO organizations VALUES ('acme-0001', 'A', 'UTC', 'x', 0, 0)")
        for id_, body in bodies.items():
            tx.execute(route, {"id": id_, "body": body})
    upgrade_to(database, "0003")
    with database.reading() as tx:
        rows = tx.exec_driver_sql("SELECT id, dispatched_until, driver_id FROM routes ORDER BY id")
        found = [tuple(row) for row in rows]
    database.close()
    assert found == [
        ("rte-1", MICROS, "drv-1"),
        ("rte-2", MICROS, ""),
        ("rte-3", None, None),
    ]
