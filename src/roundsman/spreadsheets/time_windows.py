"""Time windows as people write them: `9:00-12:00; 14:00-16:00`, `9-12`, `after 2pm`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from roundsman.domain.noun import UnsetType
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.spreadsheets.time_words import in_english

_BETWEEN = re.compile(r"\bbetween\b(.*?)\band\b")
_BETWEEN_WINDOWS = re.compile(r"[;|,&/\n]|\band\b|\bor\b")
_RANGE = re.compile(r"(.*?)(?:[-\u2013\u2014~]|\bto\b|\buntil\b|\btill\b)(.*)")
_FROM = re.compile(r"(?:after|from|since|not before)\b(.*)")
_UNTIL = re.compile(r"(?:before|by|until|till|not after)\b(.*)")
_TIME = re.compile(
    r"(?P<hours>\d{1,2})(?:(?:[:.h]|\s?h\s|(?<=\d\d)(?=\d\d))(?P<minutes>\d{2}))?"
    r"(?::(?P<seconds>\d{2}))?"
    r"\s*h?\s*(?:(?P<half>[ap])\.?m\.?)?(?:\s*(?:uhr|hrs?|o'clock))?",
    re.ASCII,
)
_WORDS = {"noon": "12:00", "midday": "12:00", "midnight": "24:00"}
_ALWAYS = frozenset({"", "any", "anytime", "any time", "all day", "always", "-", "none"})
_EXAMPLE = "such as 9:00-12:00"
_DAY_END = TimeOfDay(hours=23, minutes=59, seconds=59)


@dataclass(frozen=True, slots=True)
class _Clock:
    """A time as written: `bare` when nothing but an hour, `half` when it says am or pm."""

    hours: int
    minutes: int
    seconds: int
    half: str
    bare: bool

    def in_half(self, half: str) -> "_Clock":
        hours = self.hours % 12 + (12 if half == "p" else 0)
        return _Clock(hours, self.minutes, self.seconds, half, self.bare)

    def time(self) -> tuple[int, int, int]:
        return self.hours, self.minutes, self.seconds


def parse_windows(text: str) -> tuple[TimeWindow, ...]:
    """Return the windows; none when any time will do."""
    plain = " ".join(text.casefold().split(" ")).strip()
    english = in_english(plain)
    if english in _ALWAYS:
        return ()
    with _told_as_written(plain, english, "a time window", _EXAMPLE):
        parts = _BETWEEN_WINDOWS.split(_BETWEEN.sub(r"\1 to ", english))
        return _joined([_window(part.strip()) for part in parts if part.strip()])


def parse_opening(text: str) -> TimeOfDay:
    """Return when a window opens."""
    return _opening(_one_clock(text))


def parse_closing(text: str) -> TimeOfDay:
    """Return when a window closes."""
    return _closing(_one_clock(text))


def _one_clock(text: str) -> _Clock:
    plain = text.casefold()
    english = in_english(plain)
    with _told_as_written(plain, english, "a time of day", "such as 9:00"):
        return _settled(_clock(english))


@contextmanager
def _told_as_written(text: str, english: str, what: str, example: str) -> Iterator[None]:
    """Quote what was written, where what is wrong would quote what it was translated to."""
    try:
        yield
    except ValueError as error:
        if text == english:
            raise
        raise ValueError(f'"{text}" is not {what}, {example}') from error


def _joined(windows: Sequence[TimeWindow]) -> tuple[TimeWindow, ...]:
    """Take `after 9 and before 12` for one window: both of them together would be all day."""
    joined: list[TimeWindow] = []
    for window in windows:
        both = _overlap(joined[-1], window) if joined else None
        if both is None:
            joined.append(window)
        else:
            joined[-1] = both
    return tuple(joined)


def _overlap(one: TimeWindow, other: TimeWindow) -> TimeWindow | None:
    """Return what a window without an end and one without a start have in common, if anything."""
    if isinstance(one.start, UnsetType):
        one, other = other, one
    start, end = one.start, other.end
    if isinstance(start, UnsetType) or isinstance(end, UnsetType):
        return None
    is_open = isinstance(one.end, UnsetType) and isinstance(other.start, UnsetType)
    if not is_open or start.as_time() >= end.as_time():
        return None
    return TimeWindow(start=start, end=end)


def _window(text: str) -> TimeWindow:
    if match := _UNTIL.fullmatch(text):
        return _open_or_closed("", match[1])
    if match := _RANGE.fullmatch(text.removeprefix("from ").removeprefix("after ")):
        return _open_or_closed(match[1], match[2])
    if match := _FROM.fullmatch(text):
        return _open_or_closed(match[1], "")
    raise ValueError(f'"{text}" is not a time window, {_EXAMPLE}')


def _open_or_closed(start: str, end: str) -> TimeWindow:
    start, end = start.strip(), end.strip()
    if start and end:
        first, last = _in_context(_clock(start), _clock(end))
        return TimeWindow(start=_opening(first), end=_closing(last))
    if not start and not end:
        raise ValueError(f"a time window needs a start or an end, {_EXAMPLE}")
    if start:
        return TimeWindow(start=_opening(_settled(_clock(start))))
    return TimeWindow(end=_closing(_settled(_clock(end))))


def _in_context(start: _Clock, end: _Clock) -> tuple[_Clock, _Clock]:
    """Let one `am` or `pm` speak for both: `1-5pm`, `9-5pm`, `9am-5`."""
    if end.half and not start.half and start.hours <= 12:
        end = _settled(end)
        same = start.in_half(end.half)
        start = same if same.time() <= end.time() else start.in_half("a")
    elif start.half and not end.half and end.hours <= 12:
        start = _settled(start)
        end = end if end.time() > start.time() else end.in_half("p")
    elif start.bare and end.bare and end.hours < start.hours <= 12:
        raise ValueError(f"{start.hours}-{end.hours} may mean morning or evening; add am or pm")
    return _settled(start), _settled(end)


def _clock(text: str) -> _Clock:
    match = _TIME.fullmatch(_WORDS.get(text.strip(), text.strip()))
    if match is None:
        raise ValueError(f'"{text.strip()}" is not a time of day, such as 9:00')
    written = _Clock(
        int(match["hours"]),
        int(match["minutes"] or 0),
        int(match["seconds"] or 0),
        match["half"] or "",
        match["minutes"] is None and not match["half"],
    )
    if written.hours > (12 if written.half else 24) or max(written.minutes, written.seconds) > 59:
        raise ValueError(f'"{text.strip()}" is not a time of day, such as 9:00')
    return written


def _settled(clock: _Clock) -> _Clock:
    return clock.in_half(clock.half) if clock.half else clock


def _opening(clock: _Clock) -> TimeOfDay:
    """A window that opens at midnight opens at 0:00."""
    return TimeOfDay() if clock.time() == (24, 0, 0) else _closing(clock)


def _closing(clock: _Clock) -> TimeOfDay:
    """The end of the day is its last second: the interface has no 24:00."""
    if clock.hours == 24:
        if clock.minutes or clock.seconds:
            raise ValueError("a day ends at 24:00")
        return _DAY_END
    return TimeOfDay(hours=clock.hours, minutes=clock.minutes, seconds=clock.seconds)
