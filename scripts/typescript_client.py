"""Write what is generated of the client for TypeScript."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scripts.described_calls import Call, Models

_BY_HAND = "// Written by scripts/clients.py from the description of the interface; not by hand."

type Json = Any


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


def write_typescript_models(models: TypeScriptModels) -> str:
    """Return models.ts."""
    return "\n".join([_BY_HAND, *models.write()]) + "\n"


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
