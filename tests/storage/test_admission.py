"""Many are let in by one statement, each exactly as if they had come alone."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.databases import only_on_postgresql

from roundsman.domain.caller import Caller
from roundsman.domain.organization import Organization
from roundsman.kit.leaky_bucket import MemoryBuckets, Rate, Verdict
from roundsman.storage.access import add_client, add_secret, add_token, remove_secret
from roundsman.storage.admission import JointAdmission
from roundsman.storage.database import Database
from roundsman.storage.organizations import add_organization
from roundsman.storage.rate_buckets import StoredBuckets
from roundsman.storage.tables import as_micros

# SQLite is one process's database, and its buckets are in that process.
pytestmark = only_on_postgresql

RATE = Rate(capacity=5, interval_micros=100)
NOW = datetime(2026, 7, 1, tzinfo=UTC)
MICROS = as_micros(NOW)


@pytest.fixture
def gate(database: Database) -> JointAdmission:
    """Three clients, `a` to `c`, whose tokens are named after them."""
    organization = Organization(id="org", name="Org", timezone="UTC", webhook_secret="s")
    with database.writing() as tx:
        add_organization(tx, organization, NOW)
        for name in "abc":
            secret = name.encode() * 2
            add_client(tx, caller(name), NOW)
            add_secret(tx, name, secret, NOW)
            add_token(tx, name.encode(), secret, NOW + timedelta(hours=1))
    return JointAdmission(database=database, rate=RATE, prefix="client:")


def caller(name: str) -> Caller:
    return Caller(organization_id="org", client_id=name, email=f"{name}@example.com")


def admit(
    gate: JointAdmission, names: str, now: int = MICROS
) -> list[tuple[Caller, Verdict] | None]:
    return gate.admit_all([name.encode() for name in names], now)


@pytest.mark.spec("decisions §3")
@pytest.mark.parametrize("crowd", ["a", "aaa", "abcab", "aaaaaaaab", "cbacbacbacbacbacbacba"])
def test_many_are_let_in_as_they_would_be_one_after_the_other(
    gate: JointAdmission, crowd: str
) -> None:
    alone = MemoryBuckets()
    for now in (MICROS, MICROS + 1, MICROS + 120, MICROS + 350):
        expected = [(caller(name), alone.take(name, now, RATE)) for name in crowd]
        assert admit(gate, crowd, now) == expected


@pytest.mark.spec("decisions §3")
def test_who_comes_with_many_shares_a_bucket_with_who_comes_alone(gate: JointAdmission) -> None:
    admit(gate, "aaa")
    alone = StoredBuckets(gate.database).take("client:a", MICROS, RATE)
    assert (alone.is_allowed, alone.remaining) == (True, 1)
    assert verdicts(admit(gate, "aaa")) == [True, False, False]


def test_strangers_among_many_are_nobody_and_cost_nobody_anything(
    gate: JointAdmission,
) -> None:
    known, stranger, again = admit(gate, "axa")
    assert stranger is None
    assert known is not None
    assert again is not None
    assert [known[1].remaining, again[1].remaining] == [4, 3]
    assert admit(gate, "x") == [None]


def test_a_token_that_was_revoked_or_is_too_old_lets_nobody_in(gate: JointAdmission) -> None:
    with gate.database.writing() as tx:
        remove_secret(tx, b"aa")
    assert [found is None for found in admit(gate, "ab")] == [True, False]
    an_hour_later = as_micros(NOW + timedelta(hours=1))
    assert admit(gate, "ab", an_hour_later) == [None, None]


def test_crowds_of_several_processes_together_get_what_the_buckets_hold(
    gate: JointAdmission,
) -> None:
    """In whatever order each names the clients: none of them waits for one who waits for it."""

    def come(seed: int) -> list[tuple[Caller, Verdict] | None]:
        crowd = list("aabbcc")
        random.Random(seed).shuffle(crowd)  # noqa: S311 -- repeats itself on purpose
        return admit(gate, "".join(crowd))

    with ThreadPoolExecutor(4) as processes:
        admitted = [one for crowd in processes.map(come, range(40)) for one in crowd]
    let_in = [one[0].client_id for one in admitted if one is not None and one[1].is_allowed]
    assert sorted(let_in) == list("aaaaabbbbbccccc")


def verdicts(admitted: Sequence[tuple[Caller, Verdict] | None]) -> list[bool]:
    return [one is not None and one[1].is_allowed for one in admitted]
