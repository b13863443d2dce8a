"""What people add to the word of a header: `Zeitfenster 2`, `2nd time window`, `Standzeit (Min.)`.

Each addition counts only behind words of the fields that it can belong to.
"""

import re

from roundsman.spreadsheets.column_words import Field

NUMBERED = frozenset({Field.TIME_WINDOWS, Field.NOTE, Field.PHONE, Field.EMAIL})
"""Fields of which a stop may have several columns; `Address 2` is another part of an address."""

_DAY_FIRST = (
    "tt.mm.jjjj, tt.mm.jj, dd.mm.yyyy, dd/mm/yyyy, dd/mm/yy, dd-mm-yyyy, jj/mm/aaaa, dd/mm/aaaa"
    ", dd-mm-jjjj"
)
_MONTH_FIRST = "mm/dd/yyyy, mm/dd/yy, mm-dd-yyyy"
_UNITS = {
    Field.DURATION: (
        "min, mins, minute, minutes, minuten, minuto, minutos, minuut, mn, m, hh:mm, h:mm"
        ", in min, in minutes, in minuten, en min, en minutes, en minutos"
    ),
    Field.DURATION_SECONDS: (
        "s, sec, secs, second, seconds, sek, sekunde, sekunden, seconde, secondes, segundo"
        ", segundos, seg, seconden, in sec, in seconds, in sek, in sekunden, en secondes"
        ", en segundos, in seconden"
    ),
    Field.TIME_WINDOWS: (
        "uhr, h, hh:mm, uur, von-bis, von - bis, von bis, from-to, from - to, start-end, van-tot"
        ", van - tot, de-à, de - à, desde-hasta, desde - hasta"
    ),
    Field.DELIVERY_DATE: f"{_DAY_FIRST}, {_MONTH_FIRST}, yyyy-mm-dd, jjjj-mm-tt",
    Field.QUANTITY: "stk, stück, st, pcs, pieces, units, uds, pces, pièces, stuks",
}
_FIELDS_OF_UNIT: dict[str, list[Field]] = {}
for _field, _units in _UNITS.items():
    for _unit in _units.split(", "):
        _FIELDS_OF_UNIT.setdefault(_unit, []).append(_field)

_IS_DAY_FIRST = {
    form: forms is _DAY_FIRST for forms in (_DAY_FIRST, _MONTH_FIRST) for form in forms.split(", ")
}

_NUMBER_BEHIND = re.compile(
    r"(.+?)[\s_.:#-]*(?:\bn[ro°º]\.?\s*)?[(\[#]?([1-9][0-9]?)[)\]]?", re.IGNORECASE
)
_NUMBER_BEFORE = re.compile(r"#?[1-9][0-9]?(?:\.|st|nd|rd|th|er|re|ère|e|º|ª|°)?[\s_]+(.+)")
_NUMBER = re.compile(
    r"(?:\bn[ro°º]\.?\s?)?(?<![0-9])([1-9][0-9]?)(?![0-9])"
    r"(?:(?:st|nd|rd|th|er|re|ère|e|º|ª|°)(?![^\W_]))?",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"(.+?)\s*[(\[{]\s*([^()\[\]{}]+?)\.?\s*[)\]}]")
_BEHIND = re.compile(r"(.+?)[\s_,/-]+((?:(?:in|en) )?[^\W\d_]{2,}?)\.?")


def without_number(header: str) -> str:
    """Return a header without the number behind or before its word; empty where it has none."""
    match = _NUMBER_BEHIND.fullmatch(header) or _NUMBER_BEFORE.fullmatch(header)
    return match[1] if match else ""


def split_number(header: str) -> tuple[str, int]:
    """Return a header without the first number in it, and the number; 0 where it has none."""
    if match := _NUMBER.search(header):
        return f"{header[: match.start()]} {header[match.end() :]}", int(match[1])
    return header, 0


def split_unit(header: str) -> tuple[str, tuple[Field, ...]]:
    """Return a header without the unit behind it, and the fields whose unit that is."""
    for form in (_IN_BRACKETS, _BEHIND):
        match = form.fullmatch(header)
        fields = _FIELDS_OF_UNIT.get(_unit_of(match)) if match else None
        if match and fields:
            return match[1], tuple(fields)
    return header, ()


def is_day_first(header: str) -> bool | None:
    """Say whether the day stands before the month in a column; None where its header says no."""
    match = _IN_BRACKETS.fullmatch(header)
    return _IS_DAY_FIRST.get(_unit_of(match)) if match else None


def _unit_of(match: re.Match[str]) -> str:
    return " ".join(match[2].casefold().split())
