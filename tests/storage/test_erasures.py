import json

import pytest
from sqlalchemy import insert, select
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at, route

from roundsman.domain.attachment import Attachment
from roundsman.domain.erasure import ErasureReceipt
from roundsman.storage.attachments import Picture, add_attachment, read_picture
from roundsman.storage.database import Database
from roundsman.storage.erasures import (
    DOCUMENT_TABLES,
    DRIVER_TABLES,
    StoredErasure,
    add_erasure,
    find_erasure,
    list_unfinished_erasures,
    read_documents,
    remove_attachments,
    replace_document,
    select_erasures,
    update_erasure,
)
from roundsman.storage.routes import add_route, find_route
from roundsman.storage.store_orders import find_store_orders
from roundsman.storage.tables import idempotency_records, route_search, store_orders

pytestmark = pytest.mark.both_databases

TABLES = {one.name: one for one in DOCUMENT_TABLES}


def test_an_erasure_is_kept_by_its_organization(shared: Database) -> None:
    erasure = StoredErasure(
        id="era-1",
        created_at=NOW,
        job_id="job-1",
        traces="sealed:a:b",
        receipt=ErasureReceipt(erased_at=NOW, reason=STRANGE),
    )
    done = StoredErasure(
        id="era-1",
        created_at=NOW,
        job_id="job-1",
        traces=None,
        receipt=ErasureReceipt(erased_at=at(1), pictures=3),
        completed_at=at(1),
    )
    with shared.writing() as tx:
        add_erasure(tx, ACME, erasure)
        assert find_erasure(tx, ACME, "era-1") == erasure
        assert find_erasure(tx, OTHER, "era-1") is None
        assert list_unfinished_erasures(tx, ACME) == [erasure]
        assert list_unfinished_erasures(tx, OTHER) == []
        update_erasure(tx, OTHER, done)
        assert find_erasure(tx, ACME, "era-1") == erasure
        update_erasure(tx, ACME, done)
        assert find_erasure(tx, ACME, "era-1") == done
        assert list_unfinished_erasures(tx, ACME) == []


def test_documents_are_read_page_by_page_and_replaced(shared: Database) -> None:
    orders = TABLES["store_orders"]
    with shared.writing() as tx:
        for owner, number in ((ACME, 1), (ACME, 2), (ACME, 3), (OTHER, 4)):
            body = json.dumps({"id": f"o{number}", "name": STRANGE})
            row = {"organization_id": owner, "id": f"o{number}", "updated_at": NOW, "body": body}
            tx.execute(insert(store_orders).values(**row))
        first = read_documents(tx, ACME, orders, (), 2)
        assert [one.key for one in first] == [("o1",), ("o2",)]
        assert [one.key for one in read_documents(tx, ACME, orders, ("o2",), 2)] == [("o3",)]
        assert json.loads(first[0].texts["body"] or "")["name"] == STRANGE
        first[0].texts["body"] = '{"id":"o1","name":"gone"}'
        replace_document(tx, OTHER, orders, first[0])
        assert find_store_orders(tx, ACME, ["o1"])["o1"].name == STRANGE
        replace_document(tx, ACME, orders, first[0])
        assert find_store_orders(tx, ACME, ["o1"])["o1"].name == "gone"


def test_a_replaced_route_has_a_new_version_and_is_found_by_what_it_says(shared: Database) -> None:
    with shared.writing() as tx:
        add_route(tx, ACME, route("rte-1", name="before"))
        (document,) = read_documents(tx, ACME, TABLES["routes"], (), 9)
        document.texts["body"] = (document.texts["body"] or "").replace("before", "after")
        replace_document(tx, ACME, TABLES["routes"], document)
        found = find_route(tx, ACME, "rte-1")
        assert found is not None
        assert (found.route.name, found.version) == ("after", 2)
        text = tx.execute(select(route_search.c.text)).scalar_one()
        assert "after" in text
        assert "before" not in text


def test_every_table_of_documents_can_be_read(shared: Database) -> None:
    with shared.writing() as tx:
        record = {
            "client_id": "somebody",
            "key": "k",
            "fingerprint": b"f",
            "claim": "c",
            "answer": "{}",
            "claimed_at": NOW,
        }
        tx.execute(insert(idempotency_records).values(**record))
        for table in DOCUMENT_TABLES:
            assert read_documents(tx, ACME, table, (), 9) == [], table.name
            after = tuple(0 if name == "number" else "a" for name in table.key)
            assert read_documents(tx, ACME, table, after, 9) == [], table.name


def test_pictures_of_an_organization_are_removed(shared: Database) -> None:
    with shared.writing() as tx:
        for number, owner in enumerate((ACME, ACME, OTHER)):
            one = Attachment(id=f"att-{number}", created_at=NOW, url="https://x.example")
            picture = Picture(media_type="image/png", data=b"x")
            add_attachment(tx, owner, one, bytes([number]), picture)
        assert remove_attachments(tx, ACME, ["att-0", "att-2"]) == 1
        assert read_picture(tx, "att-0") is None
        assert read_picture(tx, "att-1") is not None
        assert read_picture(tx, "att-2") is not None


def test_erasures_are_listed_newest_first_each_organization_by_itself(shared: Database) -> None:
    with shared.writing() as tx:
        for number, (owner, driver_id) in enumerate(((ACME, ""), (ACME, "drv-1"), (OTHER, ""))):
            erasure = StoredErasure(
                id=f"era-{number}",
                created_at=at(number),
                job_id=f"job-{number}",
                traces=None,
                receipt=ErasureReceipt(erased_at=at(number)),
                driver_id=driver_id,
            )
            add_erasure(tx, owner, erasure)
        ((position, newest),) = select_erasures(tx, ACME, None, 1)
        assert (newest.id, newest.driver_id) == ("era-1", "drv-1")
        ((_, oldest),) = select_erasures(tx, ACME, position, 9)
        assert (oldest.id, oldest.driver_id) == ("era-0", "")


def test_a_driver_has_what_a_driver_may_have(shared: Database) -> None:
    with shared.writing() as tx:
        for table in DRIVER_TABLES:
            assert read_documents(tx, ACME, table, (), 9) == [], table.name
