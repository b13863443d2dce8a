"""Weights as people write them, in grams."""

from roundsman.spreadsheets.numbers import parse_amount

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
        raise ValueError(f'"{text}" has no unit; write "{text} kg", or whole grams')
    if unit and unit not in _GRAMS_PER:
        raise ValueError(f'"{written}" is no unit of weight; use g, kg, lb or oz')
    grams = round(number * _GRAMS_PER.get(unit, 1.0))
    if grams > _HEAVIEST_GRAMS:
        raise ValueError(f"{text} is more than 1,000 tonnes")
    return grams
