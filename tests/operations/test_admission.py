"""Whose token it is, and whether the holder's bucket has room."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from roundsman.domain.caller import Caller
from roundsman.domain.organization import Organization
from roundsman.kit.clock import Clock
from roundsman.kit.leaky_bucket import Rate
from roundsman.kit.secrets import hash_secret
from roundsman.operations.admission import Admission
from roundsman.storage.access import add_client, add_secret, add_token, remove_secret
from roundsman.storage.database import Database
from roundsman.storage.organizations import add_organization
from roundsman.storage.rate_buckets import StoredBuckets

pytestmark = pytest.mark.both_databases

RATE = Rate(capacity=5, interval_micros=100_000)
NOW = datetime(2026, 7, 1, tzinfo=UTC)


class StoppedClock:
    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now


def admission(database: Database, now: datetime = NOW) -> Admission:
    clock: Clock = StoppedClock(now)
    return Admission(database=database, buckets=StoredBuckets(database), clock=clock, rate=RATE)


@pytest.fixture
def known(database: Database) -> Database:
    """Clients `a` and `b`, whose tokens are named after them and last an hour."""
    organization = Organization(id="org", name="Org", timezone="UTC", webhook_secret="s")
    with database.writing() as tx:
        add_organization(tx, organization, NOW)
        for name in "ab":
            add_client(tx, caller(name), NOW)
            add_secret(tx, name, name.encode(), NOW)
            add_token(tx, hash_secret(name), name.encode(), NOW + timedelta(hours=1))
    return database


def caller(name: str) -> Caller:
    return Caller(organization_id="org", client_id=name, email=f"{name}@example.com")


@pytest.mark.spec("decisions §3")
def test_each_client_has_a_bucket_of_its_own(known: Database) -> None:
    let_in = [admission(known).admit(name) for name in "aaaaaab"]
    assert [one and (one[0], one[1].is_allowed) for one in let_in] == [
        *[(caller("a"), True)] * 5,
        (caller("a"), False),
        (caller("b"), True),
    ]


def test_a_token_that_is_unknown_revoked_or_too_old_lets_nobody_in(known: Database) -> None:
    assert admission(known).admit("x") is None
    with known.writing() as tx:
        remove_secret(tx, b"a")
    assert admission(known).admit("a") is None
    assert admission(known).admit("b") is not None
    assert admission(known, NOW + timedelta(hours=1)).admit("b") is None


def test_requests_at_the_same_moment_get_together_what_the_bucket_holds(known: Database) -> None:
    with ThreadPoolExecutor(4) as threads:
        let_in = list(threads.map(lambda _: admission(known).admit("a"), range(40)))
    assert sum(one is not None and one[1].is_allowed for one in let_in) == RATE.capacity
