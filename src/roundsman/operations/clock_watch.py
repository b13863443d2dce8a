"""Says that the clock is behind what has been recorded: it was set back, or was ahead before.

Nothing is lost then, and events are sent at once. But lists by time show changes out of order until
the clock has caught up, so whoever operates the machine should know.
"""

from datetime import datetime, timedelta

import structlog

from roundsman.kit import metrics

_LINE_EVERY = timedelta(minutes=1)

_log = structlog.get_logger("roundsman.operations")


class ClockWatch:
    """Counts the changes that a clock dates before earlier ones; logs one of them a minute."""

    def __init__(self) -> None:
        self._logged_at: datetime | None = None

    def note_behind(self, behind: timedelta, now: datetime) -> None:
        """Note that a change was made while the clock was so far behind."""
        metrics.CHANGES_BEHIND_RECORDS.inc()
        if self._logged_at is None or abs(now - self._logged_at) >= _LINE_EVERY:
            self._logged_at = now
            _log.warning("clock_behind_records", seconds=round(behind.total_seconds()))
