"""What waits for what, while a transaction is open.

On SQLite every transaction that writes waits for the one before it; on PostgreSQL only those that
want the same rows, and some pass by what is locked.
"""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from msgspec.structs import replace as struct_replace
from tests.storage.rows import (
    ACME,
    NOW,
    OTHER,
    add_drivers,
    add_subscriptions,
    at,
    driver,
    event,
    record,
    route,
    subscription,
    vehicle,
)
from tests.support.databases import only_on_postgresql
from tests.support.waiting import PATIENCE_SECONDS

from roundsman.domain.driver_session import DriverSession
from roundsman.domain.errors import Unavailable
from roundsman.domain.event_delivery import DeliveryClaim, DeliveryState
from roundsman.domain.job import Job, JobClaim
from roundsman.domain.message import Channel, Message, MessageStatus, Trigger
from roundsman.storage.attachments import (
    StoredUpload,
    add_upload,
    complete_upload,
    find_upload,
    remove_stale_uploads,
)
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import lock_installation, sqlite_file
from roundsman.storage.driver_sessions import (
    add_session,
    remove_session,
    replace_invite,
    take_invite,
)
from roundsman.storage.drivers import find_driver, save_driver, select_drivers
from roundsman.storage.fair_claims import Room
from roundsman.storage.geocoder_answers import StoredAnswers, remove_expired_answers
from roundsman.storage.idempotency import Claim, Record, add_claim, take_over
from roundsman.storage.installation import add_key, find_key
from roundsman.storage.jobs import (
    add_job,
    claim_job,
    extend_job_claims,
    find_claimed_job,
    hold_due_job,
    remove_ended_jobs,
    select_job,
)
from roundsman.storage.messages import add_message, claim_due_messages, find_past_messages
from roundsman.storage.organizations import (
    count_route,
    find_signing_secrets,
    lock_organization,
    update_signing_secrets,
)
from roundsman.storage.outbox import Settlement, add_to_outbox, claim, hold_claims, settle
from roundsman.storage.routes import (
    StoredRoute,
    VersionConflict,
    add_route,
    find_route,
    save_route,
)
from roundsman.storage.vehicles import find_vehicle, save_vehicle
from roundsman.storage.webhook_subscriptions import (
    delete_subscription,
    hold_active_subscriptions,
    lock_due_subscriptions,
    lock_subscriptions,
    update_health,
    update_subscription,
)

type Work = Callable[[Transaction], object]

CLAIM = DeliveryClaim(event_id="e1", subscription_id="s1", number=1, tries=1)
UPLOAD = StoredUpload(id="u", sha256=b"0", size=9)
ANOTHER_UPLOAD = StoredUpload(id="another", sha256=b"0", size=9)
KEY = Claim(client_id="c", key="k", fingerprint=b"f", token="old", holder=1)
KEPT = Record(fingerprint=b"f", claim=KEY.mark, answer=None, claimed_at=NOW)
RUN = JobClaim(job_id="running", number=1, worker_id="w")
ROUTE = StoredRoute(route=route("rte-1"), version=1)


def job(id_: str) -> Job:
    return Job(id=id_, organization_id=ACME, kind="k", payload="{}", created_at=NOW, due_at=NOW)


def message(id_: str) -> Message:
    return Message(
        id=id_,
        stop_id=f"rst-{id_}",
        route_id="rte-1",
        moment=Trigger.DELIVERED,
        channel=Channel.EMAIL,
        status=MessageStatus.WAITING,
        created_at=NOW,
    )


def take_messages(tx: Transaction) -> list[str]:
    due = claim_due_messages(tx, "w", at(1), at(7), Room(count=9, most_each=9))
    return [one.message.id for one in due]


@pytest.fixture
def busy(shared: Database) -> Database:
    """One of each thing that can be locked; `e1` is claimed for `s1`, and due to `s2`."""
    with shared.writing() as tx:
        add_drivers(tx, drv=ACME, other=ACME, theirs=OTHER)
        save_vehicle(tx, ACME, vehicle("veh"))
        add_route(tx, ACME, ROUTE.route)
        add_subscriptions(tx, subscription("s1"), subscription("s2"))
        record(tx, event("e1"))
        add_to_outbox(
            tx, [(event("e1"), subscription(s), event("e1").timestamp) for s in ("s1", "s2")]
        )
        claim(tx, [CLAIM.key], "w", NOW)
        for id_ in ("due", "another", RUN.job_id):
            add_job(tx, job(id_))
        claim_job(tx, RUN.job_id, RUN.worker_id, at(6))
        add_upload(tx, ACME, "drv", UPLOAD, NOW)
        for id_ in ("waits", "waits too"):
            add_message(tx, ACME, message(id_), epoch=1, due_at=NOW)
    return shared


def be_impatient(tx: Transaction) -> None:
    """Let a transaction fail where it would wait."""
    tx.exec_driver_sql("SET LOCAL lock_timeout = '20ms'")


def must_wait(database: Database, work: Work) -> bool:
    """Say whether work in a transaction of its own waits for others."""
    try:
        with database.writing() as tx:
            be_impatient(tx)
            work(tx)
    except Unavailable:
        return True
    return False


def one_by_one(*works: Work) -> Work:
    def do_all(tx: Transaction) -> None:
        for work in works:
            work(tx)

    return do_all


WAITING: dict[str, tuple[Work, Work]] = {
    "a driver to be changed": (
        lambda tx: find_driver(tx, ACME, "drv", locked=True),
        lambda tx: find_driver(tx, ACME, "drv", locked=True),
    ),
    "a change of a driver": (
        lambda tx: find_driver(tx, ACME, "drv", locked=True),
        lambda tx: save_driver(tx, ACME, driver("drv", last_name="changed")),
    ),
    "a vehicle to be changed": (
        lambda tx: find_vehicle(tx, ACME, "veh", locked=True),
        lambda tx: find_vehicle(tx, ACME, "veh", locked=True),
    ),
    "a change of a vehicle": (
        lambda tx: find_vehicle(tx, ACME, "veh", locked=True),
        lambda tx: save_vehicle(tx, ACME, vehicle("veh", make="changed")),
    ),
    "an organization": (
        lambda tx: lock_organization(tx, ACME),
        lambda tx: lock_organization(tx, ACME),
    ),
    "the next number of a route": (
        lambda tx: count_route(tx, ACME),
        lambda tx: count_route(tx, ACME),
    ),
    "a change of signing secrets": (
        lambda tx: find_signing_secrets(tx, ACME),
        lambda tx: update_signing_secrets(tx, ACME, "a", "b"),
    ),
    "a change of the same route": (
        lambda tx: save_route(tx, ACME, ROUTE.route, read=ROUTE),
        lambda tx: save_route(tx, ACME, ROUTE.route, read=ROUTE),
    ),
    "a part of the same upload": (
        lambda tx: find_upload(tx, "drv", "u"),
        lambda tx: find_upload(tx, "drv", "u"),
    ),
    "a part of an upload that is being forgotten": (
        lambda tx: remove_stale_uploads(tx, at(1), 9),
        lambda tx: find_upload(tx, "drv", "u"),
    ),
    "the removal of a receiver that an event goes to": (
        lambda tx: hold_active_subscriptions(tx, ACME),
        lambda tx: delete_subscription(tx, ACME, "s1"),
    ),
    "a receiver whose deliveries are being sent": (
        lambda tx: lock_due_subscriptions(tx, NOW, ["s2"]),
        lambda tx: lock_subscriptions(tx, ["s1", "s2"]),
    ),
    "the health of a receiver": (
        lambda tx: lock_subscriptions(tx, ["s1"]),
        lambda tx: update_health(tx, [("s1", lock_subscriptions(tx, ["s1"])[0].health)]),
    ),
    "the end of the same claim": (
        lambda tx: hold_claims(tx, [CLAIM]),
        lambda tx: hold_claims(tx, [CLAIM]),
    ),
    "a change of a delivery whose claim ends": (
        lambda tx: hold_claims(tx, [CLAIM]),
        lambda tx: settle(tx, [Settlement(claim=CLAIM, state=DeliveryState.DROPPED, due_at=NOW)]),
    ),
    "the end of the same attempt of a job": (
        lambda tx: find_claimed_job(tx, RUN, locked=True),
        lambda tx: find_claimed_job(tx, RUN, locked=True),
    ),
    "a job that is being cancelled": (
        lambda tx: select_job(tx, ACME, RUN.job_id, locked=True),
        lambda tx: extend_job_claims(tx, [RUN], at(9)),
    ),
    "what becomes of a message to a customer who is told of a change": (
        take_messages,
        lambda tx: find_past_messages(tx, ACME, ["rst-waits"]),
    ),
    "the installation": (lock_installation, lock_installation),
}

PASSING: dict[str, tuple[Work, Work]] = {
    "reading a driver": (
        lambda tx: find_driver(tx, ACME, "drv", locked=True),
        one_by_one(
            lambda tx: find_driver(tx, ACME, "drv"),
            lambda tx: select_drivers(tx, ACME, None, None, 9),
        ),
    ),
    "another driver": (
        lambda tx: find_driver(tx, ACME, "drv", locked=True),
        lambda tx: find_driver(tx, ACME, "other", locked=True),
    ),
    "another organization": (
        one_by_one(lambda tx: lock_organization(tx, ACME), lambda tx: count_route(tx, ACME)),
        one_by_one(lambda tx: lock_organization(tx, OTHER), lambda tx: count_route(tx, OTHER)),
    ),
    "what only names a locked organization": (
        lambda tx: lock_organization(tx, ACME),
        one_by_one(
            lambda tx: add_drivers(tx, new=ACME), lambda tx: add_route(tx, ACME, route("new"))
        ),
    ),
    "another event to the same receivers": (
        lambda tx: hold_active_subscriptions(tx, ACME),
        lambda tx: hold_active_subscriptions(tx, ACME),
    ),
    "an event to a receiver that is being sent to": (
        lambda tx: lock_due_subscriptions(tx, NOW),
        one_by_one(
            lambda tx: hold_active_subscriptions(tx, ACME),
            lambda tx: record(tx, event("e2")),
            lambda tx: add_to_outbox(
                tx, [(event("e2"), subscription("s2"), event("e2").timestamp)]
            ),
        ),
    ),
    "sending to a receiver that an event goes to": (
        lambda tx: hold_active_subscriptions(tx, ACME),
        lambda tx: update_subscription(tx, ACME, subscription("s1", active=False)),
    ),
    "the next job of an organization whose job another worker is taking": (
        lambda tx: hold_due_job(tx, ACME, NOW),
        lambda tx: hold_due_job(tx, ACME, NOW),
    ),
    "a look at a job whose attempt ends": (
        lambda tx: find_claimed_job(tx, RUN, locked=True),
        one_by_one(
            lambda tx: select_job(tx, ACME, RUN.job_id),
            lambda tx: find_claimed_job(tx, RUN),
            lambda tx: remove_ended_jobs(tx, NOW, 9),
        ),
    ),
    "a job of an organization that changes": (
        lambda tx: lock_organization(tx, ACME),
        one_by_one(
            lambda tx: hold_due_job(tx, ACME, NOW),
            lambda tx: claim_job(tx, "due", "w", at(6)),
            lambda tx: add_job(tx, job("new")),
        ),
    ),
    "another upload": (
        lambda tx: find_upload(tx, "drv", "u"),
        lambda tx: add_upload(tx, ACME, "drv", ANOTHER_UPLOAD, NOW),
    ),
}


@only_on_postgresql
@pytest.mark.parametrize("what", WAITING)
def test_a_transaction_waits_for_another_that_holds(busy: Database, what: str) -> None:
    hold, work = WAITING[what]
    with busy.writing() as tx:
        hold(tx)
        assert must_wait(busy, work)


@only_on_postgresql
@pytest.mark.parametrize("what", PASSING)
def test_a_transaction_does_not_hold_up(busy: Database, what: str) -> None:
    hold, work = PASSING[what]
    with busy.writing() as tx:
        hold(tx)
        assert not must_wait(busy, work)


@only_on_postgresql
def test_a_worker_passes_by_receivers_that_another_looks_after(busy: Database) -> None:
    with busy.writing() as first, busy.writing() as second:
        be_impatient(first)
        be_impatient(second)
        assert [one.subscription.id for one in lock_due_subscriptions(first, NOW, ["s1"])] == ["s1"]
        assert [one.subscription.id for one in lock_due_subscriptions(second, NOW)] == ["s2"]
        assert lock_due_subscriptions(first, NOW, ["s2"]) == []


@only_on_postgresql
def test_a_worker_passes_by_jobs_that_others_are_taking(busy: Database) -> None:
    with busy.writing() as first, busy.writing() as second, busy.writing() as third:
        for tx in (first, second, third):
            be_impatient(tx)
        taken = [hold_due_job(tx, ACME, NOW) for tx in (first, second, third)]
    assert [one and one.id for one in taken] == ["another", "due", None]


@only_on_postgresql
def test_a_worker_passes_by_messages_to_customers_of_whom_something_changes(busy: Database) -> None:
    with busy.writing() as change, busy.writing() as worker:
        find_past_messages(change, ACME, ["rst-waits"])
        be_impatient(worker)
        assert take_messages(worker) == ["waits too"]


@only_on_postgresql
def test_an_answer_that_is_renewed_just_now_is_neither_waited_for_nor_lost(
    busy: Database,
) -> None:
    answers = StoredAnswers(busy)
    answers.remember("photon", {bytes([number]): ("old", NOW) for number in range(3)})
    with busy.writing() as tx:
        tx.exec_driver_sql(
            "UPDATE geocoder_answers SET expires_at = expires_at + 1, answer = 'new'"
            r" WHERE address_hash = '\x01'"
        )
        removed: list[int] = []
        assert not must_wait(busy, lambda tx: removed.append(remove_expired_answers(tx, NOW, 9)))
        assert removed == [2]
    kept = answers.recall("photon", [bytes([number]) for number in range(3)], at(-1))
    assert kept == {b"\1": "new"}


ONE_WINS: dict[str, tuple[Work, Callable[[Transaction], bool]]] = {
    "uses an invite up": (
        lambda tx: replace_invite(tx, "drv", b"t", NOW),
        lambda tx: take_invite(tx, b"t"),
    ),
    "begins an upload": (
        one_by_one(),
        lambda tx: add_upload(tx, ACME, "drv", ANOTHER_UPLOAD, NOW),
    ),
    "completes an upload": (
        one_by_one(),
        lambda tx: complete_upload(tx, "drv", "u", "att"),
    ),
    "signs a device out": (
        lambda tx: add_session(tx, "drv", DriverSession(id="s", created_at=NOW), b"t"),
        lambda tx: remove_session(tx, "drv", "s"),
    ),
    "removes a receiver": (
        one_by_one(),
        lambda tx: delete_subscription(tx, ACME, "s1"),
    ),
    "claims a key": (
        one_by_one(),
        lambda tx: add_claim(tx, KEY, NOW),
    ),
    "takes a key over": (
        lambda tx: add_claim(tx, KEY, NOW),
        lambda tx: take_over(tx, replace(KEY, token="new"), KEPT, NOW),
    ),
}


@pytest.mark.both_databases
@pytest.mark.parametrize("what", ONE_WINS)
def test_of_several_at_once_one_is_told_that_it(busy: Database, what: str) -> None:
    prepare, win = ONE_WINS[what]
    with busy.writing() as tx:
        prepare(tx)
    all_there = Barrier(4)

    def come(_: int) -> bool:
        all_there.wait(PATIENCE_SECONDS)
        with busy.writing() as tx:
            return win(tx)

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(come, range(4))) == [False, False, False, True]


@pytest.mark.both_databases
def test_no_change_of_a_route_is_lost_when_several_read_it_and_write_it(busy: Database) -> None:
    def change(_: int) -> int:
        for tries in range(1, 1_000):
            with busy.reading() as tx:
                read = find_route(tx, ACME, "rte-1")
            assert read is not None
            further = struct_replace(read.route, number=read.route.number + 1)
            try:
                with busy.writing() as tx:
                    save_route(tx, ACME, further, read=read)
            except VersionConflict:
                continue
            return tries
        raise AssertionError("it was never its turn")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(change, range(20)))
    with busy.reading() as tx:
        found = find_route(tx, ACME, "rte-1")
    assert found is not None
    assert (found.route.number, found.version) == (21, 21)


@pytest.mark.both_databases
def test_a_reader_sees_one_state_and_holds_up_nobody(busy: Database) -> None:
    with busy.reading() as reading:
        assert find_key(reading, "k") is None
        with busy.writing() as tx:
            add_key(tx, "k", b"1")
            with busy.reading() as another:
                assert find_key(another, "k") is None
        if busy.dialect_name == "sqlite":  # whose transactions see what was when they began
            assert find_key(reading, "k") is None
    with busy.reading() as tx:
        assert find_key(tx, "k") == b"1"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_one_transaction_at_a_time_writes_to_a_file_from_its_first_statement(
    busy: Database,
) -> None:
    file = sqlite_file(busy.engine_url)
    assert file is not None
    another = sqlite3.connect(file, timeout=0, isolation_level=None)
    with busy.writing() as tx:
        find_driver(tx, ACME, "drv", locked=True)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            another.execute("BEGIN IMMEDIATE")
    another.execute("BEGIN IMMEDIATE")
    another.close()
