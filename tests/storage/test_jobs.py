from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.storage.rows import ACME, MICROSECOND, NOW, OTHER, STRANGE, at

from roundsman.domain.event import Actor
from roundsman.domain.job import Job, JobClaim, JobState, Progress
from roundsman.storage.database import Database, Transaction
from roundsman.storage.jobs import (
    DueJobs,
    add_job,
    add_job_once,
    bring_jobs_forward,
    claim_job,
    count_jobs,
    count_running_jobs,
    decode_payload,
    encode_noun,
    extend_job_claims,
    find_claimed_job,
    hold_due_job,
    is_any_job_due,
    keep_position,
    list_organizations_with_due_jobs,
    release_job,
    remove_ended_jobs,
    report_progress,
    select_job,
    update_job,
)

pytestmark = pytest.mark.both_databases

LEASE = timedelta(seconds=6)
FIRST = JobClaim(job_id="j0", number=1, worker_id="w")
OTHERS = [
    JobClaim(job_id="j0", number=2, worker_id="w"),
    JobClaim(job_id="j0", number=1, worker_id="v"),
    JobClaim(job_id="j1", number=1, worker_id="w"),
]


def job(id_: str, seconds: float = 0, **changes: Any) -> Job:
    plain = {
        "id": id_,
        "organization_id": ACME,
        "kind": "import",
        "payload": "{}",
        "created_at": at(seconds),
        "due_at": at(seconds),
    }
    return Job(**{**plain, **changes})


@pytest.fixture
def queue(shared: Database) -> Database:
    """Jobs `j0` to `j2` of one organization, a second apart, and `other` of another."""
    with shared.writing() as tx:
        for number in (2, 0, 1):
            add_job(tx, job(f"j{number}", number))
        add_job(tx, job("other", 1, organization_id=OTHER, kind="export"))
    return shared


def found(tx: Transaction, job_id: str = "j0") -> Job:
    stored = select_job(tx, ACME, job_id)
    assert stored is not None
    return stored


def test_a_job_is_read_as_it_was_stored(shared: Database) -> None:
    strange = job(
        "j",
        payload=encode_noun(Progress(text=STRANGE)),
        actor=Actor(email=STRANGE),
        progress=Progress(done=2**40, total=2**41, text=STRANGE),
        position=STRANGE,
        error=STRANGE,
    )
    with shared.writing() as tx:
        add_job(tx, strange)
        assert found(tx, "j") == strange
        assert select_job(tx, ACME, "j", locked=True) == strange
        assert decode_payload(found(tx, "j").payload, Progress) == Progress(text=STRANGE)
        assert select_job(tx, OTHER, "j") is None
        assert select_job(tx, ACME, "k") is None
        for ended in (strange.cancelled(at(1)), strange.started("w", at(6)).completed(at(2))):
            update_job(tx, ended)
            assert found(tx, "j") == replace(ended, due_at=ended.ended_at)
    with pytest.raises(ValueError, match="Expected `int`"):
        decode_payload('{"done": "x"}', Progress)


def test_a_job_whose_id_is_known_is_not_stored_again(queue: Database) -> None:
    with queue.writing() as tx:
        assert add_job_once(tx, job("j3", 3))
        assert not add_job_once(tx, job("j3", 4, payload="[]"))
        assert not add_job_once(tx, job("j0", 5, payload="[]"))
        assert found(tx, "j3") == job("j3", 3)
        assert found(tx) == job("j0")


def test_organizations_are_listed_by_how_long_their_jobs_have_been_due(queue: Database) -> None:
    with queue.writing() as tx:
        assert not is_any_job_due(tx, NOW - MICROSECOND)
        assert list_organizations_with_due_jobs(tx, NOW - MICROSECOND) == []
        assert is_any_job_due(tx, NOW)
        assert list_organizations_with_due_jobs(tx, NOW) == [DueJobs(ACME, NOW)]
        assert list_organizations_with_due_jobs(tx, at(9)) == [
            DueJobs(ACME, NOW),
            DueJobs(OTHER, at(1)),
        ]
        claim_job(tx, "j0", "w", at(20))
        update_job(tx, found(tx, "j1").cancelled(at(0)))
        assert list_organizations_with_due_jobs(tx, at(9)) == [
            DueJobs(OTHER, at(1)),
            DueJobs(ACME, at(2)),
        ]


def test_the_next_job_is_the_one_due_longest_and_its_claim_hides_it_until_the_lease_ends(
    queue: Database,
) -> None:
    with queue.writing() as tx:
        assert hold_due_job(tx, ACME, NOW - MICROSECOND) is None
        assert hold_due_job(tx, ACME, at(9)) == found(tx)
        claim_job(tx, "j0", "w", at(6))
        assert found(tx) == job("j0").started("w", at(6))
        assert found(tx).claim() == FIRST
        second = hold_due_job(tx, ACME, at(5))
        assert second is not None
        assert second.id == "j1"
        claim_job(tx, "j1", "w", at(60))
        claim_job(tx, "j2", "w", at(60))
        assert hold_due_job(tx, ACME, at(6) - MICROSECOND) is None
        assert hold_due_job(tx, ACME, at(6)) == found(tx)
        claim_job(tx, "j0", "v", at(12))
        assert find_claimed_job(tx, FIRST) is None
        assert found(tx).claim() == JobClaim(job_id="j0", number=2, worker_id="v")


def test_running_jobs_are_counted_by_organization(queue: Database) -> None:
    with queue.writing() as tx:
        assert count_running_jobs(tx, NOW, LEASE) == {}
        for id_ in ("j0", "j1", "other"):
            claim_job(tx, id_, "w", NOW + LEASE)
        update_job(tx, replace(found(tx, "j2"), due_at=at(3)))
        assert count_running_jobs(tx, NOW, LEASE) == {ACME: 2, OTHER: 1}
        assert count_running_jobs(tx, NOW + LEASE, LEASE) == {}


@pytest.mark.parametrize("claim", OTHERS)
def test_who_does_not_hold_the_claim_changes_nothing(queue: Database, claim: JobClaim) -> None:
    with queue.writing() as tx:
        claim_job(tx, "j0", "w", at(6))
        before = found(tx)
        assert find_claimed_job(tx, claim) is None
        assert find_claimed_job(tx, claim, locked=True) is None
        assert not report_progress(tx, claim, Progress(done=1))
        assert not keep_position(tx, claim, "here")
        extend_job_claims(tx, [claim], at(60))
        release_job(tx, claim, at(1))
        assert found(tx) == before


def test_who_holds_the_claim_keeps_it_says_how_far_it_is_and_gives_the_job_back(
    queue: Database,
) -> None:
    with queue.writing() as tx:
        claim_job(tx, "j0", "w", at(6))
        claim_job(tx, "j1", "w", at(6))
        second = replace(FIRST, job_id="j1")
        extend_job_claims(tx, [], at(60))
        extend_job_claims(tx, [FIRST, second], at(60))
        assert (found(tx).due_at, found(tx, "j1").due_at) == (at(60), at(60))
        assert report_progress(tx, FIRST, Progress(done=1, total=2))
        assert keep_position(tx, FIRST, "half")
        held = find_claimed_job(tx, FIRST, locked=True)
        assert held is not None
        assert (held.progress, held.position) == (Progress(done=1, total=2), "half")
        assert find_claimed_job(tx, second) == found(tx, "j1")
        release_job(tx, FIRST, at(3))
        released = found(tx)
        assert (released.state, released.attempts, released.due_at) == (JobState.QUEUED, 0, at(3))
        assert released.position == "half"
        assert find_claimed_job(tx, FIRST) is None


def test_jobs_are_counted_by_kind_and_state(queue: Database) -> None:
    with queue.writing() as tx:
        add_job(tx, job("j3"))
        claim_job(tx, "j0", "w", at(6))
        claim_job(tx, "j1", "w", at(6))
        update_job(tx, found(tx, "j1").failed("no", at(1)))
        update_job(tx, found(tx, "j3").cancelled(at(1)))
        assert count_jobs(tx) == {
            ("import", "running"): 1,
            ("import", "waiting"): 1,
            ("import", "failed"): 1,
            ("export", "waiting"): 1,
        }


def test_ended_jobs_are_removed_so_many_at_a_time_and_others_stay(queue: Database) -> None:
    with queue.writing() as tx:
        claim_job(tx, "j0", "w", at(6))
        update_job(tx, found(tx, "j1").cancelled(at(1)))
        update_job(tx, found(tx, "j2").cancelled(at(2)))
        assert remove_ended_jobs(tx, at(1), 9) == 0
        assert remove_ended_jobs(tx, at(99), 1) == 1
        assert remove_ended_jobs(tx, at(99), 9) == 1
        assert [select_job(tx, ACME, id_) is None for id_ in ("j0", "j1", "j2")] == [0, 1, 1]


def test_what_is_due_later_than_can_be_is_brought_forward(queue: Database) -> None:
    with queue.writing() as tx:
        update_job(tx, found(tx, "j2").cancelled(at(99)))
        assert bring_jobs_forward(tx, at(0), NOW) == 2  # `j1` and `other`
        assert (found(tx, "j1").due_at, found(tx, "j2").ended_at) == (NOW, at(99))


def test_workers_at_once_claim_each_job_once(shared: Database) -> None:
    with shared.writing() as tx:
        for number in range(30):
            add_job(tx, job(f"j{number}"))

    def claim_all(worker_id: str) -> list[str]:
        claimed: list[str] = []
        while True:
            with shared.writing() as tx:
                held = hold_due_job(tx, ACME, NOW)
                if held is None:
                    return claimed
                claim_job(tx, held.id, worker_id, NOW + LEASE)
                claimed.append(held.id)

    with ThreadPoolExecutor(4) as threads:
        claimed = [id_ for ids in threads.map(claim_all, "wxyz") for id_ in ids]
    assert sorted(claimed) == sorted(f"j{number}" for number in range(30))
