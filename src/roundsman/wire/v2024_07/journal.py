"""The drivers' journals as planners see them."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import asdict

from roundsman.domain.actions import JournalEntry
from roundsman.domain.model import Model


class JournalLine(JournalEntry):
    """What became of an action, and the action as the device submitted it."""

    action: msgspec.Raw


class JournalAnswer(Model):
    """A page of actions, oldest first."""

    actions: tuple[JournalLine, ...] = ()
    next_cursor: str = ""


def encode_journal(rows: Iterable[tuple[JournalEntry, bytes]], next_cursor: str) -> bytes:
    """Return a page of the journal as JSON."""
    lines = tuple(_line_of(*row) for row in rows)
    return msgspec.json.encode(JournalAnswer(actions=lines, next_cursor=next_cursor))


def encode_journal_line(entry: JournalEntry, content: bytes) -> bytes:
    """Return an entry of the journal as JSON."""
    return msgspec.json.encode(_line_of(entry, content))


def _line_of(entry: JournalEntry, content: bytes) -> JournalLine:
    return JournalLine(**asdict(entry), action=msgspec.Raw(content))
