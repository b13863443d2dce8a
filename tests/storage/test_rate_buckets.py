import pytest

from roundsman.kit.leaky_bucket import MemoryBuckets, Rate
from roundsman.storage.database import Database
from roundsman.storage.rate_buckets import StoredBuckets, remove_full_buckets

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
