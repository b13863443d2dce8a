"""What an assistant is answered: short, in local time, other people's words marked as such.

A model reads its instructions and a customer's note from the same page. So whatever somebody typed
stands between `<data>` and `</data>`, and cannot close that itself (decisions §19).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from html import escape
from typing import Any

import msgspec

from roundsman.domain.model import UnsetType

MOST_BYTES = 4_096
"""Of one answer."""

_LONGEST_TEXT = 160
_ROOM_FOR_MORE = 120
"""Bytes for saying how many rows are left out."""


def as_data(text: str) -> str:
    """Return somebody's words, cut and marked as data."""
    words = " ".join(text.split())
    if not words:
        return ""
    if len(words) > _LONGEST_TEXT:
        words = words[: _LONGEST_TEXT - 1] + "…"
    return f"<data>{escape(words, quote=False)}</data>"


def as_local(at: datetime | UnsetType | None, zone: tzinfo, day: str = "") -> str:
    """Return a time by the clock on the wall, with its date where that is another than `day`."""
    if not isinstance(at, datetime):
        return ""
    local = at.astimezone(zone)
    return local.strftime("%H:%M" if local.date().isoformat() == day else "%Y-%m-%d %H:%M")


def write_answer(answer: Mapping[str, Any]) -> str:
    """Return an answer as JSON; raise ValueError for one that is too long."""
    text = _encode(answer)
    if len(text.encode()) > MOST_BYTES:
        raise ValueError("an answer is too long; give its rows to write_rows")
    return text


def write_rows(
    head: Mapping[str, Any], name: str, rows: Sequence[Mapping[str, Any]], start: int = 0
) -> str:
    """Return an answer with as many rows as fit; `next` says where to go on."""
    shown = [_without_empty(row) for row in rows[start:]]
    whole = {**_without_empty(head), name: shown}
    if len(_encode(whole).encode()) <= MOST_BYTES:
        return _encode(whole)
    room = MOST_BYTES - _ROOM_FOR_MORE - len(_encode({**_without_empty(head), name: []}).encode())
    fitting = 0
    for row in shown:
        room -= len(_encode(row).encode()) + 1
        if room < 0:
            break
        fitting += 1
    return _encode(
        {
            **_without_empty(head),
            name: shown[:fitting],
            "notShown": len(shown) - fitting,
            "next": start + fitting,
        }
    )


def _without_empty(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in ("", None, [], {})}


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
