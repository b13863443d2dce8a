"""The operations of the interface, from the tuples that requests are dispatched by."""

from collections import defaultdict

from scripts.reference.markdown import code, page, table

from roundsman.api.app import BASE_PATH, OPERATIONS
from roundsman.endpoints.operation import Operation

_INTRO = f"""
For the integrator. Paths are below `{BASE_PATH}`. Every operation but `POST /authenticate` and `POST /oauth/token`
asks for `Authorization: Bearer <ACCESS_TOKEN>`; every one of them that changes something accepts
`Idempotency-Key`. What bodies and answers hold is in the interface's description, OpenAPI 3.1:
[`openapi.json`](../openapi.json), which a running server also answers at
`{BASE_PATH}/openapi.json` and shows readably at `{BASE_PATH}/docs`. Read the
[conventions](conventions.md) first.
"""


def operations_page() -> str:
    """Return the page."""
    by_tag: dict[str, list[Operation]] = defaultdict(list)
    for operation in OPERATIONS:
        by_tag[operation.tag].append(operation)
    sections = [f"## {tag}\n\n{_table(by_tag[tag])}" for tag in by_tag]
    return page("Operations", _INTRO, *sections)


def _table(operations: list[Operation]) -> str:
    rows = [
        (code(f"{operation.method} {operation.path}"), operation.summary, code(operation.id))
        for operation in operations
    ]
    return table(["Operation", "Does", "operationId"], rows)
