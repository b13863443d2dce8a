"""JSON text to plain values, refusing what a careful reader would not guess about.

Duplicate keys, NaN and infinities, text that is not UTF-8, and nesting past 64 levels are errors
(decisions §1, "Body errors").
"""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from roundsman.domain.errors import LONGEST_NAME, InvalidArgument

MAX_DEPTH = 64

_NESTED = frozenset({dict, list})
"""A parser makes no subclasses of these; looking a type up is a fifth of the time of isinstance."""


class _NotJson(ValueError):
    pass


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        repeated = _first_repeated(name for name, _ in pairs)
        raise _NotJson(f"key {json.dumps(repeated[:LONGEST_NAME])} is given twice")
    return value


def _first_repeated(names: Iterable[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name is repeated")


def _refuse_constant(name: str) -> object:
    raise _NotJson(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _NotJson("a number is too large")
    return value


def parse_json(raw: bytes) -> object:
    """Return the value of a JSON text; raise InvalidArgument naming what is wrong with it."""
    value = parse_json_of_any_depth(raw)
    if is_too_deep(value):
        raise _too_deep()
    return value


def parse_json_of_any_depth(raw: bytes) -> object:
    """Return the same, for whoever refuses what is nested too deep part by part."""
    try:
        value: object = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise InvalidArgument("body is not UTF-8 text") from None
    except _NotJson as error:
        raise InvalidArgument(f"body is not valid JSON: {error}") from None
    except ValueError as error:
        raise InvalidArgument(f"body is not valid JSON: {_plain(error)}") from None
    return value


def _too_deep() -> InvalidArgument:
    return InvalidArgument(f"body is nested deeper than {MAX_DEPTH} levels")


def _plain(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return (
            f"{error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}"
        )
    return "a number is too long"


def is_too_deep(value: object) -> bool:
    """Say whether arrays and objects are nested deeper than 64 levels, the outermost being one."""
    level: list[Any] = [value] if type(value) in _NESTED else []
    for _ in range(MAX_DEPTH):
        level = [
            part
            for one in level
            for part in (one.values() if type(one) is dict else one)
            if type(part) in _NESTED
        ]
        if not level:
            return False
    return True
