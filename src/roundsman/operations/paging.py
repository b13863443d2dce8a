"""Lists, page by page, with cursors that only we can make (decisions §5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import fields as fields_of

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.domain.model import Model
from roundsman.domain.queries import Query, SortKey
from roundsman.kit.cursor import WrongCursor, open_cursor, seal_cursor
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position

DEFAULT_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Page[T]:
    """Some rows of a list; the cursor of the next page is empty at the end."""

    rows: tuple[T, ...]
    next_cursor: str


class _CursorContent(msgspec.Struct, array_like=True):
    """What a cursor remembers: whose list this is, its arguments, and the last row seen."""

    name: str
    organization_id: str
    arguments: bytes
    after: Position


def list_all[N: Model, T](list_some: Callable[[Query[N]], Page[T]], arguments: N) -> list[T]:
    """Return every row of a list that comes in pages."""
    page = list_some(Query(arguments))
    rows = list(page.rows)
    while page.next_cursor:
        page = list_some(Query(arguments, page.next_cursor))
        rows.extend(page.rows)
    return rows


def list_page[N: Model, T](
    tools: Tools,
    organization_id: str,
    name: str,
    query: Query[N],
    fetch: Callable[[Transaction, N, Position | None, int], Sequence[tuple[Position, T]]],
) -> Page[T]:
    """Return the first page for the arguments, or the page that the cursor names.

    `fetch` takes the arguments, the last position seen and a count; arguments have a `limit`.
    """
    page, _ = list_page_with_arguments(tools, organization_id, name, query, fetch)
    return page


def list_page_with_arguments[N: Model, T](
    tools: Tools,
    organization_id: str,
    name: str,
    query: Query[N],
    fetch: Callable[[Transaction, N, Position | None, int], Sequence[tuple[Position, T]]],
) -> tuple[Page[T], N]:
    """Return the same and the arguments that count, which a cursor remembers."""
    arguments: N = query.arguments
    after: Position | None = None
    if query.cursor:
        content = _open(tools, organization_id, name, query.cursor)
        arguments, after = (
            msgspec.msgpack.decode(content.arguments, type=type(arguments)),
            content.after,
        )
        _require_same(query, arguments)
    limit = int(getattr(arguments, "limit", 0)) or DEFAULT_LIMIT
    with tools.database.reading() as tx:
        found = fetch(tx, arguments, after, limit + 1)
    rows = tuple(row for _, row in found[:limit])
    if len(found) <= limit:
        return Page(rows, ""), arguments
    last = _CursorContent(
        name, organization_id, msgspec.msgpack.encode(arguments), found[limit - 1][0]
    )
    return Page(rows, seal_cursor(last, tools.cursor_key)), arguments


def _require_same[N: Model](query: Query[N], remembered: N) -> None:
    """Refuse arguments that differ from those in the cursor."""
    violations = [
        FieldViolation(
            field=f"query.{field.encode_name}",
            description="must be as in the request that the cursor came from, or absent",
        )
        for field in fields_of(query.arguments)
        if field.name in query.given
        and _meaning(query.arguments, field.name) != _meaning(remembered, field.name)
    ]
    if violations:
        first = violations[0]
        raise InvalidArgument(f"{first.field} {first.description}", violations)


def _meaning(arguments: Model, name: str) -> object:
    """Return an argument, what stands for another being that other one."""
    value = getattr(arguments, name)
    if name == "limit":
        return value or DEFAULT_LIMIT
    return SortKey.CREATED_AT if value is SortKey.UNKNOWN else value


def _open(tools: Tools, organization_id: str, name: str, cursor: str) -> _CursorContent:
    try:
        content: Any = open_cursor(cursor, _CursorContent, tools.cursor_key)
    except WrongCursor:
        content = None
    if content is None or (content.name, content.organization_id) != (name, organization_id):
        description = "must be a nextCursor of this list, unchanged"
        raise InvalidArgument(
            f"cursor {description}", [FieldViolation(field="cursor", description=description)]
        )
    return content  # type: ignore[no-any-return] # checked just above
