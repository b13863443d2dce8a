"""Partial updates: a resource, and a mask that says which of its fields apply (decisions §1).

A path in the mask whose field is absent clears the field; a field that is not in the mask must have
its form, as the description says, and is otherwise ignored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import fields as fields_of
from msgspec.structs import replace

from roundsman.domain.model import Model
from roundsman.wire.problems import Problems
from roundsman.wire.reading import reader_of, unreadable
from roundsman.wire.scalars import kind_of

MASK = "updateMask"
LONGEST_MASK = 2_000
_LONGEST_PATH = 100


@dataclass(frozen=True, slots=True)
class UpdateShape:
    """The body of a partial update: the resource under `name`, and which fields may change.

    No field of `shape` may be required. Where a masked field that is absent cannot be cleared
    (a location), `clears` is false and its absence is refused. Names in `never_blank` cannot be
    emptied either.
    """

    name: str
    shape: type[Model]
    updatable: tuple[str, ...]
    clears: bool = True
    never_blank: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """New values by attribute name; a cleared field has its default."""

    values: Mapping[str, Any]

    def apply[N: Model](self, noun: N) -> N:
        """Return the noun with the changes."""
        return replace(noun, **self.values)


def read_update(body: object, update: UpdateShape) -> Changes:
    """Return the changes in a body; raise UnreadableBody with every violation.

    What could be read all the same are then the new values, None for those that could not be.
    """
    problems = Problems()
    if not isinstance(body, dict):
        problems.add("", f"must be an object, not {kind_of(body)}")
        raise unreadable(problems, None)
    problems.add_all_unknown("field", body, (update.name, MASK))
    paths = _read_mask(body.get(MASK), update, problems)
    changes = _read_resource(body.get(update.name), paths, update, problems)
    if problems:
        raise unreadable(problems, changes.values)
    return changes


def _read_mask(mask: object, update: UpdateShape, problems: Problems) -> list[str]:
    allowed = ", ".join(update.updatable)
    if not isinstance(mask, str) or not mask.strip():
        problems.add(f".{MASK}", f"must name at least one of {allowed}")
        return []
    if len(mask) > LONGEST_MASK:
        problem = f"must have at most {LONGEST_MASK} characters, not {len(mask)}"
        problems.add(f".{MASK}", problem)
        return []
    paths = [path.strip() for path in mask.split(",")]
    wrong = dict.fromkeys(path for path in paths if path not in update.updatable)
    for path in wrong:
        problem = f'has no updatable path "{path[:_LONGEST_PATH]}"; allowed are {allowed}'
        problems.add(f".{MASK}", problem)
    return [path for path in paths if path in update.updatable]


def _read_resource(
    resource: object, paths: list[str], update: UpdateShape, problems: Problems
) -> Changes:
    given = {} if resource is None else resource
    if not isinstance(given, dict):
        problems.add(f".{update.name}", f"must be an object, not {kind_of(given)}")
        return Changes({})
    before = len(problems)
    missing = [] if update.clears else [path for path in paths if given.get(path) is None]
    for path in missing:
        problems.add(f".{path}", "is required by updateMask")
    for path in paths:
        if path in update.never_blank and _is_blank(given.get(path)):
            problems.add(f".{path}", "must not be empty")
    changed = reader_of(update.shape)(given, problems)
    problems.prefix(before, f".{update.name}")
    attributes = {field.encode_name: field.name for field in fields_of(update.shape)}
    values = {attributes[path]: getattr(changed, attributes[path]) for path in paths}
    return Changes(values | {attributes[path]: None for path in missing})


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def wire_names(noun: type[Model]) -> tuple[str, ...]:
    """Return the names of a noun's fields as JSON has them."""
    names = (field.encode_name for field in fields_of(noun))
    return tuple(name for name in names if name not in noun.unshown)
