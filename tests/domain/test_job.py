from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.job import (
    ENDED_STATES,
    LONGEST_RETRY_DELAY,
    MOST_ATTEMPTS,
    Job,
    JobState,
    Progress,
    retry_delay,
)
from roundsman.domain.model import UNSET, UnsetType

NOW = datetime(2026, 7, 1, tzinfo=UTC)
LATER = NOW + timedelta(seconds=1)
QUEUED = Job(id="job-1", organization_id="acme", kind="k", payload="{}", created_at=NOW, due_at=NOW)
RUNNING = QUEUED.started("w", LATER)

CHANGES = {
    JobState.RUNNING: lambda job: job.started("w", LATER),
    JobState.COMPLETED: lambda job: job.completed(LATER),
    JobState.FAILED: lambda job: job.failed("no", LATER),
    JobState.CANCELLED: lambda job: job.cancelled(LATER),
    JobState.QUEUED: lambda job: job.retried("not now", LATER),
}
ALLOWED = {
    JobState.QUEUED: {JobState.RUNNING, JobState.CANCELLED},
    JobState.RUNNING: set(JobState),
}


@pytest.mark.parametrize("before", JobState)
@pytest.mark.parametrize("after", JobState)
def test_a_job_becomes_only_what_may_follow(before: JobState, after: JobState) -> None:
    job = replace(QUEUED, state=before)
    if after in ALLOWED.get(before, set()):
        assert CHANGES[after](job).state is after
    else:
        with pytest.raises(FailedPrecondition, match=f"job is {before.value} and cannot become"):
            CHANGES[after](job)


def test_an_attempt_has_a_claim_until_it_ends_and_is_counted() -> None:
    claim = RUNNING.claim()
    assert (claim.job_id, claim.number, claim.worker_id) == ("job-1", 1, "w")
    again = RUNNING.retried("x" * 1_000, LATER)
    assert (again.attempts, again.due_at, len(again.error)) == (1, LATER, 500)
    assert again.ended_at is UNSET
    for ended in (again, *(CHANGES[state](RUNNING) for state in ENDED_STATES)):
        with pytest.raises(FailedPrecondition, match="job is not running"):
            ended.claim()
        assert ended.is_ended() is (ended is not again)
    assert again.started("v", LATER).claim().number == 2


def test_a_completed_job_says_that_all_is_done_and_keeps_no_error() -> None:
    half = replace(RUNNING, progress=Progress(done=1, total=2, text="half"), error="before")
    assert half.completed(LATER).progress == Progress(done=2, total=2, text="half")
    assert (half.completed(LATER).error, half.completed(LATER).ended_at) == ("", LATER)


def test_a_cancel_ends_what_waits_asks_what_runs_and_is_refused_by_what_has_ended() -> None:
    assert QUEUED.cancel_requested(LATER).state is JobState.CANCELLED
    asked = RUNNING.cancel_requested(LATER)
    assert (asked.state, asked.is_cancel_requested) == (JobState.RUNNING, True)
    with pytest.raises(FailedPrecondition, match="job has ended: it is COMPLETED"):
        asked.completed(LATER).cancel_requested(LATER)


@pytest.mark.parametrize(
    ("done", "total", "percent"),
    [(0, 0, UNSET), (5, 0, UNSET), (0, 3, 0), (2, 3, 66), (3, 3, 100), (4, 3, 100)],
)
def test_percent_is_rounded_down_and_unknown_without_a_total(
    done: int, total: int, percent: int | UnsetType
) -> None:
    assert Progress(done=done, total=total).percent() == percent


def test_retries_wait_twice_as_long_each_time_up_to_an_hour_and_spread_by_a_tenth() -> None:
    delays = [retry_delay(number, 0.5).total_seconds() for number in range(1, MOST_ATTEMPTS + 1)]
    assert delays == [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600]
    assert retry_delay(1, 0).total_seconds() == pytest.approx(9)
    assert retry_delay(1, 1).total_seconds() == pytest.approx(11)
    assert retry_delay(MOST_ATTEMPTS, 1) == LONGEST_RETRY_DELAY
    assert retry_delay(1_000, 0.5) == timedelta(hours=1)
    assert not replace(QUEUED, attempts=MOST_ATTEMPTS - 1).is_last_attempt()
    assert replace(QUEUED, attempts=MOST_ATTEMPTS).is_last_attempt()
