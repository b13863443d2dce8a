"""The stops on no route are listed without passing those that are, whoever put them there."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, select, text
from tests.storage.upgrading import upgrade_to

from roundsman.domain.address import Coordinates
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.organization import Organization
from roundsman.storage.database import Database, Transaction
from roundsman.storage.imported_stops import (
    StopFilter,
    remove_imported_stop,
    save_imported_stops,
    select_imported_stops,
)
from roundsman.storage.organizations import add_organization
from roundsman.storage.tables import unrouted_stops

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 7, 1, tzinfo=UTC)
ROUTES = [f"rte-{number}" for number in range(3)]


@pytest.fixture
def organized(database: Database) -> Database:
    """Two organizations, the first with three routes."""
    with database.writing() as tx:
        organize(tx)
    return database


def organize(tx: Transaction) -> None:
    for name in ("acme", "other"):
        add_organization(
            tx, Organization(id=name, name=name, timezone="UTC", webhook_secret="s"), NOW
        )
    for route in ROUTES:
        tx.execute(
            text(
                "INSERT INTO routes (id, organization_id, version, created_at, updated_at,"
                " scheduled_for, body) VALUES (:id, 'acme', 1, 0, 0, 0, '')"
            ),
            {"id": route},
        )


def import_stop(tx: Transaction, number: int, at: datetime = NOW, owner: str = "acme") -> None:
    stop = ImportedStop(
        id=f"ist-{number}",
        imported_at=NOW + timedelta(seconds=number),
        coordinates=Coordinates(latitude=1, longitude=2),
    )
    save_imported_stops(tx, owner, [stop], at)


def put_on_route(tx: Transaction, route: str, number: int, owner: str = "acme") -> None:
    tx.execute(
        text("INSERT INTO route_stop_origins VALUES (:stop, :route, :owner, :origin)"),
        {
            "stop": f"{owner}-{route}-{number}",
            "route": route,
            "owner": owner,
            "origin": f"ist-{number}",
        },
    )


def take_off_route(tx: Transaction, route: str, number: int) -> None:
    tx.execute(
        text("DELETE FROM route_stop_origins WHERE stop_id = :stop"),
        {"stop": f"acme-{route}-{number}"},
    )


def list_unrouted(tx: Transaction, *, by_update: bool = False) -> list[str]:
    wanted = StopFilter(by_update=by_update, starting=None, ending=None, unrouted=True)
    return [stop.id for _, stop in select_imported_stops(tx, "acme", wanted, None, 100)]


def test_a_stop_is_unrouted_until_it_is_on_a_route_and_again_when_on_none(
    organized: Database,
) -> None:
    with organized.writing() as tx:
        import_stop(tx, 1)
        assert list_unrouted(tx) == ["ist-1"]
        put_on_route(tx, "rte-0", 1)
        put_on_route(tx, "rte-1", 1)
        assert list_unrouted(tx) == []
        take_off_route(tx, "rte-0", 1)
        assert list_unrouted(tx) == []
        tx.execute(text("DELETE FROM routes WHERE id = 'rte-1'"))
        assert list_unrouted(tx) == ["ist-1"]
        remove_imported_stop(tx, "acme", "ist-1")
        assert list_unrouted(tx) == []
        assert tx.execute(select(unrouted_stops)).all() == []


def test_unrouted_stops_are_listed_newest_first_or_by_their_last_import(
    organized: Database,
) -> None:
    with organized.writing() as tx:
        for number in range(3):
            import_stop(tx, number)
        import_stop(tx, 0, NOW + timedelta(days=1))
        assert list_unrouted(tx) == ["ist-2", "ist-1", "ist-0"]
        assert list_unrouted(tx, by_update=True) == ["ist-1", "ist-2", "ist-0"]


def test_another_organization_can_route_nothing_of_ours(organized: Database) -> None:
    with organized.writing() as tx:
        import_stop(tx, 1)
        put_on_route(tx, "rte-0", 1, owner="other")
        assert list_unrouted(tx) == ["ist-1"]


@pytest.mark.parametrize("seed", range(3))
def test_the_list_holds_whatever_happens_in_whatever_order(organized: Database, seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    stops: set[int] = set()
    routed: set[tuple[str, int]] = set()
    with organized.writing() as tx:
        for _ in range(120):
            route, number = draw.choice(ROUTES), draw.randrange(5)
            match draw.choice(("import", "remove", "put", "put", "take")):
                case "import":
                    import_stop(tx, number)
                    stops.add(number)
                case "remove":
                    remove_imported_stop(tx, "acme", f"ist-{number}")
                    stops.discard(number)
                case "put" if (route, number) not in routed:
                    put_on_route(tx, route, number)
                    routed.add((route, number))
                case "take":
                    take_off_route(tx, route, number)
                    routed.discard((route, number))
            left = stops - {one for _, one in routed}
            assert list_unrouted(tx) == [f"ist-{one}" for one in sorted(left, reverse=True)]


@pytest.mark.parametrize("sort", ["imported", "updated"])
def test_a_page_of_unrouted_stops_is_read_from_its_index(organized: Database, sort: str) -> None:
    asked: list[tuple[str, Any]] = []
    with organized.writing() as tx:
        for number in range(300):
            import_stop(tx, number)
        # The planner chooses by statistics, which are otherwise those of whatever ran before.
        tx.exec_driver_sql("ANALYZE")
        event.listen(tx, "before_cursor_execute", lambda *told: asked.append((told[2], told[3])))
        list_unrouted(tx, by_update=sort == "updated")
        sql, bound = asked[-1]
        if organized.dialect_name == "sqlite":
            plan = str(tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", bound).all())
        else:
            # Of some hundred rows any plan is good: what counts is that there is one for many.
            for way in ("seqscan", "bitmapscan", "sort"):
                tx.exec_driver_sql(f"SET LOCAL enable_{way} TO OFF")
            plan = str(tx.exec_driver_sql(f"EXPLAIN {sql}", bound).all())
    assert f"ix_unrouted_stops_{sort}" in plan
    assert "ix_imported_stops" not in plan
    assert "Sort Key" not in plan
    assert "TEMP B-TREE" not in plan


def test_what_was_stored_before_is_on_the_list(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0005")
    with database.writing() as tx:
        organize(tx)
        for number in range(4):
            tx.execute(
                text(
                    "INSERT INTO imported_stops (id, organization_id, imported_at, updated_at,"
                    " body) VALUES (:id, 'acme', :at, 0, '')"
                ),
                {"id": f"ist-{number}", "at": number},
            )
        put_on_route(tx, "rte-0", 1)
        put_on_route(tx, "rte-1", 1)
        put_on_route(tx, "rte-1", 2)
    upgrade_to(database, "0006")
    with database.reading() as tx:
        on_list = select(unrouted_stops.c.stop_id).order_by(unrouted_stops.c.imported_at.desc())
        assert tx.execute(on_list).scalars().all() == ["ist-3", "ist-0"]
    database.close()
