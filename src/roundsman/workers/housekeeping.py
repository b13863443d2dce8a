"""What is due now and then: expired data is removed, and days that were driven are learned from."""

import asyncio

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.operations.arrival_learning import learn_from_days
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.tools import Tools
from roundsman.workers.runner import wait_for

_EVERY_SECONDS = 3_600.0
_PAUSE_WHEN_AWAY_SECONDS = 60.0

_log = structlog.get_logger()


class Housekeeping:
    """Runs once an hour, for the first time when the process has been up for a while."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def run(self, stopping: asyncio.Event) -> None:
        """Do so every hour until stopped."""
        pause = _PAUSE_WHEN_AWAY_SECONDS
        while not await wait_for(stopping, pause):
            try:
                await asyncio.to_thread(remove_outdated, self._tools, stopping.is_set)
                await asyncio.to_thread(learn_from_days, self._tools, stopping.is_set)
                pause = _EVERY_SECONDS
            except Unavailable as error:
                _log.warning("housekeeping_waits_for_database", reason=str(error))
                pause = _PAUSE_WHEN_AWAY_SECONDS
