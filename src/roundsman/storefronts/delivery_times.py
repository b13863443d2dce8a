"""Days and hours as shops write them: in attributes of an order, under names of a shop's choosing.

A shop's date picker writes them under a name and in a form of its own, so whoever connects a shop
says under which names to look. Case, hyphens, underscores and spaces of names do not count. What
cannot be read, or could be read in two ways, is no day or window but a remark, for the planner.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from roundsman.domain.imported_stop import Attribute
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.planned_days import OUTSIDE, is_planned
from roundsman.domain.storefront_rules import fold_name
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow

DATE_NAMES = ("Delivery Date",)
WINDOW_NAMES = ("Delivery Time", "Delivery Window", "Time Slot")
"""Where to look unless a connection says where; date pickers of all four platforms use these."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T ,])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?=$|[ ,])")
_MONTH_NAMED = re.compile(
    r"(?:[a-z]+,? +)?(?:(?P<m1>[a-z]{3,9})\.? +(?P<d1>\d{1,2})(?:st|nd|rd|th)?"
    r"|(?P<d2>\d{1,2})(?:st|nd|rd|th|\.)? +(?P<m2>[a-z]{3,9})\.?),? +(?P<year>\d{4})$",
    re.IGNORECASE,
)
_CLOCK = r"(\d{1,2})(?:[:.h](\d{2}))?(?:[:.]\d{2})? ?(?:h|uhr|o'clock)? ?(am|pm|a\.m\.|p\.m\.)?"
_WINDOW = re.compile(
    rf"(?:from|between|von)? ?{_CLOCK} ?(?:-|–|—|to|and|until|bis) ?{_CLOCK}$",  # noqa: RUF001 -- as shops write it
    re.IGNORECASE,
)
_NOON = 12


class Unreadable(ValueError):
    """No day or window, or one that could be read in two ways; the message says which."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveryTimes:
    """What an order says of its delivery, and what of that could not be read."""

    delivery_date: Date | UnsetType = UNSET
    time_windows: tuple[TimeWindow, ...] = ()
    remarks: tuple[str, ...] = ()


def find_delivery_times(
    attributes: Sequence[Attribute], date_names: Sequence[str], window_names: Sequence[str]
) -> DeliveryTimes:
    """Return day and window as the first attribute says them that has one of the names."""
    remarks: list[str] = []
    day: Date | UnsetType = UNSET
    windows: tuple[TimeWindow, ...] = ()
    for one in _named(attributes, date_names or DATE_NAMES):
        try:
            day = read_date(one.value)
            break
        except Unreadable as error:
            remarks.append(f"{one.key}: {error}")
    for one in _named(attributes, window_names or WINDOW_NAMES):
        try:
            windows = (read_window(one.value),)
            break
        except Unreadable as error:
            remarks.append(f"{one.key}: {error}")
    return DeliveryTimes(delivery_date=day, time_windows=windows, remarks=tuple(remarks))


def _named(attributes: Sequence[Attribute], names: Sequence[str]) -> Iterator[Attribute]:
    """Yield the attributes that say something under the names, in the order of the names."""
    for name in names:
        wanted = fold_name(name)
        yield from (one for one in attributes if fold_name(one.key) == wanted and one.value.strip())


def read_date(text: str) -> Date:
    """Return the day that a text names; raise Unreadable."""
    trimmed = text.strip()
    if found := _YEAR_FIRST.match(trimmed) or _COMPACT.match(trimmed):
        return _made(text, *map(int, found.groups()))
    if found := _YEAR_LAST.match(trimmed):
        return _with_year_last(text, int(found[1]), found[2], int(found[3]), int(found[4]))
    if found := _MONTH_NAMED.match(trimmed):
        month = (found["m1"] or found["m2"])[:3].lower()
        if month in _MONTHS:
            day = int(found["d1"] or found["d2"])
            return _made(text, int(found["year"]), _MONTHS.index(month) + 1, day)
    raise Unreadable(f'"{text}" is no day that can be read')


def _with_year_last(text: str, first: int, separator: str, second: int, year: int) -> Date:
    """Read a day with dots or one that is above 12 for certain; refuse to guess any other."""
    if separator == "." or first > _NOON or first == second:
        return _made(text, year, second, first)
    if second > _NOON:
        return _made(text, year, first, second)
    raise Unreadable(f'"{text}" may be two days; let the shop write the year first')


def _made(text: str, year: int, month: int, day: int) -> Date:
    try:
        found = date(year, month, day)
    except ValueError as error:
        raise Unreadable(f'"{text}" is no day of the calendar') from error
    if not is_planned(found):
        raise Unreadable(f'"{text}" {OUTSIDE}')
    return Date(year=year, month=month, day=day)


def read_window(text: str) -> TimeWindow:
    """Return the window between the two times that a text names; raise Unreadable."""
    found = _WINDOW.match(" ".join(text.split()))
    if found is None:
        raise Unreadable(f'"{text}" is no window such as 13:00 - 14:00')
    hour, minute, half, until_hour, until_minute, until_half = found.groups()
    # "1 - 2 pm" means both in the afternoon, "11 - 2 pm" the first before noon.
    is_later = until_half and not half and int(hour) % _NOON <= int(until_hour) % _NOON
    start = _time(text, hour, minute, until_half if is_later else half)
    return TimeWindow(start=start, end=_time(text, until_hour, until_minute, until_half))


def _time(text: str, hour: str, minute: str | None, half: str | None) -> TimeOfDay:
    hours, minutes = int(hour), int(minute or 0)
    if half:
        if not 1 <= hours <= _NOON:
            raise Unreadable(f'"{text}" is no window such as 1 pm - 2 pm')
        hours = hours % _NOON + (_NOON if half[0].lower() == "p" else 0)
    if hours > 23 or minutes > 59:
        raise Unreadable(f'"{text}" is no window such as 13:00 - 14:00')
    return TimeOfDay(hours=hours, minutes=minutes)


def window_between(starting: datetime, ending: datetime, zone: tzinfo) -> DeliveryTimes:
    """Return the day and the window between two instants, by the clocks of a zone."""
    if not (is_planned(starting.date()) and is_planned(ending.date())):
        return DeliveryTimes(remarks=(f"{starting.isoformat()} {OUTSIDE}",))
    first, last = (instant.astimezone(zone) for instant in (starting, ending))
    day = Date(year=first.year, month=first.month, day=first.day)
    window = TimeWindow(start=_clock(first), end=_clock(last))
    return DeliveryTimes(delivery_date=day, time_windows=(window,))


def _clock(instant: datetime) -> TimeOfDay:
    return TimeOfDay(hours=instant.hour, minutes=instant.minute, seconds=instant.second)
