"""JSON text to plain values, refusing what a careful reader would not guess about.

Duplicate keys, NaN and infinities, text that is not UTF-8, and nesting past 64 levels are errors
(decisions §1, "Body errors").
"""

import json
import math
from collections.abc import Sequence

from roundsman.domain.errors import InvalidArgument

MAX_DEPTH = 64


class _NotJson(ValueError):
    pass


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise _NotJson(f"key {json.dumps(repeated)} is given twice")
    return value


def _refuse_constant(name: str) -> object:
    raise _NotJson(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _NotJson("a number is too large")
    return value


def parse_json(raw: bytes) -> object:
    """Return the value of a JSON text; raise InvalidArgument naming what is wrong with it."""
    try:
        value: object = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except RecursionError:
        raise InvalidArgument(f"body is nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError:
        raise InvalidArgument("body is not UTF-8 text") from None
    except _NotJson as error:
        raise InvalidArgument(f"body is not valid JSON: {error}") from None
    except ValueError as error:
        raise InvalidArgument(f"body is not valid JSON: {_plain(error)}") from None
    return value


def _plain(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return (
            f"{error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}"
        )
    return "a number is too long"


def is_too_deep(value: object, levels: int = MAX_DEPTH) -> bool:
    """Say whether arrays and objects are nested deeper than `levels`."""
    if levels == 0:
        return True
    if isinstance(value, dict):
        return any(is_too_deep(part, levels - 1) for part in value.values())
    if isinstance(value, list):
        return any(is_too_deep(part, levels - 1) for part in value)
    return False
