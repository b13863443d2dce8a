from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import insert, select
from tests.storage.rows import ACME, NOW, OTHER, at, imported_stop, route, stop

from roundsman.storage.database import Database
from roundsman.storage.delivery_ends import (
    ChangedDocument,
    bring_forward_holds,
    bring_forward_stops,
    find_delivery_ends,
)
from roundsman.storage.evidence_tables import retention_holds
from roundsman.storage.routes import add_route

pytestmark = pytest.mark.both_databases

YEAR = timedelta(days=365)


def test_a_stop_waits_for_its_organization_s_routes_and_what_they_wait_for(
    shared: Database,
) -> None:
    bodies = {id_: msgspec.json.encode(imported_stop(id_)).decode() for id_ in "abc"}
    documents = [ChangedDocument(id_, NOW, body) for id_, body in bodies.items()]
    with shared.writing() as tx:
        for owner, id_, origin, seconds in (
            (ACME, "r-1", "a", 500),
            (ACME, "r-2", "a", 300),
            (ACME, "r-3", "b", 400),
            (OTHER, "r-4", "b", 900),
            (OTHER, "r-5", "c", 900),
        ):
            stops = (stop(f"rst-{id_}", imported_stop_id=origin),)
            add_route(tx, owner, route(id_, stops=stops, scheduled_for=at(seconds)))
        for owner, seconds in ((ACME, 800), (OTHER, 999)):
            hold = {"organization_id": owner, "name": "customers of routes", "row_id": "r-3"}
            tx.execute(insert(retention_holds).values(**hold, until=at(seconds)))
        ends = find_delivery_ends(tx, ACME, "imported_stops", documents)
    assert ends == {"a": at(500), "b": at(800), "c": NOW + YEAR}


def test_holds_are_brought_forward_and_never_put_off(shared: Database) -> None:
    held = [(ACME, "r-9", 900), (ACME, "i-1", 900), (ACME, "i-2", 100), (OTHER, "i-1", 900)]
    with shared.writing() as tx:
        stops = tuple(stop(f"rst-{one}", imported_stop_id=one) for one in ("i-1", "i-2"))
        add_route(tx, ACME, route("r-9", stops=stops))
        for owner, row_id, seconds in held:
            hold = {"organization_id": owner, "name": "some", "row_id": row_id}
            tx.execute(insert(retention_holds).values(**hold, until=at(seconds)))
        bring_forward_stops(tx, ACME, ["r-9"], at(500))
        bring_forward_holds(tx, ACME, ["i-1"], at(400))
        bring_forward_holds(tx, OTHER, ["r-9", "i-2"], at(50))
        is_some = retention_holds.c.name == "some"
        kept = tx.execute(select(retention_holds).where(is_some)).all()
    assert {(one.organization_id, one.row_id): one.until for one in kept} == {
        (ACME, "r-9"): at(500),
        (ACME, "i-1"): at(400),
        (ACME, "i-2"): at(100),
        (OTHER, "i-1"): at(900),
    }
