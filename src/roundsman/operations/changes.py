"""Following what changes in an organization, from now on or from where somebody left off."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from roundsman.domain.change import Change, DriverPosition
from roundsman.domain.errors import FieldViolation, InvalidArgument, Unavailable
from roundsman.kit.cursor import WrongCursor, open_cursor, seal_cursor
from roundsman.operations.tools import Tools
from roundsman.storage.changes import latest_number, list_changes_after, oldest_number
from roundsman.storage.live_routes import Movement, list_movements, list_positions

CHANGES_KEPT_FOR = timedelta(days=7)
"""As long as somebody may be away and go on without having missed anything."""

_AT_ONCE = 500
_LONGEST_DELAY = timedelta(minutes=1)
"""Between when a position is dated and when all see it: a commit that waits, clocks that differ."""

_POSITION_EVERY = timedelta(seconds=5)
"""Of one driver, at most (decisions §14)."""


class _ChangeCursor(msgspec.Struct, array_like=True):
    name: str
    organization_id: str
    number: int


VERSION_FIELD = "after"
"""The argument that takes the version of a day, too."""

_MOST_DIGITS = 18
"""Of a number of a change; a cursor is longer."""

_BEGIN_ANEW = "read everything anew, then follow without it"


def cursor_after(tools: Tools, organization_id: str, number: int) -> str:
    """Return the cursor with which somebody goes on after a change."""
    return seal_cursor(_ChangeCursor("changes", organization_id, number), tools.cursor_key)


def open_change_cursor(tools: Tools, organization_id: str, cursor: str, field: str) -> int:
    """Return the number after which to go on; without a cursor, from now on.

    As `after` the number itself will do: it is the version of a day, to follow what comes after it.

    Raise InvalidArgument for what is no cursor of this stream, and where changes after it are gone.
    """
    with tools.database.reading() as tx:
        latest = latest_number(tx, organization_id)
        oldest = oldest_number(tx, organization_id)
    if not cursor:
        return latest
    if field == VERSION_FIELD and _is_number(cursor):
        number = int(cursor)
    else:
        number = _open_own(tools, organization_id, cursor, field)
    if number > latest:
        raise _refused(field, f"is of a change that is not there any more; {_BEGIN_ANEW}")
    if number < oldest - 1:
        days = CHANGES_KEPT_FOR.days
        raise _refused(field, f"is older than {days} days; {_BEGIN_ANEW}")
    return number


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _open_own(tools: Tools, organization_id: str, cursor: str, field: str) -> int:
    """Return the number in a cursor of the organization's stream."""
    try:
        content = open_cursor(cursor, _ChangeCursor, tools.cursor_key)
    except WrongCursor:
        content = None
    if content is None or (content.name, content.organization_id) != ("changes", organization_id):
        raise _refused(field, "must be the id of an event of this stream, unchanged")
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


class PositionReader:
    """Finds out which drivers have moved since it was made, and since it was last asked.

    What is saved is not seen before it is committed, and the clocks of two hosts differ, so each
    look goes back further than the last one, and what was found already is left out. A driver who
    was found is left out for five seconds; a position that came meanwhile is found after them.
    """

    def __init__(self, tools: Tools, organization_id: str) -> None:
        self._tools = tools
        self._organization_id = organization_id
        self._found: dict[str, datetime] = {}
        self._looked_at: dict[str, datetime] = {}
        self._number = 0
        self._begun_at = tools.clock.now()

    def read(self, _number: int) -> Sequence[tuple[int, DriverPosition]]:
        """Return the last positions of who has moved, numbered."""
        now = self._tools.clock.now()
        try:
            with self._tools.database.reading() as tx:
                moved = list_movements(tx, self._organization_id, now - _LONGEST_DELAY)
                fresh = [one for one in moved if self._is_fresh(one, now)]
                route_ids = [one.route_id for one in fresh]
                positions = list_positions(tx, self._organization_id, route_ids) if fresh else []
        except Unavailable:
            return ()
        for position in positions:
            self._found[position.driver_id] = position.at
            self._looked_at[position.driver_id] = now
        numbered = list(enumerate(positions, self._number + 1))
        self._number += len(numbered)
        return numbered

    def _is_fresh(self, movement: Movement, now: datetime) -> bool:
        if movement.saved_at < self._begun_at:
            return False
        driver = movement.driver_id
        found, looked_at = self._found.get(driver), self._looked_at.get(driver)
        if found is not None and movement.at <= found:
            return False
        return looked_at is None or abs(now - looked_at) >= _POSITION_EVERY
