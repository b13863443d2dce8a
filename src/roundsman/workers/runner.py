"""Runs workers in a thread of their own until they are stopped and have finished."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import structlog
import uvloop


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for at most this long; return whether it was set."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


_PAUSE_AFTER_FAILURE_SECONDS = 1.0

_log = structlog.get_logger()


class Worker(Protocol):
    """A coroutine that runs until it is stopped."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set; finish what is under way, then return."""
        ...


class Workers:
    """Workers that share one thread and one event loop, apart from those of requests.

    They are created in that thread, because loading their modules would delay requests.
    """

    def __init__(self, make: Callable[[], Sequence[Worker]]) -> None:
        self._make = make
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._is_up = threading.Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the workers during the block; its end waits for what is under way."""
        thread = threading.Thread(target=self._run, name="workers")
        thread.start()
        self._is_up.wait()
        try:
            yield
        finally:
            if self._loop is not None and thread.is_alive():
                self._loop.call_soon_threadsafe(self._stopping.set)
            thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            self._loop = runner.get_loop()
            self._is_up.set()
            runner.run(self._run_all())

    async def _run_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for worker in self._make():
                group.create_task(self._keep_running(worker))

    async def _keep_running(self, worker: Worker) -> None:
        # A bug in one worker must not end the others, and the worker is started again.
        while not self._stopping.is_set():
            try:
                await worker.run(self._stopping)
            except Exception:  # noqa: BLE001 -- a door
                _log.exception("worker_failed", worker=type(worker).__name__)
                await wait_for(self._stopping, _PAUSE_AFTER_FAILURE_SECONDS)
