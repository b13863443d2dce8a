"""Name what breaks clients between two descriptions: `python -m scripts.breaking_changes OLD NEW`.

Each is a file, or `-` for standard input. Exits with 1 when something breaks, and with 2 when a
description cannot be read. It judges what is sent and answered, not what is meant: a field that
keeps its name and type and means something else is found by nobody but a reader.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

type Json = Any
type Problem = tuple[str, str]
"""Where something breaks, and what."""

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_TEMPLATE = re.compile(r"\{[^}]*\}")
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_UNREAD = frozenset({"allOf", "not", "if", "prefixItems", "patternProperties", "$dynamicRef"})
"""Keywords that no description of ours has; a comparison that passed over them would be wrong."""

_WIDEST = frozenset({"double", "int64"})
"""Formats that take every number of their type."""

_EMPTY = {"type": "string", "maxLength": 0}
_CEILINGS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_FLOORS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")


class Direction(Enum):
    """Who writes a value and who reads it; a reader must understand all that may be written."""

    SENT = "sent"
    """Clients of the old description write, the new service reads."""

    ANSWERED = "answered"
    """The new service writes, clients of the old description read."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One schema as its writer has it and as its reader expects it."""

    direction: Direction
    writer: Mapping[str, Json]
    """All schemas of the writer's description, by name."""

    reader: Mapping[str, Json]
    seen: set[tuple[str, str]] = field(default_factory=set)
    """Pairs of names that were compared, so that a schema which contains itself comes to an end."""

    @property
    def is_sent(self) -> bool:
        """Say whether clients write."""
        return self.direction is Direction.SENT

    def problems(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        """Yield what the writer may write and the reader does not understand."""
        writer_name, written = _followed(written, self.writer)
        reader_name, read = _followed(read, self.reader)
        if writer_name and reader_name:
            if (writer_name, reader_name) in self.seen:
                return
            self.seen.add((writer_name, reader_name))
            place = writer_name if self.is_sent else reader_name
        choices = _variants(read, self.reader)
        for variant in _variants(written, self.writer):
            if self.is_sent and variant.get("type") == "null":
                continue  # null counts as left out in every request, whatever the description says
            yield from self._against_the_nearest(place, variant, choices)

    def _against_the_nearest(
        self, place: str, written: Json, choices: Sequence[Json]
    ) -> Iterator[Problem]:
        """Yield the problems with the choice that has fewest, so that one that fits is enough."""
        nearest = choices[0]
        if len(choices) > 1:
            nearest = min(choices, key=lambda one: self._count(place, written, one))
        yield from self.of_one(place, written, nearest)

    def _count(self, place: str, written: Json, read: Json) -> tuple[bool, int]:
        trial = replace(self, seen=set(self.seen))
        other_type = not _types(written) <= _types(read)
        return other_type, len(list(trial.of_one(place, written, read)))

    def of_one(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        """Yield the problems of two schemas that are no unions."""
        if not _types(written) <= _types(read):
            yield place, self._changed("type", _shown_types(written), _shown_types(read))
            return
        yield from self._values(place, written, read)
        yield from self._forms(place, written, read)
        if self.is_sent:
            yield from _limits(place, written, read)
        if "items" in read:
            yield from self.problems(f"{place}[]", written.get("items", {}), read["items"])
        yield from self._fields(place, written, read)

    def _values(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        known = read.get("enum", [read["const"]] if "const" in read else None)
        if known is None and self.is_sent:
            known = read.get("x-extensible-enum")
        if known is None:
            return
        named = written.get("enum", written.get("x-extensible-enum"))
        named = [written["const"]] if "const" in written else named
        is_open = "x-extensible-enum" in written and "x-extensible-enum" not in read
        if named is None or is_open:
            taken = f"takes only {', '.join(map(str, known))} now"
            yield place, taken if self.is_sent else "may now be a value that is not named"
            return
        if other := [str(one) for one in named if one not in known]:
            said = "no longer takes" if self.is_sent else "may now be"
            yield place, f"{said} {', '.join(other)}"

    def _forms(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        for name in ("format", "pattern"):
            refuses = name in read and read[name] not in _WIDEST
            if refuses and read[name] != written.get(name):
                yield place, self._changed(name, written.get(name, "free"), read[name])

    def _changed(self, name: str, written: Json, read: Json) -> str:
        old, new = (written, read) if self.is_sent else (read, written)
        return f"{name} was {old}, is {new}"

    def _fields(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        theirs, ours = written.get("properties", {}), read.get("properties", {})
        always, needed = set(written.get("required", ())), set(read.get("required", ()))
        for name in sorted(theirs.keys() | ours.keys()):
            inside = f"{place}.{name}"
            if name in theirs and name in ours:
                yield from self.problems(inside, theirs[name], ours[name])
            elif name in theirs and self.is_sent and "additionalProperties" not in _open(read):
                yield inside, "is no longer taken"
            elif name in ours and not self.is_sent:
                yield inside, "is gone from answers"
                continue
            if name in needed - always:
                yield inside, "is required now" if self.is_sent else "may be missing from answers"
        yield from self._others(place, written, read)

    def _others(self, place: str, written: Json, read: Json) -> Iterator[Problem]:
        """Yield the problems of fields with free names."""
        theirs, ours = written.get("additionalProperties"), read.get("additionalProperties")
        if isinstance(theirs, dict) and isinstance(ours, dict):
            yield from self.problems(f"{place}.*", theirs, ours)
        elif isinstance(theirs, dict) and ours is False and self.is_sent:
            yield place, "takes no fields of other names now"
        elif isinstance(ours, dict) and theirs is False and not self.is_sent:
            yield place, "has no fields of other names now"


def _open(schema: Json) -> Json:
    return schema if isinstance(schema.get("additionalProperties"), dict) else {}


def _followed(schema: Json, schemas: Mapping[str, Json]) -> tuple[str, Json]:
    """Return the name of what a reference points to, and the schema itself."""
    name = ""
    while "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        schema = schemas[name]
    return name, schema


def _variants(schema: Json, schemas: Mapping[str, Json]) -> list[Json]:
    schema = _followed(schema, schemas)[1]
    if unread := _UNREAD & schema.keys():
        raise ValueError(f"cannot compare schemas with {', '.join(sorted(unread))}")
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return [one for part in schema[keyword] for one in _variants(part, schemas)]
    return [schema]


def _types(schema: Json) -> frozenset[str]:
    named = schema.get("type", _TYPES)
    types = frozenset([named] if isinstance(named, str) else named)
    return types | {"integer"} if "number" in types else types


def _shown_types(schema: Json) -> str:
    named: str | list[str] = schema.get("type", "any")
    return " or ".join([named] if isinstance(named, str) else named)


def _limits(place: str, written: Json, read: Json) -> Iterator[Problem]:
    """Yield the limits that refuse what was taken."""
    for name in (*_CEILINGS, *_FLOORS):
        if name not in read:
            continue
        old, new = written.get(name), read[name]
        if old is None:
            is_narrower = name not in _FLOORS or new > 0 or "imum" in name
        else:
            is_narrower = new < old if name in _CEILINGS else new > old
        if is_narrower:
            yield place, f"{name} was {'free' if old is None else old}, is {new}"
    step, old_step = read.get("multipleOf"), written.get("multipleOf")
    # 0.1 is no binary fraction: the quotient of two steps is whole up to its rounding.
    if step and (old_step is None or abs(old_step / step - round(old_step / step)) > 1e-9):
        yield place, f"multipleOf was {'free' if old_step is None else old_step}, is {step}"


@dataclass(frozen=True, kw_only=True)
class Description:
    """A description by what its clients know."""

    content: Json

    @property
    def schemas(self) -> Mapping[str, Json]:
        """Return the named schemas."""
        named: Mapping[str, Json] = self.content.get("components", {}).get("schemas", {})
        return named

    @property
    def base_path(self) -> str:
        """Return the path that all operations share."""
        servers = self.content.get("servers", [{"url": "/"}])
        return urlsplit(str(servers[0]["url"])).path.rstrip("/")

    def operations(self, section: str) -> dict[str, tuple[str, Json]]:
        """Return each operation by method and path; names of path parameters say nothing."""
        return {
            f"{method.upper()} {_TEMPLATE.sub('{}', path)}": (f"{method.upper()} {path}", operation)
            for path, methods in self.content.get(section, {}).items()
            for method, operation in methods.items()
            if method in _METHODS
        }

    def security(self, operation: Json) -> list[Mapping[str, list[str]]]:
        """Return what an operation accepts as proof of who calls."""
        accepted = operation.get("security", self.content.get("security", []))
        return list(accepted) or [{}]


def compare(old: Json, new: Json) -> dict[Problem, list[str]]:
    """Return what breaks clients, each with the operations where it does."""
    before, after = Description(content=old), Description(content=new)
    found: dict[Problem, list[str]] = {}
    if before.base_path != after.base_path:
        moved = f"was {before.base_path or '/'}, is {after.base_path or '/'}"
        found["the path of all operations", moved] = []
    for section, check in (("paths", _operation), ("webhooks", _webhook)):
        later = after.operations(section)
        for key, (shown, operation) in before.operations(section).items():
            if key not in later:
                found[shown.removeprefix("POST ") if check is _webhook else shown, "is gone"] = []
                continue
            for problem in dict.fromkeys(check(before, after, operation, later[key][1])):
                # What is not inside a named schema is named by its operation.
                place = problem[0] if problem[0][0].isupper() else f"{shown}: {problem[0]}"
                found.setdefault((place, problem[1]), []).append(shown)
    return found


def _operation(before: Description, after: Description, old: Json, new: Json) -> Iterator[Problem]:
    if old.get("operationId") != new.get("operationId"):
        yield "operationId", f"was {old.get('operationId')}, is {new.get('operationId')}"
    for accepted in before.security(old):
        if not any(_suffices(accepted, asked) for asked in after.security(new)):
            yield "security", f"{_shown_security(accepted)} no longer suffices"
    sent = Comparison(direction=Direction.SENT, writer=before.schemas, reader=after.schemas)
    yield from _parameters(sent, old, new)
    yield from _body(sent, old.get("requestBody"), new.get("requestBody"))
    answered = Comparison(direction=Direction.ANSWERED, writer=after.schemas, reader=before.schemas)
    yield from _answers(answered, old.get("responses", {}), new.get("responses", {}))


def _webhook(before: Description, after: Description, old: Json, new: Json) -> Iterator[Problem]:
    """Yield the problems of a webhook, whose body the service writes."""
    answered = Comparison(direction=Direction.ANSWERED, writer=after.schemas, reader=before.schemas)
    yield from _contents(answered, "body", new.get("requestBody", {}), old.get("requestBody", {}))


def _suffices(accepted: Mapping[str, list[str]], asked: Mapping[str, list[str]]) -> bool:
    return all(name in accepted and set(asked[name]) <= set(accepted[name]) for name in asked)


def _shown_security(accepted: Mapping[str, list[str]]) -> str:
    shown = (
        f"{name} ({', '.join(scopes)})" if scopes else name for name, scopes in accepted.items()
    )
    return " with ".join(shown) or "no proof"


def _parameters(sent: Comparison, old: Json, new: Json) -> Iterator[Problem]:
    before, after = _by_name(old), _by_name(new)
    for name, parameter in after.items():
        was = before.get(name, {})
        if parameter.get("required") and not was.get("required"):
            yield name, "is required now"
        if was:
            yield from sent.problems(name, _values(was), _values(parameter))
    for name in before.keys() - after.keys():
        yield name, "is no longer taken"


def _values(parameter: Json) -> Json:
    """Return the schema of what a parameter may be, which `allowEmptyValue` lets be empty, too."""
    schema = parameter.get("schema", {})
    return {"anyOf": [schema, _EMPTY]} if parameter.get("allowEmptyValue") else schema


def _by_name(operation: Json) -> dict[str, Json]:
    """Return parameters by name; those of the path by their order, for their names are free."""
    parameters = operation.get("parameters", [])
    in_path = [one for one in parameters if one["in"] == "path"]
    named = {f"path parameter {number}": one for number, one in enumerate(in_path, start=1)}
    others = (one for one in parameters if one["in"] != "path")
    return named | {f"{one['in']} parameter {_case(one['in'], one['name'])}": one for one in others}


def _case(where: str, name: str) -> str:
    return name.lower() if where == "header" else name


def _body(sent: Comparison, old: Json, new: Json) -> Iterator[Problem]:
    if new and new.get("required") and not (old or {}).get("required"):
        yield "body", "is required now"
    if old and not new:
        yield "body", "is no longer taken"
    elif old and new:
        yield from _contents(sent, "body", old, new)


def _answers(answered: Comparison, old: Json, new: Json) -> Iterator[Problem]:
    good = {status for status in old if status.startswith("2")}
    for status in sorted(good - new.keys()):
        yield f"answer {status}", "is gone"
    for status in sorted({status for status in new if status.startswith("2")} - good):
        yield f"answer {status}", "is new, where clients expect another"
    for status in sorted(old.keys() & new.keys()):
        place = "answer" if status in good else f"answer {status}"
        for header in sorted(
            old[status].get("headers", {}).keys() - new[status].get("headers", {})
        ):
            if status in good:
                yield f"header {header}", "is gone from answers"
        yield from _contents(answered, place, new[status], old[status])


def _contents(comparison: Comparison, place: str, written: Json, read: Json) -> Iterator[Problem]:
    theirs, ours = written.get("content", {}), read.get("content", {})
    gone = theirs.keys() - ours if comparison.is_sent else ours.keys() - theirs
    for media_type in sorted(gone):
        yield f"{place} {media_type}", "is no longer taken" if comparison.is_sent else "is gone"
    for media_type in sorted(theirs.keys() & ours):
        schemas = theirs[media_type].get("schema", {}), ours[media_type].get("schema", {})
        yield from comparison.problems(place, *schemas)


def said(found: Mapping[Problem, Sequence[str]]) -> Iterator[str]:
    """Yield a line for each thing that breaks."""
    for (place, what), operations in sorted(found.items()):
        where = ""
        if operations and not place.startswith(operations[0]):
            others = len(operations) - 1
            where = f" ({operations[0]}{f' and {others} more' if others else ''})"
        yield f"{place} {what}{where}"


def _loaded(name: str) -> Json:
    text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    return json.loads(text)


def main() -> int:
    """Print what breaks, and return the code to exit with."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.breaking_changes",
        description="Name what breaks clients between two descriptions of an interface.",
    )
    parser.add_argument("old", metavar="OLD", help="what clients were written for; - reads it")
    parser.add_argument("new", metavar="NEW", help="what they are to work with now")
    options = parser.parse_args()
    try:
        found = compare(_loaded(options.old), _loaded(options.new))
    except (OSError, ValueError, KeyError) as error:
        print(f"the descriptions cannot be compared: {error}", file=sys.stderr)
        return 2
    for line in said(found):
        print(line)
    number = len(found)
    counted = "1 change breaks" if number == 1 else f"{number or 'no'} changes break"
    print(f"{counted[0].upper()}{counted[1:]} clients.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
