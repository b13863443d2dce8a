"""Time windows as people write them: `9:00-12:00; 14:00-16:00`, `9-12`, `after 2pm`.

Words around times are translated from German, French, Spanish and Dutch to English, because a
window that is not understood is lost.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from roundsman.domain.issue import IssueType
from roundsman.domain.model import UnsetType
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.spreadsheets.remarks import Slip
from roundsman.spreadsheets.unreadable_cell import UnreadableCell, cell_error

_IN_ENGLISH = {
    "from": (
        "nicht vor, pas avant, no antes de, no antes de las, niet voor, von, ab, de, du, dès"
        ", à partir de, a partir de, a partir de las, de las, desde, desde las, vanaf, van"
    ),
    "to": "bis, bis um, jusqu'à, jusqu\u2019à, hasta, hasta las, tot",
    "between": "zwischen, entre, entre las, tussen",
    "after": (
        "nach, frühestens, au plus tôt, après, apres, después de, después de las, despues de"
        ", despues de las, na"
    ),
    "before": "vor, spätestens, au plus tard, avant, antes de, antes de las, voor, uiterlijk",
    "and": "u., und, oder, et, ou, y, y las, o, en, of",
    "noon": "mittag, mittags, midi, mediodía, mediodia",
    "morning": (
        "vormittag, vormittags, früh, morgens, matin, matinée, mañana, por la mañana, ochtend"
        ", ochtends, voormiddag"
    ),
    "afternoon": (
        "nachmittag, nachmittags, après-midi, apres-midi, tarde, por la tarde, middag"
        ", middags, namiddag"
    ),
    "evening": "abend, abends, soir, soirée, noche, por la noche, avond, avonds",
    "midnight": "mitternacht, minuit, medianoche, middernacht",
    "hrs": "heures, heure, horas, hora, uur",
    "any": (
        "journée, en journée, durchgehend, rund um die uhr, immer, egal, jederzeit, ganztägig"
        ", toujours, toute la journée, todo el día, altijd, hele dag"
    ),
}
_WORDS = {word: english for english, words in _IN_ENGLISH.items() for word in words.split(", ")}

# The longest first, and not the `o` of an `o'clock`.
_ANY_WORD = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
_WORD = re.compile(rf"\b(?:{_ANY_WORD})(?![\w'\u2019])")

# Behind a time these mean "to"; alone they mean "at".
_TO_BEHIND_A_TIME = re.compile(r"(?<=[\dhnst])\s+(?:à|au|a las|a)\s+(?=\d|noon|midnight)")


_HALVES = {
    "am": "in the morning, morgens, du matin, de la mañana, 's ochtends",
    "pm": "in the afternoon, in the evening, at night, nachmittags, abends, de l'après-midi"
    ", du soir, de la tarde, de la noche, 's middags, 's avonds",
}
_HALF_BEHIND_A_TIME = {
    # Not behind 12, which is noon in the morning's words and midnight in the clock's.
    half: re.compile(rf"(?<=\d)(?<!\b12)\s*(?:uhr|uur|h)?\s+(?:{'|'.join(words.split(', '))})\b")
    for half, words in _HALVES.items()
}

_AT_ONCE_WORDS = (
    "asap; a.s.a.p.; a.s.a.p; as soon as possible; now; urgent; sofort; eilig; dringend"
    "; schnellstmöglich; baldmöglichst; so schnell wie möglich; so bald wie möglich"
    "; dès que possible; au plus vite; le plus tôt possible; lo antes posible; cuanto antes"
    "; zsm; z.s.m.; z.s.m; zo snel mogelijk; zo spoedig mogelijk; spoed"
)
AT_ONCE = frozenset(_AT_ONCE_WORDS.split("; "))
"""Wishes such as `as soon as possible` say nothing of the hours."""


def in_english(text: str) -> str:
    """Return a text without capitals, in which these words are English."""
    for half, words in _HALF_BEHIND_A_TIME.items():
        text = words.sub(half, text)
    return _TO_BEHIND_A_TIME.sub(" to ", _WORD.sub(lambda found: _WORDS[found[0]], text))


_BETWEEN = re.compile(r"\bbetween\b(.*?)\band\b")
_AFTER_AND_BEFORE = re.compile(
    r"\b(?:after|from|since|not before)\s+((?:1[0-2]|[1-9])(?:\s*(?:uhr|hrs?|h|o'clock))?)\s+"
    r"(?:and\s+)?(?:before|by|until|till|not after|to)\s+(?=(?:1[0-2]|[1-9])(?!\d))"
)
"""Bare hours that are one window are read beside each other, as those of `2-5` are."""

_BETWEEN_WINDOWS = re.compile(r"[;|,&/\n]|\band\b|\bor\b")
_RANGE = re.compile(r"(.*?)(?:[-\u2013\u2014~]|\bto\b|\buntil\b|\btill\b)(.*)")
_FROM = re.compile(r"(?:after|from|since|not before)\b(.*)")
_UNTIL = re.compile(r"(?:before|by|until|till|not after)\b(.*)")
_AT = re.compile(
    r"(?:(?:at|about|around|um|gegen|circa|ca\.?|\u00e0|vers|environ|a las?|sobre las|om|rond)\b"
    r"|@)?(.*)"
)
_DAY_PART = re.compile(
    r"(?:(?:in the|in der|in de|in|am|the|le|la|el|only|nur|'s)\s+)?"
    r"(morning|noon|afternoon|evening)s?"
)
_TIME = re.compile(
    r"(?P<hours>\d{1,2})(?:(?:[:.h]|\s?h\s|(?<=\d\d)(?=\d\d))(?P<minutes>\d{2}))?"
    r"(?::(?P<seconds>\d{2}))?"
    r"\s*h?\s*(?:(?P<half>[ap])\.?m\.?)?(?:\s*(?:uhr|hrs?|o'clock))?",
    re.ASCII,
)
_TIME_WORDS = {
    "noon": "12:00",
    "midday": "12:00",
    "midnight": "24:00",
    "morning": "8:00",
    "afternoon": "12:00",
    "evening": "18:00",
}
_DAY_PARTS = {
    "morning": TimeWindow(start=TimeOfDay(hours=8), end=TimeOfDay(hours=12)),
    "noon": TimeWindow(start=TimeOfDay(hours=12), end=TimeOfDay(hours=14)),
    "afternoon": TimeWindow(start=TimeOfDay(hours=12), end=TimeOfDay(hours=18)),
    "evening": TimeWindow(start=TimeOfDay(hours=18), end=TimeOfDay(hours=21)),
}
_ANY_TIME = (
    "; any; anytime; any time; all day; always; whenever; flexible; flexibel; -; none; 24/7"
    "; 24h; 24 h; 24 hours; 24 stunden"
)
_ALWAYS = AT_ONCE | frozenset(_ANY_TIME.split("; "))
_EXAMPLE = "such as 9:00-12:00"
_DAY_END = TimeOfDay(hours=23, minutes=59, seconds=59)
_LAST_SECOND = 24 * 3_600 - 1

_AROUND_SECONDS = 30 * 60
"""A single time means a window around it, not the exact second."""

_FIRST_OF_NIGHT, _LAST_OF_NIGHT = 18, 10
"""A window across midnight between these hours is a night's; any other is probably a mistake."""

_SMALL_HOURS, _EVENING = 4, 8
"""`1-4` and `4-8` mean hours of the day, not of the night."""

_LAST_BEFORE_OPENING = 6
"""`by 5` and `before 6` mean the afternoon: at that hour of the morning nobody takes goods."""


type _ReadAs = tuple[Slip, tuple[TimeWindow, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowReading:
    """Windows, and each part that was read in a doubtful way, with what it became."""

    windows: tuple[TimeWindow, ...] = ()
    slips: tuple[_ReadAs, ...] = ()


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
    return read_windows(text).windows


def read_windows(text: str) -> WindowReading:
    """Return the windows, none when any time will do, and what is odd about them."""
    plain = " ".join(text.casefold().split(" ")).strip()
    english = in_english(plain)
    if not {plain, english}.isdisjoint(_ALWAYS):
        return WindowReading()
    with _quoting_the_original(
        plain, english, IssueType.NOT_A_TIME_WINDOW, "a time window", _EXAMPLE
    ):
        ranges = _AFTER_AND_BEFORE.sub(r"\1 to ", _BETWEEN.sub(r"\1 to ", english))
        parts = _BETWEEN_WINDOWS.split(ranges)
        read = [_window(part.strip()) for part in parts if part.strip()]
        windows = join_half_windows([window for window, _ in read])
    judged = [(window, slip or _judge(window)) for window, slip in read]
    slips: list[_ReadAs] = [(slip, (window,)) for window, slip in judged if slip]
    if slips and len(windows) < len(read):
        slips = [(slips[0][0], windows)]
    return WindowReading(windows=windows, slips=tuple(slips))


def read_sides(start: str, end: str) -> WindowReading:
    """Return the window between two times of day, of which one may be empty."""
    window, slip = _open_or_closed(in_english(start.casefold()), in_english(end.casefold()))
    slip = slip or _judge(window)
    return WindowReading(windows=(window,), slips=((slip, (window,)),) if slip else ())


def spell_windows(windows: Sequence[TimeWindow]) -> str:
    """Return windows for a message."""
    return ", ".join(map(_format_window, windows))


def _format_window(window: TimeWindow) -> str:
    if isinstance(window.start, UnsetType):
        return f"until {_say(window.end)}"
    if isinstance(window.end, UnsetType):
        return f"from {_say(window.start)}"
    return f"{_say(window.start)}-{_say(window.end)}"


def parse_opening(text: str) -> TimeOfDay:
    """Return when a window opens."""
    return _opening(_one_clock(text))


def parse_closing(text: str) -> TimeOfDay:
    """Return when a window closes."""
    return _closing(_one_clock(text))


def _one_clock(text: str) -> _Clock:
    plain = text.casefold()
    english = in_english(plain)
    with _quoting_the_original(
        plain, english, IssueType.NOT_A_TIME, "a time of day", "such as 9:00"
    ):
        return _settled(_clock(english))


@contextmanager
def _quoting_the_original(
    text: str, english: str, kind: IssueType, what: str, example: str
) -> Iterator[None]:
    """Quote the original text in an error about its translation."""
    try:
        yield
    except ValueError as error:
        if text == english:
            raise
        raise cell_error(f'"{text}" is not {what}, {example}', kind, text) from error


def join_half_windows(windows: Sequence[TimeWindow]) -> tuple[TimeWindow, ...]:
    """Make one window of `after 9 and before 12`: as two windows they would be all day."""
    joined: list[TimeWindow] = []
    for window in windows:
        both = _overlap(joined[-1], window) if joined else None
        if both is None:
            joined.append(window)
        else:
            joined[-1] = both
    return tuple(joined)


def _overlap(one: TimeWindow, other: TimeWindow) -> TimeWindow | None:
    """Return the common part of a window without an end and one without a start, if any."""
    if isinstance(one.start, UnsetType):
        one, other = other, one
    start, end = one.start, other.end
    if isinstance(start, UnsetType) or isinstance(end, UnsetType):
        return None
    is_open = isinstance(one.end, UnsetType) and isinstance(other.start, UnsetType)
    if not is_open or start.as_time() >= end.as_time():
        return None
    return TimeWindow(start=start, end=end)


def _window(text: str) -> tuple[TimeWindow, Slip | None]:
    if match := _DAY_PART.fullmatch(text):
        return _DAY_PARTS[match[1]], None
    if match := _UNTIL.fullmatch(text):
        return _open_or_closed("", match[1])
    if match := _RANGE.fullmatch(text.removeprefix("from ").removeprefix("after ")):
        return _open_or_closed(match[1], match[2])
    if match := _FROM.fullmatch(text):
        return _open_or_closed(match[1], "")
    match = _AT.fullmatch(text)
    if match and _TIME.fullmatch(match[1].strip()):
        clock, _ = _side_of_the_day(match[1].strip(), _LAST_BEFORE_OPENING)
        return _around(clock), Slip.AROUND
    message = f'"{text}" is not a time window, {_EXAMPLE}'
    raise cell_error(message, IssueType.NOT_A_TIME_WINDOW, text)


def _around(clock: _Clock) -> TimeWindow:
    middle = clock.hours * 3_600 + clock.minutes * 60 + clock.seconds
    first, last = max(middle - _AROUND_SECONDS, 0), min(middle + _AROUND_SECONDS, _LAST_SECOND)
    return TimeWindow(start=_time_of_day(first), end=_time_of_day(last))


def _time_of_day(second: int) -> TimeOfDay:
    return TimeOfDay(hours=second // 3_600, minutes=second // 60 % 60, seconds=second % 60)


def _open_or_closed(start: str, end: str) -> tuple[TimeWindow, Slip | None]:
    start, end = start.strip(), end.strip()
    if start and end:
        first, last, slip = _in_context(_clock(start), _clock(end))
        return TimeWindow(start=_opening(first), end=_closing(last)), slip
    if not start and not end:
        message = f"a time window needs a start or an end, {_EXAMPLE}"
        raise UnreadableCell(message, IssueType.NOT_A_TIME_WINDOW)
    if start:
        opens, slip = _side_of_the_day(start, _SMALL_HOURS)
        return TimeWindow(start=_opening(opens)), slip
    closes, slip = _side_of_the_day(end, _LAST_BEFORE_OPENING)
    return TimeWindow(end=_closing(closes)), slip


def _side_of_the_day(text: str, last_small: int) -> tuple[_Clock, Slip | None]:
    """Return a window's only time; a small bare hour is the afternoon's, `05` the morning's."""
    clock = _settled(_clock(text))
    if clock.bare and not text.startswith("0") and 1 <= clock.hours <= last_small:
        return replace(clock, hours=clock.hours + 12), Slip.AFTERNOON
    return clock, None


def _in_context(start: _Clock, end: _Clock) -> tuple[_Clock, _Clock, Slip | None]:
    """Let one `am` or `pm` count for both times, and bare hours mean the day's: `1-5pm`, `12-3`."""
    if end.half and not start.half and start.hours <= 12:
        end = _settled(end)
        same = start.in_half(end.half)
        start = same if same.time() <= end.time() else start.in_half("a")
    elif start.half and not end.half and end.hours <= 12:
        start = _settled(start)
        end = end if end.time() > start.time() else end.in_half("p")
    elif start.bare and end.bare:
        return _of_the_day(start, end)
    return _settled(start), _settled(end), None


def _of_the_day(start: _Clock, end: _Clock) -> tuple[_Clock, _Clock, Slip | None]:
    if 1 <= end.hours < start.hours <= 12:
        return start, replace(end, hours=end.hours + 12), None
    if 1 <= start.hours <= _SMALL_HOURS and start.hours < end.hours <= _EVENING:
        later = replace(start, hours=start.hours + 12), replace(end, hours=end.hours + 12)
        return *later, Slip.AFTERNOON
    return start, end, None


def _judge(window: TimeWindow) -> Slip | None:
    """Return what is doubtful about a window, if anything."""
    if isinstance(window.start, UnsetType) or isinstance(window.end, UnsetType):
        return None
    start, end = window.start, window.end
    if start == end:
        return Slip.NO_LENGTH
    is_reversed = end.as_time() < start.as_time()
    is_night = start.hours >= _FIRST_OF_NIGHT and end.hours <= _LAST_OF_NIGHT
    return Slip.MIDNIGHT if is_reversed and not is_night else None


def _say(side: TimeOfDay | UnsetType) -> str:
    if isinstance(side, UnsetType):
        return ""
    return "24:00" if side == _DAY_END else f"{side.hours}:{side.minutes:02d}"


def _clock(text: str) -> _Clock:
    match = _TIME.fullmatch(_TIME_WORDS.get(text.strip(), text.strip()))
    if match is None:
        raise _no_time(text.strip())
    written = _Clock(
        int(match["hours"]),
        int(match["minutes"] or 0),
        int(match["seconds"] or 0),
        match["half"] or "",
        match["minutes"] is None and not match["half"],
    )
    if written.hours > (12 if written.half else 24) or max(written.minutes, written.seconds) > 59:
        raise _no_time(text.strip())
    return written


def _no_time(text: str) -> UnreadableCell:
    return cell_error(f'"{text}" is not a time of day, such as 9:00', IssueType.NOT_A_TIME, text)


def _settled(clock: _Clock) -> _Clock:
    return clock.in_half(clock.half) if clock.half else clock


def _opening(clock: _Clock) -> TimeOfDay:
    """A window that opens at midnight opens at 0:00."""
    return TimeOfDay() if clock.time() == (24, 0, 0) else _closing(clock)


def _closing(clock: _Clock) -> TimeOfDay:
    """The end of the day is its last second: the interface has no 24:00."""
    if clock.hours == 24:
        if clock.minutes or clock.seconds:
            raise UnreadableCell("a day ends at 24:00", IssueType.NOT_A_TIME)
        return _DAY_END
    return TimeOfDay(hours=clock.hours, minutes=clock.minutes, seconds=clock.seconds)
