"""What an assistant is answered: short, in local time, other people's words marked as such.

A model reads its instructions and a customer's note from the same page. So whatever somebody typed
stands between `<data>` and `</data>`, and cannot close that itself (decisions §19).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from html import escape
from itertools import accumulate
from typing import Any

import msgspec

from roundsman.domain.model import UnsetType

MOST_BYTES = 4_096
"""Of one answer."""

_MOST_TEXT_BYTES = 240
"""Of one text as JSON writes it, so that the ten of a row always fit in an answer."""

_ROOM_FOR_MORE = 120
"""Bytes for saying how many rows are left out."""


def as_data(text: str) -> str:
    """Return somebody's words, cut and marked as data."""
    letters = [escape(letter, quote=False) for letter in " ".join(text.split())]
    if not letters:
        return ""
    sizes = accumulate(len(_encode(letter)) - 2 for letter in letters)
    fitting = sum(size <= _MOST_TEXT_BYTES for size in sizes)
    cut = "…" if fitting < len(letters) else ""
    return f"<data>{''.join(letters[:fitting])}{cut}</data>"


def as_local(at: datetime | UnsetType | None, zone: tzinfo, day: str = "") -> str:
    """Return a time by the clock on the wall, with its date where that is another than `day`."""
    if not isinstance(at, datetime):
        return ""
    local = at.astimezone(zone)
    return local.strftime("%H:%M" if local.date().isoformat() == day else "%Y-%m-%d %H:%M")


def write_answer(answer: Mapping[str, Any]) -> str:
    """Return an answer as JSON; raise ValueError for one that is too long."""
    text = _encode(answer)
    if len(text) > MOST_BYTES:
        raise ValueError("an answer is too long; give its rows to write_rows")
    return text.decode()


def write_rows(
    head: Mapping[str, Any], name: str, rows: Sequence[Mapping[str, Any]], start: int = 0
) -> str:
    """Return an answer with as many rows as fit; `next` says where to go on."""
    shown = [_without_empty(row) for row in rows[start:]]
    said = _without_empty(head)
    whole = _encode({**said, name: shown})
    if len(whole) <= MOST_BYTES:
        return whole.decode()
    room = MOST_BYTES - _ROOM_FOR_MORE - len(_encode({**said, name: []}))
    sizes = accumulate(len(_encode(row)) + 1 for row in shown)
    fitting = sum(size <= room for size in sizes)
    left = {"notShown": len(shown) - fitting, "next": start + fitting}
    return write_answer({**said, name: shown[:fitting], **left})


def _without_empty(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in ("", None, [], {})}


def _encode(value: object) -> bytes:
    return msgspec.json.encode(value)
