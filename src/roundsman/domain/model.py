"""The base of the domain's values: frozen, keyword-only, camelCase when encoded.

A model encodes itself to the interface's JSON: strings, numbers, booleans, arrays and enums are
always present, objects, timestamps and durations that are unset (`UNSET`) are left out
(decisions §1, "Unset in responses"). Length and range bounds stand in the annotations, where both
the request reader and the interface description find them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, dataclass_transform

from msgspec import UNSET, Meta, Struct, StructMeta, UnsetType, field

__all__ = [
    "SENT",
    "UNSET",
    "BadField",
    "Line",
    "Model",
    "Name",
    "Prose",
    "Rule",
    "Tags",
    "UnsetType",
    "obey_rules",
]

SENT = "x-sent"
"""Holds the bounds, in a type's schema, that only its reader and descriptions of requests know.

What was stored before there were such bounds is still read, and answered.
"""

type Line = Annotated[str, Meta(max_length=1_500)]
"""A string of ordinary length (decisions §1, Bounds)."""

type Prose = Annotated[str, Meta(max_length=10_000)]
"""A note or a disclosure (decisions §1, Bounds)."""

type Name = Annotated[str, Meta(pattern=r"\S", max_length=1_500, description="a name, not blank")]
"""What a person calls something; required wherever it is asked for."""

type Tags = Annotated[tuple[Line, ...], Meta(max_length=100)]


class _KeywordOnly(StructMeta):
    """Makes every field of every model keyword-only; msgspec asks for it class by class."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        return super().__new__(cls, name, bases, namespace, **{"kw_only": True, **options})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Model(Struct, metaclass=_KeywordOnly, frozen=True, rename="camel"):
    """The base of what the domain's files define, such as Route, Vehicle and Task.

    `server_set` names fields of the same resource that clients may send back and that are ignored
    (decisions §1, "Unknown request field"). `rules` look at several fields, or need more than
    bounds. `unprefixed` names query arguments that are written without `query.` before them.
    `not_yet` names fields that the interface will have and that are refused until then. `unshown`
    names fields, as JSON has them, that are stored and that no answer has.
    """

    rules: ClassVar[tuple["Rule", ...]] = ()
    server_set: ClassVar[frozenset[str]] = frozenset()
    unprefixed: ClassVar[frozenset[str]] = frozenset()
    not_yet: ClassVar[frozenset[str]] = frozenset()
    unshown: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold of a noun beyond the bounds of each field.

    The judge says what is wrong with the first of `fields`, and looks at these fields alone: where
    one of them could not be read there is nothing to say, and whatever else is missing, there is.
    """

    judge: Callable[[Any], Iterable[str]]
    fields: tuple[str, ...]


class BadField(ValueError):
    """A noun was made that breaks a rule of its own."""


def find_broken_rules(
    noun: Any, rules: Sequence[Rule], unread: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Return field and description of all that is wrong, as far as the fields could be read."""
    for rule in rules:
        if not any(field in unread for field in rule.fields):
            for description in rule.judge(noun):
                yield rule.fields[0], description


def obey_rules(noun: Model) -> None:
    """Refuse to make a noun that breaks a rule; a noun with rules has this as `__post_init__`."""
    for name, description in find_broken_rules(noun, noun.rules):
        raise BadField(f"{name} {description}")
