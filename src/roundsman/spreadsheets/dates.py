"""Days as people write them, and the day that stands before a time: `Jul 1, 2026, 10:00 AM`.

A weekday before the day is not read: where both disagree, the day counts.
"""

import datetime
import re
from collections.abc import Iterator
from itertools import product

from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.planned_days import FIRST_DAY, LAST_DAY, OUTSIDE, is_planned
from roundsman.domain.time_window import Date
from roundsman.spreadsheets.date_words import is_weekday, month_of
from roundsman.spreadsheets.unreadable_cell import UnreadableCell, cell_error

_EXAMPLE = "of the form 2024-07-31"
_WITH_YEAR = "write it with its year, as in 31.7.2024 or 2024-07-31"
_MONTH_FIRST = frozenset({"US"})
_EITHER_FIRST = frozenset({"", "CA", "PH", "ZA"})
"""Countries that write the month first, and those where nobody can tell."""

_ISO = r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
_DOTTED = r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})"
_SLASHED = r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4}|\d{2})"
_NAME = r"(?P<name>[^\W\d_]{3,12})"
_NAME_FIRST = rf"{_NAME}\.? (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<year>[0-9]{{4}})"
_DAY_THEN_NAME = (
    r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|[.º°])?[ -]?(?:de |di |of )?"
    rf"{_NAME}(?:\.|,)?[ -]?(?:de |del )?"
)
_DAY_FIRST = rf"{_DAY_THEN_NAME}(?P<year>[0-9]{{4}})(?: ?r\.)?"
_SHORT_YEAR = rf"{_DAY_THEN_NAME}'?(?P<year>[0-9]{{2}})"
_FORMS = (
    *(re.compile(form, re.ASCII) for form in (_ISO, _DOTTED, _SLASHED)),
    *(re.compile(form, re.IGNORECASE) for form in (_NAME_FIRST, _DAY_FIRST)),
)
_WHOLE_FORMS = (*_FORMS, re.compile(_SHORT_YEAR, re.IGNORECASE))
"""Before a time the short year of `28. Nov. 26` could be the time's hour."""

_NO_YEAR = re.compile(
    rf"[0-9]{{1,2}}(?:\. ?[0-9]{{1,2}}\.?|[/-][0-9]{{1,2}})|{_DAY_THEN_NAME}", re.IGNORECASE
)
_DAYS_AMONG_OTHERS = [
    re.compile(rf"(?<![0-9])(?:{form.pattern})(?![0-9])", form.flags) for form in _FORMS
]
_OTHER_WITHOUT_YEAR = re.compile(
    rf"(?<![0-9])(?:[0-9]{{1,2}}\. ?(?:0?[1-9]|1[0-2])\.|{_DAY_THEN_NAME})", re.IGNORECASE
)
_WEEKDAY = re.compile(
    r"(?P<weekday>[^\W\d_]{2,12}(?:-feira)?)\.?(?P<comma>,?) "
    r"(?:(?:the|den|der|le|el|il|lo|de) (?=[0-9]))?",
    re.IGNORECASE,
)
_CENTURY = 2_000

_DAY_NUMBER = re.compile(r"([34567]\d{4})(?:[.,]\d+)?", re.ASCII)
_DAY_ZERO = datetime.date(1899, 12, 30)
"""Spreadsheet programs count days from it, and show the number where a cell is no date to them."""


def parse_date(text: str, country: str, *, day_first: bool | None = None) -> Date:
    """Return a day; one with slashes is read as its country writes it, where that is known.

    `day_first` says how all days of the column are written, whatever the country.
    """
    if day_first is None and country not in _EITHER_FIRST:
        day_first = country not in _MONTH_FIRST
    whole = " ".join(text.split())
    plain = _without_weekday(whole)
    # `Mar 28, 2026` is March's, though `mar.` is a Tuesday too.
    for written, form in product((whole, plain), _WHOLE_FORMS):
        if match := form.fullmatch(written):
            return _date(match.groupdict(), text, day_first=day_first)
    if number := _DAY_NUMBER.fullmatch(plain):
        there = _DAY_ZERO + datetime.timedelta(days=int(number[1]))
        return Date(year=there.year, month=there.month, day=there.day)
    if (match := _NO_YEAR.fullmatch(plain)) and (not match["name"] or month_of(match["name"])):
        raise cell_error(f'"{text}" names no year; {_WITH_YEAR}', IssueType.NOT_A_DATE, text)
    raise _no_date(text)


def parse_day(text: str, country: str, *, day_first: bool | None = None) -> Date:
    """Return the day of a cell that may hold a time behind it, but no other day."""
    day, rest = split_day(text, country, day_first=day_first)
    if day is None:
        return parse_date(text, country, day_first=day_first)
    if any(other != day for other in _days_in(rest, country, day_first=day_first)):
        raise cell_error(f'"{text}" names two days; write one', IssueType.NOT_A_DATE, text)
    return day


def split_day(text: str, country: str, *, day_first: bool | None = None) -> tuple[Date | None, str]:
    """Return the day that a text begins with, if any, and what stands behind it."""
    for day, rest in _beginnings(text):
        try:
            return parse_date(day, country, day_first=day_first), rest
        except ValueError:
            continue
    return None, text


def _days_in(text: str, country: str, *, day_first: bool | None) -> Iterator[Date | None]:
    """Yield each day that a text names; None for one without a year, or that is none."""
    for form in _DAYS_AMONG_OTHERS:
        for match in form.finditer(text):
            day, _ = split_day(match[0], country, day_first=day_first)
            yield day
        text = form.sub("", text)
    for match in _OTHER_WITHOUT_YEAR.finditer(text):
        if not match["name"] or month_of(match["name"]):
            yield None


def _beginnings(text: str) -> Iterator[tuple[str, str]]:
    for written, form in product((text, _without_weekday(text)), _FORMS):
        match = form.match(written)
        if match and written[match.end() : match.end() + 1] in {"", " ", ",", "T", "t"}:
            yield match[0], written[match.end() :].lstrip(" ,Tt")


def _without_weekday(text: str) -> str:
    """Return what stands behind the day of the week; in a language of others, behind its comma."""
    match = _WEEKDAY.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    is_marked = bool(match["comma"]) and rest[:1].isdecimal()
    return rest if is_marked or is_weekday(match["weekday"]) else text


def _date(parts: dict[str, str | None], text: str, *, day_first: bool | None) -> Date:
    year = int(parts["year"] or 0)
    year += _CENTURY if year < 100 else 0
    try:
        month, day = _month_and_day(parts, day_first=day_first)
        there = datetime.date(year, month, day)
    except ValueError:
        raise _no_date(text) from None
    if not is_planned(there):
        years = IssueValues(value=text, least=FIRST_DAY.year, most=LAST_DAY.year)
        raise UnreadableCell(f'"{text}" {OUTSIDE}', IssueType.DATE_OUT_OF_RANGE, years)
    return Date(year=there.year, month=there.month, day=there.day)


def _no_date(text: str) -> UnreadableCell:
    return cell_error(f'"{text}" is no date {_EXAMPLE}', IssueType.NOT_A_DATE, text)


def _month_and_day(parts: dict[str, str | None], *, day_first: bool | None) -> tuple[int, int]:
    day = int(parts.get("day") or 0)
    if name := parts.get("name"):
        month = month_of(name)
        if month is None:
            raise ValueError("a word that is no month")
        return month, day
    if "first" not in parts:
        return int(parts["month"] or 0), day
    first, second = int(parts["first"] or 0), int(parts["second"] or 0)
    if day_first is None and first != second:
        raise ValueError("the month may come first or second")
    return (second, first) if day_first else (first, second)
