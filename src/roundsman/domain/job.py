"""Jobs: work that outlives the request that enqueued it, attempt by attempt."""

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec.structs import replace

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.event import Actor
from roundsman.domain.model import UNSET, Line, Model, UnsetType

MOST_ATTEMPTS = 10
"""How often a job is attempted before it has failed."""

JOBS_KEPT_FOR = timedelta(days=7)
"""How long a job that has ended can be looked at."""

LONGEST_REASON = 500
"""How many characters of an error a job keeps."""

_FIRST_DELAY = timedelta(seconds=10)
_LONGEST_DELAY = timedelta(hours=1)
_SPREAD = 0.1
LONGEST_RETRY_DELAY = _LONGEST_DELAY * (1 + _SPREAD)


class JobState(StrEnum):
    """Where a job stands; a job that waits for its next attempt is queued again."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


_FOLLOWING = {
    JobState.QUEUED: {JobState.RUNNING, JobState.CANCELLED},
    # From running to running: another worker takes over when a lease has ended.
    JobState.RUNNING: set(JobState),
    JobState.COMPLETED: set[JobState](),
    JobState.FAILED: set[JobState](),
    JobState.CANCELLED: set[JobState](),
}

ENDED_STATES = tuple(state for state, following in _FOLLOWING.items() if not following)


class Progress(Model):
    """How far a job is: so much done, of a total that is 0 while nobody knows it."""

    done: int = 0
    total: int = 0
    text: Line = ""

    def percent(self) -> int | UnsetType:
        """Return the share that is done, rounded down, where the total is known."""
        return min(100, self.done * 100 // self.total) if self.total > 0 else UNSET


class JobClaim(Model):
    """One attempt of one job by one worker; a worker that lost it cannot commit under it."""

    job_id: str
    number: int
    worker_id: str


class Job(Model):
    """One piece of work; `payload` is JSON that the job's kind understands."""

    id: str
    organization_id: str
    kind: str
    payload: str
    created_at: datetime
    due_at: datetime
    """When its next attempt is due, or while it runs, when its lease ends."""

    actor: Actor = Actor()
    """Whom its events name."""

    state: JobState = JobState.QUEUED
    attempts: int = 0
    worker_id: str | UnsetType = UNSET
    """Who runs it."""

    is_cancel_requested: bool = False
    progress: Progress = Progress()
    position: str = ""
    """Where the next attempt goes on, as the last step that was committed left it."""

    error: str = ""
    """Why the latest attempt failed."""

    ended_at: datetime | UnsetType = UNSET

    def claim(self) -> JobClaim:
        """Return the claim of the attempt that runs."""
        if self.worker_id is UNSET:
            raise FailedPrecondition("job is not running")
        return JobClaim(job_id=self.id, number=self.attempts, worker_id=self.worker_id)

    def is_ended(self) -> bool:
        """Say whether nothing will happen to it any more."""
        return self.state in ENDED_STATES

    def is_last_attempt(self) -> bool:
        """Say whether no retry follows this attempt."""
        return self.attempts >= MOST_ATTEMPTS

    def started(self, worker_id: str, until: datetime) -> "Job":
        """Return the job as a worker begins its next attempt."""
        return replace(
            self._became(JobState.RUNNING),
            attempts=self.attempts + 1,
            worker_id=worker_id,
            due_at=until,
        )

    def completed(self, now: datetime) -> "Job":
        """Return the job as its work is done; what it says of progress is that all is."""
        total = self.progress.total or self.progress.done
        done = replace(self.progress, done=total, total=total)
        return replace(self._ended(JobState.COMPLETED, now), progress=done, error="")

    def failed(self, error: str, now: datetime) -> "Job":
        """Return the job as an attempt failed that no other will follow."""
        return replace(self._ended(JobState.FAILED, now), error=error[:LONGEST_REASON])

    def retried(self, error: str, due_at: datetime) -> "Job":
        """Return the job as an attempt failed that another will follow."""
        return replace(
            self._became(JobState.QUEUED),
            worker_id=UNSET,
            due_at=due_at,
            error=error[:LONGEST_REASON],
        )

    def cancelled(self, now: datetime) -> "Job":
        """Return the job as it is given up."""
        return self._ended(JobState.CANCELLED, now)

    def cancel_requested(self, now: datetime) -> "Job":
        """Return the job as somebody wants it no more: one that runs ends at its next check."""
        if self.is_ended():
            raise FailedPrecondition(f"job has ended: it is {self.state.value}")
        wanted_no_more = replace(self, is_cancel_requested=True)
        if self.state is JobState.QUEUED:
            return wanted_no_more.cancelled(now)
        return wanted_no_more

    def _ended(self, state: JobState, now: datetime) -> "Job":
        return replace(self._became(state), worker_id=UNSET, due_at=now, ended_at=now)

    def _became(self, state: JobState) -> "Job":
        if state not in _FOLLOWING[self.state]:
            raise FailedPrecondition(f"job is {self.state.value} and cannot become {state.value}")
        return replace(self, state=state)


def retry_delay(attempts: int, share: float) -> timedelta:
    """Return how long to wait after this many attempts: 10 s, doubled each time, up to an hour.

    `share`, drawn between 0 and 1, spreads it by a tenth, so that jobs that failed together do not
    come back together.
    """
    doubled: timedelta = _FIRST_DELAY * 2 ** (min(attempts, MOST_ATTEMPTS) - 1)
    return min(doubled, _LONGEST_DELAY) * (1 + _SPREAD * (2 * share - 1))
