"""Cells that hold more than a word: tags, skills, attributes, items, loads and tasks of a stop.

As exports write them: lists of words are separated by commas, as people write them; what has
parts of its own, and words that hold a separator, are JSON.
"""

import re
from typing import get_type_hints

import msgspec

from roundsman.domain.imported_stop import Attribute, HttpsUrl, StopDraft
from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.item import Item
from roundsman.domain.stop_type import StopType
from roundsman.domain.task import TaskTemplate
from roundsman.spreadsheets.unreadable_cell import UnreadableCell

_SEPARATORS = re.compile(r"[,;]")
_FORMS = get_type_hints(StopDraft, include_extras=True)
_TYPES = (StopType.DELIVERY, StopType.PICKUP, StopType.TASK)

BREAK_BELONGS_TO_ROUTE = "is a break, which belongs to its route and cannot be imported"


def parse_listed_words(text: str) -> tuple[str, ...]:
    """Return the words of a cell."""
    if text.startswith("["):
        return tuple(_decode(text, list[str]))
    return tuple(word for part in _SEPARATORS.split(text) if (word := part.strip()))


def parse_listed_attributes(text: str) -> tuple[Attribute, ...]:
    """Return the attributes of an object or a list."""
    if text.startswith("["):
        return tuple(_decode(text, list[Attribute]))
    found = _decode(text, dict[str, str])
    return tuple(Attribute(key=key, value=value) for key, value in found.items())


def parse_listed_items(text: str) -> tuple[Item, ...]:
    """Return goods, each with what the interface says of an item."""
    return tuple(_decode(text, list[Item]))


def parse_listed_loads(text: str) -> dict[str, float]:
    """Return what a stop takes of a vehicle, by name."""
    return _decode(text, dict[str, float])


def parse_listed_tasks(text: str) -> tuple[TaskTemplate, ...]:
    """Return what the driver has to do."""
    return tuple(_decode(text, list[TaskTemplate]))


def parse_stop_type(text: str) -> StopType:
    """Return what is done at a stop."""
    name = text.strip().upper()
    if name in _TYPES:
        return StopType(name)
    values = IssueValues(value=text, choices=_TYPES)
    message = f'"{text}" is none of {", ".join(_TYPES)}'
    raise UnreadableCell(message, IssueType.UNKNOWN_STOP_TYPE, values)


def parse_url(text: str) -> str:
    """Return where the order can be looked at."""
    try:
        url: str = msgspec.convert(text, HttpsUrl)
    except msgspec.ValidationError as error:
        message = f'"{text}" is no address that begins with https://'
        values = IssueValues(detail="an address that begins with https://")
        raise UnreadableCell(message, IssueType.OUT_OF_BOUNDS, values) from error
    return url


def within_bounds[Value](name: str, value: Value) -> Value:
    """Return what a stop can have by this name; raise UnreadableCell where it cannot."""
    try:
        msgspec.convert(msgspec.to_builtins(value), _FORMS[name])
    except msgspec.ValidationError as error:
        wanted = str(error).partition(" - at ")[0].lower()
        message = f"is nothing that a stop can have: {wanted}"
        values = IssueValues(detail=wanted)
        raise UnreadableCell(message, IssueType.OUT_OF_BOUNDS, values) from error
    return value


def _decode[Form](text: str, form: type[Form]) -> Form:
    try:
        return msgspec.json.decode(text, type=form)
    except msgspec.MsgspecError as error:
        message = f"is not the JSON that an export writes there: {error}"
        detail = IssueValues(detail=str(error))
        raise UnreadableCell(message, IssueType.NOT_JSON, detail) from error
