"""Plain JSON values to typed ones, reporting every violation with its field path.

A reader is compiled once per type from the type's own annotations (`msgspec.inspect`), so the
bounds that are checked are those that the interface description shows. In the good case a path
costs nothing: it is put together only while problems travel up.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any

from msgspec import NODEFAULT, UNSET, inspect

from roundsman.domain.errors import LONGEST_NAME, FieldViolation, InvalidArgument
from roundsman.domain.model import SENT, BadField, Rule, find_broken_rules
from roundsman.wire.json_text import parse_json
from roundsman.wire.problems import Problems, find_unknown, has_too_many_unknown
from roundsman.wire.scalars import Reader, kind_of, narrow, narrow_range, scalar_reader


class UnreadableBody(InvalidArgument):
    """A body with violations, and what could be read all the same.

    In `readable`, None stands for a part that could not be read, whatever its type says, and an
    object with such a part has the fields of its type, but is none.
    """

    def __init__(
        self, violations: Sequence[FieldViolation], readable: object, more: int = 0
    ) -> None:
        super().__init__(_message(violations[0]), violations, more)
        self.readable = readable

    def and_also(self, further: Iterable[FieldViolation]) -> InvalidArgument:
        """Return the error with further violations, which take nothing unreadable into account."""
        return InvalidArgument(self.message, [*self.violations, *further], self.more)


def read_body[T](raw: bytes, shape: type[T]) -> T:
    """Return the body as a `shape`; raise UnreadableBody with every violation."""
    return read_value(parse_json(raw), shape)


def read_value[T](value: object, shape: type[T], problems: Problems | None = None) -> T:
    """Return a parsed JSON value as a `shape`; raise UnreadableBody with every violation."""
    problems = Problems() if problems is None else problems
    result: T = reader_of(shape)(value, problems)
    if problems:
        raise unreadable(problems, result)
    return result


def unreadable(problems: Problems, readable: object) -> UnreadableBody:
    """Return the error that lists all problems, and holds what could be read all the same."""
    read = None if problems.are_too_many else readable
    violations = _violations(problems)
    return UnreadableBody(violations, read, problems.count - len(violations))


def invalid(problems: Problems) -> InvalidArgument:
    """Return the error that lists all problems; its message is about the first."""
    violations = _violations(problems)
    return InvalidArgument(_message(violations[0]), violations, problems.count - len(violations))


def _violations(problems: Problems) -> list[FieldViolation]:
    return [
        FieldViolation(field=encodable(path.lstrip(".")), description=encodable(text))
        for path, text in problems.listed
    ]


def _message(first: FieldViolation) -> str:
    if first.description.startswith(("unknown field", "unknown query argument")):
        return first.description
    return f"{first.field or 'body'} {first.description}"


def encodable(text: str) -> str:
    """Return a client's words so that they can be answered: JSON text may hold half a character."""
    return text.encode("utf-8", "replace").decode()


def reader_of(shape: Any) -> Reader:
    """Return the reader of a type."""
    return _cached_reader(shape)


@cache
def _cached_reader(shape: Hashable) -> Reader:
    return _compile(inspect.type_info(shape), "")


def _compile(info: inspect.Type, description: str) -> Reader:
    match info:
        case inspect.Metadata():
            schema = dict(info.extra_json_schema or {})
            schema |= schema.get(SENT, {})
            typed = narrow_range(info.type, schema)
            return narrow(_compile(typed, schema.get("description", description)), schema)
        case inspect.StructType():
            return _struct_reader(info)
        case inspect.DictType():
            return _map_reader(info)
        case inspect.UnionType(types=(inspect.StructType(), inspect.Metadata())):
            return _struct_or_text_reader(*(_compile(one, description) for one in info.types))
        case inspect.VarTupleType() | inspect.ListType():
            return _array_reader(info)
        case _:
            return scalar_reader(info, description)


def _struct_reader(info: inspect.StructType) -> Reader:
    # Self-referring types do not occur in the interface, so fields are compiled eagerly.
    fields = {field.encode_name: (field.name, _compile(field.type, "")) for field in info.fields}
    wire_names = {field.name: field.encode_name for field in info.fields}
    required = [field.encode_name for field in info.fields if field.required]
    rules: Sequence[Rule] = getattr(info.cls, "rules", ())
    # Fields first: what is meant by an unknown name is looked for in this order.
    ignored: frozenset[str] = getattr(info.cls, "server_set", frozenset()) - fields.keys()
    not_yet: frozenset[str] = getattr(info.cls, "not_yet", frozenset())
    known = dict.fromkeys((*fields, *sorted(ignored), *sorted(not_yet)))
    make: Callable[..., object] = info.cls

    def read(value: Any, problems: Problems) -> object:
        if not isinstance(value, dict):
            problems.add("", f"must be an object, not {kind_of(value)}")
            return None
        before = len(problems)
        unread: dict[str, str] = {}
        walked = (
            _without_excess_names(value, known.keys())
            if has_too_many_unknown(value, known.keys())
            else value
        )
        arguments = _read_fields(walked, fields, unread, problems)
        if unread:
            problems.add_all_unknown("field", value, known.keys())
            problems.add_all_not_yet(value, not_yet)
        for name in required:
            if value.get(name) is None:
                problems.add(f".{name}", "is required")
                unread[name] = fields[name][0]
        if len(problems) == before:
            # Of a noun that breaks rules all of them are found below.
            with suppress(BadField):
                return make(**arguments)
        placeholders = frozenset(unread.values())
        partial = _with_placeholders(info, arguments, placeholders)
        for name, description in find_broken_rules(partial, rules, placeholders):
            problems.add(f".{wire_names[name]}", description)
        return partial

    return read


def _map_reader(info: inspect.DictType) -> Reader:
    read_name, read_item = _compile(info.key_type, ""), _compile(info.value_type, "")
    most = info.max_length

    def read(value: Any, problems: Problems) -> object:
        if not isinstance(value, dict):
            problems.add("", f"must be an object, not {kind_of(value)}")
            return None
        if most is not None and len(value) > most:
            problems.add("", f"must have at most {most} names, not {len(value)}")
            return None
        result = {}
        for name, part in value.items():
            before = len(problems)
            result[read_name(name, problems)] = read_item(part, problems)
            problems.prefix(before, f".{name[:LONGEST_NAME]}")
        return result

    return read


def _struct_or_text_reader(read_struct: Reader, read_text: Reader) -> Reader:
    def read(value: Any, problems: Problems) -> object:
        return (read_text if isinstance(value, str) else read_struct)(value, problems)

    return read


def _with_placeholders(
    info: inspect.StructType, arguments: Mapping[str, object], unread: Set[str]
) -> object:
    """Return what could be read of a noun; None stands for what could not, or is missing."""
    placeholders = {
        field.name: None if field.required or field.name in unread else _default(field)
        for field in info.fields
    }
    return SimpleNamespace(**{**placeholders, **arguments})


def _default(field: inspect.Field) -> object:
    """An optional field whose default is UNSET is described as one without a default."""
    return UNSET if field.default is NODEFAULT else field.default


def _read_fields(
    value: Mapping[str, Any],
    fields: Mapping[str, tuple[str, Reader]],
    unread: dict[str, str],
    problems: Problems,
) -> dict[str, object]:
    """Return the arguments, objects also in part; note in `unread` what is not whole."""
    arguments: dict[str, object] = {}
    for name, part in value.items():
        known = fields.get(name)
        if known is None:
            unread[name] = name
            continue
        if part is None:
            continue
        before = len(problems)
        read_part = known[1](part, problems)
        is_read = len(problems) == before
        if is_read or isinstance(read_part, SimpleNamespace):
            arguments[known[0]] = read_part
        if not is_read:
            problems.prefix(before, f".{name}")
            unread[name] = known[0]
            if problems.are_too_many:
                break
    return arguments


def _without_excess_names(value: Mapping[str, Any], known: Set[str]) -> Mapping[str, Any]:
    """Return of an object with very many names those that are known, and some that are not."""
    some = dict.fromkeys(find_unknown(value, known))
    return {**some, **{name: value[name] for name in known if name in value}}


def _array_reader(info: inspect.VarTupleType | inspect.ListType) -> Reader:
    read_item = _compile(info.item_type, "")
    least, most = info.min_length or 0, info.max_length
    collect: Callable[[list[object]], object] = (
        tuple if isinstance(info, inspect.VarTupleType) else list
    )

    def read(value: Any, problems: Problems) -> object:
        if not isinstance(value, list):
            problems.add("", f"must be an array, not {kind_of(value)}")
            return None
        if most is not None and len(value) > most:
            problems.add("", f"must have at most {most} elements, not {len(value)}")
            return None
        if len(value) < least:
            problems.add("", f"must have at least {least} element{'s'[: least > 1]}")
            return None
        result = []
        for index, part in enumerate(value):
            before = len(problems)
            result.append(read_item(part, problems))
            if len(problems) > before:
                problems.prefix(before, f"[{index}]")
                if problems.are_too_many:
                    break
        return collect(result)

    return read
