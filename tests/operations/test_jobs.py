"""Jobs from being asked for to their end, by workers that share a standing clock."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.workers.world import World, make_world
from tests.world import CountingIds, FixedClock

from roundsman.domain.address import Coordinates
from roundsman.domain.errors import FailedPrecondition, InvalidArgument, NotFound, Unavailable
from roundsman.domain.event import Actor
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.job import MOST_ATTEMPTS, Job, JobState, Progress
from roundsman.domain.model import Model
from roundsman.domain.principal import operator
from roundsman.domain.queries import ListEvents, Query
from roundsman.installation import make_registrar
from roundsman.operations.event_log import list_events
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.job_runs import (
    MOST_RUNNING_EACH,
    AttemptResult,
    claim_jobs,
    extend_leases,
    fail_job,
    run_job,
)
from roundsman.operations.jobs import (
    ClaimLost,
    JobKind,
    RunningJob,
    cancel_job,
    enqueue_job,
    find_job,
    register,
)
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage.database import Database
from roundsman.storage.jobs import count_jobs
from roundsman.storage.leases import LEASE

pytestmark = pytest.mark.both_databases

type Run = Callable[[Tools, RunningJob[Names]], None]


class Names(Model):
    """The payload of the jobs here: the names of stops to import."""

    names: tuple[str, ...]


def import_one(tools: Tools, request: Request, name: str) -> None:
    point = Coordinates(latitude=39.29, longitude=-76.61)
    import_stops(tools, request, [StopDraft(coordinates=point, note=name)])


def import_all(tools: Tools, job: RunningJob[Names]) -> None:
    """Import a stop a name, each in a step of its own; the last completes the job."""
    names = job.payload.names
    for number in range(int(job.position or 0), len(names)):
        job.report(number, len(names), names[number])
        is_last = number == len(names) - 1
        request = job.completing() if is_last else job.stepping(str(number + 1))
        import_one(tools, request, names[number])


class Queue:
    """An installation with workers; every job imports stops, and `run` says how."""

    def __init__(self, world: World) -> None:
        self.tools, self.clock, self.request = world.tools, world.clock, world.request
        self.run: Run = import_all
        self.kind = JobKind(name="import", payload=Names, run=self._run)
        self.kinds = register(self.kind)

    def _run(self, tools: Tools, job: RunningJob[Names]) -> None:
        self.run(tools, job)

    def another_organization(self) -> Request:
        made = create_organization(make_registrar(self.tools), "Other", "UTC")
        return Request(principal=operator(made.id))

    def enqueue(self, *names: str, request: Request | None = None) -> Job:
        with begin_work(self.tools, request or self.request) as work:
            actor = Actor(email="dana@example.com")
            return work.done(enqueue_job(work, self.kind, Names(names=names), actor))

    def claim(self, worker_id: str = "w", room: int = 1, reserved: int = 0) -> list[Job]:
        return claim_jobs(self.tools, worker_id, LEASE, room=room, reserved=reserved)

    def attempt(self, job: Job) -> AttemptResult:
        try:
            return run_job(self.tools, self.kinds, job)
        except Exception as error:  # noqa: BLE001 -- as a worker does
            return fail_job(self.tools, job, error)

    def attempt_next(self) -> AttemptResult:
        (job,) = self.claim()
        return self.attempt(job)

    def look(self, job: Job) -> Job:
        return find_job(self.tools, job.organization_id, job.id)

    def names(self) -> list[str]:
        """Return the names of the stops that are there."""
        with self.tools.database.reading() as tx:
            bodies = tx.exec_driver_sql("SELECT body FROM imported_stops").scalars().all()
        return sorted(json.loads(body)["note"] for body in bodies)


@pytest.fixture
def queue(database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path) -> Queue:
    return Queue(make_world(database, clock, ids, tmp_path))


def ask_and_break_off(queue: Queue) -> None:
    with begin_work(queue.tools, queue.request) as work:
        enqueue_job(work, queue.kind, Names(names=("a",)))
        raise InvalidArgument("bad change")


def test_a_job_is_asked_for_with_its_change_or_not_at_all(queue: Queue) -> None:
    with pytest.raises(InvalidArgument, match="bad change"):
        ask_and_break_off(queue)
    assert queue.claim() == []
    job = queue.enqueue("a")
    assert queue.look(job) == job
    assert queue.attempt_next() is AttemptResult.COMPLETED
    assert queue.claim() == []


def test_a_job_takes_its_steps_and_ends_with_the_last_in_the_name_of_whoever_asked(
    queue: Queue,
) -> None:
    job = queue.enqueue("a", "b", "c")
    assert queue.attempt_next() is AttemptResult.COMPLETED
    assert queue.names() == ["a", "b", "c"]
    ended = queue.look(job)
    assert (ended.state, ended.attempts) == (JobState.COMPLETED, 1)
    assert ended.ended_at
    assert ended.ended_at - queue.clock.now() < timedelta(milliseconds=1)
    assert ended.progress == Progress(done=3, total=3, text="c")
    query = Query(arguments=ListEvents(), cursor="")
    events = list_events(queue.tools, job.organization_id, query).rows
    assert [one.event.actor.email for one in events] == ["dana@example.com"] * 3


def test_who_has_lost_its_claim_can_commit_no_step_and_no_end(queue: Queue) -> None:
    job = queue.enqueue("a")
    refused: list[bool] = []

    def be_overtaken(tools: Tools, running: RunningJob[Names]) -> None:
        queue.clock.advance(seconds=LEASE.total_seconds())
        (again,) = queue.claim("another")
        assert (again.id, again.attempts) == (job.id, 2)
        for request in (running.stepping("1"), running.completing()):
            with pytest.raises(ClaimLost):
                import_one(tools, request, "too late")
            refused.append(True)
        queue.run = import_all
        assert queue.attempt(again) is AttemptResult.COMPLETED
        running.check()

    queue.run = be_overtaken
    assert queue.attempt_next() is AttemptResult.LOST
    assert refused == [True, True]
    assert queue.names() == ["a"]
    assert (queue.look(job).state, queue.look(job).attempts) == (JobState.COMPLETED, 2)


def test_who_lost_its_claim_does_not_fail_the_job_of_its_successor(queue: Queue) -> None:
    job = queue.enqueue("a")
    (first,) = queue.claim("first")
    queue.clock.advance(seconds=LEASE.total_seconds())
    (second,) = queue.claim("second")
    assert fail_job(queue.tools, first, ValueError()) is AttemptResult.LOST
    assert queue.look(job) == second
    assert queue.attempt(second) is AttemptResult.COMPLETED


def test_a_claim_that_is_extended_is_nobody_elses(queue: Queue) -> None:
    queue.enqueue("a")
    (job,) = queue.claim()
    for _ in range(3):
        queue.clock.advance(seconds=LEASE.total_seconds() - 1)
        extend_leases(queue.tools, [job], LEASE)
        assert queue.claim("another") == []
    assert queue.attempt(job) is AttemptResult.COMPLETED


def test_a_job_goes_on_after_its_last_step_when_its_worker_was_lost(queue: Queue) -> None:
    job = queue.enqueue("a", "b")

    def die_after_a_step(tools: Tools, running: RunningJob[Names]) -> None:
        import_one(tools, running.stepping("1", Progress(done=1, total=2)), "a")
        raise SystemExit  # nobody says how this attempt went

    queue.run = die_after_a_step
    (first,) = queue.claim()
    with pytest.raises(SystemExit):
        queue.attempt(first)
    assert queue.look(job).progress == Progress(done=1, total=2)
    queue.clock.advance(seconds=LEASE.total_seconds())
    queue.run = import_all
    assert queue.attempt_next() is AttemptResult.COMPLETED
    assert queue.names() == ["a", "b"]


def test_a_job_that_brings_its_workers_down_fails_in_the_end(queue: Queue) -> None:
    job = queue.enqueue("a")
    for _ in range(MOST_ATTEMPTS):
        assert len(queue.claim()) == 1
        queue.clock.advance(seconds=LEASE.total_seconds())
    assert queue.claim() == []
    assert queue.look(job).state is JobState.FAILED
    assert queue.look(job).error == "the worker was lost before it said how this went"


def test_a_cancelled_job_that_waits_is_not_begun(queue: Queue) -> None:
    job = queue.enqueue("a")
    assert cancel_job(queue.tools, queue.request, job.id).state is JobState.CANCELLED
    assert queue.claim() == []
    with pytest.raises(FailedPrecondition, match="job has ended: it is CANCELLED"):
        cancel_job(queue.tools, queue.request, job.id)
    with pytest.raises(NotFound, match="job not found"):
        cancel_job(queue.tools, queue.another_organization(), job.id)


def test_a_cancelled_job_that_runs_ends_at_its_next_check_and_keeps_its_steps(
    queue: Queue,
) -> None:
    job = queue.enqueue("a", "b")

    def be_cancelled(tools: Tools, running: RunningJob[Names]) -> None:
        import_one(tools, running.stepping("1"), "a")
        assert cancel_job(tools, queue.request, job.id).state is JobState.RUNNING
        running.report(1, 2)
        raise AssertionError("it was not told")

    queue.run = be_cancelled
    assert queue.attempt_next() is AttemptResult.CANCELLED
    assert queue.look(job).state is JobState.CANCELLED
    assert queue.names() == ["a"]


def test_a_cancelled_job_whose_worker_was_lost_is_not_begun_again(queue: Queue) -> None:
    job = queue.enqueue("a")
    queue.claim()
    cancel_job(queue.tools, queue.request, job.id)
    queue.clock.advance(seconds=LEASE.total_seconds())
    assert queue.claim() == []
    assert queue.look(job).state is JobState.CANCELLED


def failing(error: Exception) -> Run:
    def fail(tools: Tools, running: RunningJob[Names]) -> None:
        import_one(tools, running.stepping(running.position + "."), "tried")
        raise error

    return fail


def test_what_may_pass_is_attempted_again_later_and_later_and_then_fails(queue: Queue) -> None:
    job = queue.enqueue("a")
    queue.run = failing(Unavailable("the shop is away"))
    for number in range(1, MOST_ATTEMPTS):
        assert queue.attempt_next() is AttemptResult.RETRIED
        waiting = queue.look(job)
        assert (waiting.state, waiting.attempts) == (JobState.QUEUED, number)
        assert waiting.error == "the shop is away"
        assert waiting.position == "." * number, "a step before the failure is kept"
        wait = waiting.due_at - queue.clock.now()
        usual = min(10 * 2 ** (number - 1), 3_600)
        assert timedelta(seconds=usual * 0.9) <= wait <= timedelta(seconds=usual * 1.1)
        queue.clock.advance(seconds=wait.total_seconds() - 0.001)
        assert queue.claim() == [], "attempted before its time"
        queue.clock.advance(seconds=0.001)
    assert queue.attempt_next() is AttemptResult.FAILED
    assert queue.look(job).state is JobState.FAILED
    assert len(queue.names()) == MOST_ATTEMPTS


@pytest.mark.parametrize(
    ("error", "result", "reason"),
    [
        (NotFound("no such shop"), AttemptResult.FAILED, "no such shop"),
        (FailedPrecondition("shop is closed"), AttemptResult.FAILED, "shop is closed"),
        (KeyError("a customer's name"), AttemptResult.RETRIED, "internal error (KeyError)"),
    ],
)
def test_what_will_not_pass_fails_at_once_and_a_bug_is_attempted_again(
    queue: Queue, error: Exception, result: AttemptResult, reason: str
) -> None:
    job = queue.enqueue("a")
    queue.run = failing(error)
    assert queue.attempt_next() is result
    assert queue.look(job).error == reason


def test_a_function_that_ends_without_completing_its_job_is_a_bug(queue: Queue) -> None:
    job = queue.enqueue("a")
    queue.run = lambda *_given: None
    assert queue.attempt_next() is AttemptResult.RETRIED
    assert queue.look(job).error == "internal error (RuntimeError)"


def test_an_unknown_kind_says_so_and_waits_for_a_version_that_knows_it(
    queue: Queue, capfd: pytest.CaptureFixture[str]
) -> None:
    job = queue.enqueue("a")
    known, queue.kinds = queue.kinds, register()
    for _ in range(2):
        assert queue.attempt_next() is AttemptResult.RETRIED
        assert queue.look(job).error == 'kind "import" is unknown to this version'
        assert queue.claim() == [], "it is not attempted over and over"
        queue.clock.advance(minutes=1)
    told = capfd.readouterr()
    assert "job_retried" in told.out + told.err
    assert "is unknown to this version" in told.out + told.err
    queue.kinds = known
    assert queue.attempt_next() is AttemptResult.COMPLETED
    assert queue.look(job).error == ""


def test_a_payload_of_another_form_says_so_and_waits(queue: Queue) -> None:
    class Renamed(Model):
        labels: tuple[str, ...]

    job = queue.enqueue("a")
    queue.kinds = register(JobKind(name="import", payload=Renamed, run=lambda *_given: None))
    assert queue.attempt_next() is AttemptResult.RETRIED
    assert queue.look(job).error.startswith('payload of kind "import" cannot be read: Object miss')


def test_a_kind_is_registered_once(queue: Queue) -> None:
    with pytest.raises(ValueError, match="two kinds of jobs have the same name"):
        register(queue.kind, queue.kind)


def test_an_organizations_many_jobs_do_not_hold_up_anothers_one(queue: Queue) -> None:
    other, third = queue.another_organization(), queue.another_organization()
    for number in range(50):
        queue.enqueue(f"many {number}")
        queue.clock.advance(seconds=0.001)
    assert len(queue.claim("w", room=4, reserved=1)) == MOST_RUNNING_EACH
    assert queue.claim("w", room=2) == [], "slots are left for others"
    assert queue.claim("w", room=1, reserved=1) == []
    late = queue.enqueue("one", request=other)
    assert [job.id for job in queue.claim("w", room=1, reserved=1)] == [late.id]
    first = queue.enqueue("first", request=third)
    queue.clock.advance(seconds=0.001)
    queue.enqueue("second", request=third)
    claimed = queue.claim("v", room=4)
    assert claimed[0].id == first.id, "who has nothing running is next"
    assert {job.organization_id for job in claimed} == {third.principal.organization_id}
    assert len(claimed) == MOST_RUNNING_EACH
    with queue.tools.database.reading() as tx:
        assert count_jobs(tx) == {("import", "running"): 5, ("import", "waiting"): 48}


def test_jobs_of_one_organization_begin_in_the_order_in_which_they_were_asked_for(
    queue: Queue,
) -> None:
    asked = []
    for name in "dbca":
        asked.append(queue.enqueue(name).id)
        queue.clock.advance(seconds=0.001)
    begun = []
    while claimed := queue.claim():
        begun.append(claimed[0].id)
        assert queue.attempt(claimed[0]) is AttemptResult.COMPLETED
    assert begun == asked
