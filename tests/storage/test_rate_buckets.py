import pytest

from roundsman.kit.leaky_bucket import MemoryBuckets, Rate
from roundsman.storage.database import Database
from roundsman.storage.rate_buckets import (
    StoredBuckets,
    forget_durability,
    remove_full_buckets,
)

pytestmark = pytest.mark.both_databases

RATE = Rate(capacity=3, interval_micros=100)


@pytest.mark.spec("decisions §3")
def test_stored_buckets_decide_as_those_in_memory(database: Database) -> None:
    stored, kept = StoredBuckets(database), MemoryBuckets()
    for now in (1_000, 1_000, 1_001, 1_002, 1_050, 1_100, 1_101, 1_400, 1_400, 1_400, 1_400):
        assert stored.take("a", now, RATE) == kept.take("a", now, RATE)


@pytest.mark.spec("decisions §3")
def test_two_processes_share_a_bucket(database: Database) -> None:
    ours, theirs = StoredBuckets(database), StoredBuckets(database)
    assert [ours.take("a", 0, RATE).remaining, theirs.take("a", 0, RATE).remaining] == [2, 1]


def test_buckets_that_are_full_again_are_forgotten(database: Database) -> None:
    stored = StoredBuckets(database)
    stored.take("a", 0, RATE)
    stored.take("b", 1_000, RATE)
    with database.writing() as tx:
        assert remove_full_buckets(tx, 1_000) == 1
    assert stored.take("b", 1_000, RATE).remaining == 1


@pytest.mark.spec("decisions §3")
def test_as_many_are_let_in_as_a_bucket_has_room_for_and_looking_costs_nothing(
    database: Database,
) -> None:
    stored, now = StoredBuckets(database), 2**50
    looked = [stored.look("a", now, RATE) for _ in range(2)]
    assert [(one.is_allowed, one.remaining) for one in looked] == [(True, 3), (True, 3)]
    taken = [stored.take("a", now, RATE) for _ in range(5)]
    assert [(one.is_allowed, one.remaining) for one in taken] == [
        (True, 2),
        (True, 1),
        (True, 0),
        (False, 0),
        (False, 0),
    ]
    assert not stored.look("a", now, RATE).is_allowed
    assert stored.look("A", now, RATE).is_allowed
    assert stored.look("a", now + 100, RATE).remaining == 1
    with database.writing() as tx:
        assert remove_full_buckets(tx, now + 299) == 0
        assert remove_full_buckets(tx, now + 300) == 1


def test_a_commit_that_need_not_last_is_the_only_one_not_to_wait_for_the_disk(
    database: Database,
) -> None:
    asked = {
        "sqlite": ("PRAGMA synchronous", [2, 2]),
        "postgresql": ("SHOW synchronous_commit", ["off", "on"]),
    }
    question, expected = asked[database.dialect_name]
    answers = []
    for is_forgotten in (True, False):
        with database.writing() as tx:
            if is_forgotten:
                forget_durability(tx)
            answers.append(tx.exec_driver_sql(question).scalar_one())
    assert answers == expected
