"""The drivers' journals as planners see them."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import asdict

from roundsman.domain.actions import JournalEntry, KeptStop
from roundsman.domain.model import UNSET, Model, UnsetType


class JournalLine(JournalEntry):
    """What became of an action, and the action as the device submitted it."""

    action: msgspec.Raw
    stop: KeptStop | UnsetType = UNSET
    """Of a KEPT action at a stop: which one, and where it is now."""


class JournalAnswer(Model):
    """A page of actions, oldest first."""

    actions: tuple[JournalLine, ...] = ()
    next_cursor: str = ""


def encode_journal(
    rows: Iterable[tuple[JournalEntry, bytes, KeptStop | UnsetType]], next_cursor: str
) -> bytes:
    """Return a page of the journal as JSON."""
    lines = tuple(_line_of(*row) for row in rows)
    return msgspec.json.encode(JournalAnswer(actions=lines, next_cursor=next_cursor))


def encode_journal_line(entry: JournalEntry, content: bytes, stop: KeptStop | UnsetType) -> bytes:
    """Return an entry of the journal as JSON."""
    return msgspec.json.encode(_line_of(entry, content, stop))


def _line_of(entry: JournalEntry, content: bytes, stop: KeptStop | UnsetType) -> JournalLine:
    return JournalLine(**asdict(entry), action=msgspec.Raw(content), stop=stop)
