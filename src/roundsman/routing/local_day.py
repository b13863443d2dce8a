"""Times of day as moments: the shifts and breaks that vehicles have every day, on one local day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from msgspec.structs import replace

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import BreakSpan, PlanBreak, PlanShift
from roundsman.domain.time_window import TimeOfDay
from roundsman.domain.vehicle import DailyBreak, DailyShift
from roundsman.kit.time_zones import wall_clock

USUAL_SHIFT = DailyShift(start=TimeOfDay(hours=8), end=TimeOfDay())
"""Of a vehicle that says none: from eight in the morning to midnight."""


@dataclass(frozen=True, slots=True)
class LocalDay:
    """A day by the clocks of a place."""

    zone: tzinfo
    day: date

    def at(self, time_of_day: TimeOfDay | time, *, next_day: bool = False) -> datetime:
        """Return the moment when clocks show a time, on this day or the next."""
        clock = time_of_day.as_time() if isinstance(time_of_day, TimeOfDay) else time_of_day
        on = self.day + timedelta(days=1) if next_day else self.day
        return wall_clock(datetime.combine(on, clock), self.zone, latest=False)

    def shift(self, daily: DailyShift) -> PlanShift:
        """Return a daily shift on the day; an end before its start is on the next."""
        is_over_night = daily.end.as_time() < daily.start.as_time()
        latest = daily.latest_start
        return PlanShift(
            start=self.at(daily.start),
            end=self.at(daily.end, next_day=is_over_night),
            latest_start=(
                UNSET
                if isinstance(latest, UnsetType)
                else self.at(latest, next_day=latest.as_time() < daily.start.as_time())
            ),
        )

    def shift_from_now(self, daily: DailyShift, now: datetime) -> PlanShift:
        """Return what is left of a daily shift on the day; all of it where nothing is."""
        return rest_of(self.shift(daily), now)

    def day_to_leave(self, daily: DailyShift, now: datetime) -> "LocalDay":
        """Return this day, or the next where it is today and too late for a daily shift."""
        is_today = now.astimezone(self.zone).date() == self.day
        if not is_today or _has_time_left(self.shift(daily), now):
            return self
        return LocalDay(self.zone, self.day + timedelta(days=1))

    def break_on(self, daily: DailyBreak, shift: PlanShift) -> PlanBreak:
        """Return a daily break in a shift, which may go over midnight."""
        opens, closes = daily.time_window.start, daily.time_window.end
        assert isinstance(opens, TimeOfDay) and isinstance(closes, TimeOfDay)  # noqa: S101, PT018
        begins = self.at(opens)
        is_next_day = begins < shift.start
        begins = self.at(opens, next_day=is_next_day)
        ends = self.at(closes, next_day=is_next_day or closes.as_time() < opens.as_time())
        return PlanBreak(time_window=BreakSpan(start=begins, end=ends), duration=daily.duration)


def rest_of(shift: PlanShift, now: datetime) -> PlanShift:
    """Return a shift from the next whole minute on, or from its start where that is later.

    One that is over is of a day that is past, and stays as it is.
    """
    if not _has_time_left(shift, now):
        return shift
    return replace(shift, start=max(shift.start, _next_minute(now)))


def breaks_in_rest(breaks: Iterable[PlanBreak], rest: PlanShift) -> tuple[PlanBreak, ...]:
    """Return the breaks that may still begin in what is left of a shift."""
    return tuple(
        replace(one, time_window=replace(window, start=max(window.start, rest.start)))
        for one in breaks
        if (window := one.time_window).end >= rest.start
    )


def _has_time_left(shift: PlanShift, now: datetime) -> bool:
    """Say whether a vehicle may still leave in its shift, and has a minute then."""
    leaves, latest = _next_minute(now), shift.latest_start
    return leaves < shift.end and (isinstance(latest, UnsetType) or leaves <= latest)


def _next_minute(now: datetime) -> datetime:
    return now.replace(second=0, microsecond=0) + timedelta(minutes=1)
