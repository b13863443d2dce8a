"""Time at a stop as people write it: minutes, or with a unit."""

import re

from roundsman.domain.issue import IssueType
from roundsman.kit.durations import Duration, format_duration
from roundsman.spreadsheets.numbers import parse_amount
from roundsman.spreadsheets.unreadable_cell import cell_error

_LONGEST_SECONDS = 7 * 24 * 3_600
_CLOCK = re.compile(r"(\d{1,3}):(\d{2})(?::(\d{2}))?", re.ASCII)
_HOURS_AND_MINUTES = re.compile(
    r"(\d{1,3})\s*h(?:ours?|rs?)?\s*(\d{1,2})\s*(?:m|min|minutes?)?", re.IGNORECASE
)
_UNITS = {
    1: "s, sec, secs, second, seconds, sek, sekunde, sekunden, seconde, secondes, segundo, segundos"
    ", seconden",
    60: ", m, mn, min, mins, minute, minutes, minuten, minuto, minutos, minuut",
    3_600: "h, hr, hrs, hour, hours, std, stunde, stunden, heure, heures, hora, horas, uur, uren",
}
_SECONDS_PER = {unit: seconds for seconds, units in _UNITS.items() for unit in units.split(", ")}


def parse_minutes(text: str) -> Duration:
    """Return a duration; a number alone is minutes."""
    return _duration(text, 60)


def parse_seconds(text: str) -> Duration:
    """Return a duration; a number alone is seconds."""
    return _duration(text, 1)


def _duration(text: str, seconds_per_bare_number: int) -> Duration:
    seconds = _seconds(text.strip(), seconds_per_bare_number)
    if seconds > _LONGEST_SECONDS:
        message = f"{text} is longer than 7 days"
        raise cell_error(message, IssueType.DURATION_TOO_LONG, text)
    return format_duration(round(seconds * 1_000) * 1_000_000)


def _seconds(text: str, seconds_per_bare_number: int) -> float:
    if match := _CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return hours * 3_600 + minutes * 60 + seconds
    if match := _HOURS_AND_MINUTES.fullmatch(text):
        return int(match[1]) * 3_600 + int(match[2]) * 60
    number, unit = parse_amount(text)
    if unit not in _SECONDS_PER:
        message = f'"{text}" is no duration; write minutes, or seconds as in 300s'
        raise cell_error(message, IssueType.NOT_A_DURATION, text)
    return number * (_SECONDS_PER[unit] if unit else seconds_per_bare_number)
