from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, insert, select
from tests.storage.rows import ACME, HERE, NOW, OTHER, at, driver, event, route

from roundsman.domain.attachment import Attachment
from roundsman.domain.live_route import LiveRoute
from roundsman.domain.position_erasure import without_last_position
from roundsman.domain.route import DriverFix
from roundsman.storage.attachments import Picture, add_attachment
from roundsman.storage.database import Database, Transaction
from roundsman.storage.driver_tables import attachments, driver_actions, driver_sessions
from roundsman.storage.drivers import insert_driver
from roundsman.storage.events import add_events
from roundsman.storage.live_routes import Saving, find_last_fix, save_live_route
from roundsman.storage.retention import (
    Clearing,
    clear_old_payloads,
    clear_old_rows,
    forget_last_positions,
    remove_old_actions,
    remove_old_pictures,
)
from roundsman.storage.routes import add_route
from roundsman.storage.tables import event_payloads, routes, store_orders

pytestmark = pytest.mark.both_databases


def add_order(tx: Transaction, owner: str, id_: str, seconds: float) -> None:
    row = {"organization_id": owner, "id": id_, "updated_at": at(seconds)}
    tx.execute(insert(store_orders).values(**row, body=f'{{"id":"{id_}","name":"kept"}}'))


def names(tx: Transaction) -> dict[str, str]:
    return {
        row.id: "cleared" if "cleared" in row.body else "kept"
        for row in tx.execute(select(store_orders).order_by(store_orders.c.id))
    }


def test_old_rows_are_cleared_once_in_the_order_of_their_changes(shared: Database) -> None:
    seen: list[str] = []

    def clear(body: Any) -> Any:
        seen.append(body["id"])
        return {**body, "name": "cleared"}

    clearing = Clearing(name="orders", table="store_orders", clear=clear)
    with shared.writing() as tx:
        for id_, seconds in (("a", 3), ("b", 1), ("c", 1), ("d", 9)):
            add_order(tx, ACME, id_, seconds)
        add_order(tx, OTHER, "e", 1)
        assert clear_old_rows(tx, ACME, clearing, at(5), 2) == 2
        assert clear_old_rows(tx, ACME, clearing, at(5), 2) == 1
        assert clear_old_rows(tx, ACME, clearing, at(5), 2) == 0
        assert seen == ["b", "c", "a"]
        kept = {"a": "cleared", "b": "cleared", "c": "cleared", "d": "kept", "e": "kept"}
        assert names(tx) == kept
        assert clear_old_rows(tx, ACME, clearing, at(10), 2) == 1
        assert clear_old_rows(tx, OTHER, clearing, at(10), 2) == 1


def test_old_pictures_go_oldest_first(shared: Database) -> None:
    with shared.writing() as tx:
        for number, owner in enumerate((ACME, ACME, ACME, OTHER)):
            one = Attachment(id=f"att-{number}", created_at=at(number), url="https://x.example")
            picture = Picture(media_type="image/png", data=b"x")
            add_attachment(tx, owner, one, bytes([number]), picture)
        assert remove_old_pictures(tx, ACME, at(2), 1) == 1
        assert remove_old_pictures(tx, ACME, at(2), 9) == 1
        assert remove_old_pictures(tx, ACME, at(2), 9) == 0
        left = tx.execute(select(attachments.c.id).order_by(attachments.c.id)).scalars().all()
        assert left == ["att-2", "att-3"]


def test_old_actions_of_devices_that_are_signed_out_go(shared: Database) -> None:
    with shared.writing() as tx:
        insert_driver(tx, ACME, driver("drv-1"), NOW)
        session = {"token_hash": b"t", "id": "ses-in", "driver_id": "drv-1", "device": ""}
        tx.execute(insert(driver_sessions).values(**session, created_at=NOW))
        for number, session_id in enumerate(("ses-out", "ses-in", "ses-out", "ses-out")):
            tx.execute(insert(driver_actions).values(**action(number, session_id)))
        assert remove_old_actions(tx, OTHER, at(9), 9) == 0
        assert remove_old_actions(tx, ACME, at(3), 1) == 1
        assert remove_old_actions(tx, ACME, at(3), 9) == 1
        assert remove_old_actions(tx, ACME, at(3), 9) == 0
        assert tx.execute(select(func.count()).select_from(driver_actions)).scalar_one() == 2


def action(number: int, session_id: str) -> dict[str, Any]:
    texts = dict.fromkeys(("slot", "upload_id", "outcome", "reason", "message"), "")
    return {
        **texts,
        "driver_id": "drv-1",
        "id": f"a{number}",
        "organization_id": ACME,
        "session_id": session_id,
        "sequence": number,
        "route_id": "rte-1",
        "kind": "PROOF_NOTE",
        "at": NOW,
        "received_at": NOW + timedelta(seconds=number),
        "fingerprint": b"f",
        "content": "{}",
        "answer": "{}",
    }


def add_driven_route(tx: Transaction, owner: str, id_: str, seconds: float) -> None:
    fix = DriverFix(coordinates=HERE, at=at(seconds))
    add_route(tx, owner, route(id_, last_fix=fix))
    save_live_route(tx, Saving(owner, id_, "dana", NOW), LiveRoute(fix=fix))
    payload = f'{{"id":"{id_}","lastPosition":{{"at":"then"}}}}'
    shown = event(f"e-{id_}", 90, organization_id=owner, object_id=id_, payload_id=f"p-{id_}")
    add_events(tx, [shown], {f"p-{id_}": payload.encode()})


def routes_with_positions(tx: Transaction) -> set[str]:
    stored = tx.execute(select(routes.c.id, routes.c.body)).fetchall()
    shown = tx.execute(select(event_payloads.c.id, event_payloads.c.body)).fetchall()
    kept = {id_ for id_, body in stored if "lastFix" in body}
    assert {id_ for id_, body in shown if "lastPosition" in body} == {f"p-{id_}" for id_ in kept}
    return kept


def test_where_drivers_were_last_goes_by_when_they_were_there(shared: Database) -> None:
    with shared.writing() as tx:
        for id_, seconds in (("a", 3), ("b", 1), ("c", 2), ("d", 9)):
            add_driven_route(tx, ACME, id_, seconds)
        add_driven_route(tx, OTHER, "e", 1)
        assert forget_last_positions(tx, ACME, at(5), 2) == 2
        assert routes_with_positions(tx) == {"a", "d", "e"}
        assert forget_last_positions(tx, ACME, at(5), 2) == 1
        assert forget_last_positions(tx, ACME, at(5), 2) == 0
        assert routes_with_positions(tx) == {"d", "e"}
        assert [bool(find_last_fix(tx, id_)) for id_ in "abcde"] == [False] * 3 + [True] * 2


def test_what_old_events_show_is_cleared_once(shared: Database) -> None:
    clearing = Clearing(name="events", table="events", clear=without_last_position)
    with shared.writing() as tx:
        for number, owner in enumerate((ACME, ACME, ACME, ACME, OTHER)):
            id_ = f"{number}"
            made = event(id_, number, organization_id=owner, object_id="r", payload_id=f"p{id_}")
            add_events(tx, [made], {f"p{id_}": b'{"id":"r","lastPosition":{"at":"then"}}'})
        assert clear_old_payloads(tx, ACME, clearing, at(3), 2) == 2
        assert clear_old_payloads(tx, ACME, clearing, at(3), 2) == 1
        assert clear_old_payloads(tx, ACME, clearing, at(3), 2) == 0
        left = select(event_payloads.c.id).where(event_payloads.c.body.contains("lastPosition"))
        assert set(tx.execute(left).scalars()) == {"p3", "p4"}
