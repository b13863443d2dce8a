"""Processes that run jobs and can be killed, each job importing one stop a step.

They are forked from a server that has loaded everything, so that a new one runs in milliseconds.
"""

import json
import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from roundsman.domain.address import Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.model import Model
from roundsman.domain.principal import operator
from roundsman.installation import make_registrar, make_tools
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.jobs import JobKind, RunningJob, enqueue_job, register
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.workers.job_runner import JobRunner
from roundsman.workers.runner import Workers

STEPS = 2
_LEASE = timedelta(seconds=1)
"""Short, so that what a killed process held is soon taken over."""

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


class Parcel(Model):
    """The payload: what the stops are called."""

    name: str


def note_of(name: str, step: int) -> str:
    return f"{name} step {step}"


def _import_parcel(tools: Tools, job: RunningJob[Parcel]) -> None:
    for step in range(int(job.position or 0), STEPS):
        job.report(step, STEPS)
        is_last = step == STEPS - 1
        request = job.completing() if is_last else job.stepping(str(step + 1))
        draft = StopDraft(
            coordinates=Coordinates(latitude=39.29, longitude=-76.61),
            note=note_of(job.payload.name, step),
        )
        import_stops(tools, request, [draft])


PARCELS = JobKind(name="parcel", payload=Parcel, run=_import_parcel)


@contextmanager
def opened(url: str, folder: Path) -> Iterator[Tools]:
    settings = Settings(data=folder, database_url=url, geocoder="builtin", roads="builtin")
    database = Database(url)
    tools = make_tools(settings, database)
    try:
        yield tools
    finally:
        tools.close()
        database.close()


def _work(url: str, folder: Path, kinds: Sequence[JobKind[Any]]) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    with (
        opened(url, folder) as tools,
        Workers(lambda: [JobRunner(tools, register(*kinds), _LEASE)]).running(),
    ):
        signal.sigwait({signal.SIGTERM})


def start_worker(
    url: str, folder: Path, kinds: Sequence[JobKind[Any]] = (PARCELS,)
) -> ForkServerProcess:
    worker = _processes.Process(target=_work, args=(url, folder, kinds), daemon=True)
    worker.start()
    return worker


def enqueue_parcels(tools: Tools, count: int, organizations: int) -> list[str]:
    """Enqueue one job a parcel, of several organizations in turn; return the parcels' names."""
    requests = [_make_request(tools, f"Shop {number}") for number in range(organizations)]
    names = [f"parcel {number}" for number in range(count)]
    for number, name in enumerate(names):
        with begin_work(tools, requests[number % organizations]) as work:
            work.done(enqueue_job(work, PARCELS, Parcel(name=name)))
    return names


def _make_request(tools: Tools, name: str) -> Request:
    made = create_organization(make_registrar(tools), name, "UTC")
    return Request(principal=operator(made.id))


def count_effects(tools: Tools) -> Counter[str]:
    """Return how often each stop is there."""
    with tools.database.reading() as tx:
        bodies = tx.exec_driver_sql("SELECT body FROM imported_stops").scalars().all()
    return Counter(json.loads(body)["note"] for body in bodies)


def count_stops(tools: Tools) -> int:
    with tools.database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT count(*) FROM imported_stops").scalar_one())


def count_states(tools: Tools) -> Counter[str]:
    """Return how many jobs stand where."""
    with tools.database.reading() as tx:
        return Counter(tx.exec_driver_sql("SELECT state FROM jobs").scalars())


def count_most_attempts(tools: Tools) -> int:
    with tools.database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT max(attempts) FROM jobs").scalar_one())
