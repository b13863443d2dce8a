"""Times of day as moments: the shifts and breaks that vehicles have every day, on one local day."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan_draft import BreakSpan, PlanBreak, PlanShift
from roundsman.domain.time_window import TimeOfDay
from roundsman.domain.vehicle import DailyBreak, DailyShift
from roundsman.kit.time_zones import wall_clock

_USUAL_DAY_BEGINS = time(8)


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

    def usual_shift(self, now: datetime) -> PlanShift:
        """Return the day from eight in the morning, or from now on where that is later."""
        end = self.at(time(), next_day=True)
        whole_minute = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
        start = self.at(_USUAL_DAY_BEGINS)
        if start < whole_minute < end:
            start = whole_minute
        return PlanShift(start=start, end=end)

    def break_on(self, daily: DailyBreak, shift: PlanShift) -> PlanBreak:
        """Return a daily break in a shift, which may go over midnight."""
        opens, closes = daily.time_window.start, daily.time_window.end
        assert isinstance(opens, TimeOfDay) and isinstance(closes, TimeOfDay)  # noqa: S101, PT018
        begins = self.at(opens)
        is_next_day = begins < shift.start
        begins = self.at(opens, next_day=is_next_day)
        ends = self.at(closes, next_day=is_next_day or closes.as_time() < opens.as_time())
        return PlanBreak(time_window=BreakSpan(start=begins, end=ends), duration=daily.duration)
