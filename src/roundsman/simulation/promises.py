"""Promises to customers, judged by the time of a simulated day and not by the service's."""

import asyncio
from datetime import datetime, timedelta

from roundsman.operations.message_writing import note_slips_of
from roundsman.operations.organizations import keep_simulated
from roundsman.operations.tools import Tools
from roundsman.simulation.clock import DayClock

KEPT_FOR = timedelta(minutes=10)
"""By the real clock: a day that is killed leaves the promises to the service after so long."""

_KEEP_EVERY = timedelta(minutes=1)
_LOOK_EVERY = timedelta(minutes=5)


class PromiseWatch:
    """Looks at what customers were promised, while a day goes on."""

    def __init__(self, tools: Tools, clock: DayClock, organization_id: str) -> None:
        """Look by the tools of the day."""
        self._tools = tools
        self._clock = clock
        self._organization_id = organization_id
        self._kept_at = self._looked_at = datetime.min.replace(tzinfo=clock.now().tzinfo)

    async def look(self) -> None:
        """Write to customers whose driver takes longer than promised, every five minutes."""
        present, now = self._clock.present(), self._clock.now()
        if present - self._kept_at >= _KEEP_EVERY:
            self._kept_at = present
            await asyncio.to_thread(self._keep, present + KEPT_FOR)
        if now - self._looked_at >= _LOOK_EVERY:
            self._looked_at = now
            await asyncio.to_thread(note_slips_of, self._tools, self._organization_id)

    def end(self) -> None:
        """Leave promises to the service."""
        self._keep(None)

    def _keep(self, until: datetime | None) -> None:
        keep_simulated(self._tools.database, self._organization_id, until)
