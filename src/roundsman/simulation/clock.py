"""The clock of a simulated day, and the tools that go by it."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta

from roundsman.kit.clock import Clock
from roundsman.operations.tools import ClockWatch, Tools


class DayClock:
    """Goes `speed` times as fast as the real clock, and never ahead of it.

    What is told at a simulated moment is sent by workers that know the real time: an event of the
    future would wait there. So a day that has caught up with the present goes on at its pace.
    """

    def __init__(self, begins: datetime, speed: float, real: Clock) -> None:
        """Begin a day; `speed` 0 waits for nothing but the present."""
        self._now = begins
        self._begins = begins
        self._speed = speed
        self._real = real
        self._real_begin = real.now()
        self._ending = threading.Event()

    def now(self) -> datetime:
        """Return the time of the day that goes on."""
        return self._now

    def present(self) -> datetime:
        """Return the time by the real clock."""
        return self._real.now()

    def stop(self) -> None:
        """End every wait, from another thread."""
        self._ending.set()

    def advance_to(self, moment: datetime) -> bool:
        """Wait until a moment and have it now; say whether the day goes on."""
        due = self._due(moment)
        while (left := (due - self._real.now()).total_seconds()) > 0:
            if self._ending.wait(left):
                return False
        self._now = max(self._now, moment)
        return not self._ending.is_set()

    def _due(self, moment: datetime) -> datetime:
        """Return when a moment has come by the real clock."""
        if not self._speed:
            return moment
        return max(moment, self._real_begin + (moment - self._begins) / self._speed)


class _UnwatchedClock(ClockWatch):
    """Of a day that is dated before what was recorded last, and rightly."""

    def note_behind(self, behind: timedelta, now: datetime) -> None:
        """Nobody has to be told."""


def tools_of_day(tools: Tools, clock: DayClock) -> Tools:
    """Return tools whose operations happen at the day's time."""
    return replace(tools, clock=clock, clock_watch=_UnwatchedClock())
