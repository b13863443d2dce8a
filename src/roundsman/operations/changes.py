"""Following what changes in an organization, from now on or from where somebody left off."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from roundsman.domain.change import Change, DriverPosition
from roundsman.domain.errors import FieldViolation, InvalidArgument, Unavailable
from roundsman.kit.cursor import WrongCursor, open_cursor, seal_cursor
from roundsman.operations.tools import Tools
from roundsman.storage.changes import latest_number, list_changes_after, oldest_number
from roundsman.storage.live_routes import list_positions_after
from roundsman.storage.tables import as_micros, from_micros

CHANGES_KEPT_FOR = timedelta(days=7)
"""As long as somebody may be away and go on without having missed anything."""

_AT_ONCE = 500


class _ChangeCursor(msgspec.Struct, array_like=True):
    name: str
    organization_id: str
    number: int


def cursor_after(tools: Tools, organization_id: str, number: int) -> str:
    """Return the cursor with which somebody goes on after a change."""
    return seal_cursor(_ChangeCursor("changes", organization_id, number), tools.cursor_key)


def open_change_cursor(tools: Tools, organization_id: str, cursor: str, field: str) -> int:
    """Return the number after which to go on; without a cursor, from now on.

    Raise InvalidArgument for what is no cursor of this stream, and where changes after it are gone.
    """
    with tools.database.reading() as tx:
        latest = latest_number(tx, organization_id)
        oldest = oldest_number(tx, organization_id)
    if not cursor:
        return latest
    try:
        content = open_cursor(cursor, _ChangeCursor, tools.cursor_key)
    except WrongCursor:
        content = None
    if content is None or (content.name, content.organization_id) != ("changes", organization_id):
        raise _refused(field, "must be the id of an event of this stream, unchanged")
    if content.number > latest or content.number < oldest - 1:
        days = CHANGES_KEPT_FOR.days
        raise _refused(field, f"is older than {days} days; read everything anew, then follow")
    return content.number


def _refused(field: str, description: str) -> InvalidArgument:
    violation = FieldViolation(field=field, description=description)
    return InvalidArgument(f"{field} {description}", [violation])


def read_changes(tools: Tools, organization_id: str, number: int) -> Sequence[tuple[int, Change]]:
    """Return the changes after a number, some hundreds at most; none while nobody can say."""
    try:
        with tools.database.reading() as tx:
            return list_changes_after(tx, organization_id, number, _AT_ONCE)
    except Unavailable:
        return ()


def now_in_micros(tools: Tools) -> int:
    """Return the moment after which positions are followed from now on."""
    return as_micros(tools.clock.now())


def read_positions(
    tools: Tools, organization_id: str, saved_after: int
) -> Sequence[tuple[int, DriverPosition]]:
    """Return the last position of each driver from whom one came after a moment, by its moment."""
    try:
        with tools.database.reading() as tx:
            found = list_positions_after(tx, organization_id, from_micros(saved_after), _AT_ONCE)
    except Unavailable:
        return ()
    last: dict[str, tuple[int, DriverPosition]] = {}
    for saved_at, position in found:
        known = last.get(position.driver_id)
        if known is None or known[1].at <= position.at:
            last[position.driver_id] = (as_micros(saved_at), position)
    newest = max((as_micros(moment) for moment, _ in found), default=0)
    # All are told under the newest moment, so that none is read again.
    return [(newest, position) for _, position in last.values()]
