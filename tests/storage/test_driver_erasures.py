import json
from typing import Any

import pytest
from sqlalchemy import insert, select
from tests.storage.rows import ACME, NOW, OTHER, at, route

from roundsman.domain.driver import Driver
from roundsman.storage.database import Database
from roundsman.storage.driver_erasures import (
    count_sessions,
    erase_driver_disclosed,
    find_end_of_disclosed,
    find_stops_at_door,
    has_more_driver_rows,
    list_routes_under_way,
    remove_driver_actions,
    remove_driver_positions,
    remove_driver_rest,
    remove_kept_answers,
)
from roundsman.storage.driver_tables import driver_positions, live_routes, upload_parts, uploads
from roundsman.storage.drivers import insert_driver
from roundsman.storage.evidence import EvidenceLink, EvidenceRecord, add_evidence, list_evidence
from roundsman.storage.routes import add_route
from roundsman.storage.tables import idempotency_records

pytestmark = pytest.mark.both_databases


def record(sequence: int, driver_id: str, kind: str, **disclosed: str) -> EvidenceRecord:
    by = {"driverId": driver_id, "id": "ses-1", "kind": "DRIVER_DEVICE"}
    text = json.dumps({"by": by, "kind": kind}, separators=(",", ":"))
    link = EvidenceLink(
        sequence=sequence, recorded_at=NOW, record_hash=bytes([sequence]), hash=bytes([sequence])
    )
    return EvidenceRecord(
        link=link,
        stop_id=f"rst-{sequence}",
        route_id="rte-1",
        record=text,
        disclosed={name: ("00", value) for name, value in disclosed.items()},
    )


def test_what_evidence_says_of_a_driver_is_forgotten_and_nothing_else(shared: Database) -> None:
    records = [
        record(1, "drv-1", "DELIVERED", position="39.1,-76.1", recipientName="Ann"),
        record(2, "drv-2", "DELIVERED", position="39.2,-76.2"),
        record(3, "drv-2", "NOTE", note="Dana Driver was here"),
        record(4, "drv-1", "NOTE", note="at the back"),
    ]

    def is_dana(text: str) -> bool:
        return "Dana" in text

    with shared.writing() as tx:
        add_evidence(tx, ACME, records)
        add_evidence(tx, OTHER, records)
        every = [f"rst-{number}" for number in range(1, 5)]
        assert find_stops_at_door(tx, ACME, "drv-1", every) == {"rst-1"}
        assert find_stops_at_door(tx, ACME, "drv-2", every) == {"rst-2"}
        assert find_end_of_disclosed(tx, ACME, 0, 3) == 3
        assert find_end_of_disclosed(tx, ACME, 3, 3) is None
        assert erase_driver_disclosed(tx, ACME, "drv-1", is_dana, 0, 2) == (1, {"rst-1": "rte-1"})
        assert erase_driver_disclosed(tx, ACME, "drv-1", is_dana, 2, 9) == (1, {"rst-3": "rte-1"})
        left = [dict(list_evidence(tx, ACME, one)[0].disclosed) for one in every]
        assert left == [
            {"recipientName": ("00", "Ann")},
            {"position": ("00", "39.2,-76.2")},
            {},
            {"note": ("00", "at the back")},
        ]
        others = [dict(list_evidence(tx, OTHER, one)[0].disclosed) for one in every]
        assert others == [dict(one.disclosed) for one in records]


def test_rows_of_a_driver_are_removed_some_at_a_time(shared: Database) -> None:
    with shared.writing() as tx:
        for owner, driver_id in ((ACME, "drv-1"), (ACME, "drv-2"), (OTHER, "drv-3")):
            insert_driver(tx, owner, Driver(id=driver_id, first_name="Dana"), NOW)
            live: dict[str, Any] = {"revision": 1, "at": NOW, "saved_at": NOW, "body": "{}"}
            live |= {"organization_id": owner, "driver_id": driver_id}
            tx.execute(insert(live_routes).values(route_id=f"rte-{driver_id}", **live))
            upload = {"sha256": b"x", "size": 1, "received": 1, "created_at": NOW}
            upload |= {"organization_id": owner, "driver_id": driver_id, "id": "up"}
            tx.execute(insert(uploads).values(**upload))
            part = {"driver_id": driver_id, "upload_id": "up", "offset": 0, "data": b"x"}
            tx.execute(insert(upload_parts).values(**part))
            answer = {"client_id": driver_id, "key": "k", "fingerprint": b"f", "claim": "c"}
            tx.execute(insert(idempotency_records).values(claimed_at=NOW, **answer))
            for minute in range(3):
                place = {"latitude": 1.0, "longitude": 1.0, "accuracy_meters": 1.0}
                row = {"organization_id": owner, "driver_id": driver_id, "route_id": "r", **place}
                tx.execute(insert(driver_positions).values(at=at(minute), **row))
        assert count_sessions(tx, "drv-1") == 0
        assert has_more_driver_rows(tx, ACME, "drv-1", 2)
        assert not has_more_driver_rows(tx, ACME, "drv-1", 3)
        assert remove_driver_positions(tx, OTHER, "drv-1", 9) == 0
        assert [remove_driver_positions(tx, ACME, "drv-1", 2) for _ in range(3)] == [2, 1, 0]
        assert remove_driver_actions(tx, ACME, "drv-1", 9) == 0
        remove_driver_rest(tx, ACME, "drv-1")
        remove_kept_answers(tx, "drv-1")
        for table in (driver_positions, live_routes, uploads, upload_parts):
            left = tx.execute(select(table.c.driver_id).distinct()).scalars()
            assert sorted(left) == ["drv-2", "drv-3"], table.name
        left = tx.execute(select(idempotency_records.c.client_id)).scalars()
        assert sorted(left) == ["drv-2", "drv-3"]


def test_a_route_is_under_way_from_its_dispatch_until_it_is_done_or_put_away(
    shared: Database,
) -> None:
    later = at(60)
    states: tuple[dict[str, Any], ...] = (
        {},
        {"dispatched_until": later},
        {"dispatched_until": later, "driver_id": "drv-2"},
        {"dispatched_until": later, "archived_at": NOW},
    )
    with shared.writing() as tx:
        for number, fields in enumerate(states):
            one = route(f"rte-{number}", **{"driver_id": "drv-1", "stops": (), **fields})
            add_route(tx, ACME, one)
        assert list_routes_under_way(tx, ACME, NOW) == ["rte-1", "rte-2"]
        assert list_routes_under_way(tx, ACME, NOW, "drv-1") == ["rte-1"]
        assert list_routes_under_way(tx, ACME, later) == []
        assert list_routes_under_way(tx, OTHER, NOW) == []
