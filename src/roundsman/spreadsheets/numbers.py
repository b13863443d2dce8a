"""Numbers as people type them: with a decimal comma, thousands separators, units and blanks."""

import math
import re

from roundsman.domain.address import Coordinates
from roundsman.domain.issue import IssueType, IssueValues
from roundsman.spreadsheets.unreadable_cell import UnreadableCell, cell_error

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:[,.' ]\d{3})+", re.ASCII)
_WHOLE = re.compile(r"([+-]?\d+)(?:[.,]0+)?", re.ASCII)
_DEGREES = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*°?\s*([NSEW]?)", re.ASCII | re.IGNORECASE)
_PAIR = re.compile(r"\(?\s*([^,;\s]+)\s*[,;\s]\s*([^,;\s]+)\s*\)?")
_COUNT = re.compile(
    r"(\d+)\s*(?:x|\u00d7|pcs?|pieces?|box(?:es)?|items?|parcels?|packages?|st|stk|st\u00fcck|pakete?|kartons?"
    r"|kisten?|colis|cartons?|pi\u00e8ces?|uds?|bultos?|cajas?|stuks?)\.?",
    re.IGNORECASE,
)
_POINT_AND_COMMA = r"\d{1,3}(?:[.' ]\d{3})+,\d+|\d{1,3}(?:[,' ]\d{3})+\.\d+"
"""Where both stand, the last one is the decimal one."""

_AMOUNT = re.compile(
    r"(?:(?:ca|approx|env|aprox|ong)\b\.?|~)?\s*"
    rf"([+-]?(?:{_POINT_AND_COMMA}|\d+(?:[.,]\d+)?))\s*([a-z]*)\.?",
    re.ASCII | re.IGNORECASE,
)


def parse_degrees(text: str, limit: int) -> float:
    """Return a latitude or longitude; a comma is a decimal one, thousands make no sense here."""
    match = _DEGREES.fullmatch(_plain(text))
    if match is None:
        message = f'"{text}" is not a number of degrees, such as 39.2904'
        raise cell_error(message, IssueType.NOT_DEGREES, text)
    degrees = float(match[1].replace(",", "."))
    if match[2].upper() in {"S", "W"}:
        degrees = -degrees
    if not -limit <= degrees <= limit:
        raise _out_of_range(text, -limit, limit)
    return degrees


def parse_coordinates(text: str) -> Coordinates:
    """Return a latitude and a longitude that stand in one cell."""
    match = _PAIR.fullmatch(text)
    if match is None:
        message = f'"{text}" is no pair of coordinates, such as 39.2904, -76.6122'
        raise cell_error(message, IssueType.NOT_COORDINATES, text)
    return Coordinates(latitude=parse_degrees(match[1], 90), longitude=parse_degrees(match[2], 180))


def parse_whole(text: str, limit: int, least: int = 0) -> int:
    """Return a whole number from `least` to `limit`."""
    plain = _plain(text)
    if _THOUSANDS.fullmatch(plain):
        plain = re.sub(r"[^\d+-]", "", plain)
    match = _WHOLE.fullmatch(plain)
    if match is None:
        message = f'"{text}" is not a whole number'
        raise cell_error(message, IssueType.NOT_A_WHOLE_NUMBER, text)
    number = int(match[1])
    if not least <= number <= limit:
        raise _out_of_range(text, least, limit)
    return number


def parse_count(text: str, limit: int) -> int:
    """Return a whole number of things, which may be called by a word: `2 boxes`, `3x`."""
    match = _COUNT.fullmatch(_plain(text))
    return parse_whole(match[1] if match else text, limit)


def parse_amount(text: str) -> tuple[float, str]:
    """Return a number that is not negative, and the unit written behind it, if any."""
    match = _AMOUNT.fullmatch(_plain(text))
    if match is None:
        raise cell_error(f'"{text}" is not a number', IssueType.NOT_A_NUMBER, text)
    *groups, last = re.split(r"[.,' ]", match[1])
    number = float(f"{''.join(groups)}.{last}" if groups else last)
    if number < 0 or not math.isfinite(number):
        message = f"{text} is negative or beyond counting"
        raise cell_error(message, IssueType.NOT_COUNTABLE, text)
    return number, match[2].lower()


def _out_of_range(text: str, least: int, most: int) -> UnreadableCell:
    values = IssueValues(value=text, least=least, most=most)
    return UnreadableCell(f"{text} is outside {least} to {most}", IssueType.OUT_OF_RANGE, values)


def _plain(text: str) -> str:
    """Remove blanks of every width, and replace the typographic minus sign."""
    return " ".join(text.split()).replace("\u2212", "-").replace("\u2019", "'")


_HEAVIEST_GRAMS = 1_000_000_000
_GRAMS_PER = {
    "g": 1.0,
    "gram": 1.0,
    "grams": 1.0,
    "kg": 1_000.0,
    "kgs": 1_000.0,
    "lb": 453.59237,
    "lbs": 453.59237,
    "oz": 28.349523125,
    "t": 1_000_000.0,
    "to": 1_000_000.0,
}  # fmt: skip -- one table, one glance


def parse_weight(text: str, unit: str) -> int:
    """Return whole grams; `unit` is the column's, for a number that has none of its own."""
    number, written = parse_amount(text)
    unit = written or unit
    if not unit and not number.is_integer():
        message = f'"{text}" has no unit; write "{text} kg", or whole grams'
        raise cell_error(message, IssueType.WEIGHT_WITHOUT_UNIT, text)
    if unit and unit not in _GRAMS_PER:
        message = f'"{written}" is no unit of weight; use g, kg, lb or oz'
        raise cell_error(message, IssueType.UNKNOWN_WEIGHT_UNIT, written)
    grams = round(number * _GRAMS_PER.get(unit, 1.0))
    if grams > _HEAVIEST_GRAMS:
        raise cell_error(f"{text} is more than 1,000 tonnes", IssueType.TOO_HEAVY, text)
    return grams
