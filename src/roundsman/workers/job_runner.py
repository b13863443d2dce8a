"""Runs jobs: claims what is due, gives each a thread, and keeps their claims while they run.

Each process runs a few at once. Jobs have threads of their own, not those of the event loop's pool:
a job may take an hour, and event delivery waits for that pool. The threads do not keep the process
alive: on SIGTERM a job ends at its next check, and one that makes none in time is given back.
"""

import asyncio
import threading
import time
from datetime import timedelta

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.domain.job import Job
from roundsman.kit import metrics
from roundsman.operations.job_runs import (
    AttemptResult,
    claim_jobs,
    extend_leases,
    fail_job,
    release_jobs,
    run_job,
)
from roundsman.operations.jobs import JobKinds
from roundsman.operations.tools import Tools
from roundsman.storage.leases import LEASE
from roundsman.workers.runner import wait_for

SLOTS = 4
"""How many jobs one process runs at once."""

_RESERVED = 1
"""How many of those are for organizations that have no job running."""

_LOOK_EVERY_SECONDS = 1.0
_PAUSE_WHEN_AWAY_SECONDS = 1.0
_LONGEST_DRAIN = timedelta(seconds=20)

_log = structlog.get_logger()


class JobRunner:
    """One process's share of the jobs."""

    def __init__(
        self,
        tools: Tools,
        kinds: JobKinds,
        lease: timedelta = LEASE,
        longest_drain: timedelta = _LONGEST_DRAIN,
    ) -> None:
        self._tools = tools
        self._kinds = kinds
        self._lease = lease
        self._longest_drain = longest_drain
        self._worker_id = tools.ids.new_uuid()
        self._running: dict[str, Job] = {}
        self._is_stopping = threading.Event()
        self._news = asyncio.Event()
        self._extended_at = float("-inf")

    async def run(self, stopping: asyncio.Event) -> None:
        """Run what is due until told to stop; then let jobs reach their next check."""
        self._loop = asyncio.get_running_loop()
        self._is_stopping.clear()
        waking = asyncio.create_task(self._wake_when(stopping))
        try:
            while not stopping.is_set():
                self._news.clear()
                if not await self._advance():
                    await wait_for(stopping, _PAUSE_WHEN_AWAY_SECONDS)
                    continue
                await wait_for(self._news, min(_LOOK_EVERY_SECONDS, self._heartbeat_seconds()))
        finally:
            waking.cancel()
            await self._drain()

    async def _wake_when(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._news.set()

    def _heartbeat_seconds(self) -> float:
        return self._lease.total_seconds() / 3

    async def _advance(self) -> bool:
        """Keep claims and claim more; say whether the database was there."""
        try:
            await self._extend()
            room = SLOTS - len(self._running)
            if room:
                await self._claim(room)
        except Unavailable as error:
            _log.warning("jobs_wait_for_database", reason=str(error))
            return False
        return True

    async def _extend(self) -> None:
        now = time.monotonic()
        if self._running and now - self._extended_at >= self._heartbeat_seconds():
            running = list(self._running.values())
            await asyncio.to_thread(extend_leases, self._tools, running, self._lease)
            self._extended_at = now

    async def _claim(self, room: int) -> None:
        claimed = await asyncio.to_thread(
            claim_jobs, self._tools, self._worker_id, self._lease, room=room, reserved=_RESERVED
        )
        for job in claimed:
            self._running[job.id] = job
            thread = threading.Thread(
                target=self._carry_out, args=(job,), name=f"job of {job.kind}", daemon=True
            )
            thread.start()

    def _carry_out(self, job: Job) -> None:
        """Run a job in its thread."""
        began = time.monotonic()
        result = AttemptResult.LOST
        try:
            result = self._attempt(job)
        except Unavailable as error:
            # Its claim is not extended any more, so the attempt counts as lost when it ends.
            _log.warning("jobs_wait_for_database", reason=str(error))
        finally:
            metrics.JOB_ATTEMPTS.labels(job.kind, result.value).inc()
            metrics.JOB_SECONDS.labels(job.kind).observe(time.monotonic() - began)
            self._say_ended(job)

    def _attempt(self, job: Job) -> AttemptResult:
        try:
            return run_job(self._tools, self._kinds, job, self._is_stopping.is_set)
        except Exception as error:  # noqa: BLE001 -- a door
            return fail_job(self._tools, job, error)

    def _say_ended(self, job: Job) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end, job)

    def _end(self, job: Job) -> None:
        self._running.pop(job.id, None)
        self._news.set()

    async def _drain(self) -> None:
        """Wait for jobs to reach a check; give back what does not in time."""
        self._is_stopping.set()
        deadline = time.monotonic() + self._longest_drain.total_seconds()
        while self._running and (left := deadline - time.monotonic()) > 0:
            self._news.clear()
            await wait_for(self._news, min(left, self._heartbeat_seconds()))
            await self._keep_while_draining()
        if self._running:
            late = list(self._running.values())
            _log.warning("jobs_released", jobs=[job.id for job in late])
            try:
                await asyncio.to_thread(release_jobs, self._tools, late)
            except Unavailable as error:
                _log.warning("jobs_wait_for_database", reason=str(error))

    async def _keep_while_draining(self) -> None:
        try:
            await self._extend()
        except Unavailable as error:
            _log.warning("jobs_wait_for_database", reason=str(error))
