"""Jobs in a real runner: in threads of their own, until it is told to stop."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from tests.support.waiting import PATIENCE_SECONDS, wait_until
from tests.workers.world import World

from roundsman.app import make_workers
from roundsman.domain.errors import FailedPrecondition, NotFound
from roundsman.domain.job import JOBS_KEPT_FOR, Job, JobState
from roundsman.domain.model import Model
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.job_runs import MOST_RUNNING_EACH, claim_jobs, fail_job
from roundsman.operations.jobs import (
    JobKind,
    RunningJob,
    cancel_job,
    enqueue_job,
    find_job,
    register,
)
from roundsman.operations.readiness import count_backlog
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.settings import Settings
from roundsman.storage.leases import LEASE
from roundsman.workers.job_runner import SLOTS, JobRunner
from roundsman.workers.runner import Workers

type Run = Callable[[Tools, RunningJob[Nothing]], None]


class Nothing(Model):
    """The payload of jobs that need none."""


def kind_of(run: Run) -> JobKind[Nothing]:
    return JobKind(name="test", payload=Nothing, run=run)


def complete(tools: Tools, job: RunningJob[Nothing]) -> None:
    with begin_work(tools, job.completing()) as work:
        work.done(None)


def enqueue(world: World, kind: JobKind[Nothing]) -> Job:
    with begin_work(world.tools, world.request) as work:
        return work.done(enqueue_job(work, kind, Nothing()))


def look(world: World, job: Job) -> Job:
    return find_job(world.tools, world.organization_id, job.id)


@contextmanager
def running(world: World, kind: JobKind[Nothing]) -> Iterator[None]:
    runner = JobRunner(world.tools, register(kind))
    with Workers(lambda: [runner]).running():
        yield


class Gate:
    """A job's function that has begun, and goes on when it may."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.may_go_on = threading.Event()

    def wait_for_begun(self, count: int = 1) -> None:
        for _ in range(count):
            assert self.begun.acquire(timeout=PATIENCE_SECONDS)

    def run(self, tools: Tools, job: RunningJob[Nothing]) -> None:
        self.begun.release()
        assert self.may_go_on.wait(PATIENCE_SECONDS)
        complete(tools, job)


@pytest.mark.both_databases
def test_what_runs_beside_the_requests_runs_jobs_of_the_kinds_that_it_is_given(
    world: World, tmp_path: Path
) -> None:
    kind = kind_of(complete)
    job = enqueue(world, kind)
    with make_workers(Settings(data=tmp_path), world.tools, kinds=register(kind)).running():
        wait_until(lambda: look(world, job).is_ended())
    assert look(world, job).state is JobState.COMPLETED


def test_a_process_runs_several_jobs_at_once_and_leaves_room_for_another_organization(
    world: World,
) -> None:
    gate = Gate()
    jobs = []
    for _ in range(SLOTS + 1):
        jobs.append(enqueue(world, kind_of(gate.run)))
        world.clock.advance(seconds=0.001)
    with running(world, kind_of(gate.run)):
        gate.wait_for_begun(MOST_RUNNING_EACH)
        states = [look(world, job).state for job in jobs]
        waiting = len(jobs) - MOST_RUNNING_EACH
        assert states == [JobState.RUNNING] * MOST_RUNNING_EACH + [JobState.QUEUED] * waiting
        gate.may_go_on.set()
        wait_until(lambda: all(look(world, job).is_ended() for job in jobs))


def test_a_job_that_runs_long_keeps_its_claim(world: World) -> None:
    gate = Gate()
    job = enqueue(world, kind_of(gate.run))
    runner = JobRunner(world.tools, register(kind_of(gate.run)), timedelta(seconds=0.3))
    with Workers(lambda: [runner]).running():
        gate.wait_for_begun()
        first = look(world, job).due_at
        world.clock.advance(seconds=0.2)
        wait_until(lambda: look(world, job).due_at > first)
        gate.may_go_on.set()
        wait_until(lambda: look(world, job).is_ended())
    assert look(world, job).attempts == 1


@pytest.mark.both_databases
def test_a_runner_that_stops_has_its_jobs_go_on_elsewhere_from_their_last_steps(
    world: World,
) -> None:
    begun = threading.Event()

    def step_until_stopped(tools: Tools, job: RunningJob[Nothing]) -> None:
        for number in range(1_000_000):
            with begin_work(tools, job.stepping(str(number))) as work:
                work.done(None)
            begun.set()
            job.check()

    released_before = value("job_attempts_total", kind="test", outcome="released")
    job = enqueue(world, kind_of(step_until_stopped))
    with running(world, kind_of(step_until_stopped)):
        assert begun.wait(PATIENCE_SECONDS)
    released = look(world, job)
    assert (released.state, released.attempts) == (JobState.QUEUED, 0)
    assert int(released.position) >= 0
    made = value("job_attempts_total", kind="test", outcome="released") - released_before
    assert made == 1, "it ended at its check, not because time was over"
    with running(world, kind_of(complete)):
        wait_until(lambda: look(world, job).state is JobState.COMPLETED)


def test_a_job_that_makes_no_check_is_given_back_when_the_drain_is_over(
    world: World,
) -> None:
    gate, results = Gate(), list[type[BaseException] | None]()

    def note_how_it_ends(tools: Tools, job: RunningJob[Nothing]) -> None:
        try:
            gate.run(tools, job)
        except BaseException as error:
            results.append(type(error))
            raise

    job = enqueue(world, kind_of(note_how_it_ends))
    kinds = register(kind_of(note_how_it_ends))
    runner = JobRunner(world.tools, kinds, longest_drain=timedelta(seconds=0.05))
    with Workers(lambda: [runner]).running():
        gate.wait_for_begun()
    assert look(world, job).state is JobState.QUEUED
    gate.may_go_on.set()
    wait_until(lambda: bool(results))
    assert [result and result.__name__ for result in results] == ["ClaimLost"]
    assert look(world, job).state is JobState.QUEUED


def test_a_cancelled_job_that_runs_ends_although_nobody_else_says_so(world: World) -> None:
    begun = threading.Event()

    def check_until_cancelled(_: Tools, job: RunningJob[Nothing]) -> None:
        begun.set()
        while True:
            job.check()

    job = enqueue(world, kind_of(check_until_cancelled))
    with running(world, kind_of(check_until_cancelled)):
        assert begun.wait(PATIENCE_SECONDS)
        cancel_job(world.tools, world.request, job.id)
        wait_until(lambda: look(world, job).state is JobState.CANCELLED)


def test_a_bug_in_one_job_stops_neither_the_runner_nor_other_jobs(world: World) -> None:
    def fail_once(tools: Tools, job: RunningJob[Nothing]) -> None:
        if job.job.id == first.id:
            raise KeyError("bug")
        complete(tools, job)

    first, second = enqueue(world, kind_of(fail_once)), enqueue(world, kind_of(fail_once))
    with running(world, kind_of(fail_once)):
        wait_until(lambda: look(world, second).is_ended() and look(world, first).error != "")
    assert look(world, first).error == "internal error (KeyError)"


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"roundsman_{name}", labels) or 0


def test_jobs_are_counted_by_kind_and_state_and_attempts_by_how_they_end(world: World) -> None:
    kind = kind_of(complete)
    completed = value("job_attempts_total", kind="test", outcome="completed")

    def gauges() -> list[float]:
        count_backlog(world.tools)
        return [
            value("jobs", kind="test", state=state) for state in ("waiting", "running", "failed")
        ]

    assert gauges() == [0, 0, 0]
    jobs = [enqueue(world, kind) for _ in range(3)]
    world.clock.advance(seconds=0.001)
    assert gauges() == [3, 0, 0]
    refused, lost = claim_jobs(world.tools, "w", LEASE, room=2)
    assert gauges() == [1, 2, 0]
    fail_job(world.tools, refused, FailedPrecondition("no"))
    assert gauges() == [1, 1, 1]
    world.clock.advance(seconds=LEASE.total_seconds())
    with running(world, kind):
        wait_until(lambda: all(look(world, job).is_ended() for job in jobs))
    assert gauges() == [0, 0, 1]
    assert value("job_attempts_total", kind="test", outcome="completed") == completed + 2
    assert look(world, lost).attempts == 2
    world.clock.advance(days=8)
    remove_outdated(world.tools)
    assert gauges() == [0, 0, 0]


@pytest.mark.both_databases
def test_a_job_that_has_ended_can_be_looked_at_for_a_week(world: World) -> None:
    job = enqueue(world, kind_of(complete))
    waiting = enqueue(world, kind_of(complete))
    cancel_job(world.tools, world.request, job.id)
    world.clock.advance(seconds=JOBS_KEPT_FOR.total_seconds())
    remove_outdated(world.tools)
    assert look(world, job).state is JobState.CANCELLED
    world.clock.advance(seconds=1)
    remove_outdated(world.tools)
    with pytest.raises(NotFound, match="job not found"):
        look(world, job)
    assert look(world, waiting).state is JobState.QUEUED


def test_a_job_that_a_clock_far_ahead_put_off_is_due_again(world: World) -> None:
    job = enqueue(world, kind_of(complete))
    world.clock.advance(days=365)
    (claimed,) = claim_jobs(world.tools, "w", LEASE, room=1)
    fail_job(world.tools, claimed, KeyError())
    world.clock.advance(days=-365)
    assert claim_jobs(world.tools, "w", LEASE, room=1) == []
    remove_outdated(world.tools)
    assert [one.id for one in claim_jobs(world.tools, "w", LEASE, room=1)] == [job.id]
