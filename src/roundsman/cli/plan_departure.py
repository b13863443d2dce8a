"""When a route leaves: as the command line says it, or as the clocks and the windows suggest."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from roundsman.cli.plan_ends import Located
from roundsman.cli.plan_input import PlanInput
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeWindow
from roundsman.kit.time_zones import wall_clock, zone_at
from roundsman.kit.timestamps import parse_timestamp
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.time_windows import parse_opening

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_USUAL_DEPARTURE = time(8)
_DAY_AND_TIME = re.compile(
    r"(?:(?P<named>today|tomorrow)\s+|(?P<date>\d{4}-\d{2}-\d{2})[ T])?"
    r"(?P<time>\d{1,2}(?:\D.*)?)",
    re.IGNORECASE | re.ASCII,
)
_COMPACT_DATE = re.compile(r"\d{8}", re.ASCII)
"""Alone, or with a `T` and a time behind it (ISO 8601)."""


def departure_of(text: str, start: Located, now: datetime) -> datetime:
    """Return the moment written as `text`, or the next full hour on the clocks at the start.

    `08:00`, `tomorrow 8:00` and a time without an offset are meant as those clocks show them. The
    answer is in UTC: hours added to a local time would be hours of its clock.
    """
    zone = _zone(start)
    if text:
        return _instant(text.strip(), now.astimezone(zone), zone)
    local = now.astimezone(zone)
    past = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    return now + (_HOUR - past if past else past)


def suggest_departure_on(
    day: date, given: PlanInput, start: Located, now: datetime
) -> tuple[datetime, str]:
    """Return when the first window of a day opens, else eight in the morning; today from now on.

    With it goes what to say of that.
    """
    zone = _zone(start)
    if day == now.astimezone(zone).date():
        soon = departure_of("", start, now)
        is_today = soon.astimezone(zone).date() == day
        return (soon if is_today else now.replace(microsecond=0)), ""
    opens = _first_opening([stop for stop in given.stops if _is_for(stop, day)], day)
    leaves = opens or _usual_departure(day, zone)
    local = leaves.astimezone(zone)
    why = ", when the first window opens" if opens else ""
    return leaves, (
        f"leaving on {local.day} {local:%B %Y} at {local:%H:%M}{why}; "
        "say --start-at for another time"
    )


def suggest_departure(given: PlanInput, start: Located, now: datetime) -> tuple[datetime, str]:
    """Return the next full hour, or tomorrow when most windows of today have closed by then.

    With it goes what to say of a departure that is not today's; else nothing.
    """
    soon = departure_of("", start, now)
    today = soon.astimezone(_zone(start)).date()
    windowed = [stop for stop in given.stops if stop.time_windows and _is_for(stop, today)]
    closed = [stop for stop in windowed if _has_closed(stop, today, soon)]
    if 2 * len(closed) <= len(windowed) or not windowed:
        return soon, ""
    tomorrow = today + _DAY
    zone = _zone(start)
    opens = _first_opening(windowed, tomorrow)
    leaves = opens or _usual_departure(tomorrow, zone)
    local = leaves.astimezone(zone)
    why = ", when the first one opens" if opens else ""
    return leaves, (
        f"{len(closed)} of {len(windowed)} windows of today have closed, so the route leaves "
        f"tomorrow, on {local.day} {local:%B %Y} at {local:%H:%M}{why}; "
        "say --start-at for another time"
    )


def remark_on_departure(text: str, leaves: datetime, start: Located, now: datetime) -> list[Remark]:
    """Return what is odd about a time of today that was given alone."""
    if names_date(text) or leaves >= now:
        return []
    local = leaves.astimezone(_zone(start))
    said = f"--start-at {text} has passed today; say tomorrow {local:%H:%M} for the next day"
    return [Remark(message=said)]


def names_date(text: str) -> bool:
    """Say whether a departure is written with its date, as 2026-07-01 or 20260701."""
    return "-" in text or _COMPACT_DATE.match(text.strip()) is not None


def _instant(text: str, local_now: datetime, zone: tzinfo) -> datetime:
    try:
        instant = _iso_instant(text)
    except ValueError:
        match = _DAY_AND_TIME.fullmatch(text)
        if match is None:
            raise
        day = date.fromisoformat(match["date"]) if match["date"] else local_now.date()
        day += _DAY * ((match["named"] or "").casefold() == "tomorrow")
        instant = datetime.combine(day, parse_opening(match["time"]).as_time())
    return instant.astimezone(UTC) if instant.tzinfo else wall_clock(instant, zone, latest=False)


def _iso_instant(text: str) -> datetime:
    try:
        return parse_timestamp(text)
    except ValueError:
        return datetime.fromisoformat(text)


def _is_for(stop: RouteStop, day: date) -> bool:
    return isinstance(stop.delivery_date, UnsetType) or stop.delivery_date.as_date() == day


def _has_closed(stop: RouteStop, day: date, leaves: datetime) -> bool:
    """Say whether no window of a stop is open any more when the route leaves."""
    zone = _zone_of(stop)
    return all(_is_over(window, day, leaves, zone) for window in stop.time_windows)


def _is_over(window: TimeWindow, day: date, leaves: datetime, zone: tzinfo) -> bool:
    if isinstance(window.end, UnsetType):
        return False
    start = time() if isinstance(window.start, UnsetType) else window.start.as_time()
    end = window.end.as_time()
    return start <= end and wall_clock(datetime.combine(day, end), zone, latest=True) < leaves


def _usual_departure(day: date, zone: tzinfo) -> datetime:
    return wall_clock(datetime.combine(day, _USUAL_DEPARTURE), zone, latest=False)


def _first_opening(stops: Sequence[RouteStop], day: date) -> datetime | None:
    """Return when the first window opens; None where none says more than that it is that day."""
    return min(
        (
            _opens(stop, window, day)
            for stop in stops
            for window in stop.time_windows
            if not _is_all_day(window)
        ),
        default=None,
    )


def _is_all_day(window: TimeWindow) -> bool:
    """Say whether a window opens at midnight and is open still when routes usually leave."""
    if isinstance(window.start, UnsetType):
        return isinstance(window.end, UnsetType)
    if window.start.as_time() != time():
        return False
    return isinstance(window.end, UnsetType) or window.end.as_time() > _USUAL_DEPARTURE


def _opens(stop: RouteStop, window: TimeWindow, day: date) -> datetime:
    """Return when a window opens, or an hour before it closes where it says no more."""
    zone = _zone_of(stop)
    if not isinstance(window.start, UnsetType):
        return wall_clock(datetime.combine(day, window.start.as_time()), zone, latest=False)
    midnight = wall_clock(datetime.combine(day, time()), zone, latest=False)
    if isinstance(window.end, UnsetType):
        return midnight
    closes = wall_clock(datetime.combine(day, window.end.as_time()), zone, latest=True)
    return max(midnight, closes - _HOUR)


def _zone_of(stop: RouteStop) -> tzinfo:
    location = stop.planned_coordinates
    return zone_at(latitude=location.latitude, longitude=location.longitude)


def _zone(start: Located) -> tzinfo:
    location = start.coordinates
    return zone_at(latitude=location.latitude, longitude=location.longitude)
