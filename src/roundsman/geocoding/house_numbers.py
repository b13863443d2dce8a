"""House numbers as signs and tags write them: `12`, `12a`, `12-16`, `12;14`, `12 1/2`.

A number is its leading integer and what follows it, because that is how a street is counted:
neighbours have near integers, and a letter is a door beside the one without it.
"""

import re
from typing import NamedTuple

_NUMBER = re.compile(
    r"(\d{1,5})\s*(?:([a-z])(?![a-z])|(\s?\d/\d|bis|ter|/\d{1,3}))?", re.IGNORECASE
)
_RANGE = re.compile(
    r"(\d{1,5})\s*[a-z]?\s*(?:-|\N{EN DASH}|to|bis)\s*(\d{1,5})\s*[a-z]?", re.IGNORECASE
)
_LETTERS = re.compile(r"(\d{1,5})\s*([a-z])\s*[-+/\N{EN DASH}]\s*([a-z])", re.IGNORECASE)
_WIDEST_RANGE = 60
"""A hyphen between numbers farther apart joins block and door, as in Queens."""


class HouseNumber(NamedTuple):
    """A leading integer, and a lower-case rest that distinguishes doors of one integer."""

    number: int
    suffix: str = ""

    def __str__(self) -> str:
        """Return the number as one would write it."""
        return f"{self.number}{self.suffix}"


def parse_house_numbers(text: str) -> list[HouseNumber]:
    """Return every door that `text` names, in its order; empty when it names none."""
    doors: list[HouseNumber] = []
    for part in re.split(r"[;,+&]", text):
        doors += _parse_part(part.strip())
    return list(dict.fromkeys(doors))


def _parse_part(text: str) -> list[HouseNumber]:
    if letters := _LETTERS.fullmatch(text):
        first, last = letters[2].lower(), letters[3].lower()
        spanned = range(ord(first), ord(last) + 1) or [ord(first)]
        return [HouseNumber(int(letters[1]), chr(letter)) for letter in spanned]
    if (span := _RANGE.fullmatch(text)) and 0 < int(span[2]) - int(span[1]) <= _WIDEST_RANGE:
        first_door, last_door = int(span[1]), int(span[2])
        step = 2 if (last_door - first_door) % 2 == 0 else 1
        return [HouseNumber(number) for number in range(first_door, last_door + 1, step)]
    match = _NUMBER.match(text)
    if match is None:
        return []
    suffix = (match[2] or match[3] or "").strip().lower()
    return [HouseNumber(int(match[1]), suffix)]
