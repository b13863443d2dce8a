"""Workers are killed while they run jobs; every job is done, and once in effect."""

import random
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from tests.acceptance.job_workers import (
    STEPS,
    count_effects,
    count_most_attempts,
    count_states,
    count_stops,
    enqueue_parcels,
    note_of,
    opened,
    start_worker,
)
from tests.support.waiting import PATIENCE_SECONDS, wait_until

from roundsman.operations.tools import Tools

WORKERS = 3


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("jobs", "kills"),
    [
        pytest.param(60, 6, id="60 jobs"),
        pytest.param(1_000, 80, id="1000 jobs", marks=pytest.mark.full),
    ],
)
def test_jobs_whose_workers_are_killed_at_random_moments_are_done_once_each(
    database_url: str, tmp_path: Path, jobs: int, kills: int
) -> None:
    with opened(database_url, tmp_path) as tools:
        names = enqueue_parcels(tools, jobs, organizations=3)
        workers = [start_worker(database_url, tmp_path) for _ in range(WORKERS)]
        try:
            kill_at_random(tools, workers, database_url, tmp_path, jobs=jobs, kills=kills)
            wait_until(lambda: count_states(tools)["PENDING"] == 0, 5 * PATIENCE_SECONDS)
            stop(workers)
        finally:
            for worker in workers:
                worker.kill()
        assert count_states(tools) == {"COMPLETED": jobs}
        expected = {note_of(name, step): 1 for name in names for step in range(STEPS)}
        assert count_effects(tools) == expected
        assert count_most_attempts(tools) > 1, "no kill ever hit a running job"


def kill_at_random(
    tools: Tools,
    workers: list[ForkServerProcess],
    url: str,
    folder: Path,
    *,
    jobs: int,
    kills: int,
) -> None:
    """Kill one worker after another, each when so much is done that nobody could foresee."""
    chance = random.Random(jobs)  # noqa: S311 -- moments, not secrets
    for threshold in sorted(chance.sample(range(jobs * STEPS * 9 // 10), kills)):
        pause = chance.uniform(0.002, 0.03)
        wait_until(lambda: count_stops(tools) >= threshold, every=pause)  # noqa: B023 -- called at once
        hit = chance.randrange(len(workers))
        workers[hit].kill()
        workers[hit].join()
        workers[hit] = start_worker(url, folder)


def stop(workers: list[ForkServerProcess]) -> None:
    """End workers as an operator does."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(PATIENCE_SECONDS)
        assert worker.exitcode == 0
