"""Readers of strings, numbers, booleans, enums, timestamps and durations (decisions §1)."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any

from msgspec import inspect
from msgspec.structs import replace

from roundsman.kit.durations import DURATION_PATTERN, format_duration, parse_duration
from roundsman.kit.timestamps import parse_timestamp
from roundsman.wire.problems import Problems

type Reader = Callable[[Any, Problems], Any]
"""Takes a JSON value, returns the typed one; what it returns counts only without problems."""

_LONGEST_DURATION_NANOS = 7 * 24 * 3600 * 1_000_000_000


def scalar_reader(info: inspect.Type, description: str) -> Reader:
    """Return the reader of a scalar type; `description` says in words what a pattern asks for."""
    match info:
        case inspect.EnumType():
            return _enum_reader(info.cls)
        case inspect.StrType():
            is_duration = info.pattern == DURATION_PATTERN
            return _read_duration if is_duration else _string_reader(info, description)
        case inspect.BoolType():
            return _read_bool
        case inspect.IntType():
            return _integer_reader(info)
        case inspect.FloatType():
            return _number_reader(info)
        case inspect.DateTimeType():
            return _read_timestamp
    raise TypeError(f"no reader for {info}")


def kind_of(value: object) -> str:
    """Name the JSON kind of a value."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return names.get(type(value), "null" if value is None else "a number")


def _enum_reader(cls: type[Enum]) -> Reader:
    members: dict[str, Enum] = {str(member.value): member for member in cls}
    allowed = ", ".join(members)

    def read(value: Any, problems: Problems) -> object:
        member = members.get(value) if isinstance(value, str) else None
        if member is None:
            problems.add("", f"must be one of {allowed}")
        return member

    return read


def _string_reader(info: inspect.StrType, description: str) -> Reader:
    most = info.max_length
    least = info.min_length or 0
    pattern = re.compile(info.pattern) if info.pattern else None
    wanted = description or f"a string that matches {info.pattern}"

    def problem_of(value: str) -> str:
        if most is not None and len(value) > most:
            return f"must have at most {most} characters, not {len(value)}"
        if len(value) < least:
            return f"must have at least {least} character{'s'[: least > 1]}"
        if pattern is not None and (pattern.search(value) is None or value.endswith("\n")):
            return f"must be {wanted}"
        return "" if value.isprintable() else _unstorable(value)

    def read(value: Any, problems: Problems) -> object:
        if not isinstance(value, str):
            problems.add("", f"must be a string, not {kind_of(value)}")
        elif problem := problem_of(value):
            problems.add("", problem)
        return value

    return read


def _unstorable(value: str) -> str:
    # PostgreSQL stores neither of these in text, so SQLite is not allowed to differ.
    if "\0" in value:
        return "must not contain the NUL character"
    if any("\ud800" <= character <= "\udfff" for character in value):
        return "must not contain an unpaired surrogate"
    return ""


def _read_duration(value: Any, problems: Problems) -> object:
    if not isinstance(value, str):
        problems.add("", f'must be a string such as "300s", not {kind_of(value)}')
        return None
    try:
        nanoseconds = parse_duration(value)
    except ValueError as error:
        problems.add("", str(error))
        return None
    if nanoseconds > _LONGEST_DURATION_NANOS:
        problems.add("", "must be at most 7 days (604800s)")
    return format_duration(nanoseconds)


def _read_bool(value: Any, problems: Problems) -> object:
    if not isinstance(value, bool):
        problems.add("", f"must be true or false, not {kind_of(value)}")
    return value


def _integer_reader(info: inspect.IntType) -> Reader:
    least, most = info.ge, info.le

    def read(value: Any, problems: Problems) -> object:
        if type(value) is not int:
            problems.add("", "must be an integer")
        elif (least is not None and value < least) or (most is not None and value > most):
            problems.add("", f"must be {_range(least, most)}")
        return value

    return read


def _number_reader(info: inspect.FloatType) -> Reader:
    least, most = info.ge, info.le

    def read(value: Any, problems: Problems) -> object:
        if type(value) not in {int, float}:
            problems.add("", f"must be a number, not {kind_of(value)}")
        elif (least is not None and value < least) or (most is not None and value > most):
            problems.add("", f"must be {_range(least, most)}")
        return value

    return read


def narrow_range(info: inspect.Type, schema: Mapping[str, Any]) -> inspect.Type:
    """Return a type of integers with the range of its description, where that says another."""
    if not isinstance(info, inspect.IntType) or "minimum" not in schema:
        return info
    return replace(info, ge=schema["minimum"], le=schema["maximum"])


def narrow(read: Reader, schema: Mapping[str, Any]) -> Reader:
    """Return a reader that refuses what only a description says: more decimals, other years."""
    if "multipleOf" in schema:
        return _in_steps(read, schema["multipleOf"])
    if "x-minimum" in schema:
        first, last = (parse_timestamp(schema[name]) for name in ("x-minimum", "x-maximum"))
        return _between(read, first, last)
    return read


def _between(read: Reader, first: datetime, last: datetime) -> Reader:
    def read_between(value: Any, problems: Problems) -> object:
        moment = read(value, problems)
        if isinstance(moment, datetime) and not first.year <= moment.year <= last.year:
            problems.add("", f"must be in the years {first.year} to {last.year}")
        return moment

    return read_between


def _in_steps(read: Reader, step: float) -> Reader:
    decimals = -round(math.log10(step))

    def read_in_steps(value: Any, problems: Problems) -> object:
        before = len(problems)
        number = read(value, problems)
        if len(problems) == before and round(number, decimals) != number:
            problems.add("", f"must have at most {decimals} decimals")
        return number

    return read_in_steps


def _range(least: float | None, most: float | None) -> str:
    if most is None:
        return f"at least {least}"
    return f"at most {most}" if least is None else f"between {least} and {most}"


def _read_timestamp(value: Any, problems: Problems) -> datetime | None:
    if not isinstance(value, str):
        problems.add("", f"must be an RFC 3339 timestamp, not {kind_of(value)}")
        return None
    try:
        return parse_timestamp(value)
    except ValueError as error:
        problems.add("", str(error))
        return None
