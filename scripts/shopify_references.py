"""Trim Shopify's published schema to what our documents use, for tests to hold them against it.

    python -m scripts.trim_shopify_schema admin_2026-10.json.gz > tests/storefronts/shopify.graphql

The schema is in the package `@shopify/dev-mcp` (ISC, Copyright Shopify Inc.), `dist/data`.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

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
    visit,
)
from graphql.language import FieldNode

from roundsman.storefronts.shopify_documents import DOCUMENTS

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


def main() -> None:
    """Read a schema and print the part."""
    with gzip.open(Path(sys.argv[1]), "rt") as file:
        schema = build_client_schema(json.load(file)["data"], assume_valid=True)
    info = TypeInfo(schema)
    collector = _Collector(info)
    for document in DOCUMENTS:
        visit(parse(document), TypeInfoVisitor(info, collector))
    print(_NOTICE)
    print("\n\n".join(_print_types(schema, collector.fields)))


def _print_types(  # noqa: C901 -- one branch for each kind of type
    schema: GraphQLSchema, fields: dict[str, set[str]]
) -> Iterator[str]:
    names: set[str] = set()
    for type_name, wanted in sorted(fields.items()):
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
    main()
