"""The languages of customers' pages: which one a browser wants, its words, and how it says days.

The words of a language stand in one file, `words/<language>.toml`, as a translator reads them.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from roundsman.domain.organization import Language

_LONGEST_HEADER = 500
_MOST_WANTED = 20


@dataclass(frozen=True, slots=True)
class Words:
    """What a page says in one language."""

    language: Language
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
        if near is not None:
            return self.say(near)
        return self.say(
            "day",
            weekday=self.texts["weekdays"][day.weekday()],
            day=day.day,
            month=self.texts["months"][day.month - 1],
        )


def _plural_form(language: Language, number: int) -> str:
    match language:
        case Language.FRENCH | Language.PORTUGUESE:
            return "one" if number < 2 else "other"
        case Language.POLISH if number != 1:
            is_few = number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14}
            return "few" if is_few else "other"
        case _:
            return "one" if number == 1 else "other"


@cache
def words_of(language: Language) -> Words:
    """Return the words of a language."""
    source = files("roundsman.tracking").joinpath("words", f"{language}.toml")
    return Words(language, tomllib.loads(source.read_text(encoding="utf-8")))


def choose_language(accepted: str, usual: Language) -> Language:
    """Return the language that an Accept-Language header likes best of ours, or else the usual."""
    ours = {str(language): language for language in Language}
    for wanted in _by_preference(accepted[:_LONGEST_HEADER].split(",")[:_MOST_WANTED]):
        if wanted == "*":
            return usual
        if found := ours.get(wanted.partition("-")[0]):
            return found
    return usual


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
