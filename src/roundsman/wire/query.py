"""Query arguments to typed values, by the same readers as bodies (decisions §5, §12).

Arguments are named `query.limit` and the like, and `cursor`. An empty value counts as absent.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from msgspec import inspect
from msgspec.structs import fields as fields_of

from roundsman.domain.errors import LONGEST_NAME, InvalidArgument
from roundsman.domain.model import Model
from roundsman.domain.queries import Query
from roundsman.wire.problems import Problems
from roundsman.wire.reading import invalid, reader_of

CURSOR = "cursor"
_PREFIX = "query."
LONGEST_QUERY = 8_192
"""Ten times the longest cursor; each argument costs a look."""

_BOOLEANS = {"true": True, "false": False, "True": True, "False": False, "1": True, "0": False}
"""As JSON writes them, as Python does, and as forms do (decisions §19)."""


def read_query[N: Model](text: str, shape: type[N]) -> Query[N]:
    """Return the query arguments; raise InvalidArgument with every violation."""
    problems = Problems()
    sent = _arguments(text, problems)
    cursor = sent.pop(CURSOR, "") if is_list(shape) else ""
    names = {argument_name(shape, field.encode_name): field for field in fields_of(shape)}
    maps = {
        _map_prefix(shape, field.encode_name): names.pop(argument_name(shape, field.encode_name))
        for field in fields_of(shape)
        if isinstance(inspect.type_info(field.type), inspect.DictType)
    }
    values: dict[str, Any] = {}
    given = set()
    for name, value in sent.items():
        field = names.get(name)
        in_map = _find_map(name, maps)
        if field is None and in_map is not None:
            given.add(in_map.name)
            key = name.removeprefix(_map_prefix(shape, in_map.encode_name))
            values.setdefault(in_map.encode_name, {})[key] = value
        elif field is None:
            known = [*names, CURSOR] if is_list(shape) else [*names]
            problems.add_unknown("query argument", name, known)
        else:
            given.add(field.name)
            plain = _plain(value, inspect.type_info(field.type))
            if plain is None:
                problems.add(f".{name}", f"must be one of {', '.join(_BOOLEANS)}")
            values[field.encode_name] = plain
    before = len(problems)
    arguments: N = reader_of(shape)(values, problems)
    problems.prefix(before, f".{_PREFIX.rstrip('.')}")
    if problems:
        raise invalid(problems)
    return Query(arguments, cursor, frozenset(given))


def _map_prefix(shape: type[Model], field: str) -> str:
    return f"{argument_name(shape, field)}."


def _find_map[Field](name: str, maps: Mapping[str, Field]) -> Field | None:
    """Return the map that an argument such as `query.column.zip` puts something into."""
    return next(
        (field for prefix, field in maps.items() if name.startswith(prefix) and name != prefix),
        None,
    )


def argument_name(shape: type[Model], field: str) -> str:
    """Return what the query argument of a field is called."""
    return field if field in shape.unprefixed else f"{_PREFIX}{field}"


def is_list(shape: type[Model]) -> bool:
    """Say whether these are the arguments of a list, which has pages and cursors."""
    return "limit" in shape.__struct_fields__


def refuse_arguments(text: str) -> None:
    """Refuse any query argument of an operation that has none."""
    if not text:
        return
    problems = Problems()
    for name in _arguments(text, problems):
        problems.add_unknown("query argument", name, ())
    if problems:
        raise invalid(problems)


def _arguments(text: str, problems: Problems) -> dict[str, str]:
    if len(text) > LONGEST_QUERY:
        raise InvalidArgument(
            f"query must have at most {LONGEST_QUERY} characters, not {len(text)}"
        )
    arguments: dict[str, str] = {}
    for name, value in parse_qsl(text, keep_blank_values=True, errors="replace"):
        if name in arguments:
            problems.add(f".{name[:LONGEST_NAME]}", "is given more than once")
        if value:
            arguments[name] = value
    return arguments


def _plain(value: str, info: inspect.Type) -> Any:
    """Return the JSON value that the text of an argument stands for; None for no boolean."""
    while isinstance(info, inspect.Metadata):
        info = info.type
    if isinstance(info, inspect.IntType):
        digits = value.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= 18
        return int(value) if is_number else value
    if isinstance(info, inspect.BoolType):
        return _BOOLEANS.get(value)
    return value
