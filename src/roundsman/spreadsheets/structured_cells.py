"""Cells that hold more than a word: tags, skills, attributes, items, loads and tasks of a stop.

As exports write them: lists of words are separated by commas, as people write them; what has
parts of its own, and words that hold a separator, are JSON. How much of it there may be is what the
interface's JSON may have, and it is refused in the same words.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from roundsman.domain.imported_stop import Attribute, Attributes, HttpsUrl, TimeWindows
from roundsman.domain.issue import IssueType, IssueValues
from roundsman.domain.item import ImportedItems, Item
from roundsman.domain.loads import Amount, Loads, Skills
from roundsman.domain.model import Tags
from roundsman.domain.stop_type import StopType
from roundsman.domain.task import TaskTemplate, TaskTemplates
from roundsman.domain.time_window import TimeWindow
from roundsman.spreadsheets.numbers import parse_amount
from roundsman.spreadsheets.unreadable_cell import UnreadableCell
from roundsman.wire.problems import Problems
from roundsman.wire.reading import reader_of

_SEPARATORS = re.compile(r"[,;]")
_TYPES = (StopType.DELIVERY, StopType.PICKUP, StopType.TASK)

BREAK_BELONGS_TO_ROUTE = "is a break, which belongs to its route and cannot be imported"


def parse_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a cell."""
    tags: tuple[str, ...] = _within_bounds(text, _listed_words(text), Tags)
    return tags


def parse_skills(text: str, before: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the skills of a cell behind those of others, each once."""
    skills: tuple[str, ...] = _within_bounds(text, _listed_words(text), Skills)
    both: tuple[str, ...] = _within_bounds(text, [*dict.fromkeys((*before, *skills))], Skills)
    return both


def split_words(text: str) -> list[str]:
    """Return words as people list them."""
    return [word for part in _SEPARATORS.split(text) if (word := part.strip())]


def _listed_words(text: str) -> object:
    return _decode(text) if text.startswith("[") else split_words(text)


def parse_listed_attributes(text: str) -> tuple[Attribute, ...]:
    """Return the attributes of an object or a list."""
    value = _decode(text)
    if isinstance(value, dict):
        value = [{"key": key, "value": value} for key, value in value.items()]
    attributes: tuple[Attribute, ...] = _within_bounds(text, value, Attributes)
    return attributes


def parse_listed_items(text: str) -> tuple[Item, ...]:
    """Return goods, each with what the interface says of an item."""
    items: tuple[Item, ...] = _within_bounds(text, _decode(text), ImportedItems)
    return items


def parse_listed_loads(text: str) -> dict[str, float]:
    """Return what a stop takes of a vehicle, by name."""
    loads: dict[str, float] = _within_bounds(text, _decode(text), Loads)
    return loads


def parse_load(text: str) -> float:
    """Return an amount of a load that has a column of its own."""
    amount, _ = parse_amount(text)
    load: float = _within_bounds(text, round(amount, 3), Amount)
    return load


def parse_listed_tasks(text: str) -> tuple[TaskTemplate, ...]:
    """Return what the driver has to do."""
    tasks: tuple[TaskTemplate, ...] = _within_bounds(text, _decode(text), TaskTemplates)
    return tasks


def parse_url(text: str) -> str:
    """Return where the order is shown."""
    url: str = _within_bounds(text, text, HttpsUrl)
    return url


def require_few_windows(text: str, windows: Sequence[TimeWindow]) -> None:
    """Refuse a cell with which a stop has more windows than it may have."""
    _within_bounds(text, [msgspec.to_builtins(one) for one in windows], TimeWindows)


def parse_stop_type(text: str) -> StopType:
    """Return what is done at a stop."""
    name = text.strip().upper()
    if name in _TYPES:
        return StopType(name)
    values = IssueValues(value=text, choices=_TYPES)
    message = f'"{text}" is none of {", ".join(_TYPES)}'
    raise UnreadableCell(message, IssueType.UNKNOWN_STOP_TYPE, values)


def _decode(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.MsgspecError as error:
        message = f"is not the JSON that an export writes there: {error}"
        detail = IssueValues(detail=str(error))
        raise UnreadableCell(message, IssueType.NOT_JSON, detail) from error


def _within_bounds(text: str, value: object, form: Any) -> Any:
    """Return a value as the interface's reader of JSON does; raise UnreadableCell in its words."""
    problems = Problems(most=1)
    read = reader_of(form)(value, problems)
    for path, description in problems.listed:
        wrong = f"{path.lstrip('.')} {description}"
        message = wrong if path else f'"{text}" {description}'
        values = IssueValues(detail=wrong.strip())
        raise UnreadableCell(message, IssueType.OUT_OF_BOUNDS, values)
    return read
