"""Texts in the language of whoever reads them: which one a browser wants, its words, its dates.

The words of a language stand in one file for each room that speaks, `words/<language>.toml`, as a
translator reads them. How a language writes dates and numbers stands in the file beside this one.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

_LONGEST_HEADER = 500
_MOST_WANTED = 20


@dataclass(frozen=True, slots=True)
class Words:
    """What a room says in one language."""

    language: str
    texts: Mapping[str, Any]

    def say(self, name: str, /, **values: object) -> str:
        """Return a text by its name in the file, `table.name` within a table, filled in."""
        text: Any = self.texts
        for part in name.split("."):
            text = text[part]
        return str(text).format(**values)

    def count(self, name: str, number: int) -> str:
        """Return a text in the form that a number asks for (Unicode CLDR, plural rules)."""
        return self.say(f"{name}.{_plural_form(self.language, number)}", number=number)

    def name_day(self, day: date, today: date) -> str:
        """Return what people call a day."""
        near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get((day - today) // timedelta(days=1))
        return self._write_day("day", day) if near is None else self.say(near)

    def name_weekday(self, day: date) -> str:
        """Return the day of the week, shortened."""
        return str(self.texts["weekdays"][day.weekday()])

    def write_date(self, day: date) -> str:
        """Return a date with its year, as it stands on paper."""
        return self._write_day("date", day)

    def _write_day(self, name: str, day: date) -> str:
        return self.say(
            name,
            weekday=self.name_weekday(day),
            day=day.day,
            month=self.texts["months"][day.month - 1],
            year=day.year,
        )

    def write_decimal(self, number: str) -> str:
        """Return a number that was written with a point as the language writes it."""
        return number.replace(".", self.say("decimal_mark"))


def _plural_form(language: str, number: int) -> str:
    match language:
        case "fr" | "pt":
            return "one" if number < 2 else "other"
        case "pl" if number != 1:
            is_few = number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14}
            return "few" if is_few else "other"
        case _:
            return "one" if number == 1 else "other"


@cache
def words_of(package: str, language: str) -> Words:
    """Return what a package says in a language, and how the language writes dates and numbers."""
    return Words(language, _read(__package__, language) | _read(package, language))


def _read(package: str, language: str) -> dict[str, Any]:
    source = files(package).joinpath("words", f"{language}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def choose_language[Ours: StrEnum](accepted: str, usual: Ours) -> Ours:
    """Return the language that an Accept-Language header likes best of ours, or else the usual."""
    return find_language(accepted, type(usual)) or usual


def find_language[Ours: StrEnum](accepted: str, languages: type[Ours]) -> Ours | None:
    """Return the one of some languages that an Accept-Language header likes best, if any."""
    ours = {str(language): language for language in languages}
    for wanted in _by_preference(accepted[:_LONGEST_HEADER].split(",")[:_MOST_WANTED]):
        if wanted == "*":
            return None
        if found := ours.get(wanted.partition("-")[0]):
            return found
    return None


def _by_preference(parts: Iterable[str]) -> list[str]:
    weighed = []
    for part in parts:
        name, _, parameters = part.strip().lower().partition(";")
        weight = _read_weight(parameters)
        if name and weight > 0:
            weighed.append((weight, name.strip()))
    return [name for _, name in sorted(weighed, key=lambda one: -one[0])]


def _read_weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
