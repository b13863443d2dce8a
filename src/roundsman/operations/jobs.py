"""Jobs: work that outlives the request that enqueued it.

A noun whose work takes long registers a `JobKind` and enqueues jobs of it, each in the transaction
of the change that asks for it. The kind's function is called in a thread of a worker and changes
something only by operations under a request of its `RunningJob`: `completing()` for the last of
them, `stepping()` for any before. The transaction of such an operation also writes what became of
the job, and only while the worker still holds its claim. So a job that is killed at any moment is
done once in effect: a step either has been committed and is not made again, or has not.

Whatever else the function does (calls to other services, files) it may do more than once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from roundsman.domain.errors import NotFound
from roundsman.domain.event import Actor
from roundsman.domain.job import Job, JobClaim, Progress
from roundsman.domain.model import Model
from roundsman.domain.principal import operator
from roundsman.kit.ids import new_id
from roundsman.operations.request import Receipt, Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import jobs as stored
from roundsman.storage.database import Transaction


@dataclass(frozen=True, kw_only=True, slots=True)
class JobKind[P: Model]:
    """One kind of work: the name in the table, its parameters and its function."""

    name: str
    payload: type[P]
    run: "Callable[[Tools, RunningJob[P]], None]"


type JobKinds = Mapping[str, JobKind[Any]]
"""Every kind that this version knows, by its name."""


def register(*kinds: JobKind[Any]) -> JobKinds:
    """Return the registry of these kinds."""
    registry = {kind.name: kind for kind in kinds}
    if len(registry) < len(kinds):
        raise ValueError("two kinds of jobs have the same name")
    return registry


class JobInterrupted(Exception):
    """A job's function is to end, without catching this; the subclass says why."""


class JobCancelled(JobInterrupted):
    """Somebody wants the job no more."""


class WorkerStopping(JobInterrupted):
    """The worker stops; the job goes on elsewhere from its last step."""


class ClaimLost(JobInterrupted):
    """Another worker has the job; what this one was about to commit is undone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningJob[P: Model]:
    """One attempt of a job, as the function of its kind sees it."""

    tools: Tools
    job: Job
    payload: P
    is_stopping: Callable[[], bool] = lambda: False

    @property
    def position(self) -> str:
        """Where this attempt goes on: what the last step kept, empty at the beginning."""
        return self.job.position

    def check(self) -> None:
        """Raise JobInterrupted where the job is to end now; to be called every few seconds."""
        if self.is_stopping():
            raise WorkerStopping
        with self.tools.database.reading() as tx:
            job = stored.find_claimed_job(tx, self.job.claim())
        if job is None:
            raise ClaimLost
        if job.is_cancel_requested:
            raise JobCancelled

    def report(self, done: int, total: int = 0, text: str = "") -> None:
        """Record how far the job is, and check."""
        self.check()
        progress = Progress(done=done, total=total, text=text)
        with self.tools.database.writing() as tx:
            if not stored.report_progress(tx, self.job.claim(), progress):
                raise ClaimLost

    def stepping(self, position: str, progress: Progress | None = None) -> Request:
        """Return the request of an operation after which the job goes on at a position."""
        step = _Step(claim=self.job.claim(), position=position, progress=progress)
        return self._request(step)

    def completing(self) -> Request:
        """Return the request of the operation with which the job is done."""
        return self._request(_Completion(claim=self.job.claim()))

    def _request(self, receipt: Receipt) -> Request:
        caller = operator(self.job.organization_id)
        return Request(principal=caller, receipt=receipt, actor=self.job.actor)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    """Keeps a job's position in the transaction of a step."""

    claim: JobClaim
    position: str
    progress: Progress | None

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        del result, now
        if not stored.keep_position(tx, self.claim, self.position):
            raise ClaimLost
        if self.progress is not None:
            stored.report_progress(tx, self.claim, self.progress)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Completion:
    """Completes a job in the transaction of its effect."""

    claim: JobClaim

    def keep(self, tx: Transaction, result: object, now: datetime) -> None:
        del result
        job = stored.find_claimed_job(tx, self.claim, locked=True)
        if job is None:
            raise ClaimLost
        stored.update_job(tx, job.completed(now))


def enqueue_job[P: Model](
    work: UnitOfWork, kind: JobKind[P], payload: P, actor: Actor | None = None
) -> Job:
    """Have a job done once this work is committed, in the name of the request's principal."""
    job = Job(
        id=new_id(work.ids, "job"),
        organization_id=work.organization_id,
        kind=kind.name,
        payload=stored.encode_noun(payload),
        created_at=work.now,
        due_at=work.event_time.clock,
        actor=actor or Actor(),
    )
    stored.add_job(work.tx, job)
    return job


def find_job(tools: Tools, organization_id: str, job_id: str) -> Job:
    """Return a job: its state, how far it is, and what went wrong."""
    with tools.database.reading() as tx:
        return _require(stored.select_job(tx, organization_id, job_id))


def cancel_job(tools: Tools, request: Request, job_id: str) -> Job:
    """End a job that waits; have one that runs end at its next check."""
    with begin_work(tools, request) as work:
        found = stored.select_job(work.tx, work.organization_id, job_id, locked=True)
        job = _require(found).cancel_requested(work.now)
        stored.update_job(work.tx, job)
        return work.done(job)


def _require(job: Job | None) -> Job:
    if job is None:
        raise NotFound("job not found")
    return job
