"""Write what is generated of the clients in sdk/: types and a method for each operation.

From docs/openapi.json, without a network; a test holds that the files are current.
"""

import json
import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "docs" / "openapi.json"
PYTHON = ROOT / "sdk" / "python" / "src" / "roundsman_client"
TYPESCRIPT = ROOT / "sdk" / "typescript" / "src"
_BY_HAND = "// Written by scripts/clients.py from the description of the interface; not by hand."
_HEADER = '''"""{doc}

Written by scripts/clients.py from the description of the interface; not by hand.
"""
'''
_JSON = "application/json"
_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")

type Json = Any


@dataclass(frozen=True, kw_only=True)
class Call:
    """One operation as a client calls it."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    path_names: tuple[str, ...]
    queries: Mapping[str, str]
    """Names of Python's arguments and those of the interface, of what is sent in the query."""

    query_types: Mapping[str, str]
    body: str = ""
    """The type of the body; empty without one."""

    body_is_optional: bool = False
    answer: str = "None"
    """`bytes` for a file."""

    takes_key: bool = False
    heeds_if_match: bool = False
    rows: str = ""
    """The field of the rows, of a list that comes in pages."""

    row: str = ""

    @property
    def name(self) -> str:
        """Return the name of the method."""
        return snake(self.id)


def snake(name: str) -> str:
    """Return a camel case name in Python's form, and no keyword."""
    made = _CAPITAL.sub(r"_\1", name).lower()
    return f"{made}_" if keyword.iskeyword(made) or made in {"id", "format", "type"} else made


@dataclass
class Models:
    """The types of the schemas, and of bodies that have no name of their own."""

    schemas: Mapping[str, Json]
    extra: dict[str, Json] = field(default_factory=dict)

    def type_of(self, schema: Json) -> str:
        """Return the annotation of a schema."""
        match schema:
            case {"$ref": str(reference)}:
                return reference.rpartition("/")[2]
            case {"anyOf": list(several)}:
                return " | ".join(dict.fromkeys(self.type_of(one) for one in several))
            case {"enum": list(values)}:
                return f"Literal[{', '.join(map(repr, values))}]"
            case {"x-extensible-enum": list(values)}:
                return f"Literal[{', '.join(map(repr, values))}] | str"
            case {"type": "array"}:
                return f"list[{self.type_of(schema.get('items', {}))}]"
            case {"type": "object", "additionalProperties": dict(values)}:
                return f"dict[str, {self.type_of(values)}]"
            case {"type": str(name)} if name in _SCALARS:
                return _SCALARS[name]
        return "Any"

    def body_of(self, operation: str, schema: Json) -> str:
        """Return the type of a body, named after its operation where it has no name."""
        if schema.get("type") == "object" and "properties" in schema:
            name = operation[0].upper() + operation[1:] + "Input"
            self.extra[name] = schema
            return name
        return self.type_of(schema)

    def write(self) -> Iterator[str]:
        """Yield the lines of every type."""
        for name, schema in sorted({**self.schemas, **self.extra}.items()):
            yield ""
            yield ""
            if "properties" not in schema:
                yield f"type {name} = {self.type_of(schema)}"
                yield from _quoted(schema.get("description", ""), "")
                continue
            yield f"{name} = TypedDict("
            yield f'    "{name}",'
            yield "    {"
            required = set(schema.get("required", ()))
            for field_name, shape in schema["properties"].items():
                annotation = self.type_of(shape)
                shown = annotation if field_name in required else f"NotRequired[{annotation}]"
                yield f'        "{field_name}": "{shown}",'
            yield "    },"
            yield ")"
            yield from _quoted(schema.get("description", ""), "")


def _quoted(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f'{indent}"""{" ".join(text.split())}"""'


def read_calls(description: Json, models: Models) -> list[Call]:
    """Return every operation that a program calls with a token."""
    return [
        _read_call(path, method, operation, models)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if operation.get("security") != []
        and "text/event-stream" not in operation["responses"]["200"]["content"]
    ]


def _read_call(path: str, method: str, operation: Json, models: Models) -> Call:
    parameters = operation["parameters"]
    queries = {
        snake(one["name"].removeprefix("query.")): one for one in parameters if one["in"] == "query"
    }
    names = {one["name"] for one in parameters}
    sent = operation.get("requestBody", {})
    body = ""
    if sent:
        body = (
            models.body_of(operation["operationId"], sent["content"][_JSON]["schema"])
            if _JSON in sent["content"]
            else "bytes"
        )
    answered = operation["responses"]["200"]["content"]
    answer = models.type_of(answered[_JSON]["schema"]) if _JSON in answered else "bytes"
    rows = operation.get("x-pagination", {}).get("items", "")
    row = ""
    if rows:
        row = models.type_of(models.schemas[answer]["properties"][rows]["items"])
    return Call(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        path_names=tuple(re.findall(r"\{(\w+)\}", path)),
        queries={name: one["name"] for name, one in queries.items()},
        query_types={name: _query_type(one["schema"], models) for name, one in queries.items()},
        body=body,
        body_is_optional=not sent.get("required", True),
        answer=answer,
        takes_key="Idempotency-Key" in names,
        heeds_if_match="If-Match" in names,
        rows=rows,
        row=row,
    )


def _query_type(schema: Json, models: Models) -> str:
    """Return the type of an argument, which the interface lets be empty as well."""
    several = schema.get("anyOf", [schema])
    return models.type_of(several[0])


def write_models(models: Models) -> str:
    """Return models.py."""
    lines = [
        _HEADER.format(doc="What is sent and answered, as types of dictionaries."),
        "from typing import Any, Literal, NotRequired, TypedDict",
        *models.write(),
    ]
    return "\n".join(lines) + "\n"


def write_operations(calls: list[Call], *, is_async: bool) -> str:
    """Return operations.py, or the same for programs that await."""
    name = "AsyncOperations" if is_async else "Operations"
    iterator = "AsyncIterator" if is_async else "Iterator"
    lines = [
        _HEADER.format(doc="A method for each operation of the interface."),
        f"from collections.abc import {iterator}",
        "from typing import Any",
        "",
        "from roundsman_client.calls import Call",
        "from roundsman_client.models import *  # noqa: F403 -- all of them are named below",
        "",
        "",
        f"class {name}:",
        '    """What a client can ask; `_send` and `_walk` are the client\'s."""',
        "",
        f"    {'async ' if is_async else ''}def _send(self, call: Call) -> Any:",
        "        raise NotImplementedError",
        "",
        f"    def _walk(self, call: Call, rows: str) -> {iterator}[Any]:",
        "        raise NotImplementedError",
    ]
    for call in calls:
        lines += ["", *_write_method(call, is_async=is_async)]
        if call.rows:
            lines += ["", *_write_walk(call, iterator)]
    return "\n".join(lines) + "\n"


def _arguments(call: Call, *, is_walk: bool = False) -> list[str]:
    arguments = ["self", *(f"{snake(name)}: str" for name in call.path_names)]
    if call.body:
        arguments.append(f"body: {call.body}" + (" | None = None" if call.body_is_optional else ""))
    arguments.append("*")
    arguments += [
        f"{name}: {annotation} | None = None"
        for name, annotation in call.query_types.items()
        if not (is_walk and name == "cursor")
    ]
    if call.heeds_if_match:
        arguments.append("if_match: str | None = None")
    if call.takes_key:
        arguments.append("idempotency_key: str | None = None")
    return arguments if arguments[-1] != "*" else arguments[:-1]


def _write_method(call: Call, *, is_async: bool) -> list[str]:
    wait, define = ("await ", "async def") if is_async else ("", "def")
    return [
        f"    {define} {call.name}({', '.join(_arguments(call))}) -> {call.answer}:",
        f'        """{_say(call)}"""',
        f"        return {wait}self._send({_make(call)})  # type: ignore[no-any-return]",
    ]


def _write_walk(call: Call, iterator: str) -> list[str]:
    name, arguments = call.name.removeprefix("list_"), ", ".join(_arguments(call, is_walk=True))
    return [
        f"    def iterate_{name}({arguments}) -> {iterator}[{call.row}]:",
        f'        """Walk every page of: {call.summary[:1].lower()}{call.summary[1:]}."""',
        f'        return self._walk({_make(call, is_walk=True)}, "{call.rows}")',
    ]


def _say(call: Call) -> str:
    return f"{call.summary}.\n\n        {call.description}\n        "


def _make(call: Call, *, is_walk: bool = False) -> str:
    parts = [f'"{call.method}"', f'"{call.path}"']
    if call.path_names:
        named = ", ".join(f'"{name}": {snake(name)}' for name in call.path_names)
        parts.append(f"path={{{named}}}")
    queries = {
        name: sent for name, sent in call.queries.items() if not (is_walk and name == "cursor")
    }
    if queries:
        named = ", ".join(f'"{sent}": {name}' for name, sent in queries.items())
        parts.append(f"query={{{named}}}")
    if call.body:
        parts.append("body=body")
    if call.heeds_if_match:
        parts.append("if_match=if_match")
    if call.takes_key:
        parts += ["takes_key=True", "idempotency_key=idempotency_key"]
    if call.answer == "bytes":
        parts.append("answers_file=True")
    return f"Call({', '.join(parts)})"


class TypeScriptModels(Models):
    """The same types, as TypeScript has them."""

    def type_of(self, schema: Json) -> str:  # noqa: C901 -- a case a kind of schema
        """Return the annotation of a schema."""
        match schema:
            case {"$ref": str(reference)}:
                return reference.rpartition("/")[2]
            case {"anyOf": list(several)}:
                return " | ".join(dict.fromkeys(self.type_of(one) for one in several))
            case {"enum": list(values)}:
                return " | ".join(json.dumps(value) for value in values)
            case {"x-extensible-enum": list(values)}:
                return " | ".join([*(json.dumps(value) for value in values), "(string & {})"])
            case {"type": "array"}:
                return f"Array<{self.type_of(schema.get('items', {}))}>"
            case {"type": "object", "additionalProperties": dict(values)}:
                return f"Record<string, {self.type_of(values)}>"
            case {"type": "string" | "boolean" | "null" as name}:
                return str(name)
            case {"type": "integer" | "number"}:
                return "number"
        return "unknown"

    def write(self) -> Iterator[str]:
        """Yield the lines of every type."""
        for name, schema in sorted({**self.schemas, **self.extra}.items()):
            yield ""
            if text := " ".join(schema.get("description", "").split()):
                yield f"/** {text} */"
            if "properties" not in schema:
                yield f"export type {name} = {self.type_of(schema)};"
                continue
            yield f"export interface {name} {{"
            required = set(schema.get("required", ()))
            for field_name, shape in schema["properties"].items():
                mark = "" if field_name in required else "?"
                yield f"  {json.dumps(field_name)}{mark}: {self.type_of(shape)};"
            yield "}"


def write_typescript(models: TypeScriptModels, calls: list[Call]) -> str:
    """Return operations.ts."""
    lines = [
        _BY_HAND,
        'import type { Call, CallOptions } from "./calls.js";',
        'import type * as m from "./models.js";',
        "",
        "/** What a client can ask; `send` and `walk` are the client's. */",
        "export abstract class Operations {",
        "  protected abstract send<T>(call: Call): Promise<T>;",
        "  protected abstract walk<T>(call: Call, rows: string): AsyncGenerator<T>;",
    ]
    for call in calls:
        lines += _write_typescript_method(call, models)
    return "\n".join([*lines, "}"]) + "\n"


def _write_typescript_method(call: Call, models: TypeScriptModels) -> Iterator[str]:
    answer = _qualified(call.answer, models)
    yield ""
    yield f"  /** {call.summary}. {call.description} */"
    yield f"  {call.id}({_typescript_arguments(call, models)}): Promise<{answer}> {{"
    yield f"    return this.send<{answer}>({_typescript_call(call)});"
    yield "  }"
    if call.rows:
        row = _qualified(call.row, models)
        walked = replace(call, queries={k: v for k, v in call.queries.items() if k != "cursor"})
        yield ""
        yield f"  /** Walk every page of: {call.summary[:1].lower()}{call.summary[1:]}. */"
        yield (
            f"  iterate{call.id.removeprefix('list')}({_typescript_arguments(walked, models)}): "
            f"AsyncGenerator<{row}> {{"
        )
        yield f'    return this.walk<{row}>({_typescript_call(walked)}, "{call.rows}");'
        yield "  }"


def _typescript_arguments(call: Call, models: TypeScriptModels) -> str:
    """Return what a method takes: names of the path, the body, the query, how it is sent."""
    named = [f"{name}: string" for name in call.path_names]
    if call.body:
        mark = "?" if call.body_is_optional else ""
        named.append(f"body{mark}: {_qualified(call.body, models)}")
    if call.queries:
        shown = [
            f"{sent.removeprefix('query.')}?: {_qualified(call.query_types[name], models)}"
            for name, sent in call.queries.items()
        ]
        named.append(f"query: {{ {'; '.join(shown)} }} = {{}}")
    if call.takes_key or call.heeds_if_match:
        named.append("options: CallOptions = {}")
    return ", ".join(named)


def _typescript_call(call: Call) -> str:
    """Return the call that a method makes."""
    sent = ", ".join(
        f'"{name}": query.{name.removeprefix("query.")}' for name in call.queries.values()
    )
    parts = {
        f'method: "{call.method}"': True,
        f'template: "{call.path}"': True,
        f"path: {{ {', '.join(call.path_names)} }}": bool(call.path_names),
        f"query: {{ {sent} }}": bool(call.queries),
        "body": bool(call.body),
        "options": call.takes_key or call.heeds_if_match,
        "takesKey: true": call.takes_key,
        "answersFile: true": call.answer == "bytes",
    }
    return f"{{ {', '.join(part for part, is_there in parts.items() if is_there)} }}"


def _qualified(annotation: str, models: TypeScriptModels) -> str:
    """Return an annotation with the module before the names of types."""
    known = {**models.schemas, **models.extra}
    if annotation == "bytes":
        return "Uint8Array"
    return re.sub(
        r"\b[A-Z]\w+\b",
        lambda found: f"m.{found[0]}" if found[0] in known else found[0],
        annotation,
    )


def written() -> dict[Path, str]:
    """Return every generated file's content."""
    description = json.loads(SOURCE.read_text(encoding="utf-8"))
    schemas = description["components"]["schemas"]
    models, typed = Models(schemas), TypeScriptModels(schemas)
    calls, typed_calls = read_calls(description, models), read_calls(description, typed)
    return {
        PYTHON / "models.py": write_models(models),
        PYTHON / "operations.py": write_operations(calls, is_async=False),
        PYTHON / "async_operations.py": write_operations(calls, is_async=True),
        TYPESCRIPT / "models.ts": "\n".join([_BY_HAND, *typed.write()]) + "\n",
        TYPESCRIPT / "operations.ts": write_typescript(typed, typed_calls),
    }


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
