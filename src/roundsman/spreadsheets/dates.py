"""Days as people write them, and the day that stands before a time: `Jul 1, 2026, 10:00 AM`."""

import datetime
import re
from collections.abc import Iterator

from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.planned_days import FIRST_DAY, LAST_DAY, OUTSIDE, is_planned
from roundsman.domain.time_window import Date
from roundsman.spreadsheets.unreadable_cell import UnreadableCell, cell_error

_EXAMPLE = "of the form 2024-07-31"
_MONTH_FIRST = frozenset({"US"})
_EITHER_FIRST = frozenset({"", "CA", "PH", "ZA"})
"""Countries that write the month first, and those where nobody can tell."""

_ISO = r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"
_DOTTED = r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})"
_SLASHED = r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4}|\d{2})"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = (
    rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
    r" (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"
)
_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE) for form in (_ISO, _DOTTED, _SLASHED, _NAMED)
)
_WEEKDAY = re.compile(r"[^\W\d_]{2,10}\.?,\s+(?=[\d])", re.IGNORECASE)
_CENTURY = 2_000

_DAY_NUMBER = re.compile(r"([34567]\d{4})(?:[.,]\d+)?", re.ASCII)
_DAY_ZERO = datetime.date(1899, 12, 30)
"""Spreadsheet programs count days from it, and show the number where a cell is no date to them."""


def parse_date(text: str, country: str) -> Date:
    """Return a day; one with slashes is read as its country writes it, where that is known."""
    plain = _WEEKDAY.sub("", " ".join(text.split()), count=1)
    for form in _FORMS:
        if match := form.fullmatch(plain):
            return _date(match.groupdict(), text, country)
    if number := _DAY_NUMBER.fullmatch(plain):
        there = _DAY_ZERO + datetime.timedelta(days=int(number[1]))
        return Date(year=there.year, month=there.month, day=there.day)
    raise _no_date(text)


def split_day(text: str, country: str) -> tuple[Date | None, str]:
    """Return the day that a text begins with, if any, and what stands behind it."""
    for day, rest in _beginnings(text):
        try:
            return parse_date(day, country), rest
        except ValueError:
            continue
    return None, text


def _beginnings(text: str) -> Iterator[tuple[str, str]]:
    for form in _FORMS:
        match = form.match(text)
        if match and text[match.end() : match.end() + 1] in {"", " ", ",", "T", "t"}:
            yield match[0], text[match.end() :].lstrip(" ,Tt")


def _date(parts: dict[str, str | None], text: str, country: str) -> Date:
    year = int(parts["year"] or 0)
    year += _CENTURY if year < 100 else 0
    try:
        month, day = _month_and_day(parts, country)
        there = datetime.date(year, month, day)
    except ValueError:
        raise _no_date(text) from None
    if not is_planned(there):
        years = IssueValues(value=text, least=FIRST_DAY.year, most=LAST_DAY.year)
        raise UnreadableCell(f'"{text}" {OUTSIDE}', IssueType.DATE_OUT_OF_RANGE, years)
    return Date(year=there.year, month=there.month, day=there.day)


def _no_date(text: str) -> UnreadableCell:
    return cell_error(f'"{text}" is no date {_EXAMPLE}', IssueType.NOT_A_DATE, text)


def _month_and_day(parts: dict[str, str | None], country: str) -> tuple[int, int]:
    day = int(parts.get("day") or 0)
    if name := parts.get("name"):
        return _MONTHS.index(name.lower()) + 1, day
    if "first" not in parts:
        return int(parts["month"] or 0), day
    first, second = int(parts["first"] or 0), int(parts["second"] or 0)
    if country in _EITHER_FIRST and first != second:
        raise ValueError("the month may come first or second")
    return (first, second) if country in _MONTH_FIRST else (second, first)
