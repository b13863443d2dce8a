from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import insert, select
from tests.storage.rows import ACME, NOW, OTHER, at
from tests.storage.whole_organization import FILLED, dump, fill

import roundsman.storage
from roundsman.domain.erasure import OrganizationErasure
from roundsman.storage.database import Database, Transaction
from roundsman.storage.erasures import answers_of
from roundsman.storage.member_tables import members, people
from roundsman.storage.organization_erasures import (
    EMPTIED,
    OF_NOBODY,
    THROUGH,
    WITH_EVENTS,
    WITH_MEMBERS,
    add_up,
    close_organization,
    find_organization_erasure,
    list_table_removals,
    remove_organization,
    save_organization_erasure,
)
from roundsman.storage.removed_rows import purge_removed_rows
from roundsman.storage.schema import metadata
from roundsman.storage.tables import access_tokens, client_secrets, drivers, idempotency_records

pytestmark = pytest.mark.both_databases

MARKER, BYSTANDER = "zarathustra", "bystander"


def test_every_table_says_whose_its_rows_are(database: Database) -> None:
    through = {table.name for table, _ in THROUGH}
    others = {table.name for table in (*WITH_EVENTS, *WITH_MEMBERS, *EMPTIED)}
    owned = {table.name for table in metadata.sorted_tables if "organization_id" in table.c}
    known = owned | through | others | set(OF_NOBODY) | {"organizations"}
    assert known == {table.name for table in metadata.sorted_tables}, (
        "a new table says in storage/organization_erasures.py whose its rows are"
    )
    assert known | {"alembic_version"} == set(dump(database)), "schema.py loads every table"


def test_the_schema_loads_every_file_of_tables() -> None:
    folder = Path(roundsman.storage.__file__).parent
    for file in folder.glob("*tables.py"):
        module = import_module(f"roundsman.storage.{file.stem}")
        assert module.metadata is metadata, file.name


def test_nothing_of_an_organization_is_left_in_any_table_and_another_keeps_everything(
    database: Database,
) -> None:
    with database.writing() as tx:
        fill(tx, OTHER, BYSTANDER)
    others = dump(database)
    with database.writing() as tx:
        fill(tx, ACME, MARKER)
        add_people_and_answers(tx)
        assert len(tx.execute(select(idempotency_records).where(answers_of(ACME))).all()) == 3
    filled = dump(database)
    for table in FILLED:
        assert MARKER in filled[table.name] or ACME in filled[table.name], table.name
    with database.writing() as tx:
        counted = remove_all(tx, ACME)
        kept = set(tx.execute(select(people.c.email_key)).scalars())
        assert {"of both", f"{BYSTANDER} people email_key"} == kept
    check_what_is_left(dump(database), others)
    assert counted["organizations"] == counted["routes"] == counted["event_payloads"] == 1
    assert (counted["members"], counted["people"]) == (3, 2)
    assert counted["idempotency_records"] == 3
    purge_removed_rows(database)
    if database.dialect_name == "sqlite":
        for ending in ("", "-wal"):
            held = Path(f"{database.engine_url.database}{ending}").read_bytes()
            assert MARKER.encode() not in held
            assert ACME.encode() not in held


def add_people_and_answers(tx: Transaction) -> None:
    """Add people of one organization and of both, and answers to a driver and to a member."""
    for key in (f"of {ACME} alone", "of both"):
        tx.execute(insert(people).values(email_key=key))
    for slug, key in ((ACME, f"of {ACME} alone"), (ACME, "of both"), (OTHER, "of both")):
        row = {"email": key, "name": "", "role": "OWNER", "status": "ACTIVE"}
        member = {"id": f"{slug} {key}", "email_key": key, "created_at": NOW, **row}
        tx.execute(insert(members).values(organization_id=slug, **member))
    for client_id in (f"{MARKER} drivers id", f"{MARKER} members id"):
        answer = {"client_id": client_id, "key": "k", "fingerprint": b"f", "claim": "c"}
        tx.execute(insert(idempotency_records).values(claimed_at=NOW, **answer))


def remove_all(tx: Transaction, slug: str) -> dict[str, int]:
    counted = close_organization(tx, slug)
    for remove in list_table_removals():
        while some := remove(tx, slug):
            counted = add_up(counted, some)
    return add_up(counted, remove_organization(tx, slug))


def check_what_is_left(left: dict[str, str], others: dict[str, str]) -> None:
    for name, rows in left.items():
        assert MARKER not in rows, name
        assert ACME not in rows, name
    emptied = {table.name for table in EMPTIED}
    for name, rows in others.items():
        if name not in emptied:
            assert set(rows.splitlines()) <= set(left[name].splitlines()), name


def test_a_closed_organization_lets_nobody_in_and_another_stays_open(database: Database) -> None:
    with database.writing() as tx:
        fill(tx, ACME, MARKER)
        fill(tx, OTHER, BYSTANDER)
        close_organization(tx, ACME)
        for table in (access_tokens, client_secrets):
            assert len(tx.execute(select(table)).all()) == 1, table.name
        status = dict(tx.execute(select(drivers.c.organization_id, drivers.c.status)).all())
        assert status[ACME] == "ARCHIVED"
        assert status[OTHER] != "ARCHIVED"


def test_how_far_an_erasure_is_is_kept_by_its_key(database: Database) -> None:
    begun = OrganizationErasure(begun_at=NOW)
    done = OrganizationErasure(begun_at=NOW, removed={"routes": 2}, completed_at=at(1))
    with database.writing() as tx:
        assert find_organization_erasure(tx, "key") is None
        save_organization_erasure(tx, "key", begun)
        save_organization_erasure(tx, "other", begun)
        save_organization_erasure(tx, "key", done)
        assert find_organization_erasure(tx, "key") == done
        assert find_organization_erasure(tx, "other") == begun
