"""Running jobs, as a worker does: claim what is due, run it, write what became of each attempt.

Workers are shared between organizations: whoever has the fewest jobs running is next, and the last
free slots of a worker are left to those that have none running. An attempt is counted when it is
claimed: a job that brings its worker down is not tried for ever.
"""

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from enum import StrEnum

import structlog

from roundsman.domain.errors import Aborted, ResourceExhausted, RoundsmanError, Unavailable
from roundsman.domain.job import Job, JobState, retry_delay
from roundsman.operations.jobs import (
    ClaimLost,
    JobCancelled,
    JobKinds,
    RunningJob,
    WorkerStopping,
)
from roundsman.operations.tools import Tools
from roundsman.storage import jobs as stored
from roundsman.storage.database import Transaction

MOST_RUNNING_EACH = 2
"""How many jobs of one organization run at once, however many workers are free."""

_LOOK_AGAIN_SECONDS = 0.2
_LOST = "the worker was lost before it said how this went"
_PASSING = (Unavailable, Aborted, ResourceExhausted)
"""Errors that may be over when the job is attempted again; other expected ones stay."""

_log = structlog.get_logger("roundsman.operations")


class AttemptResult(StrEnum):
    """How an attempt of a job ended."""

    COMPLETED = "completed"
    RETRIED = "retried"
    FAILED = "failed"
    CANCELLED = "cancelled"
    RELEASED = "released"
    LOST = "lost"


class UnrunnableJob(Exception):
    """This version cannot run the job; a newer one that serves at the same time may."""


def claim_jobs(
    tools: Tools, worker_id: str, lease: timedelta, *, room: int, reserved: int = 0
) -> list[Job]:
    """Claim what is due for so much room; `reserved` of it is for organizations without a job."""
    with tools.database.reading() as tx:
        if not stored.is_any_job_due(tx, tools.clock.now()):
            return []
    with tools.database.writing() as tx:
        now = tools.clock.now()
        running = stored.count_running_jobs(tx, now, lease)
        waiting = [one.organization_id for one in stored.list_organizations_with_due_jobs(tx, now)]
        claimed: list[Job] = []
        while waiting and len(claimed) < room:
            # The first of those with the fewest: the list is in the order of waiting.
            organization_id = min(waiting, key=lambda one: running.get(one, 0))
            if room - len(claimed) <= reserved and running.get(organization_id, 0):
                break
            if running.get(organization_id, 0) >= MOST_RUNNING_EACH:
                break
            job = _claim_next(tx, organization_id, worker_id, now, lease)
            if job is None:
                waiting.remove(organization_id)
                continue
            claimed.append(job)
            running[organization_id] = running.get(organization_id, 0) + 1
        return claimed


def _claim_next(
    tx: Transaction, organization_id: str, worker_id: str, now: datetime, lease: timedelta
) -> Job | None:
    """Claim an organization's next job; end those before it that are not to be run again."""
    while (job := stored.hold_due_job(tx, organization_id, now)) is not None:
        if job.is_cancel_requested:
            stored.update_job(tx, job.cancelled(now))
        elif job.state is JobState.RUNNING and job.is_last_attempt():
            stored.update_job(tx, job.failed(_LOST, now))
            _log.error("job_failed", **_named(job), reason=_LOST)
        else:
            if job.state is JobState.RUNNING:
                _log.warning("job_retried", **_named(job), reason=_LOST)
            started = job.started(worker_id, now + lease)
            stored.claim_job(tx, job.id, worker_id, started.due_at)
            return started
    return None


def run_job(
    tools: Tools, kinds: JobKinds, job: Job, is_stopping: Callable[[], bool] = lambda: False
) -> AttemptResult:
    """Run a claimed job to its end; raise what its function raises, for `fail_job`."""
    try:
        _call_function(tools, kinds, job, is_stopping)
    except WorkerStopping:
        release_jobs(tools, [job])
        return AttemptResult.RELEASED
    except ClaimLost:
        return AttemptResult.LOST
    except JobCancelled:
        return _change(tools, job, Job.cancelled, AttemptResult.CANCELLED)
    with tools.database.reading() as tx:
        if stored.find_claimed_job(tx, job.claim()) is not None:
            raise RuntimeError("a job's function ended without completing the job")
    return AttemptResult.COMPLETED


def _call_function(
    tools: Tools, kinds: JobKinds, job: Job, is_stopping: Callable[[], bool]
) -> None:
    kind = kinds.get(job.kind)
    if kind is None:
        raise UnrunnableJob(f'kind "{job.kind}" is unknown to this version')
    try:
        payload = stored.decode_payload(job.payload, kind.payload)
    except ValueError as error:
        raise UnrunnableJob(f'payload of kind "{job.kind}" cannot be read: {error}') from error
    kind.run(tools, RunningJob(tools=tools, job=job, payload=payload, is_stopping=is_stopping))


def fail_job(tools: Tools, job: Job, error: Exception) -> AttemptResult:
    """Write that an attempt failed, and have the job attempted again where that may help."""
    is_expected = isinstance(error, RoundsmanError)
    is_final = is_expected and not isinstance(error, _PASSING)
    reason = _reason_of(error)
    share = int.from_bytes(tools.ids.random_bytes(2)) / 0xFFFF

    def after(held: Job, now: datetime) -> Job:
        if is_final or held.is_last_attempt():
            return held.failed(reason, now)
        return held.retried(reason, now + retry_delay(held.attempts, share))

    is_over = is_final or job.is_last_attempt()
    result = AttemptResult.FAILED if is_over else AttemptResult.RETRIED
    result = _change(tools, job, after, result)
    described = _named(job) | {"reason": type(error).__name__ if is_expected else reason}
    if not is_expected and not isinstance(error, UnrunnableJob):
        described["exc_info"] = error
    if result is AttemptResult.FAILED:
        _log.error("job_failed", **described)
    else:
        _log.warning("job_retried", **described)
    return result


def carry_out_job(
    tools: Tools, kinds: JobKinds, organization_id: str, job_id: str, lease: timedelta
) -> None:
    """Run one job here and now, unless a worker has it: then wait until that has ended.

    Raises what the job's function raises; another attempt follows where a service runs.
    """
    worker_id = tools.ids.new_uuid()
    while True:
        with tools.database.writing() as tx:
            job = stored.select_job(tx, organization_id, job_id, locked=True)
            if job is None or job.is_ended():
                return
            claimed = None
            if job.state is JobState.QUEUED:
                claimed = job.started(worker_id, tools.clock.now() + lease)
                stored.claim_job(tx, job.id, worker_id, claimed.due_at)
        if claimed is None:
            time.sleep(_LOOK_AGAIN_SECONDS)
            continue
        try:
            run_job(tools, kinds, claimed)
        except Exception as error:
            fail_job(tools, claimed, error)
            raise


def extend_leases(tools: Tools, jobs: Collection[Job], lease: timedelta) -> None:
    """Keep the claims of jobs that still run."""
    # Sorted: two workers that wait for the same rows lock them in the same order.
    claims = sorted((job.claim() for job in jobs), key=lambda claim: claim.job_id)
    with tools.database.writing() as tx:
        stored.extend_job_claims(tx, claims, tools.clock.now() + lease)


def release_jobs(tools: Tools, jobs: Collection[Job]) -> None:
    """Give jobs back, to be gone on with at once from their last steps; no attempt is counted."""
    with tools.database.writing() as tx:
        for job in jobs:
            stored.release_job(tx, job.claim(), tools.clock.now())


def _change(
    tools: Tools, job: Job, after: Callable[[Job, datetime], Job], result: AttemptResult
) -> AttemptResult:
    """Write what becomes of a job, unless its claim was lost."""
    with tools.database.writing() as tx:
        held = stored.find_claimed_job(tx, job.claim(), locked=True)
        if held is None:
            return AttemptResult.LOST
        stored.update_job(tx, after(held, tools.clock.now()))
    return result


def _reason_of(error: Exception) -> str:
    """Return what the job's row says; a bug's message may hold anything, so it only has a name."""
    if isinstance(error, RoundsmanError | UnrunnableJob):
        return str(error)
    return f"internal error ({type(error).__name__})"


def _named(job: Job) -> dict[str, object]:
    return {"job": job.id, "kind": job.kind, "attempt": job.attempts}
