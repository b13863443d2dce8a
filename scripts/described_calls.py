"""The operations and types of the description, as a program calls them."""

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

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
        query_types={name: models.type_of(one["schema"]) for name, one in queries.items()},
        body=body,
        body_is_optional=not sent.get("required", True),
        answer=answer,
        takes_key="Idempotency-Key" in names,
        heeds_if_match="If-Match" in names,
        rows=rows,
        row=row,
    )
