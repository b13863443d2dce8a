"""The ways to read the street line of an address as street and house number.

Numbers stand before the name (`123 Main St`) or after it (`Hauptstraße 12a`), beside flats, floors
and company names, and some streets have numbers for names. Every plausible reading is returned, the
likelier first; the map decides which of them exists.
"""

import re
from dataclasses import dataclass

from roundsman.geocoding.house_numbers import HouseNumber, parse_house_numbers

_DOOR = r"\d{1,5}(?:\s?[a-zA-Z](?![a-zA-Z]))?(?:\s?(?:/|bis|ter|\d/)\s?\d{0,3}(?!\d))?"
_DOORS = rf"{_DOOR}(?:\s*[-+&;\N{{EN DASH}}]\s*(?:{_DOOR}|[a-zA-Z](?![a-zA-Z])))*"
_FRONT_DOORS = _DOORS.replace(r"\s?[a-zA-Z]", r"(?:\s(?![nsew]\b))?[a-zA-Z]")
"""In front of a name a letter that stands alone may be a direction: `123 S Chester St`."""
_IN_FRONT = re.compile(rf"(?:no\.?\s*|#\s*)?({_FRONT_DOORS})[\s,]+(\S.*)", re.IGNORECASE)
_LETTER_APART = re.compile(r"(\d{1,5})\s([a-z])", re.IGNORECASE)
"""A letter after the number belongs to it, or is the whole name of a street: `1615 H St`."""
_BEHIND = re.compile(rf"(.*?\D)[\s,]+(?:nr\.?\s*|no\.?\s*|n°\s*|#\s*)?({_DOORS})", re.IGNORECASE)
_STUCK = re.compile(r"(.*[^\W\d]\.?)(\d{1,4}[a-z]?)", re.IGNORECASE)
_WITH_FLAT = re.compile(
    r"(.*\D)[\s,]+(\d{1,4}\s?[a-z]?)\s+(?:as\.?\s*|bst\.?\s*)?[a-z]?\s?\d{1,4}", re.IGNORECASE
)
_UNIT = re.compile(
    r"[,\s]*(?:\b(?:apt|apartment|unit|suite|ste|flat|fl|floor|room|rm|bldg|building|whg|top|"
    r"wohnung|etage|og|lgh|porte|bte|int|piso|c/o)\b\.?|#)\s*#?\s*[\w-]*\d*[\w-]*(?=$|[,\s])",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|e|er|eme|\.)?$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^)]*\)")
_MOST_READINGS = 6


@dataclass(frozen=True, slots=True)
class StreetReading:
    """One way to read a line; without doors it names a street alone."""

    street: str
    doors: tuple[HouseNumber, ...] = ()


def read_street(*lines: str) -> list[StreetReading]:
    """Return the readings of an address's lines, those of the first line first."""
    readings: list[StreetReading] = []
    for line in lines:
        for part in (line, *line.split(",")) if "," in line else (line,):
            for text in dict.fromkeys((_without_unit(part), " ".join(part.split()))):
                readings += _read_line(text.strip(" ,"))
    return list(dict.fromkeys(readings))[:_MOST_READINGS]


def _read_line(text: str) -> list[StreetReading]:
    if not text:
        return []
    found = []
    if match := _IN_FRONT.fullmatch(text):
        found.append(StreetReading(match[2], tuple(parse_house_numbers(match[1]))))
        if lettered := _LETTER_APART.fullmatch(match[1]):
            number = tuple(parse_house_numbers(lettered[1]))
            found.append(StreetReading(f"{lettered[2]} {match[2]}", number))
    if match := _BEHIND.fullmatch(text):
        found.append(StreetReading(match[1].strip(" ,"), tuple(parse_house_numbers(match[2]))))
    found += [
        StreetReading(match[1].strip(" ,"), tuple(parse_house_numbers(match[2])))
        for form in (_WITH_FLAT, _STUCK)
        if (match := form.fullmatch(text))
    ]
    found = [reading for reading in found if _is_name(reading.street) and reading.doors]
    return [*found, StreetReading(text)] if _is_name(text) or _ORDINAL.match(text) else found


def _is_name(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _without_unit(text: str) -> str:
    return " ".join(_UNIT.sub(" ", _IN_BRACKETS.sub(" ", text)).split())
