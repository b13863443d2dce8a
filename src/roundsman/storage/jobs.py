"""Jobs as rows, claimed by workers like event deliveries (`storage/leases.py`).

A job that runs is pending under a claim; so the states QUEUED and RUNNING are one stored state, and
`claimed_by` tells them apart. `due_at` of a job that has ended is when it ended.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Row, bindparam, case, delete, func, insert, select, update

from roundsman.domain.event import Actor
from roundsman.domain.job import ENDED_STATES, Job, JobClaim, JobState, Progress
from roundsman.domain.model import UNSET, Model
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing
from roundsman.storage.leases import Leases
from roundsman.storage.tables import jobs, organizations

_PENDING = "PENDING"
_IS_PENDING = jobs.c.state == _PENDING
_LEASES = Leases(jobs, _IS_PENDING)
_IS_NAMED = jobs.c.id == bindparam("of_job")
_ENDED = [state.value for state in ENDED_STATES]


class DueJobs(NamedTuple):
    """An organization that has jobs due, and since when the first of them is."""

    organization_id: str
    oldest: datetime


def encode_noun(noun: Model) -> str:
    """Return a payload, or what else belongs to a job, as it is stored."""
    return msgspec.json.encode(noun).decode()


def decode_payload[P: Model](payload: str, kind: type[P]) -> P:
    """Return a stored payload; raise ValueError where it is none of this type."""
    return msgspec.json.decode(payload, type=kind)


def add_job(tx: Transaction, job: Job) -> None:
    """Store a job that has not begun."""
    tx.execute(insert(jobs).values(_row(job)))


def add_job_once(tx: Transaction, job: Job) -> bool:
    """Store a job that has not begun unless its id is known; say whether it is new."""
    return insert_missing(tx, jobs, _row(job), keys=["id"])


def _row(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "organization_id": job.organization_id,
        "kind": job.kind,
        "payload": job.payload,
        "actor": encode_noun(job.actor),
        "created_at": job.created_at,
        **_changing(job),
    }


def select_job(
    tx: Transaction, organization_id: str, job_id: str, *, locked: bool = False
) -> Job | None:
    """Return a job of an organization."""
    query = select(jobs).where(jobs.c.organization_id == organization_id, jobs.c.id == job_id)
    row = tx.execute(query.with_for_update() if locked else query).first()
    return None if row is None else _read(row)


def is_any_job_due(tx: Transaction, now: datetime) -> bool:
    """Say whether any organization waits for a worker."""
    due = select(jobs.c.id).where(_IS_PENDING, jobs.c.due_at <= now).limit(1)
    return tx.execute(due).first() is not None


def list_organizations_with_due_jobs(tx: Transaction, now: datetime) -> list[DueJobs]:
    """Return whose jobs are due, longest due first; one step into the index for each of them."""
    oldest = (
        select(func.min(jobs.c.due_at))
        .where(jobs.c.organization_id == organizations.c.id, _IS_PENDING, jobs.c.due_at <= now)
        .scalar_subquery()
    )
    found = select(organizations.c.id, oldest.label("oldest")).subquery()
    rows = tx.execute(
        select(found).where(found.c.oldest.is_not(None)).order_by(found.c.oldest, found.c.id)
    )
    return [DueJobs(organization_id=row.id, oldest=row.oldest) for row in rows]


def count_running_jobs(tx: Transaction, now: datetime, lease: timedelta) -> dict[str, int]:
    """Return how many jobs of each organization run, in whatever process."""
    rows = tx.execute(
        select(jobs.c.organization_id, func.count())
        .where(_LEASES.is_running(now, lease))
        .group_by(jobs.c.organization_id)
    )
    return {row.organization_id: int(row[1]) for row in rows}


def hold_due_job(tx: Transaction, organization_id: str, now: datetime) -> Job | None:
    """Lock the job of an organization that has been due longest, save those others are taking."""
    row = tx.execute(
        select(jobs)
        .where(jobs.c.organization_id == organization_id, _IS_PENDING, jobs.c.due_at <= now)
        .order_by(jobs.c.due_at, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    return None if row is None else _read(row)


def claim_job(tx: Transaction, job_id: str, worker_id: str, until: datetime) -> None:
    """Begin an attempt of a job that is locked."""
    _LEASES.claim(tx, jobs.c.id == job_id, worker_id, until)


def extend_job_claims(tx: Transaction, claims: Collection[JobClaim], until: datetime) -> None:
    """Keep claims that are still held."""
    if claims:
        _LEASES.extend(tx, _IS_NAMED, [_named(claim) for claim in claims], until)


def release_job(tx: Transaction, claim: JobClaim, now: datetime) -> None:
    """End a claim as if its attempt had not been made; what its steps did stays."""
    _LEASES.release(tx, _IS_NAMED, [_named(claim)], now)


def find_claimed_job(tx: Transaction, claim: JobClaim, *, locked: bool = False) -> Job | None:
    """Return the job of a claim, None when the claim is no longer held."""
    query = select(jobs).where(_IS_NAMED, _LEASES.is_held())
    row = tx.execute(query.with_for_update() if locked else query, _named(claim)).first()
    return None if row is None else _read(row)


def report_progress(tx: Transaction, claim: JobClaim, progress: Progress) -> bool:
    """Write how far a job is; say whether the claim is still held."""
    return _change_claimed(tx, claim, progress=encode_noun(progress))


def keep_position(tx: Transaction, claim: JobClaim, position: str) -> bool:
    """Write where a job's next attempt goes on; say whether the claim is still held."""
    return _change_claimed(tx, claim, position=position)


def _change_claimed(tx: Transaction, claim: JobClaim, **values: str) -> bool:
    statement = update(jobs).where(_IS_NAMED, _LEASES.is_held()).values(**values)
    return tx.execute(statement, _named(claim)).rowcount == 1


def update_job(tx: Transaction, job: Job) -> None:
    """Write a job that is locked."""
    tx.execute(update(jobs).where(jobs.c.id == job.id).values(_changing(job)))


def bring_jobs_forward(tx: Transaction, latest: datetime, now: datetime) -> int:
    """Make jobs due now that a clock far ahead has put off."""
    return _LEASES.bring_forward(tx, latest, now)


def count_jobs(tx: Transaction) -> dict[tuple[str, str], int]:
    """Return how many jobs wait, run and have failed, by kind and that word."""
    state = case(
        (jobs.c.state == JobState.FAILED.value, "failed"),
        (jobs.c.claimed_by.is_not(None), "running"),
        else_="waiting",
    ).label("shown")
    rows = tx.execute(
        select(jobs.c.kind, state, func.count())
        .where(jobs.c.state.in_([_PENDING, JobState.FAILED.value]))
        .group_by(jobs.c.kind, state)
    )
    return {(row.kind, row.shown): int(row[2]) for row in rows}


def remove_ended_jobs(tx: Transaction, before: datetime, most: int) -> int:
    """Remove jobs that ended before a moment, so many at most; return how many."""
    old = select(jobs.c.id).where(jobs.c.state.in_(_ENDED), jobs.c.due_at < before).limit(most)
    return tx.execute(delete(jobs).where(jobs.c.id.in_(old))).rowcount


def _named(claim: JobClaim) -> dict[str, Any]:
    return {"of_job": claim.job_id, "of_number": claim.number, "of_worker": claim.worker_id}


def _changing(job: Job) -> dict[str, Any]:
    """Return the columns that change while a job lives."""
    return {
        "state": job.state.value if job.is_ended() else _PENDING,
        "attempts": job.attempts,
        "due_at": job.due_at if job.ended_at is UNSET else job.ended_at,
        "claimed_by": None if job.worker_id is UNSET else job.worker_id,
        "is_cancel_requested": job.is_cancel_requested,
        "progress": encode_noun(job.progress),
        "position": job.position,
        "error": job.error,
    }


def _read(row: Row[Any]) -> Job:
    is_pending = row.state == _PENDING
    pending = JobState.QUEUED if row.claimed_by is None else JobState.RUNNING
    return Job(
        id=row.id,
        organization_id=row.organization_id,
        kind=row.kind,
        payload=row.payload,
        created_at=row.created_at,
        due_at=row.due_at,
        actor=msgspec.json.decode(row.actor, type=Actor),
        state=pending if is_pending else JobState(row.state),
        attempts=row.attempts,
        worker_id=row.claimed_by or UNSET,
        is_cancel_requested=row.is_cancel_requested,
        progress=msgspec.json.decode(row.progress, type=Progress),
        position=row.position,
        error=row.error,
        ended_at=UNSET if is_pending else row.due_at,
    )
